// Parts of functions: GCC splits off code that is rarely needed, so that the rest can be inlined,
// and may inline the part back (-fpartial-inlining). The source has no such function and no such
// call, so parts are neither copies nor calls. All queries use this rule.
#ifndef QUERY_FIND_PARTS_H
#define QUERY_FIND_PARTS_H

#include "base/array.h"
#include "base/map.h"
#include "base/sort.h"
#include "model/index.h"

struct ic_parts {
	const struct ic_index *index;
	bool is_read, has_functions;       // for the rest, which is read on demand
	IC_ARRAY(struct ic_keyed) symbols; // of parts, by address
	struct ic_map functions;           // that have parts, by DIE offset
	bool out_of_memory;                // some answers may be wrong
};

void ic_parts_init(struct ic_parts *parts, const struct ic_index *index);

// Whether an instance with code, or an inlined one without, is a part: judged by position if
// inlined, by symbol if out of line. Time: the first out-of-line one takes a pass over the symbols.
bool ic_parts_has(struct ic_parts *parts, const struct ic_unit_model *unit,
		  const struct ic_instance *instance);

// Whether a call goes to a part: judged by the instruction or, if that is unknown, by being in the
// function that the part belongs to. Time: the first one also takes a pass over the instances.
bool ic_parts_has_call(struct ic_parts *parts, const struct ic_unit_model *unit,
		       const struct ic_call *call);

void ic_parts_free(struct ic_parts *parts);

#endif
