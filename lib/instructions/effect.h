// What an instruction does to registers and memory.
#ifndef INSTRUCTIONS_EFFECT_H
#define INSTRUCTIONS_EFFECT_H

#include <stdint.h>

enum ic_operand_kind {
	IC_OPERAND_NONE,
	IC_OPERAND_OTHER,    // memory at an unknown address, or an unknown value
	IC_OPERAND_REGISTER, // the register, plus `number`
	IC_OPERAND_NUMBER,   // `number`
	IC_OPERAND_ADDRESS,  // `number`, an address in the file
	IC_OPERAND_MEMORY // at the register plus `number`; without a register, at an address in the
			  // file
};

// Registers have their DWARF numbers, except the vector registers of AArch64, which are 32 to 63.
struct ic_operand {
	uint8_t kind; // enum ic_operand_kind
	uint8_t size; // in bytes; 0 for an unknown amount of memory from there on
	int8_t reg;   // -1 for none
	uint64_t number;
};

// The effect of an instruction on registers and memory. It may also do other things with registers
// and memory that it only reads; but it writes no memory other than `to`, and changes no other
// registers.
struct ic_effect {
	uint64_t changed;       // a bit for each register
	struct ic_operand to;   // the register or memory that `from` is stored to
	struct ic_operand from; // of the kind OTHER if it is anything else
	struct ic_operand read; // memory that it reads before
	int8_t pushed;          // bytes by which the stack pointer then decreases
};

enum { IC_MOST_EFFECTS = 3 }; // of one instruction, one after another

#endif
