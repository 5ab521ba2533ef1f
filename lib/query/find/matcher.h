// Matching functions against the names in a query.
#ifndef QUERY_FIND_MATCHER_H
#define QUERY_FIND_MATCHER_H

#include <regex.h>

#include "base/array.h"
#include "base/map.h"
#include "model/index.h"
#include "query/find/literals.h"
#include "text/name_parts.h"

#include <inlinecall/sites.h>

enum { IC_MATCHER_SEEN = 4096 };

struct ic_matcher { // for one name
	const char *pattern;
	char *source_name; // the function's name, if the exact name is a clone's; otherwise NULL
	struct ic_name_parts parts;  // of the exact name
	size_t word_length;          // of an exact name that is a word; otherwise 0
	uint32_t next;               // with the same stem, IC_NONE for the last
	struct ic_literals literals; // of a glob or a regular expression
	bool may_be_inside;          // see ic_pattern_may_be_inside()
	bool is_compiled;            // the regular expression is
	regex_t regex;
};

struct ic_matcher_link { // a name, found by one of its texts
	uint32_t matcher;
	uint32_t next; // with the same hash, IC_NONE for the last
};

// A text that was looked up recently, by address: units refer to the same texts in the string
// section, and reading a text costs more than comparing its address.
struct ic_matcher_seen {
	const char *text; // NULL in an unused slot
	// The start of the list of names that it may match, or IC_NONE; for patterns, bits of those
	// that match.
	uint32_t found;
};

// A function matches if any of the names does, or if there are no names.
struct ic_matchers {
	const struct ic_index *index;
	enum ic_match match;
	struct ic_matcher *items;
	uint32_t count;
	// For exact names: hash tables of texts, so that the time for a function does not depend on
	// the number of names.
	struct ic_map by_text, by_stem;
	IC_ARRAY(struct ic_matcher_link) links;
	size_t longest; // of these texts, in bytes
	// IC_MATCHER_SEEN slots each, by hash: complete texts, and stems of names.
	struct ic_matcher_seen *seen_texts, *seen_stems;
	struct ic_map by_symbol;  // bits of the patterns that a symbol matches, by its address
	IC_ARRAY(uint32_t) found; // see ic_matchers_find()
	bool out_of_memory;       // some answers may be wrong
};

// For `name`, unless NULL, and those in `more`, which is terminated by NULL or NULL itself.
bool ic_matchers_init(struct ic_matchers *matchers, const struct ic_index *index, const char *name,
		      const char *const *more, enum ic_match match, struct ic_error *err)
	IC_CHECKED;

// If memory runs out the answer may be wrong, and ic_matchers_are_sound() is false from then on.
bool ic_matchers_match(struct ic_matchers *matchers, const struct ic_function *function);

// The numbers of the names that a function has; valid until the next call. If memory runs out
// some may be missing, as above.
const uint32_t *ic_matchers_find(struct ic_matchers *matchers, const struct ic_function *function,
				 uint32_t *count);

bool ic_matchers_are_sound(const struct ic_matchers *matchers);

void ic_matchers_deinit(struct ic_matchers *matchers);

#endif
