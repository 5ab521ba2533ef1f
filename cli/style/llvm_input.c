#include "style/llvm_input.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char delimiters[] = " \n\r", blanks[] = " \t\n\v\f\r";

// Reads a number like LLVM: 0x, 0b, 0o and 0 select the base, and nothing may follow.
static bool read_number(const char *text, unsigned base, uint64_t *number)
{
	static const struct {
		const char *prefix;
		unsigned base;
	} prefixes[] = { { "0x", 16 }, { "0X", 16 }, { "0b", 2 }, { "0B", 2 }, { "0o", 8 } };

	for (size_t i = 0; base == 0 && i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncmp(text, prefixes[i].prefix, 2) == 0) {
			base = prefixes[i].base;
			text += 2;
		}
	if (base == 0 && text[0] == '0' && isdigit((unsigned char)text[1])) {
		base = 8;
		text++;
	}
	if (base == 0)
		base = 10;
	*number = 0;
	for (const char *at = text; *at || at == text; at++) {
		const char *all = "0123456789abcdef";
		const char *digit = *at ? strchr(all, tolower((unsigned char)*at)) : NULL;
		if (!digit || (unsigned)(digit - all) >= base ||
		    __builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(digit - all), number))
			return false;
	}
	return true;
}

static bool skip_word(char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) != 0)
		return false;
	*at += length;
	return true;
}

static enum llvm_command take_command(char **at)
{
	if (skip_word(at, "DATA "))
		return LLVM_COMMAND_DATA;
	if (skip_word(at, "FRAME "))
		return LLVM_COMMAND_FRAME;
	skip_word(at, "CODE ");
	return LLVM_COMMAND_CODE;
}

// Takes the name of the file before an address, which may be quoted; NULL if the closing quote is
// missing.
static char *take_module(char **at)
{
	*at += strspn(*at, delimiters);
	char quote = **at == '"' || **at == '\'' ? **at : 0, *name = *at + (quote != 0);
	char *end = quote ? strchr(name, quote) : name + strcspn(name, delimiters);

	if (!end)
		return NULL;
	*at = end + (*end != 0);
	*end = 0;
	return name;
}

static struct llvm_query read_of_14(const struct llvm_options *options, char *line)
{
	char *at = line;
	struct llvm_query query = { .command = take_command(&at), .module = "" };

	if (options->object) {
		query.module = options->object;
	} else {
		char *module = take_module(&at);
		if (!module)
			return query;
		query.module = module;
	}
	at += strspn(at, delimiters);
	at[strcspn(at, delimiters)] = 0;
	if (options->is_addr2line && !skip_word(&at, "0x"))
		skip_word(&at, "0X");
	query.understood = read_number(at, options->is_addr2line ? 16 : 0, &query.address);
	return query;
}

// Reads what precedes the address. Returns NULL, or why it was not understood.
static const char *take_file(const struct llvm_options *options, char **at,
			     struct llvm_query *query)
{
	const char *given = options->object ? options->object : options->build_id;
	bool has_file = false, has_id = false;

	query->module = given;
	query->is_build_id = options->build_id != NULL;
	for (;;) {
		*at += strspn(*at, blanks);
		bool file = skip_word(at, "FILE:"), id = !file && skip_word(at, "BUILDID:");
		if (!file && !id)
			break;
		if (has_file || has_id)
			return "duplicate input file specification prefix";
		has_file = file;
		has_id = id;
	}
	if ((has_file || has_id) && !**at)
		return has_file ? "must be followed by an input file"
				: "must be followed by a hash";
	if (given)
		return has_file || has_id ? "input file has already been specified" : NULL;
	char *module = take_module(at);
	if (!module || !*module)
		return has_file || has_id ? "unbalanced quotes in input file name"
					  : "no input filename has been specified";
	query->module = module;
	query->is_build_id = has_id;
	return has_id && !llvm_build_id_read(module) ? "wrong format of build-id" : NULL;
}

// Reads the address: a number, or a symbol with an optional offset. Returns NULL, or why it is
// neither.
static const char *take_address(const struct llvm_options *options, char *at,
				struct llvm_query *query)
{
	at += strspn(at, blanks);
	if (!*at)
		return "no module offset has been specified";
	at[strcspn(at, delimiters)] = 0;
	at[strcspn(at, blanks)] = 0;
	bool starts_with_digit = isdigit((unsigned char)*at);
	if (options->is_addr2line && strncasecmp(at, "0x", 2) == 0)
		at += 2;
	else if (options->is_addr2line && strncasecmp(at, "+0x", 3) == 0)
		at += 3;
	if (read_number(at, options->is_addr2line ? 16 : 0, &query->address))
		return NULL;
	if (starts_with_digit || !*at)
		return "expected a number as module offset";
	char *plus = strrchr(at, '+');
	query->symbol = at;
	if (plus && plus > at && read_number(plus + 1, 0, &query->address))
		*plus = 0;
	else
		query->address = 0;
	return NULL;
}

struct llvm_query llvm_query_read(const struct llvm_options *options, char *line)
{
	if (options->of_14)
		return read_of_14(options, line);
	char *at = line;
	struct llvm_query query = { .command = take_command(&at) };

	query.why = *line ? take_file(options, &at, &query) : "nothing is asked";
	if (!query.why)
		query.why = take_address(options, at, &query);
	query.understood = !query.why;
	if (!query.module)
		query.module = "";
	return query;
}
