// Whether calls return: by the code that is called or, if it is another file's, by its name.
#ifndef CODE_FLOW_RETURNING_H
#define CODE_FLOW_RETURNING_H

#include "base/map.h"
#include "code/flow/flow.h"

struct ic_returning { // zero-initialised, with the first three fields set
	const struct ic_flow_source *source;
	// The name of the function whose address another file gives a word; NULL if not known.
	const char *(*slot_name)(void *context, uint64_t slot);
	void *context;
	struct ic_map known; // by the address of a function
	uint32_t left;       // instructions that may be read for the call
	bool out_of_memory;
};

// False if the call certainly does not return: no path through the function that is called, as far
// as that is known, ends in a return. If memory runs out, which is noted, it counts as one that
// does.
bool ic_call_returns(struct ic_returning *returning, const struct ic_instruction *call);

// Whether a function of a library does not return, by its symbol.
bool ic_name_is_no_return(const char *name);

void ic_returning_free(struct ic_returning *returning);

#endif
