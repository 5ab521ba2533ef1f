// Whether a function is one that a query names.
#ifndef QUERY_MATCHER_H
#define QUERY_MATCHER_H

#include <regex.h>

#include "model/index.h"

#include <inlinecall/lookup.h>

enum { IC_MATCHER_SEEN = 4096 };

struct ic_matcher {
	const struct ic_index *index;
	const char *pattern; // NULL: everything matches
	const char *tail;    // of an exact name: what follows its last scope
	size_t tail_length;  // without parameters
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

bool ic_matcher_init(struct ic_matcher *matcher, const struct ic_index *index,
		     const struct ic_sites_query *query, struct ic_error *err) IC_CHECKED;

// Where memory is out, perhaps not, and matcher->out_of_memory.
bool ic_matcher_matches(struct ic_matcher *matcher, const struct ic_function *function);

void ic_matcher_deinit(struct ic_matcher *matcher);

#endif
