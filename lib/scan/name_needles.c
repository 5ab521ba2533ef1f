#include "scan/name_needles.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clone_name.h"
#include "base/name_parts.h"

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

// Classes of the standard library that symbols abbreviate to a letter or two (Itanium C++ ABI,
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

// False if the name can be spelt in too many ways: "operator+" is "pl" in a symbol.
static bool analyse(struct ic_sought_name *sought, const char *pattern, char *stem)
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
	return sought->length > 0 && !memchr(part.start, '{', part.length) &&
	       !is_abbreviated(&part) &&
	       !(sought->length == strlen("operator") &&
		 memcmp(sought->word, "operator", sought->length) == 0);
}

static bool add_offset(struct ic_name_needles *needles, uint64_t off)
{
	struct ic_needle needle = { .size = 4, .of = IC_NONE };

	// Only the lower four bytes of a 64-bit offset are searched for.
	for (int i = 0; i < 4; i++)
		needle.bytes[i] =
			(uint8_t)(off >>
				  (IC_HOST_IS_BIG_ENDIAN != needles->swap ? 24 - 8 * i : 8 * i));
	return ic_byte_search_add(&needles->bytes, needle);
}

// Whether the text begins like the name of a function; `at` is where the word is.
static bool begins_name(const struct ic_sought_name *sought, const char *at, const char *end)
{
	char next = at + sought->length < end ? at[sought->length] : 0;

	return !next || next == '<' || next == '[' || next == sought->follows;
}

// Adds the symbols that contain the word, among the strings that share an end. Those that begin
// before *seen have been added for an earlier word: each byte is looked at once, however often the
// word is in a string.
static bool add_symbols(struct ic_name_needles *needles, const struct ic_sought_name *sought,
			const char *data, size_t word_at, size_t *seen)
{
	size_t count_length = strlen(sought->count), start = word_at;

	// Rust puts an underscore before what begins with one.
	size_t gap = word_at > 0 && data[word_at - 1] == '_' &&
		     !isalpha((unsigned char)*sought->word);
	if (word_at < count_length + gap ||
	    memcmp(data + word_at - gap - count_length, sought->count, count_length) != 0)
		return true;
	while (start > *seen && data[start - 1])
		start--;
	for (; start + 1 < word_at; start++)
		if (data[start] == '_' && strchr("ZRD", data[start + 1]) &&
		    !add_offset(needles, start))
			return false;
	*seen = start;
	return true;
}

static bool add_strings_of(struct ic_name_needles *needles, const struct ic_sought_name *sought,
			   struct ic_bytes section)
{
	const char *data = (const char *)section.data, *end = data + section.size, *at = data;
	size_t tilde = sought->is_destructor, seen = 0;

	while ((at = memmem(at, (size_t)(end - at), sought->word, sought->length))) {
		size_t word_at = (size_t)(at - data);
		if (begins_name(sought, at, end) && word_at >= tilde && (!tilde || at[-1] == '~') &&
		    !add_offset(needles, word_at - tilde))
			return false;
		if (!add_symbols(needles, sought, data, word_at, &seen))
			return false;
		if (needles->bytes.needles.count > IC_BYTE_SEARCH_MOST)
			return true;
		at++;
	}
	return true;
}

// Adds the whole pattern, if the word is not the beginning of it.
static bool add_pattern(struct ic_name_needles *needles, const struct ic_sought_name *sought,
			size_t length, struct ic_bytes section)
{
	const char *data = (const char *)section.data, *end = data + section.size, *at = data;

	while (needles->bytes.needles.count <= IC_BYTE_SEARCH_MOST &&
	       (at = memmem(at, (size_t)(end - at), sought->pattern, length))) {
		if (at + length < end && !at[length] && !add_offset(needles, (size_t)(at - data)))
			return false;
		at++;
	}
	return true;
}

static bool add_strings(struct ic_name_needles *needles, struct ic_bytes section)
{
	for (uint32_t i = 0; section.size > 0 && i < needles->names.count; i++) {
		const struct ic_sought_name *sought = &needles->names.items[i];
		size_t whole = strlen(sought->pattern);

		if (!add_strings_of(needles, sought, section) ||
		    (sought->word != sought->pattern &&
		     !add_pattern(needles, sought, sought->stem_length, section)) ||
		    (whole != sought->stem_length && !add_pattern(needles, sought, whole, section)))
			return false;
	}
	return true;
}

// Adds the words themselves, for names that are in the unit.
static bool add_texts(struct ic_name_needles *needles)
{
	for (uint32_t i = 0; i < needles->names.count; i++) {
		const struct ic_sought_name *sought = &needles->names.items[i];
		struct ic_needle needle = {
			.size = (uint8_t)(sought->length < 4 ? sought->length : 4), .of = i
		};

		memcpy(needle.bytes, sought->word, needle.size);
		if (!ic_byte_search_add(&needles->bytes, needle))
			return false;
	}
	return true;
}

bool ic_name_needles_collect(struct ic_name_needles *needles, const struct ic_dwarf *dwarf)
{
	ic_byte_search_free(&needles->bytes);
	needles->swap = dwarf->swap;
	return add_strings(needles, dwarf->str) && add_strings(needles, dwarf->line_str) &&
	       add_texts(needles);
}

bool ic_name_needles_has_word(const struct ic_name_needles *needles, const struct ic_needle *needle,
			      struct ic_bytes bytes, size_t position)
{
	const struct ic_sought_name *sought = &needles->names.items[needle->of];

	return sought->length <= bytes.size - position &&
	       memcmp(bytes.data + position, sought->word, sought->length) == 0;
}

static bool analyse_all(struct ic_name_needles *needles, const char *const *names, char *stem,
			bool *clear)
{
	for (*clear = true; *clear && *names; names++) {
		struct ic_sought_name *sought = IC_ARRAY_PUSH(&needles->names);
		if (!sought)
			return false;
		*clear = analyse(sought, *names, stem);
	}
	return true;
}

bool ic_name_needles_analyse(struct ic_name_needles *needles, const char *const *names, bool *clear)
{
	size_t longest = 0;

	for (size_t i = 0; names[i]; i++)
		if (strlen(names[i]) > longest)
			longest = strlen(names[i]);
	char *stem = malloc(longest + 1);
	bool ok = stem && analyse_all(needles, names, stem, clear);
	free(stem);
	return ok;
}

void ic_name_needles_free(struct ic_name_needles *needles)
{
	ic_byte_search_free(&needles->bytes);
	IC_ARRAY_FREE(&needles->names);
}
