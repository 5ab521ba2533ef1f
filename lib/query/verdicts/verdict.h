// Verdicts on functions. The public part is inlinecall/extra/verdict.h.
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
	struct ic_verdict verdict;          // its arrays are in the arena, and may still change
};

struct ic_verdicts {
	const struct ic_index *index;
	IC_ARRAY(struct ic_verdict_item) items;
	struct ic_sites sites;
	struct ic_arena arena;
};

// A verdict whose facts are being collected. Drafts for the same requested name are adjacent, and
// among them those with the same symbol name.
struct ic_verdict_draft {
	struct ic_verdict_item item;
	uint32_t name;       // index of the requested name
	uint32_t definition; // IC_NONE if it has no copies
	uint32_t next;       // next draft of the same definition, IC_NONE for the last
	const char *symbol;  // its symbol name
	uint32_t first;      // the first draft with that symbol name
	bool is_alone;       // no other draft has the symbol name
	uint64_t source;     // equal for variants of the same function in the source, such as of a
			     // constructor
	IC_ARRAY(struct ic_verdict_place) code;
	IC_ARRAY(struct ic_range) described; // all code described as the function's
	IC_ARRAY(const char *) others;
	IC_ARRAY(struct ic_site_place) copies;
	IC_ARRAY(struct ic_range) ranges; // of the copies
	IC_ARRAY(uint32_t) callers;       // definitions
};

struct ic_verdict_asked { // a requested name
	const char *name;
	const char *pattern; // the pattern to match functions with: the name, or its demangled form
	uint32_t first, end; // range of drafts, once they are joined
};

struct ic_verdict_drafts {
	const struct ic_index *index;
	const struct ic_definitions *definitions;
	struct ic_verdict_asked *asked; // to be freed
	uint32_t asked_count;
	struct ic_names names; // demangled
	IC_ARRAY(struct ic_verdict_draft) items;
};

// The entry address of an instance with code, as far as known.
static inline uint64_t ic_verdict_addr(const struct ic_unit_model *unit,
				       const struct ic_instance *instance)
{
	return instance->entry != IC_NO_ADDR ? instance->entry
					     : unit->ranges[instance->first_range].start;
}

// A number that identifies the function in the source.
uint64_t ic_verdict_source(struct ic_names *names, const struct ic_function *function);

// Adds drafts for the functions that have the names, and one without a function for each name that
// is not found.
bool ic_verdict_drafts_match(struct ic_verdict_drafts *drafts, struct ic_error *err) IC_CHECKED;

// Sorts the drafts, which have no code yet, and joins those of one function. False if memory runs
// out.
bool ic_verdict_drafts_join(struct ic_verdict_drafts *drafts) IC_CHECKED;

// The verdict that follows from the facts in a draft, which must all be set except `kind`.
enum ic_verdict_kind ic_verdict_judge(const struct ic_verdict_draft *draft);

// Adds code that only symbols identify, and fills in the symbols at all code: the names and kinds
// of places, and other names. False if memory runs out.
bool ic_verdict_symbols_add(struct ic_verdict_drafts *drafts) IC_CHECKED;

// Marks places with a symbol whose name other code also has. False if memory runs out.
bool ic_verdict_names_check(struct ic_verdicts *verdicts) IC_CHECKED;

#endif
