#include "text/name_parts.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 16 }; // "<<<a as b> as c> as d>"

static bool starts_with(const char *at, const char *end, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(end - at) >= length && memcmp(at, text, length) == 0;
}

static bool is_opening(char character)
{
	return character == '<' || character == '(' || character == '[' || character == '{';
}

// The position after the bracket that closes the one at `at`; the end if none does.
static const char *skip_group(const char *at, const char *end)
{
	int depth = 0;

	for (; at < end; at++) {
		if (is_opening(*at))
			depth++;
		else if (*at == ')' || *at == ']' || *at == '}' ||
			 (*at == '>' && at[-1] != '-')) // not "->"
			depth--;
		if (depth == 0)
			return at + 1;
	}
	return end;
}

// The position after the symbol of an operator, as in "operator<<" and "operator-<int>"; NULL if
// there is none, as in "operators" and "operator bool".
static const char *skip_operator(const char *at, const char *end)
{
	// Longest first.
	static const char *const symbols[] = {
		"->*", "<=>", "<<=", ">>=", "()", "[]", "->", "--", "-=", "++", "+=", "<<", "<=",
		">>",  ">=",  "==",  "!=",  "&&", "||", "*=", "/=", "%=", "^=", "&=", "|=", "-",
		"+",   "<",   ">",   "=",   "!",  "&",  "|",  "*",  "/",  "%",  "^",  "~",  ","
	};

	if (*at != 'o' || !starts_with(at, end, "operator"))
		return NULL;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		if (starts_with(at + 8, end, symbols[i]))
			return at + 8 + strlen(symbols[i]);
	return NULL;
}

static bool is_conversion(struct ic_name_part part)
{
	return starts_with(part.start, part.start + part.length, "operator");
}

static void add_part(struct ic_name_parts *parts, const char *start, const char *end)
{
	if (parts->count == IC_NAME_MOST_PARTS) {
		parts->count--;
		memmove(parts->parts, parts->parts + 1, parts->count * sizeof(*parts->parts));
	}
	parts->parts[parts->count++] = (struct ic_name_part){ start, (size_t)(end - start) };
}

// The position after the "::" that follows the parameters of an enclosing function, as in "f(int)
// const::Local::get()"; NULL if the parameters are those of the name itself.
static const char *skip_local_scope(const char *at, const char *end)
{
	for (at = skip_group(at, end); at + 1 < end; at++) {
		if (at[0] == ':' && at[1] == ':')
			return at + 2;
		if (is_opening(*at))
			return NULL;
	}
	return NULL;
}

// The end of the type in "<type as trait>".
static const char *find_type_end(const char *at, const char *end)
{
	while (at < end && !starts_with(at, end, " as "))
		at = is_opening(*at) ? skip_group(at, end) : at + 1;
	return at;
}

static void split_name(struct ic_name_parts *parts, const char *at, const char *end, int depth)
{
	const char *start = at, *behind;

	while (at < end) {
		bool is_start = at == start;
		if (!is_start && isalnum((unsigned char)*at)) { // the usual case
			at++;
		} else if (is_start && *at == '<' && depth < DEEPEST &&
			   starts_with(behind = skip_group(at, end), end, "::")) {
			split_name(parts, at + 1, find_type_end(at + 1, behind - 1), depth + 1);
			at = start = behind + 2;
		} else if (is_start && (behind = skip_operator(at, end))) {
			at = behind;
		} else if (starts_with(at, end, "::") && !starts_with(at, end, "::<")) {
			add_part(parts, start, at);
			at = start = at + 2;
		} else if (*at == '(' && !is_start && at[-1] != '.' && at[-1] != ' ') {
			behind = skip_local_scope(at, end);
			if (!behind)
				break;
			add_part(parts, start, at);
			at = start = behind;
		} else if (is_opening(*at)) { // "(anonymous namespace)", Go's "(*T)"
			at = skip_group(at, end);
		} else if (*at == ' ' &&
			   !is_conversion((struct ic_name_part){ start, (size_t)(at - start) })) {
			start = ++at; // the return type precedes it
		} else {
			at++;
		}
	}
	add_part(parts, start, at);
	if (depth == 0)
		parts->params = (struct ic_name_part){ at, (size_t)(end - at) };
}

void ic_name_parts_split(struct ic_name_parts *parts, const char *name)
{
	parts->count = 0;
	split_name(parts, name, name + strlen(name), 0);
}

static bool has_arguments(struct ic_name_part part)
{
	const char *end = part.start + part.length, *at = skip_operator(part.start, end);

	at = at ? at : part.start;
	return memchr(at, '<', (size_t)(end - at)) || memchr(at, '[', (size_t)(end - at));
}

// The position after the arguments at `at`, such as "<int>", Rust's "::<u8>", Go's "[int]" and
// C++'s ABI tags; NULL if there are none. Skips a separator before them.
static const char *skip_arguments(const char *at, const char *end)
{
	if (starts_with(at, end, "::<"))
		at += 2;
	else if (starts_with(at, end, " <"))
		at++;
	if (at < end && (*at == '<' || (*at == '[' && !starts_with(at, end, "[]"))))
		return skip_group(at, end);
	return NULL;
}

static bool matches_part(struct ic_name_part wanted, struct ic_name_part part)
{
	const char *at = part.start, *end = at + part.length;
	const char *left = wanted.start, *left_end = left + wanted.length;
	const char *symbol = skip_operator(at, end), *behind;
	bool with_arguments = has_arguments(wanted);

	while (at < end) {
		if (!symbol || at >= symbol) {
			if (!with_arguments && (behind = skip_arguments(at, end))) {
				at = behind;
				continue;
			}
			// "f::<u8>" and "f<u8>" are equal.
			at += starts_with(at, end, "::<") ? 2 : 0;
			left += starts_with(left, left_end, "::<") ? 2 : 0;
		}
		if (left == left_end || *at++ != *left++)
			return false;
	}
	return left == left_end;
}

// "(int)" also matches "(int) const".
static bool match_params(struct ic_name_part wanted, struct ic_name_part params)
{
	if (wanted.length == 0 || params.length == 0)
		return true;
	if (wanted.length > params.length || memcmp(wanted.start, params.start, wanted.length) != 0)
		return false;
	return wanted.length == params.length ||
	       params.start + wanted.length ==
		       skip_group(params.start, params.start + params.length);
}

bool ic_name_parts_match(const struct ic_name_parts *wanted, const struct ic_name_parts *name)
{
	if (wanted->count > name->count || !match_params(wanted->params, name->params))
		return false;
	for (uint32_t i = 1; i <= wanted->count; i++)
		if (!matches_part(wanted->parts[wanted->count - i], name->parts[name->count - i]))
			return false;
	return true;
}

bool ic_name_has_only_arguments(const char *name, size_t length)
{
	const char *end = name + length + strlen(name + length);

	return name[length] == '<' && end[-1] == '>' && skip_group(name + length, end) == end;
}

size_t ic_name_stem_length(const char *part, size_t most)
{
	static const char word[] = "operator";
	size_t end = 0;

	if (*part == word[0]) {
		const char *symbol = skip_operator(part, part + strnlen(part, most));
		if (symbol)
			return (size_t)(symbol - part);
		if (most >= sizeof(word) - 1 && strncmp(part, word, sizeof(word) - 1) == 0)
			return sizeof(word) - 1;
	}
	for (; end < most; end++)
		switch (part[end]) {
		case '{': // only at the start: elsewhere, other brackets come first
			if (end > 0)
				continue;
			return 0;
		case 0:
		case '<':
		case '[':
		case '(':
		case ':': return end;
		}
	return end;
}
