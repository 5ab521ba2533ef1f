// Instructions, as far as they affect control flow. libcapstone decodes them, except common ones of
// x86; it is loaded on first use (docs/decisions/0032).
#ifndef INSTRUCTIONS_DISASSEMBLER_H
#define INSTRUCTIONS_DISASSEMBLER_H

#include "base/bytes.h"
#include "base/error.h"
#include "instructions/instruction.h"

enum ic_operand_kind {
	IC_OPERAND_NONE,
	IC_OPERAND_OTHER,    // memory at an unknown address, or an unknown value
	IC_OPERAND_REGISTER, // the register, plus `number`
	IC_OPERAND_NUMBER,   // `number`
	IC_OPERAND_ADDRESS,  // `number`, an address in the file
	IC_OPERAND_MEMORY // at the register plus `number`; without a register, at an address in the
			  // file
};

struct ic_operand {
	uint8_t kind; // enum ic_operand_kind
	uint8_t size; // in bytes; 0 for an unknown amount of memory from there on
	int8_t reg;   // DWARF register number; -1 for none
	uint64_t number;
};

// The effect of an instruction on registers and memory. It may also do other things with registers
// and memory that it only reads; but it writes no memory other than `to`, and changes no other
// registers.
struct ic_effect {
	uint64_t changed;       // a bit for each register, by DWARF number
	struct ic_operand to;   // the register or memory that `from` is stored to
	struct ic_operand from; // of the kind OTHER if it is anything else
	struct ic_operand read; // memory that it reads before
	int8_t pushed;          // bytes by which the stack pointer then decreases
};

struct ic_disassembler;

// NULL if the machine's instructions are not supported or libcapstone cannot be loaded
// (IC_ERROR_UNSUPPORTED), or memory runs out.
struct ic_disassembler *ic_disassembler_open(unsigned machine, unsigned addr_size,
					     struct ic_error *err);

// NULL is allowed.
void ic_disassembler_close(struct ic_disassembler *disassembler);

// Decodes the instruction at an address from the bytes that start there.
struct ic_instruction ic_instruction_read(struct ic_disassembler *disassembler,
					  struct ic_bytes bytes, uint64_t addr);

// The same with libcapstone only, which is slower. Only the numbers in `operation` differ.
struct ic_instruction ic_instruction_disassemble(struct ic_disassembler *disassembler,
						 struct ic_bytes bytes, uint64_t addr);

// Determines what an instruction does. False if it cannot be determined: on machines other than
// x86-64, or if it writes to memory other than its operands.
bool ic_effect_read(struct ic_disassembler *disassembler, struct ic_bytes bytes, uint64_t addr,
		    struct ic_effect *effect);

#endif
