#include "trace/bpf/code.h"

static uint32_t add_instruction(struct ic_bpf_code *code, struct bpf_insn instruction)
{
	if (!IC_ARRAY_ADD(&code->items, instruction)) {
		code->out_of_memory = true;
		return 0;
	}
	return code->items.count - 1;
}

#define REGISTER(number) .dst_reg = (number)&15

void ic_bpf_set(struct ic_bpf_code *code, unsigned to, int32_t number)
{
	ic_bpf_do(code, BPF_MOV, to, number);
}

void ic_bpf_copy(struct ic_bpf_code *code, unsigned to, unsigned from)
{
	ic_bpf_do_register(code, BPF_MOV, to, from);
}

void ic_bpf_do(struct ic_bpf_code *code, unsigned op, unsigned to, int32_t number)
{
	add_instruction(code, (struct bpf_insn){ .code = (uint8_t)(BPF_ALU64 | op | BPF_K),
						 REGISTER(to),
						 .imm = number });
}

void ic_bpf_do_register(struct ic_bpf_code *code, unsigned op, unsigned to, unsigned from)
{
	add_instruction(code, (struct bpf_insn){ .code = (uint8_t)(BPF_ALU64 | op | BPF_X),
						 REGISTER(to),
						 .src_reg = from & 15 });
}

// A 64-bit number takes two instructions.
static void set_wide(struct ic_bpf_code *code, unsigned to, unsigned what, uint64_t number)
{
	add_instruction(code, (struct bpf_insn){ .code = BPF_LD | BPF_DW | BPF_IMM,
						 REGISTER(to),
						 .src_reg = what & 15,
						 .imm = (int32_t)(uint32_t)number });
	add_instruction(code, (struct bpf_insn){ .imm = (int32_t)(uint32_t)(number >> 32) });
}

void ic_bpf_set_wide(struct ic_bpf_code *code, unsigned to, uint64_t number)
{
	set_wide(code, to, 0, number);
}

void ic_bpf_map(struct ic_bpf_code *code, unsigned to, int map)
{
	set_wide(code, to, BPF_PSEUDO_MAP_FD, (uint32_t)map);
}

void ic_bpf_load(struct ic_bpf_code *code, enum ic_bpf_size size, unsigned to, unsigned base,
		 int16_t offset)
{
	add_instruction(code, (struct bpf_insn){ .code = (uint8_t)(BPF_LDX | size | BPF_MEM),
						 REGISTER(to),
						 .src_reg = base & 15,
						 .off = offset });
}

void ic_bpf_store(struct ic_bpf_code *code, enum ic_bpf_size size, unsigned base, int16_t offset,
		  unsigned from)
{
	add_instruction(code, (struct bpf_insn){ .code = (uint8_t)(BPF_STX | size | BPF_MEM),
						 REGISTER(base),
						 .src_reg = from & 15,
						 .off = offset });
}

static void add_atomic(struct ic_bpf_code *code, unsigned base, int16_t offset, unsigned from,
		       int32_t op)
{
	add_instruction(code, (struct bpf_insn){ .code = BPF_STX | BPF_DW | BPF_ATOMIC,
						 REGISTER(base),
						 .src_reg = from & 15,
						 .off = offset,
						 .imm = op });
}

void ic_bpf_fetch_add(struct ic_bpf_code *code, unsigned base, int16_t offset, unsigned from)
{
	add_atomic(code, base, offset, from, BPF_ADD | BPF_FETCH);
}

void ic_bpf_add(struct ic_bpf_code *code, unsigned base, int16_t offset, unsigned from)
{
	add_atomic(code, base, offset, from, BPF_ADD);
}

void ic_bpf_exchange(struct ic_bpf_code *code, unsigned base, int16_t offset, unsigned with)
{
	add_atomic(code, base, offset, with, BPF_XCHG);
}

void ic_bpf_compare_exchange(struct ic_bpf_code *code, unsigned base, int16_t offset, unsigned with)
{
	add_atomic(code, base, offset, with, BPF_CMPXCHG);
}

void ic_bpf_key(struct ic_bpf_code *code, int map, unsigned base, int32_t offset)
{
	ic_bpf_map(code, BPF_REG_1, map);
	ic_bpf_copy(code, BPF_REG_2, base);
	ic_bpf_do(code, BPF_ADD, BPF_REG_2, offset);
}

void ic_bpf_call(struct ic_bpf_code *code, int32_t helper)
{
	add_instruction(code, (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .imm = helper });
}

void ic_bpf_exit(struct ic_bpf_code *code)
{
	add_instruction(code, (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT });
}

uint32_t ic_bpf_jump(struct ic_bpf_code *code, unsigned op, unsigned left, int32_t right)
{
	return add_instruction(code, (struct bpf_insn){ .code = (uint8_t)(BPF_JMP | op | BPF_K),
							REGISTER(left),
							.imm = right });
}

uint32_t ic_bpf_jump_register(struct ic_bpf_code *code, unsigned op, unsigned left, unsigned right)
{
	return add_instruction(code, (struct bpf_insn){ .code = (uint8_t)(BPF_JMP | op | BPF_X),
							REGISTER(left),
							.src_reg = right & 15 });
}

void ic_bpf_land(struct ic_bpf_code *code, uint32_t jump)
{
	if (code->out_of_memory)
		return;
	uint32_t distance = code->items.count - jump - 1;
	code->is_too_long |= distance > INT16_MAX;
	code->items.items[jump].off = (int16_t)distance;
}
