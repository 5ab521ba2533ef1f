// An instruction, as far as it says where control goes next.
#ifndef CODE_INSTRUCTIONS_INSTRUCTION_H
#define CODE_INSTRUCTIONS_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

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
	uint64_t target;    // of a call or jump; IC_NO_ADDR if it is not in the instruction
	uint64_t slot;      // the word with the target, at a fixed address; else IC_NO_ADDR
	uint8_t size;       // in bytes; of what cannot be decoded that of the smallest instruction
	uint8_t kind;       // enum ic_instruction_kind
	uint16_t operation; // which one it is, by numbers of the machine; 0 if that is not told
	bool is_move;       // it only copies from or to a register
	// It computes several values of a vector register at once. Not what also serves one value:
	// what sets a register to 0 or 1s, or takes a sign, sums up a register, counts bits, moves
	// or shuffles.
	bool is_packed;
	// Of a branch of x86 that asks for flags: the low four bits of its opcode. Else -1.
	int8_t condition;
};

#endif
