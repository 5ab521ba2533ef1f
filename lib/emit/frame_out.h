// Converts Go's tables of the stack pointer's distance from the caller's to call frame information.
#ifndef EMIT_FRAME_OUT_H
#define EMIT_FRAME_OUT_H

#include "emit/out.h"
#include "go/pclntab.h"

// Writes .debug_frame for the functions of a table; nothing for a processor that Go does not
// support. If the values of a function cannot be read to their end, its rows stop there. Returns
// false if memory runs out. Time: O(n) for n values, at most `steps`.
bool ic_frames_out_put(struct ic_out *out, const struct ic_go_pclntab *table, unsigned machine,
		       uint64_t steps);

#endif
