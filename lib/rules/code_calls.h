// Calls as the code has them, for functions whose compilers do not describe all call sites.
#ifndef RULES_CODE_CALLS_H
#define RULES_CODE_CALLS_H

#include "model/index.h"

struct ic_code_call {
	uint64_t addr, return_addr;
	uint64_t target;     // IC_NO_ADDR if it is in another file
	const char *name;    // of a function in another file; NULL if unknown
	uint32_t unit, host; // the out-of-line function with the call
};

// Takes a call, or a jump to another function. Returns false to stop.
typedef bool ic_code_call_take(void *context, const struct ic_code_call *call);

// Whether the calls of an out-of-line function are wanted.
typedef bool ic_code_call_wants(void *context, uint32_t unit, uint32_t host);

// Finds the calls of functions that do not go through pointers. *complete is false if the code of
// any cannot be read. False if memory runs out, or `take` stopped it. Time: 0.6 us for an
// instruction.
bool ic_code_calls_find(struct ic_image *image, const struct ic_index *index,
			ic_code_call_wants *wants, ic_code_call_take *take, void *context,
			bool *complete) IC_CHECKED;

#endif
