// Instructions, as far as they say where control goes next. libcapstone reads them, but for common
// ones of x86; it is loaded on first use (docs/decisions/0032).
#ifndef CODE_INSTRUCTIONS_DISASSEMBLER_H
#define CODE_INSTRUCTIONS_DISASSEMBLER_H

#include "base/bytes.h"
#include "base/error.h"
#include "code/instructions/instruction.h"

enum ic_operand_kind {
	IC_OPERAND_NONE,
	IC_OPERAND_OTHER,    // memory whose address is not told, or a value that is not
	IC_OPERAND_REGISTER, // the register, plus `number`
	IC_OPERAND_NUMBER,   // `number`
	IC_OPERAND_ADDRESS,  // `number`, an address in the file
	IC_OPERAND_MEMORY // at the register plus `number`; without one, at an address in the file
};

struct ic_operand {
	uint8_t kind; // enum ic_operand_kind
	uint8_t size; // in bytes; 0 for memory from there on, however much
	int8_t reg;   // DWARF's number; -1 for none
	uint64_t number;
};

// What an instruction does to registers and memory. It may do more with registers and memory that
// it only reads; but it writes no other memory than `to`, and changes no other registers.
struct ic_effect {
	uint64_t changed;       // a bit for each register, by DWARF's number
	struct ic_operand to;   // a register or memory that gets `from`
	struct ic_operand from; // of the kind OTHER if it is anything else
	struct ic_operand read; // memory that it reads before that
	int8_t pushed;          // bytes by which the stack pointer goes down after that
};

struct ic_disassembler;

// NULL if the machine is not one whose instructions are read, libcapstone cannot be loaded
// (IC_ERROR_UNSUPPORTED), or memory runs out.
struct ic_disassembler *ic_disassembler_open(unsigned machine, unsigned addr_size,
					     struct ic_error *err);

// NULL is allowed.
void ic_disassembler_close(struct ic_disassembler *disassembler);

// Reads the instruction at an address from the bytes that begin there.
struct ic_instruction ic_instruction_read(struct ic_disassembler *disassembler,
					  struct ic_bytes bytes, uint64_t addr);

// The same by libcapstone alone, which takes longer. Only `operation` has other numbers.
struct ic_instruction ic_instruction_disassemble(struct ic_disassembler *disassembler,
						 struct ic_bytes bytes, uint64_t addr);

// Reads what an instruction does. False if that is not told: on other machines than x86-64, or if
// it writes to more memory than its operands name.
bool ic_effect_read(struct ic_disassembler *disassembler, struct ic_bytes bytes, uint64_t addr,
		    struct ic_effect *effect);

#endif
