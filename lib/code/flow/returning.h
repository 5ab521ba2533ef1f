// Whether calls return: judged by the called code or, if it is in another file, by its name.
#ifndef CODE_FLOW_RETURNING_H
#define CODE_FLOW_RETURNING_H

#include "base/map.h"
#include "code/flow/flow.h"

struct ic_returning { // zero-initialised, except that the first three fields must be set
	const struct ic_flow_source *source;
	// The name of the function, in another file, whose address will be stored in a word; NULL
	// if unknown.
	const char *(*slot_name)(void *context, uint64_t slot);
	void *context;
	struct ic_map known; // by the address of a function
	uint32_t left;       // instructions that may still be read for the call
	bool out_of_memory;
};

// False if the call certainly does not return: no known path through the called function ends in a
// return. If memory runs out, which is recorded, the call counts as returning.
bool ic_call_returns(struct ic_returning *returning, const struct ic_instruction *call);

// If the code at an address is a stub (of the PLT), which only jumps to the address in a word, that
// word; otherwise IC_NO_ADDR. For x86 and AArch64.
uint64_t ic_stub_slot(const struct ic_flow_source *source, uint64_t addr);

// Whether a library function does not return, judging by its symbol.
bool ic_name_is_no_return(const char *name);

void ic_returning_free(struct ic_returning *returning);

#endif
