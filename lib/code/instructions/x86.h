// Reads common instructions of x86, as far as they say where control goes next.
#ifndef CODE_INSTRUCTIONS_X86_H
#define CODE_INSTRUCTIONS_X86_H

#include "base/bytes.h"
#include "code/instructions/instruction.h"

// Reads the instruction at `read->addr` from the bytes that begin there. False, and nothing is
// read, if it is rare, or not certain: a disassembler has to tell. `is_64` is the mode; addresses
// are within `mask`.
bool ic_x86_instruction_read(struct ic_bytes bytes, bool is_64, uint64_t mask,
			     struct ic_instruction *read);

#endif
