// Values of arguments in the frames of a stack.
#ifndef UNWIND_FRAME_ARGUMENTS_H
#define UNWIND_FRAME_ARGUMENTS_H

#include "base/arena.h"
#include "base/array.h"
#include "unwind/tail_frames.h"

#include <inlinecall/backtrace.h>
#include <inlinecall/parameters.h>

struct ic_argument_place { // a frame whose arguments are requested
	struct ic_symbolizer *symbolizer;
	uint64_t addr;   // address in the file to look up
	uint64_t number; // index among the frames at the address, 0 for the innermost
	uint64_t bias;
	// The registers and the canonical frame address of the physical frame.
	const struct ic_unwind_registers *registers;
	uint64_t cfa;
	bool has_cfa;
	// Entry address of that frame's function in the file; IC_NO_ADDR if unknown.
	uint64_t entry;
	// The call that entered it: the caller's tail call or, if that is NULL, the call that
	// returns to the address. Unknown if `caller` is NULL.
	const struct ic_argument_place *caller;
	const struct ic_tail_call *tail_call;
	uint64_t return_addr;
};

struct ic_frame_arguments { // zero-initialised except the first four
	struct ic_target *target;
	struct ic_arena *arena; // owns texts
	struct ic_tail_frames *tail_frames;
	bool wants_variables;
	IC_ARRAY(struct ic_argument_reader) readers; // of parameters, one per symbolizer
	IC_ARRAY(struct ic_backtrace_argument) list; // the arguments of the last frame
	uint32_t variable_start;                     // the first one of these that is a variable
};

struct ic_argument_reader {
	struct ic_symbolizer *symbolizer;
	struct ic_parameters *parameters; // NULL if they cannot be read
};

// Reads the arguments of a frame into the list, then its variables. False if memory runs out;
// values that cannot be read are unavailable.
bool ic_frame_arguments_read(struct ic_frame_arguments *arguments,
			     const struct ic_argument_place *place, struct ic_error *err)
	IC_CHECKED;

void ic_frame_arguments_free(struct ic_frame_arguments *arguments);

#endif
