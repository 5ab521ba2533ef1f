// Whether a function has a name that a query gives.
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
	char *source_name;          // the function's, if the exact name is a clone's; else NULL
	struct ic_name_parts parts; // of the exact name
	enum ic_match match;
	// Texts that were compared recently, by address: units refer to the same texts of the
	// string section again, and reading one costs more than comparing it.
	struct {
		const char *text;
		bool matches;
	} seen[IC_MATCHER_SEEN];
	bool out_of_memory; // some answers may be wrong
	regex_t regex;      // compiled if match is IC_MATCH_REGEX and there is a pattern
};

// A function matches if any of the names does, or if there are no names.
struct ic_matchers {
	struct ic_matcher *items;
	size_t count;
};

// For `name`, if it is not NULL, and those of `more`, which ends with NULL or is NULL.
bool ic_matchers_init(struct ic_matchers *matchers, const struct ic_index *index, const char *name,
		      const char *const *more, enum ic_match match, struct ic_error *err)
	IC_CHECKED;

// If memory is out the answer may be wrong, and ic_matchers_are_sound() is false from then on.
bool ic_matchers_match(struct ic_matchers *matchers, const struct ic_function *function);

bool ic_matchers_are_sound(const struct ic_matchers *matchers);

void ic_matchers_deinit(struct ic_matchers *matchers);

#endif
