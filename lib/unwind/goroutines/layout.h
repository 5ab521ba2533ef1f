// Where a Go program has its goroutines (runtime/runtime2.go, struct g).
#ifndef UNWIND_GOROUTINES_LAYOUT_H
#define UNWIND_GOROUTINES_LAYOUT_H

#include "base/error.h"

#include <inlinecall/symbolizer.h>

enum ic_goroutine_field {
	IC_GOROUTINE_ID,
	IC_GOROUTINE_STATUS,
	IC_GOROUTINE_REASON, // why it waits
	IC_GOROUTINE_SP,
	IC_GOROUTINE_PC,
	IC_GOROUTINE_BP,
	IC_GOROUTINE_STACK_START,
	IC_GOROUTINE_STACK_END,
	IC_GOROUTINE_M, // the thread that runs it: struct m
	IC_GOROUTINE_IN_M,
	// In struct m: the thread's ID, the goroutine whose stack its signal handlers have, and
	// where it left a stack to read the clock.
	IC_GOROUTINE_TID = IC_GOROUTINE_IN_M,
	IC_GOROUTINE_OF_SIGNALS,
	IC_GOROUTINE_CLOCK_PC,
	IC_GOROUTINE_CLOCK_SP,
	IC_GOROUTINE_FIELDS
};

struct ic_goroutine_layout {
	uint64_t list;    // address in the file of the slice of all goroutines
	uint64_t reasons; // the same of the array of strings of why goroutines wait; 0 if unknown
	struct {
		uint32_t offset, size; // the size is 0 if there is no such field
	} fields[IC_GOROUTINE_FIELDS];
	uint32_t size; // of struct g, as far as it has such fields
};

// Finds the layout of a Go program. False if it is unknown, for the reason in *err.
bool ic_goroutine_layout_find(struct ic_symbolizer *symbolizer, struct ic_goroutine_layout *layout,
			      struct ic_error *err) IC_CHECKED;

#endif
