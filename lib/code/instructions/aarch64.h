// Reads instructions of AArch64, as far as they say where control goes next.
#ifndef CODE_INSTRUCTIONS_AARCH64_H
#define CODE_INSTRUCTIONS_AARCH64_H

#include "code/instructions/instruction.h"

// Reads the instruction `word` at `read->addr`, which must be one: its size is known.
void ic_aarch64_instruction_read(uint32_t word, struct ic_instruction *read);

#endif
