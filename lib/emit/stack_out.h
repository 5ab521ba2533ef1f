// Writes call frame information for Breakpad: STACK CFI lines.
#ifndef EMIT_STACK_OUT_H
#define EMIT_STACK_OUT_H

#include "base/problems.h"
#include "elf/image/image.h"
#include "emit/out.h"

// Writes the rules of an image's call frame information, for addresses from `load_addr` on, and
// copies its problems. Nothing for machines that Breakpad has no names of registers for. A register
// whose rule is a DWARF expression is unknown, and so is code whose canonical frame address is one,
// as in a PLT. Returns false if memory runs out.
bool ic_stack_out_put(struct ic_out *out, struct ic_image *image, uint64_t load_addr,
		      struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

#endif
