// Instructions, as far as they affect control flow. libcapstone decodes them, except common ones of
// x86; it is loaded on first use (docs/decisions/0032).
#ifndef INSTRUCTIONS_DISASSEMBLER_H
#define INSTRUCTIONS_DISASSEMBLER_H

#include "base/bytes.h"
#include "base/error.h"
#include "instructions/effect.h"
#include "instructions/instruction.h"

struct ic_disassembler;

// NULL if the machine's instructions are not supported or libcapstone cannot be loaded
// (IC_ERROR_UNSUPPORTED), or memory runs out.
struct ic_disassembler *ic_disassembler_open(unsigned machine, unsigned addr_size,
					     struct ic_error *err);

// The machine that it was opened for.
unsigned ic_disassembler_machine(const struct ic_disassembler *disassembler);

// NULL is allowed.
void ic_disassembler_close(struct ic_disassembler *disassembler);

// Decodes the instruction at an address from the bytes that start there.
struct ic_instruction ic_instruction_read(struct ic_disassembler *disassembler,
					  struct ic_bytes bytes, uint64_t addr);

// The same with libcapstone only, which is slower. Only the numbers in `operation` differ.
struct ic_instruction ic_instruction_disassemble(struct ic_disassembler *disassembler,
						 struct ic_bytes bytes, uint64_t addr);

// Determines what an instruction does: one effect after another. Returns their number, 0 if it
// cannot be determined: on machines other than x86-64 and AArch64, or if it writes to memory other
// than its operands.
unsigned ic_effects_read(struct ic_disassembler *disassembler, struct ic_bytes bytes, uint64_t addr,
			 struct ic_effect effects[IC_MOST_EFFECTS]);

#endif
