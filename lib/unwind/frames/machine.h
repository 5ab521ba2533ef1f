// Facts about a machine's ABI that unwinding needs besides call frame information.
#ifndef UNWIND_FRAMES_MACHINE_H
#define UNWIND_FRAMES_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { IC_UNWIND_NO_REG = 0xff };

// How frames can be found without call frame information.
enum ic_unwind_chain {
	IC_CHAIN_NONE,
	IC_CHAIN_POINTERS, // a frame pointer points to that of the caller
	IC_CHAIN_FRAMES,   // the stack pointer points to the caller's
};

struct ic_unwind_machine {
	uint16_t machine;  // EM_*
	bool is_32_bit;    // addresses have four bytes
	uint8_t word;      // size of a saved register in bytes
	uint8_t code_bits; // of the address of code: on s390, the bit above says how many there are
	uint8_t sp, fp;
	uint8_t pc;   // DWARF number of the code address; IC_UNWIND_NO_REG if it has none
	uint8_t link; // the register with the return address after a call; IC_UNWIND_NO_REG if that
		      // is on the stack
	// Registers that functions preserve for their callers: bit n for number n, below 64. If the
	// stack pointer is one of them, the canonical frame address is not the caller's stack
	// pointer.
	uint64_t kept;
	// Floating-point registers in the same form. They hold no other registers, and are not
	// read.
	uint64_t floats;
	enum ic_unwind_chain chain;
	// Offset of the return address: of POINTERS from the frame pointer, of FRAMES from the
	// caller's stack pointer.
	int8_t saved_pc;
	// Of POINTERS: offset of the saved frame pointer from the frame pointer, and the distance
	// of the caller's stack pointer above that.
	int8_t saved_fp, cfa;
};

// NULL if the machine is not supported.
const struct ic_unwind_machine *ic_unwind_machine(unsigned machine, bool is_32_bit);

#endif
