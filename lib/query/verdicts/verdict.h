// Verdicts on functions. The public half is inlinecall/extra/verdict.h.
#ifndef QUERY_VERDICTS_VERDICT_H
#define QUERY_VERDICTS_VERDICT_H

#include "base/arena.h"
#include "base/array.h"
#include "query/find/definitions.h"
#include "query/find/names.h"
#include "query/find/sites.h"

#include <inlinecall/extra/verdict.h>

struct ic_verdict_item {
	const struct ic_function *function; // NULL if only a symbol has the name
	struct ic_verdict verdict;          // its arrays are in the arena, and may change
};

struct ic_verdicts {
	const struct ic_index *index;
	IC_ARRAY(struct ic_verdict_item) items;
	struct ic_sites sites;
	struct ic_arena arena;
};

// A verdict while its facts are collected. Drafts of one name that was asked for are neighbours,
// and among them those of one symbol name.
struct ic_verdict_draft {
	struct ic_verdict_item item;
	uint32_t name;       // number of the one that was asked for
	uint32_t definition; // IC_NONE if it has no copies
	uint32_t next;       // draft of the same definition, IC_NONE for the last
	const char *symbol;  // what its symbol is called
	uint32_t first;      // draft of that symbol name
	bool is_alone;       // no other draft has the symbol name
	uint64_t source;     // equal for what is one in the source: variants of a constructor
	IC_ARRAY(struct ic_verdict_place) code;
	IC_ARRAY(struct ic_range) described; // all code that is described as the function's
	IC_ARRAY(const char *) others;
	IC_ARRAY(struct ic_site_place) copies;
	IC_ARRAY(struct ic_range) ranges; // of the copies
	IC_ARRAY(uint32_t) callers;       // definitions
};

struct ic_verdict_asked { // a name that was asked for
	const char *name;
	const char *pattern; // what functions are matched by: the name, or what it demangles to
	uint32_t first, end; // drafts, once they are joined
};

struct ic_verdict_drafts {
	const struct ic_index *index;
	const struct ic_definitions *definitions;
	struct ic_verdict_asked *asked; // to be freed
	uint32_t asked_count;
	struct ic_names names; // demangled
	IC_ARRAY(struct ic_verdict_draft) items;
};

// Where an instance with code is entered, as far as known.
static inline uint64_t ic_verdict_addr(const struct ic_unit_model *unit,
				       const struct ic_instance *instance)
{
	return instance->entry != IC_NO_ADDR ? instance->entry
					     : unit->ranges[instance->first_range].start;
}

// A number for what a function is in the source.
uint64_t ic_verdict_source(struct ic_names *names, const struct ic_function *function);

// Adds drafts of the functions that have the names, and for a name that none has one without a
// function.
bool ic_verdict_drafts_match(struct ic_verdict_drafts *drafts, struct ic_error *err) IC_CHECKED;

// Sorts the drafts, which have no code yet, and joins those of one function. False if memory is
// out.
bool ic_verdict_drafts_join(struct ic_verdict_drafts *drafts) IC_CHECKED;

// The verdict that the facts of a draft make: all but `kind` are there.
enum ic_verdict_kind ic_verdict_judge(const struct ic_verdict_draft *draft);

// Adds code that only symbols know, and says what symbols are at all code: the names of places,
// what these are, and other names. False if memory runs out.
bool ic_verdict_symbols_add(struct ic_verdict_drafts *drafts) IC_CHECKED;

// Says which places have a symbol whose name other code has too. False if memory runs out.
bool ic_verdict_names_check(struct ic_verdicts *verdicts) IC_CHECKED;

#endif
