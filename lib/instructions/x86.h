// Decodes common x86 instructions, as far as they affect control flow.
#ifndef INSTRUCTIONS_X86_H
#define INSTRUCTIONS_X86_H

#include "base/bytes.h"
#include "instructions/instruction.h"

// Decodes the instruction at `read->addr` from the bytes that start there. False, without a result,
// if it is rare or uncertain: a disassembler must decide. `is_64` is the mode; addresses are within
// `mask`.
bool ic_x86_instruction_read(struct ic_bytes bytes, bool is_64, uint64_t mask,
			     struct ic_instruction *read);

#endif
