// Fuzzes what x86 instructions do to the stack: the input is code. Wanted: each instruction has the
// effect that libcapstone finds, or is unknown; and what a function has done by the time it reaches
// an address is found without reading beyond the code.
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "instructions/disassembler.h"
#include "instructions/x86.h"
#include "unwind/code/function_walk.h"

enum { START = 0x1000, MACHINE_386 = 3, MACHINE_AMD64 = 62, SP = 7, FP = 6, WORD = 8 };

static bool is_register(const struct ic_operand *operand, int8_t reg)
{
	return operand->kind == IC_OPERAND_REGISTER && operand->reg == reg;
}

// Where the stack pointer must be; false if nobody knows.
static bool find_sp(const struct ic_effect *effect, int64_t *sp)
{
	*sp = WORD + effect->pushed;
	if (!(effect->changed >> SP & 1) && !is_register(&effect->to, SP))
		return true;
	if (effect->pushed != 0 && !is_register(&effect->to, SP))
		return true;
	*sp = WORD - (int64_t)effect->from.number;
	return is_register(&effect->from, SP) && effect->from.size == WORD && effect->pushed == 0;
}

static void check_effect(struct ic_disassembler *disassembler, struct ic_bytes code, uint64_t addr)
{
	struct ic_instruction read = { .addr = addr };
	struct ic_x86_stack stack;
	struct ic_effect effects[IC_MOST_EFFECTS], *effect = effects; // x86 has one
	int64_t sp;

	if (!ic_x86_instruction_read(code, true, UINT64_MAX, &read) ||
	    read.kind != IC_INSTRUCTION_PLAIN)
		return;
	ic_x86_stack_begin(&stack, true);
	ic_x86_stack_apply(&stack, code.data, read.size, true);
	if (!ic_effects_read(disassembler, (struct ic_bytes){ code.data, read.size }, addr,
			     effects))
		return;
	for (unsigned reg = 0; reg < IC_X86_REGISTERS; reg++) {
		bool is_changed = (effect->changed >> reg & 1) ||
				  is_register(&effect->to, (int8_t)reg);
		if (is_changed && (reg == 3 || reg == FP || reg >= 12))
			PROMISE(stack.written >> reg & 1);
	}
	if (stack.knows_sp && find_sp(effect, &sp))
		PROMISE(stack.sp == sp);
	PROMISE(!stack.knows_fp || is_register(&effect->to, FP));
}

static bool read_code(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct ic_bytes *code = context;
	uint64_t off = addr - START;

	if (off > code->size || size > code->size - off)
		return false;
	memcpy(bytes, code->data + off, size);
	return true;
}

static void check_walk(struct ic_bytes code, bool is_64, uint64_t end)
{
	const struct ic_unwind_options options = { .machine = is_64 ? MACHINE_AMD64 : MACHINE_386,
						   .is_32_bit = !is_64,
						   .read_memory = read_code,
						   .context = &code };
	struct ic_x86_stack stack, again;

	if (!ic_function_walk(&options, START, START + end, &stack))
		return;
	PROMISE(end < IC_MOST_WALKED && (stack.knows_sp || stack.knows_fp));
	PROMISE(ic_function_walk(&options, START, START + end, &again));
	PROMISE(memcmp(&stack, &again, sizeof(stack)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ic_disassembler *disassembler; // it takes long to open
	struct fuzz_input in = { data, data + size };
	struct ic_bytes code;
	struct ic_error err;

	if (!disassembler)
		disassembler = ic_disassembler_open(MACHINE_AMD64, WORD, &err);
	uint64_t end = fuzz_take_u16(&in);
	fuzz_take_sections(&in, &code, 1);
	for (size_t at = 0; disassembler && at < code.size; at++)
		check_effect(disassembler, (struct ic_bytes){ code.data + at, code.size - at },
			     START + at);
	check_walk(code, true, end);
	check_walk(code, false, end);
	fuzz_free_sections(&code, 1);
	return 0;
}
