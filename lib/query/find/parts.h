// What is only a part of a function: GCC splits off what is seldom needed, so that the rest can be
// inlined, and may inline the part back (-fpartial-inlining). The source has no such function and
// no such call, so parts are neither copies nor calls. One rule for all queries.
#ifndef QUERY_FIND_PARTS_H
#define QUERY_FIND_PARTS_H

#include "base/array.h"
#include "base/map.h"
#include "base/sort.h"
#include "model/index.h"

struct ic_parts {
	const struct ic_index *index;
	bool is_read, has_functions;       // what follows, which is read if it is needed
	IC_ARRAY(struct ic_keyed) symbols; // of parts, by where they are
	struct ic_map functions;           // that have such code, by the offset of their DIE
	bool out_of_memory;                // some answers may be wrong
};

void ic_parts_init(struct ic_parts *parts, const struct ic_index *index);

// Whether an instance with code, or an inlined one without, is a part: an inlined one by its
// position, one out of line by its symbol. Time: of the first one out of line a pass over the
// symbols.
bool ic_parts_has(struct ic_parts *parts, const struct ic_unit_model *unit,
		  const struct ic_instance *instance);

// Whether a call goes to a part: by the instruction or, if that is not known, since it is in the
// function that has the part. Time: the first one takes a pass over the instances too.
bool ic_parts_has_call(struct ic_parts *parts, const struct ic_unit_model *unit,
		       const struct ic_call *call);

void ic_parts_free(struct ic_parts *parts);

#endif
