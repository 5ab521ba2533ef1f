// The code that returns from a signal handler, where C libraries and kernels give it no call frame
// information: it is known by its instructions, and finds the registers on the stack.
#ifndef UNWIND_FRAMES_SIGNAL_CODE_H
#define UNWIND_FRAMES_SIGNAL_CODE_H

#include <inlinecall/unwind.h>

struct ic_signal_code {
	uint16_t machine; // EM_*
	bool is_32_bit;
	uint8_t size; // of its instructions
	uint8_t code[9];
	uint16_t off; // of the first register, from the stack pointer
	uint8_t return_reg;
	uint8_t count;
	const uint8_t *regs; // as they follow each other, IC_UNWIND_NO_REG for what is none
};

// The code that begins at an address; NULL if it is none of these.
const struct ic_signal_code *ic_signal_code_at(const struct ic_unwind_options *options,
					       uint64_t addr);

#endif
