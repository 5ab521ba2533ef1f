// An instruction, as far as it affects control flow.
#ifndef INSTRUCTIONS_INSTRUCTION_H
#define INSTRUCTIONS_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum ic_instruction_kind {
	IC_INSTRUCTION_UNKNOWN,  // cannot be decoded: may be data
	IC_INSTRUCTION_PLAIN,    // control continues after it
	IC_INSTRUCTION_PADDING,  // the same, without any other effect
	IC_INSTRUCTION_CALL,     // control returns, unless the called function does not
	IC_INSTRUCTION_JUMP,     // to `target`
	IC_INSTRUCTION_BRANCH,   // to `target`, or continues after it
	IC_INSTRUCTION_INDIRECT, // to an address in a register or in memory
	IC_INSTRUCTION_RETURN,
	IC_INSTRUCTION_TRAP // control does not continue
};

struct ic_instruction {
	uint64_t addr;
	uint64_t target; // of a call or jump; IC_NO_ADDR if it is not in the instruction
	uint64_t slot;   // the word that holds the target, at a fixed address; otherwise IC_NO_ADDR
	uint8_t size;    // in bytes; for an undecodable one, that of the smallest instruction
	uint8_t kind;    // enum ic_instruction_kind
	uint16_t operation; // identifies the operation, by numbers of the machine; 0 if unknown
	bool is_move;       // it only copies from or to a register
	// It computes several values of a vector register at once. Excludes what is also used for
	// single values: setting a register to zeros or ones, extracting signs, summing up a
	// register, counting bits, moves and shuffles.
	bool is_packed;
	// For an x86 branch that tests flags: the low four bits of its opcode. Otherwise -1.
	int8_t condition;
};

#endif
