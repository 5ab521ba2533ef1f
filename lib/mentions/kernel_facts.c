#include <inlinecall/extra/mentions.h>

#include <string.h>

#include "mentions/forms.h"
#include "text/span.h"
#include "text/text.h"

enum { BUILD_ID_DIGITS = 40 };

static bool is_release_char(char character)
{
	return ic_mention_is_name_char(character) || strchr("-+~", character + !character);
}

// The text after `lead`; NULL if that is not in the line.
static struct ic_span text_after(struct ic_span line, const char *lead)
{
	const char *found = ic_span_find(line, lead);

	if (!found)
		return (struct ic_span){ NULL, 0 };
	found += strlen(lead);
	return (struct ic_span){ found, (size_t)(line.text + line.size - found) };
}

static struct ic_span first_word(struct ic_span text)
{
	size_t size = 0;

	while (size < text.size && is_release_char(text.text[size]))
		size++;
	return (struct ic_span){ text.text, size };
}

static bool read_offset(struct ic_span line, uint64_t *offset)
{
	struct ic_span text = text_after(line, "Kernel Offset: ");
	size_t at = 2;

	*offset = 0;
	if (!text.text || ic_span_begins(text, "disabled"))
		return text.text != NULL;
	if (!ic_span_begins(text, "0x"))
		return false;
	for (; at < text.size && at < 18 && ic_text_hex_digit(text.text[at]) >= 0; at++)
		*offset = *offset << 4 | (uint64_t)ic_text_hex_digit(text.text[at]);
	return at > 2;
}

static struct ic_span find_build_id(struct ic_span text)
{
	for (size_t at = 0, size; at < text.size; at += size + 1) {
		struct ic_span word = { text.text + at, 0 };
		while (at + word.size < text.size && ic_text_hex_digit(word.text[word.size]) >= 0)
			word.size++;
		size = word.size;
		bool ends = at + size == text.size || ic_text_is_blank(word.text[size]);
		if (size == BUILD_ID_DIGITS && ends)
			return word;
		while (at + size < text.size && !ic_text_is_blank(text.text[at + size]))
			size++;
	}
	return (struct ic_span){ NULL, 0 };
}

// "... Tainted: G    W   6.1.0-56-amd64 #1 BUILDID Debian 6.1.1": the release is followed by the
// version, a "#" and a number.
static bool read_release(struct ic_span line, struct ic_kernel_fact *fact)
{
	struct ic_span text = text_after(line, "CPU: "), version;

	if (text.text)
		text = text_after(text, "ainted");
	if (!text.text)
		return false;
	version = text_after(text, " #");
	if (!version.text || version.size == 0 || version.text[0] < '0' || version.text[0] > '9')
		return false;
	const char *end = version.text - 2, *start = end;
	while (start > text.text && is_release_char(start[-1]))
		start--;
	fact->release = (struct ic_span){ start, (size_t)(end - start) };
	fact->build_id = find_build_id(version);
	return fact->release.size > 0;
}

bool ic_kernel_fact_read(const char *text, size_t size, struct ic_kernel_fact *fact)
{
	struct ic_span line = { size > 0 ? text : "", size };
	struct ic_span boot = text_after(line, "Linux version ");

	*fact = (struct ic_kernel_fact){ .kind = IC_KERNEL_NONE };
	if (boot.text) {
		fact->release = first_word(boot);
		fact->kind = IC_KERNEL_BOOT;
	} else if (read_offset(line, &fact->offset)) {
		fact->kind = IC_KERNEL_OFFSET;
	} else if (read_release(line, fact)) {
		fact->kind = IC_KERNEL_RELEASE;
	}
	return fact->kind != IC_KERNEL_NONE;
}
