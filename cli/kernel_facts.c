#include "kernel_facts.h"

#include <string.h>

enum { BUILD_ID_DIGITS = 40 };

static bool is_release_char(char character)
{
	return cli_is_name_char(character) || strchr("-+~", character + !character);
}

// The text after `lead`; NULL if that is not in the line.
static struct cli_slice after(struct cli_slice line, const char *lead)
{
	const char *found = memmem(line.text, line.size, lead, strlen(lead));

	if (!found)
		return (struct cli_slice){ NULL, 0 };
	found += strlen(lead);
	return (struct cli_slice){ found, (size_t)(line.text + line.size - found) };
}

static struct cli_slice first_word(struct cli_slice text)
{
	size_t size = 0;

	while (size < text.size && is_release_char(text.text[size]))
		size++;
	return (struct cli_slice){ text.text, size };
}

static bool read_offset(struct cli_slice line, uint64_t *offset)
{
	struct cli_slice text = after(line, "Kernel Offset: ");
	size_t at = 2;

	*offset = 0;
	if (!text.text || cli_slice_begins(text, "disabled"))
		return text.text != NULL;
	if (!cli_slice_begins(text, "0x"))
		return false;
	for (; at < text.size && at < 18 && cli_hex_digit(text.text[at]) >= 0; at++)
		*offset = *offset << 4 | (uint64_t)cli_hex_digit(text.text[at]);
	return at > 2;
}

static struct cli_slice find_build_id(struct cli_slice text)
{
	for (size_t at = 0, size; at < text.size; at += size + 1) {
		struct cli_slice word = { text.text + at, 0 };
		while (at + word.size < text.size && cli_hex_digit(word.text[word.size]) >= 0)
			word.size++;
		size = word.size;
		bool ends = at + size == text.size || cli_is_blank(word.text[size]);
		if (size == BUILD_ID_DIGITS && ends)
			return word;
		while (at + size < text.size && !cli_is_blank(text.text[at + size]))
			size++;
	}
	return (struct cli_slice){ NULL, 0 };
}

// "... Tainted: G    W   6.1.0-56-amd64 #1 BUILDID Debian 6.1.1": the release is what the version,
// a "#" and a number, follows.
static bool read_release(struct cli_slice line, struct cli_kernel_fact *fact)
{
	struct cli_slice text = after(line, "CPU: "), version;

	if (text.text)
		text = after(text, "ainted");
	if (!text.text)
		return false;
	version = after(text, " #");
	if (!version.text || version.size == 0 || version.text[0] < '0' || version.text[0] > '9')
		return false;
	const char *end = version.text - 2, *start = end;
	while (start > text.text && is_release_char(start[-1]))
		start--;
	fact->release = (struct cli_slice){ start, (size_t)(end - start) };
	fact->build_id = find_build_id(version);
	return fact->release.size > 0;
}

struct cli_kernel_fact cli_kernel_fact_read(struct cli_slice line)
{
	struct cli_kernel_fact fact = { .kind = CLI_KERNEL_NONE };
	struct cli_slice boot = after(line, "Linux version ");

	if (boot.text) {
		fact.release = first_word(boot);
		fact.kind = CLI_KERNEL_BOOT;
	} else if (read_offset(line, &fact.offset)) {
		fact.kind = CLI_KERNEL_OFFSET;
	} else if (read_release(line, &fact)) {
		fact.kind = CLI_KERNEL_RELEASE;
	}
	return fact;
}
