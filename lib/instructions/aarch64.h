// Decodes AArch64 instructions, as far as they affect control flow, registers and memory.
#ifndef INSTRUCTIONS_AARCH64_H
#define INSTRUCTIONS_AARCH64_H

#include "instructions/effect.h"
#include "instructions/instruction.h"

// Decodes the instruction `word` at `read->addr`; its size must already be set.
void ic_aarch64_instruction_read(uint32_t word, struct ic_instruction *read);

// Determines what one that does not branch does, at an address: one effect after another. Returns
// their number, 0 if it cannot be determined. Some name a register as changed that is not.
unsigned ic_aarch64_effects_read(uint32_t word, uint64_t addr,
				 struct ic_effect effects[IC_MOST_EFFECTS]);

#endif
