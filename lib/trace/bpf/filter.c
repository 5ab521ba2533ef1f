#include "trace/bpf/filter.h"

#include <inlinecall/extra/trace.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *text, *pos;
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

// Reads the name of an argument, or of a member: "p->a.b[2]".
static bool read_argument(struct reader *reader, char name[IC_TRACE_TERM_TEXT])
{
	if (!read_name(reader, name))
		return false;
	size_t length = strlen(name), rest = 0;
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
	memcpy(name + length, reader->pos, rest);
	name[length + rest] = 0;
	reader->pos += rest;
	return true;
}

static bool read_relation(struct reader *reader, struct ic_trace_term *term)
{
	static const struct {
		const char *text;
		enum ic_trace_relation relation;
	} relations[] = {
		{ "==", IC_TRACE_EQUAL },      { "!=", IC_TRACE_UNEQUAL },
		{ "<=", IC_TRACE_LESS_EQUAL }, { ">=", IC_TRACE_GREATER_EQUAL },
		{ "<", IC_TRACE_LESS },        { ">", IC_TRACE_GREATER },
	};

	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		size_t length = strlen(relations[i].text);
		if (strncmp(reader->pos, relations[i].text, length) != 0)
			continue;
		term->relation = relations[i].relation;
		reader->pos += length;
		return true;
	}
	return fail_filter(reader, "expected ==, !=, <, <=, > or >=");
}

// The character for an escape sequence, as in C.
static char unescape_letter(char letter)
{
	static const char letters[] = "abfnrtv", bytes[] = "\a\b\f\n\r\t\v";
	const char *found = letter ? strchr(letters, letter) : NULL;

	return found ? bytes[found - letters] : letter;
}

static bool read_quoted(struct reader *reader, char quote, struct ic_trace_term *term)
{
	const char *pos = reader->pos + 1;

	for (; *pos && *pos != quote; pos++) {
		if (term->length + 1 >= IC_TRACE_TERM_TEXT)
			return fail_filter(reader, "quoted text too long");
		if (*pos == '\\' && pos[1])
			term->text[term->length++] = unescape_letter(*++pos);
		else
			term->text[term->length++] = *pos;
	}
	if (*pos != quote)
		return fail_filter(reader, "missing closing quote");
	reader->pos = pos + 1;
	return true;
}

static bool read_number(struct reader *reader, struct ic_trace_term *term)
{
	bool is_negative = *reader->pos == '-';
	const char *digits = reader->pos + is_negative;
	char *end;

	if (!is_digit(*digits))
		return fail_filter(reader, "expected a number, name, character or string");
	errno = 0;
	uint64_t number = strtoull(digits, &end, 0);
	if (errno || is_letter(*end) || is_digit(*end))
		return fail_filter(reader, "invalid number");
	term->number = is_negative ? -number : number;
	reader->pos = end;
	return true;
}

static bool read_operand(struct reader *reader, struct ic_trace_term *term)
{
	if (*reader->pos == '"') {
		term->is_string = true;
		if (term->relation > IC_TRACE_UNEQUAL)
			return fail_filter(reader, "strings can only be compared with == or !=");
		return read_quoted(reader, '"', term);
	}
	if (*reader->pos == '\'') {
		if (!read_quoted(reader, '\'', term))
			return false;
		term->number = (uint8_t)term->text[0];
		return term->length == 1 ||
		       fail_filter(reader, "expected one character in quotes before the text");
	}
	if (!is_letter(*reader->pos))
		return read_number(reader, term);
	if (!read_name(reader, term->text))
		return false;
	term->is_name = strcmp(term->text, "true") != 0 && strcmp(term->text, "false") != 0;
	term->number = strcmp(term->text, "true") == 0;
	return true;
}

static bool read_term(struct reader *reader, struct ic_trace_term *term)
{
	skip_blanks(reader);
	if (!read_argument(reader, term->argument))
		return false;
	skip_blanks(reader);
	if (!read_relation(reader, term))
		return false;
	skip_blanks(reader);
	if (!read_operand(reader, term))
		return false;
	skip_blanks(reader);
	return true;
}

bool ic_trace_filter_read(const char *text, struct ic_trace_filter *filter, struct ic_error *err)
{
	struct reader reader = { text, text, err };

	memset(filter, 0, sizeof(*filter));
	do {
		if (filter->count == IC_TRACE_MOST_TERMS)
			return fail_filter(&reader, "too many conditions");
		if (!read_term(&reader, &filter->terms[filter->count++]))
			return false;
		if (!*reader.pos)
			return true;
		if (strncmp(reader.pos, "&&", 2) != 0)
			return fail_filter(&reader, "expected &&");
		reader.pos += 2;
	} while (true);
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

bool ic_trace_term_number(const struct ic_trace_term *term,
			  const struct ic_enumeration *enumeration, uint64_t *number)
{
	*number = term->number;
	if (!term->is_name)
		return !term->is_string;
	if (strcmp(term->text, "NULL") == 0 || strcmp(term->text, "nullptr") == 0) {
		*number = 0;
		return true;
	}
	for (size_t i = 0; enumeration && i < enumeration->count; i++) {
		if (is_named(enumeration, enumeration->list[i].name, term->text)) {
			*number = enumeration->list[i].value;
			return true;
		}
	}
	return false;
}

// Appends the member in an argument's name, "a.b" in "p->a.b", or a list of them.
static void put_members(FILE *out, const char *members)
{
	if (*members)
		fprintf(out, "%s%s", ftell(out) > 0 ? "," : "", members);
}

static void put_member_of(FILE *out, const char *name)
{
	const char *member = strpbrk(name, ".-[");

	if (member)
		put_members(out, *member == '[' ? member : member + strspn(member, ".->"));
}

char *ic_trace_members(const char *members, const char *filter, const char *argument,
		       struct ic_error *err)
{
	struct ic_trace_filter read = { .count = 0 };
	struct ic_error unwanted;
	char *list = NULL;
	size_t size;

	if (!err)
		err = &unwanted;
	if (filter && !ic_trace_filter_read(filter, &read, err))
		return NULL;
	FILE *out = open_memstream(&list, &size);
	if (out) {
		put_members(out, members ? members : "");
		for (uint32_t i = 0; i < read.count; i++)
			put_member_of(out, read.terms[i].argument);
		put_member_of(out, argument ? argument : "");
		if (fclose(out) == 0 && list) // it may be NULL without an error
			return list;
	}
	free(list);
	ic_fail_memory(err);
	return NULL;
}
