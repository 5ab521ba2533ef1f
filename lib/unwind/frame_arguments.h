// The values of arguments in the frames of a stack.
#ifndef UNWIND_FRAME_ARGUMENTS_H
#define UNWIND_FRAME_ARGUMENTS_H

#include "base/arena.h"
#include "base/array.h"
#include "unwind/tail_frames.h"

#include <inlinecall/backtrace.h>
#include <inlinecall/parameters.h>

struct ic_argument_place { // a frame whose arguments are asked for
	struct ic_symbolizer *symbolizer;
	uint64_t addr;   // in the file, to be looked up
	uint64_t number; // of the frame among those at the address, 0 for the innermost
	uint64_t bias;
	// The registers of the frame on the stack, and its canonical frame address.
	const struct ic_unwind_registers *registers;
	uint64_t cfa;
	bool has_cfa;
	// Where the function of that frame is entered, in the file; IC_NO_ADDR if not known.
	uint64_t entry;
	// By which call: by the caller's tail call, or if that is NULL, the one that returns to the
	// address. Not known if `caller` is NULL.
	const struct ic_argument_place *caller;
	const struct ic_tail_call *tail_call;
	uint64_t return_addr;
};

struct ic_frame_arguments { // zero-initialised with the first three
	struct ic_target *target;
	struct ic_arena *arena; // of texts
	struct ic_tail_frames *tail_frames;
	IC_ARRAY(struct ic_argument_reader) readers; // of parameters, by symbolizer
	IC_ARRAY(struct ic_backtrace_argument) list; // those of the last frame
};

struct ic_argument_reader {
	struct ic_symbolizer *symbolizer;
	struct ic_parameters *parameters; // NULL if there is none
};

// Reads the arguments of a frame into the list. False if memory runs out; what cannot be read is
// unavailable.
bool ic_frame_arguments_read(struct ic_frame_arguments *arguments,
			     const struct ic_argument_place *place, struct ic_error *err)
	IC_CHECKED;

void ic_frame_arguments_free(struct ic_frame_arguments *arguments);

#endif
