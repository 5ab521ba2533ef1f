// What unwinding must know of a machine besides its call frame information: the ABI's registers.
#ifndef UNWIND_FRAMES_MACHINE_H
#define UNWIND_FRAMES_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { IC_UNWIND_NO_REG = 0xff };

struct ic_unwind_machine {
	uint16_t machine; // EM_*
	bool is_32_bit;
	uint8_t sp, fp;
	uint8_t pc;   // DWARF's number for the address of the code; IC_UNWIND_NO_REG if it has none
	uint8_t link; // the register with the return address after a call; IC_UNWIND_NO_REG if that
		      // is on the stack
	// Registers that functions keep for their callers: bit n for number n, below 64. If the
	// stack pointer is one of them, the canonical frame address is not the caller's.
	uint64_t kept;
	// Floating-point registers, likewise, in which no other register is kept: they are not
	// read.
	uint64_t floats;
	// Where the saved frame pointer and the return address are from the frame pointer, and how
	// far above it the caller's stack pointer is; only if `has_chain`.
	bool has_chain;
	int8_t saved_fp, saved_pc, cfa;
};

// NULL if the machine is not known.
const struct ic_unwind_machine *ic_unwind_machine(unsigned machine, bool is_32_bit);

#endif
