// Opcodes are from the Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2,
// appendix A.
#include "unwind/code/x86_stack.h"

#include <string.h>

#include "base/bytes.h"

enum { SP = 4, FP = 5 }; // as instructions number them

struct operands {
	uint8_t opcode; // after 0x0f if is_after_0f
	bool is_after_0f, has_66, is_64, is_wide;
	unsigned reg, memory; // register numbers; `memory` is the base if not is_register
	unsigned group;       // the field that has `reg`, if it is a part of the opcode
	bool is_register;     // the second operand is the register `memory`
	bool is_based;        // it is in memory at that register plus `displacement`
	int32_t displacement;
	const uint8_t *rest; // immediate bytes
	size_t rest_size;
};

static unsigned dwarf_number(unsigned reg, bool is_64)
{
	static const uint8_t numbers[] = { 0, 2, 1, 3, 7, 6, 4, 5 };

	return is_64 && reg < 8 ? numbers[reg] : reg;
}

void ic_x86_stack_begin(struct ic_x86_stack *stack, bool is_64)
{
	*stack = (struct ic_x86_stack){ .knows_sp = true, .sp = is_64 ? 8 : 4 };
}

// ---- Decoding

static int32_t signed_number(const uint8_t *bytes, size_t size)
{
	return size >= 4   ? (int32_t)ic_load32(bytes, IC_HOST_IS_BIG_ENDIAN)
	       : size == 1 ? (int8_t)*bytes
			   : 0;
}

// Decodes ModRM and what follows, in `left` bytes.
static void read_operands(struct operands *operands, const uint8_t *at, size_t left, uint8_t rex)
{
	if (left == 0)
		return;
	uint8_t modrm = *at++;
	unsigned mode = modrm >> 6, base = modrm & 7;
	size_t size = mode == 1 ? 1 : mode == 2 ? 4 : 0;
	bool has_index = false;

	left--;
	operands->group = modrm >> 3 & 7;
	operands->reg = operands->group | (rex & 4u) << 1;
	operands->is_register = mode == 3;
	if (mode != 3 && base == 4 && left > 0) {
		uint8_t sib = *at++;

		left--;
		has_index = (sib >> 3 & 7) != 4 || (rex & 2);
		base = sib & 7;
	}
	if (mode == 0 && base == 5)
		size = 4;
	operands->is_based = mode != 3 && !has_index && !(mode == 0 && base == 5);
	operands->memory = base | (rex & 1u) << 3;
	if (size > left)
		size = left;
	operands->displacement = signed_number(at, size);
	operands->rest = at + size;
	operands->rest_size = left - size;
}

// Returns whether the opcode has operands in ModRM.
static bool has_modrm(const struct operands *operands)
{
	uint8_t opcode = operands->opcode;

	if (operands->is_after_0f)
		return !(opcode == 0x05 || opcode == 0x0b || opcode == 0xa2 ||
			 (opcode & 0xf8) == 0xc8 || (opcode & 0xf0) == 0x80);
	return (opcode < 0x40 && (opcode & 7) < 4) || opcode == 0x62 || opcode == 0x63 ||
	       opcode == 0x69 || opcode == 0x6b || (opcode >= 0x80 && opcode <= 0x8f) ||
	       opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 ||
	       (opcode >= 0xd0 && opcode <= 0xd3) || (opcode >= 0xd8 && opcode <= 0xdf) ||
	       opcode == 0xf6 || opcode == 0xf7 || opcode == 0xfe || opcode == 0xff;
}

static bool is_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e ||
	       byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65;
}

static struct operands decode_operands(const uint8_t *code, size_t size, bool is_64)
{
	struct operands operands = { .is_64 = is_64 };
	size_t at = 0;
	uint8_t rex = 0;

	for (; at + 1 < size && is_prefix(code[at]); at++)
		operands.has_66 |= code[at] == 0x66;
	if (is_64 && at + 1 < size && code[at] >> 4 == 4)
		rex = code[at++];
	operands.is_after_0f = at + 1 < size && code[at] == 0x0f;
	at += operands.is_after_0f;
	operands.opcode = code[at++];
	operands.is_wide = !operands.has_66 && (!is_64 || (rex & 8));
	operands.reg = (operands.opcode & 7u) | (rex & 1u) << 3; // if the opcode has one
	operands.rest = code + at;
	operands.rest_size = size - at;
	if (has_modrm(&operands))
		read_operands(&operands, code + at, size - at, rex);
	return operands;
}

// ---- Effects

static void write_register(struct ic_x86_stack *stack, unsigned reg, bool is_64)
{
	stack->written |= 1u << dwarf_number(reg, is_64);
	if (reg == SP)
		stack->knows_sp = false;
	if (reg == FP)
		stack->knows_fp = false;
}

// The second byte of a register may have the number of another one.
static void write_byte(struct ic_x86_stack *stack, unsigned reg, bool is_64)
{
	write_register(stack, reg & 3, is_64);
	write_register(stack, reg, is_64);
}

static void push_word(struct ic_x86_stack *stack, const struct operands *operands)
{
	int word = operands->is_64 ? 8 : 4;

	if (operands->has_66)
		stack->knows_sp = false;
	if (__builtin_add_overflow(stack->sp, word, &stack->sp))
		stack->knows_sp = false;
}

// The first push of a register saves it, unless it already has another value.
static void push_register(struct ic_x86_stack *stack, const struct operands *operands)
{
	unsigned number = dwarf_number(operands->reg, operands->is_64);

	push_word(stack, operands);
	if (stack->knows_sp && !(stack->written >> number & 1) && stack->saved[number] == 0)
		stack->saved[number] = stack->sp;
}

static void pop_word(struct ic_x86_stack *stack, const struct operands *operands)
{
	int word = operands->is_64 ? 8 : 4;

	if (operands->has_66 || __builtin_sub_overflow(stack->sp, word, &stack->sp))
		stack->knows_sp = false;
}

// Popped from where it was saved, a register is the caller's again.
static void pop_register(struct ic_x86_stack *stack, const struct operands *operands, unsigned reg)
{
	unsigned number = dwarf_number(reg, operands->is_64);
	bool is_saved = stack->knows_sp && stack->saved[number] != 0 &&
			stack->saved[number] == stack->sp;

	pop_word(stack, operands);
	write_register(stack, reg, operands->is_64);
	if (is_saved) {
		stack->written &= ~(1u << number);
		stack->saved[number] = 0;
	}
}

// Sets the stack pointer or the frame pointer to one of both plus a number.
static void set_pointer(struct ic_x86_stack *stack, const struct operands *operands, unsigned to,
			unsigned from, int32_t number)
{
	bool knows = (from == SP && stack->knows_sp) || (from == FP && stack->knows_fp);
	int32_t value = from == SP ? stack->sp : stack->fp;

	write_register(stack, to, operands->is_64);
	if (!knows || !operands->is_wide || __builtin_sub_overflow(value, number, &value))
		return;
	if (to == SP) {
		stack->sp = value;
		stack->knows_sp = true;
	} else if (to == FP) {
		stack->fp = value;
		stack->knows_fp = true;
	}
}

static void leave_frame(struct ic_x86_stack *stack, const struct operands *operands)
{
	stack->knows_sp = stack->knows_fp;
	stack->sp = stack->fp;
	pop_register(stack, operands, FP);
}

// 0x80 to 0x83: an operation with a number.
static void apply_number(struct ic_x86_stack *stack, const struct operands *operands)
{
	enum { ADD = 0, SUB = 5, COMPARE = 7 };
	bool is_byte = operands->opcode == 0x80;
	int32_t number = signed_number(operands->rest, operands->rest_size);

	if (!operands->is_register || operands->group == COMPARE)
		return;
	if (is_byte)
		write_byte(stack, operands->memory, operands->is_64);
	else if (operands->memory == SP && operands->group == ADD)
		set_pointer(stack, operands, SP, SP, number);
	else if (operands->memory == SP && operands->group == SUB && number != INT32_MIN)
		set_pointer(stack, operands, SP, SP, -number);
	else
		write_register(stack, operands->memory, operands->is_64);
}

// The opcodes that have an effect on the stack of their own. False for others.
static bool apply_stack_opcode(struct ic_x86_stack *stack, const struct operands *operands)
{
	enum { PUSH_MEMORY = 6, POP_MEMORY = 0 };
	uint8_t opcode = operands->opcode;

	if ((opcode & 0xf8) == 0x50)
		push_register(stack, operands);
	else if ((opcode & 0xf8) == 0x58)
		pop_register(stack, operands, operands->reg);
	else if (opcode == 0x68 || opcode == 0x6a || opcode == 0x9c ||
		 (opcode == 0xff && operands->group == PUSH_MEMORY))
		push_word(stack, operands);
	else if (opcode == 0x9d)
		pop_word(stack, operands);
	else if (opcode == 0x8f && operands->group == POP_MEMORY && !operands->is_register)
		pop_word(stack, operands);
	else if (opcode == 0xc9)
		leave_frame(stack, operands);
	else
		return false;
	return true;
}

// Moves between registers, and `lea`. False for others.
static bool apply_move(struct ic_x86_stack *stack, const struct operands *operands)
{
	uint8_t opcode = operands->opcode;

	if (opcode == 0x89 && operands->is_register)
		set_pointer(stack, operands, operands->memory, operands->reg, 0);
	else if (opcode == 0x8b && operands->is_register)
		set_pointer(stack, operands, operands->reg, operands->memory, 0);
	else if (opcode == 0x8d)
		set_pointer(stack, operands, operands->reg,
			    operands->is_based ? operands->memory : 0, operands->displacement);
	else
		return false;
	return true;
}

static void write_operand(struct ic_x86_stack *stack, const struct operands *operands, unsigned reg)
{
	uint8_t opcode = operands->opcode;
	bool is_byte = operands->is_after_0f ? opcode >> 4 == 9 || opcode == 0xb0 || opcode == 0xc0
					     : !(opcode & 1);

	if (is_byte)
		write_byte(stack, reg, operands->is_64);
	else
		write_register(stack, reg, operands->is_64);
}

// Writes those of the operands in ModRM that the instruction writes.
static void apply_other(struct ic_x86_stack *stack, const struct operands *operands)
{
	uint8_t opcode = operands->opcode;
	bool is_test = (opcode & 0xfe) == 0x84 || (opcode < 0x40 && opcode >= 0x38) ||
		       ((opcode & 0xfe) == 0xf6 && operands->group < 2) ||
		       (opcode >= 0xd8 && opcode <= 0xdf);
	bool is_group = (opcode & 0xf0) == 0xd0 || opcode >= 0xf6 || (opcode & 0xf8) == 0xc0 ||
			opcode == 0x8f;
	bool is_store = opcode == 0x88 || opcode == 0x89 || (opcode < 0x40 && (opcode & 2) == 0);
	bool is_exchange = (opcode & 0xfe) == 0x86;

	if (is_test)
		return;
	if (!is_group && !is_store)
		write_operand(stack, operands, operands->reg);
	if (operands->is_register && (is_group || is_store || is_exchange))
		write_operand(stack, operands, operands->memory);
}

// Whether the opcode after 0x0f writes a general register or memory in its second operand.
static bool writes_second(uint8_t opcode)
{
	return opcode >> 4 == 9 || (opcode >= 0xa3 && opcode <= 0xa5) ||
	       (opcode >= 0xab && opcode <= 0xad) || opcode == 0xb0 || opcode == 0xb1 ||
	       opcode == 0xb3 || opcode == 0xba || opcode == 0xbb || opcode == 0xc0 ||
	       opcode == 0xc1 || opcode == 0x7e;
}

// After 0x0f: those of SSE write other registers, with exceptions.
static void apply_after_0f(struct ic_x86_stack *stack, const struct operands *operands)
{
	uint8_t opcode = operands->opcode;
	bool is_vector = (opcode >= 0x10 && opcode < 0x18) || (opcode >= 0x28 && opcode < 0x30) ||
			 (opcode >= 0x50 && opcode < 0x80) || opcode == 0xc2 || opcode == 0xc4 ||
			 opcode == 0xc6 || opcode >= 0xd0;
	bool to_general = opcode == 0x2c || opcode == 0x2d || opcode == 0x50 || opcode == 0xd7 ||
			  opcode == 0xc5;

	if ((opcode & 0xf8) == 0xc8) // bswap
		write_register(stack, operands->reg, operands->is_64);
	if (opcode == 0xa2) // cpuid
		for (unsigned reg = 0; reg < 4; reg++)
			write_register(stack, reg, operands->is_64);
	if (!has_modrm(operands) || opcode == 0x1e || opcode == 0x1f)
		return;
	if (to_general || !(is_vector || opcode >> 4 == 9))
		write_operand(stack, operands, operands->reg);
	if (operands->is_register && writes_second(opcode))
		write_operand(stack, operands, operands->memory);
}

// One operand, in the opcode, or none. `xchg` has the accumulator as well, and string instructions
// have registers that no function preserves, or `edi` and `esi`.
static void apply_without_modrm(struct ic_x86_stack *stack, const struct operands *operands)
{
	uint8_t opcode = operands->opcode;

	write_register(stack, 0, operands->is_64);
	if (opcode >> 3 == 0x16) // mov to one byte
		write_byte(stack, operands->reg, operands->is_64);
	if (opcode >> 3 == 0x17 || (opcode >> 3 == 0x12 && opcode != 0x90) ||
	    (!operands->is_64 && opcode >> 4 == 4)) // inc, dec
		write_register(stack, operands->reg, operands->is_64);
	if ((opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf)) {
		write_register(stack, 6, operands->is_64);
		write_register(stack, 7, operands->is_64);
	}
}

void ic_x86_stack_apply(struct ic_x86_stack *stack, const uint8_t *code, size_t size, bool is_64)
{
	enum { SYSTEM_CALL = 0xcd, ENTER = 0xc8 };

	if (size == 0)
		return;
	const struct operands operands = decode_operands(code, size, is_64);
	if (operands.is_after_0f)
		apply_after_0f(stack, &operands);
	else if (operands.opcode == ENTER)
		stack->knows_sp = stack->knows_fp = false;
	else if (operands.opcode >= 0x80 && operands.opcode <= 0x83)
		apply_number(stack, &operands);
	else if (!apply_stack_opcode(stack, &operands) && !apply_move(stack, &operands)) {
		if (has_modrm(&operands))
			apply_other(stack, &operands);
		else if (operands.opcode != SYSTEM_CALL)
			apply_without_modrm(stack, &operands);
	}
}
