// What x86 instructions do to the stack pointer, the frame pointer and saved registers.
#ifndef UNWIND_CODE_X86_STACK_H
#define UNWIND_CODE_X86_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IC_X86_REGISTERS = 16 };

// Since a function was entered. Distances are in bytes below the canonical frame address, which is
// just above the return address. Registers have their DWARF numbers.
struct ic_x86_stack {
	bool knows_sp, knows_fp; // how far the stack pointer, and the frame pointer, are below
	int32_t sp, fp;
	uint32_t written; // bit n: register n may have another value than the caller's
	int32_t saved[IC_X86_REGISTERS]; // where the caller's value is; 0 if it is not on the stack
};

void ic_x86_stack_begin(struct ic_x86_stack *stack, bool is_64);

// Applies an instruction that is neither a call nor a jump. `code` has its bytes, `size` their
// number, which must be the right one. Whatever is not understood is unknown afterwards.
void ic_x86_stack_apply(struct ic_x86_stack *stack, const uint8_t *code, size_t size, bool is_64);

#endif
