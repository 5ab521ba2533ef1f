// Whether a function is one that a query names.
#ifndef QUERY_MATCHER_H
#define QUERY_MATCHER_H

#include <regex.h>

#include "base/name_parts.h"
#include "model/index.h"

#include <inlinecall/lookup.h>

enum { IC_MATCHER_SEEN = 4096 };

struct ic_matcher {
	const struct ic_index *index;
	const char *pattern;        // NULL if it could not be compiled
	char *source_name;          // of an exact name that is a clone's: its function's; else NULL
	struct ic_name_parts parts; // of the exact name
	enum ic_match match;
	// Texts that were compared lately, by address: each unit refers to the same ones of the
	// string section again, and to look at a text costs more than to compare it.
	struct {
		const char *text;
		bool matches;
	} seen[IC_MATCHER_SEEN];
	bool out_of_memory; // some answer is not to be believed
	regex_t regex;      // compiled where match is IC_MATCH_REGEX and there is a pattern
};

// Of several names any matches, of none every function.
struct ic_matchers {
	struct ic_matcher *items;
	size_t count;
};

// For `name`, if it is not NULL, and those of `more`, which ends with NULL or is NULL.
bool ic_matchers_init(struct ic_matchers *matchers, const struct ic_index *index, const char *name,
		      const char *const *more, enum ic_match match, struct ic_error *err)
	IC_CHECKED;

// If memory is out, perhaps not, and ic_matchers_are_sound() is false from then on.
bool ic_matchers_match(struct ic_matchers *matchers, const struct ic_function *function);

bool ic_matchers_are_sound(const struct ic_matchers *matchers);

void ic_matchers_deinit(struct ic_matchers *matchers);

#endif
