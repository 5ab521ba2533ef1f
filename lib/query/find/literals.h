// Literal texts in globs and regular expressions: everything a pattern matches contains one of
// them. Searching for them first avoids most of the matching.
#ifndef QUERY_FIND_LITERALS_H
#define QUERY_FIND_LITERALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/sites.h>

enum { IC_MOST_LITERALS = 8 };

struct ic_literal { // a part of a pattern
	const char *start;
	size_t length;
	// The longest word in it that a symbol must contain to be demangled to such a text; empty
	// if there is none.
	const char *word;
	size_t word_length;
};

struct ic_literals {
	// The longest of each alternative that the pattern has.
	struct ic_literal items[IC_MOST_LITERALS];
	uint32_t count; // 0 if a match may contain none
};

// `match` must not be IC_MATCH_NAME.
struct ic_literals ic_literals_find(const char *pattern, enum ic_match match);

// Whether the text contains one of them, or there are none.
bool ic_literals_are_in(const struct ic_literals *literals, const char *text);

// Whether a symbol may be demangled to such a text.
bool ic_literals_may_be_demangled(const struct ic_literals *literals, const char *symbol);

// Whether the C library can compile a regular expression within bounds: it recurses for groups in
// groups, and copies what is repeated.
bool ic_regex_is_bounded(const char *pattern);

// Whether "^.*(EXPRESSION)" matches the same texts as a regular expression, in less time: no group
// numbers change, no ")" is a plain character, it is not already fast because of "^", and so few
// items match several characters that the number of states of a match is small.
bool ic_regex_may_be_searched(const char *pattern);

// Whether a text matches if a part of it does: the pattern has no anchors at the start and end of
// text or words.
bool ic_pattern_may_be_inside(const char *pattern, enum ic_match match);

#endif
