// Texts of which everything that a glob or a regular expression matches contains one: looking for
// them first spares most of the matching.
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
	uint32_t count; // 0 if it may match what contains none
};

// `match` is not IC_MATCH_NAME.
struct ic_literals ic_literals_find(const char *pattern, enum ic_match match);

// Whether one is in the text, or there are none.
bool ic_literals_are_in(const struct ic_literals *literals, const char *text);

// Whether a symbol may be demangled to such a text.
bool ic_literals_may_be_demangled(const struct ic_literals *literals, const char *symbol);

// Whether the C library can compile a regular expression within bounds: it recurses for groups in
// groups, and copies what is repeated.
bool ic_regex_is_bounded(const char *pattern);

// Whether "^.*(EXPRESSION)" matches the same texts as a regular expression, in less time: groups
// have no numbers that change, no ")" is a plain character, "^" does not already make it fast, and
// so few places take several characters that the states in which a match can be are few.
bool ic_regex_may_be_searched(const char *pattern);

// Whether a text matches if a part of it does: the pattern tells neither where the text begins and
// ends nor where words do.
bool ic_pattern_may_be_inside(const char *pattern, enum ic_match match);

#endif
