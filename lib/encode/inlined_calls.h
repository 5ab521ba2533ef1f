// The inlined calls of an index, one after another, in the order of the file.
#ifndef ENCODE_INLINED_CALLS_H
#define ENCODE_INLINED_CALLS_H

#include <inlinecall/sites.h>

#include "model/index.h"

struct ic_inlined_call {
	uint32_t unit, number; // of the instance
	const struct ic_instance *instance;
	uint32_t host_number;           // IC_NONE if there is none
	const struct ic_instance *host; // the function that has the code
	uint32_t depth;                 // inlined functions around it
};

struct ic_inlined_walk { // zero-initialised but for the first
	const struct ic_index *index;
	uint32_t unit, number;
};

// False after the last one.
bool ic_inlined_next(struct ic_inlined_walk *walk, struct ic_inlined_call *call);

// An instance as ic_parameters_find() takes it.
struct ic_site ic_inlined_site(uint32_t unit, uint32_t number, enum ic_site_kind kind);

// The function that an instance is of; NULL if it is not known.
const struct ic_function *ic_inlined_function(const struct ic_index *index, uint32_t unit,
					      const struct ic_instance *instance);

// How far an address is from the start of a function. False if that is not known before the file is
// loaded, or has more than 32 bits.
bool ic_inlined_offset(const struct ic_index *index, uint64_t start, uint64_t addr,
		       int32_t *offset);

#endif
