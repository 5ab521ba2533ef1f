// The calls that the code of functions has.
#ifndef RULES_CODE_CALLS_H
#define RULES_CODE_CALLS_H

#include "model/index.h"

struct ic_code_call {
	uint64_t addr, return_addr;
	uint64_t target;     // IC_NO_ADDR if it is in another file
	const char *name;    // of a function in another file; NULL if unknown
	uint32_t unit, host; // the out-of-line function with the call
};

struct ic_code_calls_visitor {
	// Whether the calls of an out-of-line function are wanted.
	bool (*wants)(void *context, uint32_t unit, uint32_t host);
	// Takes a call, or a jump to another function. Returns false to stop.
	bool (*take)(void *context, const struct ic_code_call *call);
	// Ends the calls of a function. `why_not`: why some are unknown, or NULL. Returns false to
	// stop.
	bool (*end)(void *context, uint32_t unit, uint32_t host, const char *why_not);
	void *context;
};

// Finds the calls of functions that do not go through pointers. False if memory runs out, or the
// visitor stopped it. Time: 0.6 us for an instruction.
bool ic_code_calls_find(struct ic_image *image, const struct ic_index *index,
			const struct ic_code_calls_visitor *visitor) IC_CHECKED;

#endif
