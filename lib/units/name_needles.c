#include "units/name_needles.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/clone_name.h"
#include "text/name_parts.h"

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

// Classes of the standard library that symbols abbreviate to one or two letters (Itanium C++ ABI,
// 5.1.6).
static bool is_abbreviated(const struct ic_name_part *part)
{
	static const char *const names[] = { "allocator",     "basic_string",  "string",
					     "basic_istream", "basic_ostream", "basic_iostream",
					     "istream",       "ostream",       "iostream" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (part->length == strlen(names[i]) &&
		    memcmp(part->start, names[i], part->length) == 0)
			return true;
	return false;
}

static void analyse_pattern(struct ic_name_needles *needles, struct ic_sought_name *sought,
			    const char *pattern, char *stem)
{
	const char *suffix = ic_clone_suffix(pattern);
	struct ic_name_parts parts;

	*sought = (struct ic_sought_name){ .pattern = pattern, .stem_length = strlen(pattern) };
	strcpy(stem, pattern);
	if (suffix)
		stem[sought->stem_length = (size_t)(suffix - pattern)] = 0;
	ic_name_parts_split(&parts, stem);
	struct ic_name_part part = parts.parts[parts.count - 1];
	size_t start = part.length > 0 && part.start[0] == '~', end = start;
	while (end < part.length && is_word_char(part.start[end]))
		end++;
	sought->is_destructor = start > 0;
	sought->word = pattern + (part.start + start - stem);
	sought->length = end - start;
	sought->follows = end < part.length ? part.start[end] : 0;
	if (!sought->follows || strchr("<[(", sought->follows))
		snprintf(sought->count, sizeof(sought->count), "%zu", sought->length);
	if (sought->length == 0 || memchr(part.start, '{', part.length))
		needles->are_names_clear = needles->are_symbols_clear = false;
	// In a symbol, "operator+" is "pl".
	if (is_abbreviated(&part) || (sought->length == strlen("operator") &&
				      memcmp(sought->word, "operator", sought->length) == 0))
		needles->are_symbols_clear = false;
}

// Whether the text starts like the name of a function; `at` is the position of the word.
static bool begins_name(const struct ic_sought_name *sought, const char *at, const char *end)
{
	char next = at + sought->length < end ? at[sought->length] : 0;

	// GCC names clones "f.constprop".
	return !next || next == '<' || next == '[' || next == '.' || next == sought->follows;
}

// ---- Strings

struct strings { // being searched for the words
	struct ic_name_needles *needles;
	struct ic_bytes section;
};

static void add_offset(struct strings *strings, size_t off)
{
	ic_offset_set_add(&strings->needles->offsets, (uint32_t)off);
}

// Adds the symbols that contain the word, among the strings with the same end. Each byte is visited
// once, however often a string contains the word.
static void add_symbols(struct strings *strings, struct ic_sought_name *sought, size_t word_at)
{
	const char *data = (const char *)strings->section.data;
	size_t count_length = strlen(sought->count), start = word_at;

	// Rust puts an underscore before names that begin with one.
	size_t gap = word_at > 0 && data[word_at - 1] == '_' &&
		     !isalpha((unsigned char)*sought->word);
	if (word_at < count_length + gap ||
	    memcmp(data + word_at - gap - count_length, sought->count, count_length) != 0)
		return;
	while (start > sought->seen && data[start - 1])
		start--;
	for (; start + 1 < word_at; start++)
		if (data[start] == '_' && strchr("ZRD", data[start + 1]))
			add_offset(strings, start);
	sought->seen = start;
}

// Adds the string that equals the first `length` characters of the pattern, of which the word is a
// part.
static void add_pattern(struct strings *strings, const struct ic_sought_name *sought, size_t length,
			size_t word_at)
{
	size_t before = (size_t)(sought->word - sought->pattern);
	const char *start = (const char *)strings->section.data + word_at - before;

	if (word_at >= before && length < strings->section.size - (word_at - before) &&
	    !start[length] && memcmp(start, sought->pattern, length) == 0)
		add_offset(strings, word_at - before);
}

static bool take_word(const struct ic_needle *needle, size_t position, void *context)
{
	struct strings *strings = context;
	struct ic_sought_name *sought = &strings->needles->names.items[needle->of];
	const char *at = (const char *)strings->section.data + position;
	const char *end = (const char *)strings->section.data + strings->section.size;
	size_t tilde = sought->is_destructor;

	if (!ic_name_needles_has_word(strings->needles, needle, strings->section, position))
		return true;
	if (begins_name(sought, at, end) && position >= tilde && (!tilde || at[-1] == '~'))
		add_offset(strings, position - tilde);
	add_symbols(strings, sought, position);
	add_pattern(strings, sought, sought->stem_length, position);
	add_pattern(strings, sought, strlen(sought->pattern), position);
	return true;
}

static void add_strings(struct ic_name_needles *needles, struct ic_bytes section)
{
	struct strings strings = { needles, section };

	for (uint32_t i = 0; i < needles->names.count; i++)
		needles->names.items[i].seen = 0;
	ic_byte_search_run(&needles->words, section, 0, section.size, take_word, &strings);
}

static uint64_t larger_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

bool ic_name_needles_collect(struct ic_name_needles *needles, const struct ic_dwarf *dwarf)
{
	uint64_t limit = larger_of(dwarf->str.size, dwarf->line_str.size);

	needles->dwarf = NULL;
	if (!ic_dwarf_is_readable(dwarf->str) || !ic_dwarf_is_readable(dwarf->line_str))
		return true;
	if (!ic_offset_set_begin(&needles->offsets, limit < 1ull << 32 ? limit : 1ull << 32))
		return false;
	add_strings(needles, dwarf->str);
	add_strings(needles, dwarf->line_str);
	needles->dwarf = dwarf;
	return true;
}

bool ic_name_needles_has_word(const struct ic_name_needles *needles, const struct ic_needle *needle,
			      struct ic_bytes bytes, size_t position)
{
	const struct ic_sought_name *sought = &needles->names.items[needle->of];

	return sought->length <= bytes.size - position &&
	       memcmp(bytes.data + position, sought->word, sought->length) == 0;
}

struct text {
	const struct ic_name_needles *needles;
	struct ic_bytes bytes;
	bool has_word;
};

static bool find_word(const struct ic_needle *needle, size_t position, void *context)
{
	struct text *text = context;

	text->has_word = ic_name_needles_has_word(text->needles, needle, text->bytes, position);
	return !text->has_word;
}

bool ic_name_needles_are_in(const struct ic_name_needles *needles, const char *string)
{
	struct text text = { needles, { (const uint8_t *)string, strlen(string) }, false };

	ic_byte_search_run(&needles->words, text.bytes, 0, text.bytes.size, find_word, &text);
	return text.has_word;
}

bool ic_name_needles_may_be(const struct ic_name_needles *needles, const struct ic_unit *unit,
			    const struct ic_value *value)
{
	bool is_collected = unit->dwarf == needles->dwarf &&
			    (value->form == DW_FORM_strp || value->form == DW_FORM_line_strp);
	struct ic_error err;
	const char *string;

	if (is_collected)
		return ic_offset_set_has(&needles->offsets, (uint32_t)value->number);
	if (!ic_value_string(value, unit, &string, &err))
		return true; // a complete read of the function reports why
	return ic_name_needles_are_in(needles, string);
}

// ---- Names

static bool add_word(struct ic_name_needles *needles, const struct ic_sought_name *sought,
		     uint32_t number)
{
	struct ic_needle needle = { .size = (uint8_t)(sought->length < 4 ? sought->length : 4),
				    .of = number };

	memcpy(needle.bytes, sought->word, needle.size);
	return ic_byte_search_add(&needles->words, needle);
}

static bool analyse_all(struct ic_name_needles *needles, const char *const *names, char *stem)
{
	for (; needles->are_names_clear && *names; names++) {
		struct ic_sought_name *sought = IC_ARRAY_PUSH(&needles->names);
		if (!sought)
			return false;
		analyse_pattern(needles, sought, *names, stem);
		if (needles->are_names_clear &&
		    !add_word(needles, sought, needles->names.count - 1))
			return false;
	}
	ic_byte_search_prepare(&needles->words);
	return true;
}

bool ic_name_needles_analyse(struct ic_name_needles *needles, const char *const *names)
{
	size_t longest = 0;

	for (size_t i = 0; names[i]; i++)
		if (strlen(names[i]) > longest)
			longest = strlen(names[i]);
	needles->are_names_clear = needles->are_symbols_clear = true;
	char *stem = malloc(longest + 1);
	bool ok = stem && analyse_all(needles, names, stem);
	free(stem);
	return ok;
}

void ic_name_needles_free(struct ic_name_needles *needles)
{
	ic_byte_search_free(&needles->words);
	ic_offset_set_free(&needles->offsets);
	IC_ARRAY_FREE(&needles->names);
}
