#include "trace/bpf/filter.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *text, *pos;
	struct ic_trace_filter *filter;
	struct ic_error *err;
};

static bool fail_filter(const struct reader *reader, const char *what)
{
	return ic_fail(reader->err, IC_ERROR_ARGUMENT,
		       "filter '%s': %s at '%s'; for example: n > 10 && name == \"x\"",
		       reader->text, what, reader->pos);
}

static void skip_blanks(struct reader *reader)
{
	reader->pos += strspn(reader->pos, " \t\n");
}

static bool is_letter(char character)
{
	return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
	       character == '_' || (unsigned char)character >= 0x80;
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

// Reads a name, including the colons of C++ and Rust.
static bool read_name(struct reader *reader, char name[IC_TRACE_TERM_TEXT])
{
	size_t length = 0;

	if (!is_letter(*reader->pos))
		return fail_filter(reader, "expected a name");
	while (is_letter(reader->pos[length]) || is_digit(reader->pos[length]) ||
	       reader->pos[length] == ':')
		length++;
	if (length >= IC_TRACE_TERM_TEXT)
		return fail_filter(reader, "name too long");
	memcpy(name, reader->pos, length);
	name[length] = 0;
	reader->pos += length;
	return true;
}

// Reads the name of an argument, or of a member: "p->a.b[2]"; or of a builtin: "@pid".
static bool read_operand_name(struct reader *reader, struct ic_trace_operand *operand)
{
	static const char *const builtins[] = { [IC_TRACE_PID] = "pid",
						[IC_TRACE_TID] = "tid",
						[IC_TRACE_CPU] = "cpu",
						[IC_TRACE_COMMAND] = "comm" };
	bool is_builtin = *reader->pos == '@';
	size_t rest = 0;

	reader->pos += is_builtin;
	if (!read_name(reader, operand->name))
		return false;
	for (size_t i = IC_TRACE_PID; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (strcmp(operand->name, builtins[i]) == 0)
			operand->fallback = (enum ic_trace_builtin)i;
	if (is_builtin) {
		operand->name[0] = '\0';
		return operand->fallback ||
		       fail_filter(reader, "expected pid, tid, cpu or comm after '@'");
	}
	size_t length = strlen(operand->name);
	for (;;) {
		const char *pos = reader->pos + rest;
		if (is_letter(*pos) || is_digit(*pos) || (*pos && strchr(":.[]", *pos)))
			rest++;
		else if (pos[0] == '-' && pos[1] == '>')
			rest += 2;
		else
			break;
	}
	if (length + rest >= IC_TRACE_TERM_TEXT)
		return fail_filter(reader, "name too long");
	memcpy(operand->name + length, reader->pos, rest);
	operand->name[length + rest] = '\0';
	reader->pos += rest;
	return true;
}

static const struct relation {
	const char *text;
	enum ic_trace_relation relation;
} relations[] = {
	{ "==", IC_TRACE_EQUAL }, { "!=", IC_TRACE_UNEQUAL },    { "!~", IC_TRACE_UNLIKE },
	{ "~", IC_TRACE_LIKE },   { "<=", IC_TRACE_LESS_EQUAL }, { ">=", IC_TRACE_GREATER_EQUAL },
	{ "<", IC_TRACE_LESS },   { ">", IC_TRACE_GREATER },
};

// The relation at the position; NULL if there is none.
static const struct relation *find_relation(const struct reader *reader)
{
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++)
		if (strncmp(reader->pos, relations[i].text, strlen(relations[i].text)) == 0)
			return &relations[i];
	return NULL;
}

// Reads an escape sequence as in C, after the backslash; *pos is then its last character.
static bool read_escape(const char **pos, char *character)
{
	static const char letters[] = "abfnrtv", bytes[] = "\a\b\f\n\r\t\v";
	const char *found = strchr(letters, **pos);
	bool is_octal = **pos >= '0' && **pos <= '7', is_hex = **pos == 'x';
	char digits[4] = "", *end;

	if (is_octal || is_hex) {
		size_t length = is_hex ? strspn(*pos + 1, "0123456789abcdefABCDEF")
				       : strspn(*pos, "01234567");
		length = length > (is_hex ? 2 : 3) ? (is_hex ? 2 : 3) : length;
		memcpy(digits, *pos + is_hex, length);
		unsigned long number = strtoul(digits, &end, is_hex ? 16 : 8);
		*character = (char)number;
		*pos += length - !is_hex;
		return length > 0 && number <= UCHAR_MAX;
	}
	*character = found ? bytes[found - letters] : **pos;
	return found || strchr("\\\"'?*[]", **pos);
}

// A pattern keeps the backslashes before what has a meaning in globs.
static bool read_quoted(struct reader *reader, char quote, struct ic_trace_term *term)
{
	bool is_pattern = term->relation >= IC_TRACE_LIKE;
	const char *pos = reader->pos + 1;

	for (; *pos && *pos != quote; pos++) {
		bool is_escaped = *pos == '\\' && pos[1];
		pos += is_escaped;
		bool is_kept = is_escaped && is_pattern && strchr("*?[]\\", *pos);
		if (term->length + is_kept + 1 >= IC_TRACE_TERM_TEXT)
			return fail_filter(reader, "quoted text too long: it has at most 63 bytes");
		if (is_kept)
			term->text[term->length++] = '\\';
		char character = *pos;
		if (is_escaped && !is_kept && !read_escape(&pos, &character))
			return fail_filter(reader, "unknown escape sequence");
		term->text[term->length++] = character;
	}
	if (*pos != quote)
		return fail_filter(reader, "missing closing quote");
	reader->pos = pos + 1;
	return true;
}

static bool is_number_end(const char *end)
{
	return !is_letter(*end) && !is_digit(*end) && *end != '.';
}

static bool read_integer(struct reader *reader, uint64_t *number)
{
	char *end;

	if (!is_digit(*reader->pos))
		return fail_filter(reader, "expected a number");
	errno = 0;
	*number = strtoull(reader->pos, &end, 0);
	if (errno || !is_number_end(end))
		return fail_filter(reader, "invalid number");
	reader->pos = end;
	return true;
}

static bool read_number(struct reader *reader, struct ic_trace_term *term)
{
	const char *digits = reader->pos + (*reader->pos == '-');
	size_t length = strspn(digits, "0123456789");
	char *end;

	if (!is_digit(*digits))
		return fail_filter(reader, "expected a number, name, character or string");
	term->is_negative = *reader->pos == '-';
	if (digits[length] != '.' && digits[length] != 'e') {
		reader->pos = digits;
		return read_integer(reader, &term->number);
	}
	errno = 0;
	term->with = IC_TRACE_WITH_REAL;
	term->real = strtold(reader->pos, &end);
	if (errno || !is_number_end(end))
		return fail_filter(reader, "invalid number");
	reader->pos = end;
	return true;
}

static bool read_character(struct reader *reader, struct ic_trace_term *term)
{
	term->with = IC_TRACE_WITH_CHARACTER;
	if (!read_quoted(reader, '\'', term))
		return false;
	term->number = (uint8_t)term->text[0];
	return term->length == 1 ||
	       fail_filter(reader, "expected one character in quotes before the text");
}

static bool read_right(struct reader *reader, struct ic_trace_term *term)
{
	if (*reader->pos == '"') {
		term->with = IC_TRACE_WITH_STRING;
		if (term->relation > IC_TRACE_UNEQUAL && term->relation < IC_TRACE_LIKE)
			return fail_filter(reader,
					   "strings can only be compared with ==, !=, ~ or !~");
		return !term->has_mask ? read_quoted(reader, '"', term)
				       : fail_filter(reader, "a string has no bits");
	}
	if (term->relation >= IC_TRACE_LIKE)
		return fail_filter(reader, "expected a glob in quotes");
	if (*reader->pos == '\'')
		return read_character(reader, term);
	if (!is_letter(*reader->pos) && *reader->pos != '@')
		return read_number(reader, term);
	if (!read_operand_name(reader, &term->right))
		return false;
	term->number = strcmp(term->right.name, "true") == 0;
	if (!term->number && strcmp(term->right.name, "false") != 0 &&
	    strcmp(term->right.name, "NULL") != 0 && strcmp(term->right.name, "nullptr") != 0)
		term->with = IC_TRACE_WITH_NAME;
	return true;
}

// Reads "n", "n & 4", "(n & 4)".
static bool read_left(struct reader *reader, struct ic_trace_term *term)
{
	bool has_parenthesis = *reader->pos == '(';

	reader->pos += has_parenthesis;
	skip_blanks(reader);
	if (!read_operand_name(reader, &term->left))
		return false;
	skip_blanks(reader);
	term->has_mask = reader->pos[0] == '&' && reader->pos[1] != '&';
	if (term->has_mask) {
		reader->pos++;
		skip_blanks(reader);
		if (!read_integer(reader, &term->mask))
			return false;
		skip_blanks(reader);
	}
	if (has_parenthesis && *reader->pos != ')')
		return fail_filter(reader, "expected ')'");
	reader->pos += has_parenthesis;
	skip_blanks(reader);
	return true;
}

// A term without a relation is true if it is not 0.
static bool read_term(struct reader *reader, struct ic_trace_term *term)
{
	if (!read_left(reader, term))
		return false;
	const struct relation *relation = find_relation(reader);
	term->relation = relation ? relation->relation : IC_TRACE_UNEQUAL;
	if (relation) {
		reader->pos += strlen(relation->text);
		skip_blanks(reader);
		if (!read_right(reader, term))
			return false;
	}
	skip_blanks(reader);
	return true;
}

static bool add_step(struct reader *reader, uint8_t step)
{
	struct ic_trace_filter *filter = reader->filter;

	if (filter->step_count == IC_TRACE_MOST_STEPS)
		return fail_filter(reader, "too many conditions");
	filter->steps[filter->step_count++] = step;
	return true;
}

static bool add_term(struct reader *reader)
{
	struct ic_trace_filter *filter = reader->filter;

	if (filter->count == IC_TRACE_MOST_TERMS)
		return fail_filter(reader, "too many conditions");
	return add_step(reader, (uint8_t)filter->count) &&
	       read_term(reader, &filter->terms[filter->count++]);
}

static bool read_any(struct reader *reader, unsigned depth);

// What is in parentheses is a condition, or the left-hand side of one: "(n & 4) == 4".
static bool is_left_side(const struct reader *reader)
{
	struct reader ahead = { reader->text, reader->pos, NULL, reader->err };
	struct ic_trace_term term = { .number = 0 };
	struct ic_error unwanted;

	ahead.err = &unwanted;
	return read_left(&ahead, &term) && find_relation(&ahead);
}

static bool read_one(struct reader *reader, unsigned depth)
{
	skip_blanks(reader);
	if (depth == IC_TRACE_MOST_NESTED)
		return fail_filter(reader, "nested too deeply");
	if (reader->pos[0] == '!' && reader->pos[1] != '=' && reader->pos[1] != '~') {
		reader->pos++;
		return read_one(reader, depth + 1) && add_step(reader, IC_TRACE_NOT);
	}
	if (*reader->pos != '(' || is_left_side(reader))
		return add_term(reader);
	reader->pos++;
	if (!read_any(reader, depth + 1))
		return false;
	if (*reader->pos != ')')
		return fail_filter(reader, "expected &&, || or ')'");
	reader->pos++;
	skip_blanks(reader);
	return true;
}

static bool read_all(struct reader *reader, unsigned depth)
{
	if (!read_one(reader, depth))
		return false;
	while (strncmp(reader->pos, "&&", 2) == 0) {
		reader->pos += 2;
		if (!read_one(reader, depth) || !add_step(reader, IC_TRACE_AND))
			return false;
	}
	return true;
}

static bool read_any(struct reader *reader, unsigned depth)
{
	if (!read_all(reader, depth))
		return false;
	while (strncmp(reader->pos, "||", 2) == 0) {
		reader->pos += 2;
		if (!read_all(reader, depth) || !add_step(reader, IC_TRACE_OR))
			return false;
	}
	return true;
}

bool ic_trace_filter_read(const char *text, struct ic_trace_filter *filter, struct ic_error *err)
{
	struct reader reader = { text, text, filter, err };

	memset(filter, 0, sizeof(*filter));
	return read_any(&reader, 0) &&
	       (!*reader.pos ||
		fail_filter(&reader, "expected ==, !=, ~, <, <=, > or >=, && or ||"));
}

// Whether a name is an enumerator's, with or without its scope.
static bool is_named(const struct ic_enumeration *enumeration, const char *enumerator,
		     const char *name)
{
	size_t length = strlen(enumeration->scope);

	if (strncmp(name, enumeration->scope, length) == 0 &&
	    strcmp(name + length, enumerator) == 0)
		return true;
	return strcmp(name, enumerator) == 0;
}

bool ic_trace_term_enumerator(const struct ic_trace_term *term,
			      const struct ic_enumeration *enumeration, uint64_t *number)
{
	for (size_t i = 0; enumeration && i < enumeration->count; i++) {
		if (is_named(enumeration, enumeration->list[i].name, term->right.name)) {
			*number = enumeration->list[i].value;
			return true;
		}
	}
	return false;
}

uint32_t ic_trace_prefix_length(const struct ic_trace_term *term)
{
	uint32_t length = (uint32_t)strcspn(term->text, "*?[\\");

	return term->text[length] == '*' && length + 1 == term->length ? length : UINT32_MAX;
}
