// Code that returns from a signal handler without call frame information, from C libraries and
// kernels: recognised by its instructions. The registers are on the stack.
#ifndef UNWIND_FRAMES_SIGNAL_CODE_H
#define UNWIND_FRAMES_SIGNAL_CODE_H

#include <inlinecall/unwind.h>

struct ic_signal_code {
	uint16_t machine; // EM_*
	bool is_32_bit;
	uint8_t size; // of its instructions
	uint8_t code[9];
	uint16_t off; // offset of the first register from the stack pointer
	uint8_t return_reg;
	uint8_t count;
	const uint8_t *regs; // the registers in order, with IC_UNWIND_NO_REG for other contents
};

// The code that starts at an address; NULL if it is none of these.
const struct ic_signal_code *ic_signal_code_at(const struct ic_unwind_options *options,
					       uint64_t addr);

#endif
