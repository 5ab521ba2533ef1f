// Decodes AArch64 instructions, as far as they affect control flow.
#ifndef INSTRUCTIONS_AARCH64_H
#define INSTRUCTIONS_AARCH64_H

#include "instructions/instruction.h"

// Decodes the instruction `word` at `read->addr`; its size must already be set.
void ic_aarch64_instruction_read(uint32_t word, struct ic_instruction *read);

#endif
