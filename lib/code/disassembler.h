// Instructions, as far as they say where control goes next. libcapstone reads them; it is loaded on
// first use (docs/decisions/0032).
#ifndef CODE_DISASSEMBLER_H
#define CODE_DISASSEMBLER_H

#include "base/bytes.h"
#include "base/error.h"

enum ic_instruction_kind {
	IC_INSTRUCTION_UNKNOWN,  // cannot be decoded: perhaps data
	IC_INSTRUCTION_PLAIN,    // control goes on after it
	IC_INSTRUCTION_PADDING,  // so it does, and nothing else happens
	IC_INSTRUCTION_CALL,     // control comes back, unless the function does not return
	IC_INSTRUCTION_JUMP,     // to `target`
	IC_INSTRUCTION_BRANCH,   // to `target`, or on after it
	IC_INSTRUCTION_INDIRECT, // to where a register or memory says
	IC_INSTRUCTION_RETURN,
	IC_INSTRUCTION_TRAP // control does not go on
};

struct ic_instruction {
	uint64_t addr;
	uint64_t target; // of a call or jump; IC_NO_ADDR if it is not in the instruction
	uint64_t slot;   // the word with the target, at a fixed address; else IC_NO_ADDR
	uint8_t size;    // in bytes; of what cannot be decoded that of the smallest instruction
	uint8_t kind;    // enum ic_instruction_kind
	// Of a branch of x86 that asks for flags: the low four bits of its opcode. Else -1.
	int8_t condition;
};

struct ic_disassembler;

// NULL if the machine is not one whose instructions are read, libcapstone cannot be loaded
// (IC_ERROR_UNSUPPORTED), or memory is out.
struct ic_disassembler *ic_disassembler_open(unsigned machine, unsigned addr_size,
					     struct ic_error *err);

// NULL is allowed.
void ic_disassembler_close(struct ic_disassembler *disassembler);

// Reads the instruction at an address from the bytes that begin there.
struct ic_instruction ic_instruction_read(struct ic_disassembler *disassembler,
					  struct ic_bytes bytes, uint64_t addr);

#endif
