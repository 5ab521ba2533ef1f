// The inlined calls of an index, one by one, in file order.
#ifndef ENCODE_INLINED_CALLS_H
#define ENCODE_INLINED_CALLS_H

#include <inlinecall/sites.h>

#include "model/index.h"

struct ic_inlined_call {
	uint32_t unit, number; // of the instance
	const struct ic_instance *instance;
	uint32_t host_number;           // IC_NONE if there is none
	const struct ic_instance *host; // the function that contains the code
	uint32_t depth;                 // number of inlined functions around it
};

struct ic_inlined_walk { // zero-initialised except the first
	const struct ic_index *index;
	uint32_t unit, number;
};

// False after the last one.
bool ic_inlined_next(struct ic_inlined_walk *walk, struct ic_inlined_call *call);

// An instance in the form for ic_parameters_find().
struct ic_site ic_inlined_site(uint32_t unit, uint32_t number, enum ic_site_kind kind);

// The function of an instance; NULL if unknown.
const struct ic_function *ic_inlined_function(const struct ic_index *index, uint32_t unit,
					      const struct ic_instance *instance);

// The name of that function; NULL if it is unknown, or `instance` is NULL.
const char *ic_inlined_name(const struct ic_index *index, uint32_t unit,
			    const struct ic_instance *instance);

// The distance of an address from the start of a function. False if it is unknown before the file
// is loaded, or exceeds 32 bits.
bool ic_inlined_offset(const struct ic_index *index, uint64_t start, uint64_t addr,
		       int32_t *offset);

#endif
