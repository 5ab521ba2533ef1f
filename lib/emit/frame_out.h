// Go's tables of how far the stack pointer is from the caller's to call frame information.
#ifndef EMIT_FRAME_OUT_H
#define EMIT_FRAME_OUT_H

#include "emit/out.h"
#include "go/pclntab.h"

// Writes .debug_frame for the functions of a table; nothing for a processor that Go does not know.
// A function whose values cannot be read has rows up to there. False if memory runs out. Time: O(n)
// for n values, at most `steps`.
bool ic_frames_out_put(struct ic_out *out, const struct ic_go_pclntab *table, unsigned machine,
		       uint64_t steps);

#endif
