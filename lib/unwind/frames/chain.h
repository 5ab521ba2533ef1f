// Callers by the chains that functions keep on the stack, without call frame information.
#ifndef UNWIND_FRAMES_CHAIN_H
#define UNWIND_FRAMES_CHAIN_H

#include "unwind/frames/machine.h"

#include <inlinecall/unwind.h>

// Finds the registers of a frame's caller: a guess, whose return address may be 0. False if the
// machine has no chain, or the frame is not part of one.
bool ic_chain_find(const struct ic_unwind_options *options, const struct ic_unwind_machine *machine,
		   const struct ic_unwind_frame *frame, struct ic_unwind_registers *caller);

#endif
