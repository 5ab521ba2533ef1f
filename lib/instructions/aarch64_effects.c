// Encodings are from the Arm Architecture Reference Manual, C4.1.
#include "instructions/aarch64.h"

#include "base/bytes.h"

enum { ZERO = 31, STACK_POINTER = 31, FIRST_VECTOR = 32, LINK = 30 };

struct decoding {
	uint32_t word;
	uint64_t addr;
	struct ic_effect *effects;
	unsigned count;
};

// ---- Operands

static uint32_t take_field(const struct decoding *at, unsigned first, unsigned size)
{
	return at->word >> first & ((1u << size) - 1);
}

static uint64_t take_signed(const struct decoding *at, unsigned first, unsigned size)
{
	return ic_extend(take_field(at, first, size), size, true);
}

static const struct ic_operand other = { .kind = IC_OPERAND_OTHER };

static struct ic_operand number_of(uint64_t number, unsigned size)
{
	return (struct ic_operand){ IC_OPERAND_NUMBER, (uint8_t)size, -1, number };
}

static struct ic_operand register_of(unsigned reg, uint64_t number, unsigned size)
{
	return (struct ic_operand){ IC_OPERAND_REGISTER, (uint8_t)size, (int8_t)reg, number };
}

// A register, or zero.
static struct ic_operand value_of(unsigned reg, unsigned size)
{
	return reg == ZERO ? number_of(0, size) : register_of(reg, 0, size);
}

static struct ic_operand memory_of(unsigned reg, uint64_t number, unsigned size)
{
	return (struct ic_operand){ IC_OPERAND_MEMORY, (uint8_t)size, (int8_t)reg, number };
}

// ---- Effects

static struct ic_effect *add_effect(struct decoding *at)
{
	struct ic_effect *effect = &at->effects[at->count++];

	*effect = (struct ic_effect){ .changed = 0 };
	return effect;
}

static void set_register(struct decoding *at, unsigned reg, unsigned size, struct ic_operand from)
{
	struct ic_effect *effect = add_effect(at);

	effect->changed = 1ull << reg;
	effect->to = register_of(reg, 0, size);
	effect->from = from;
}

// The same for an operand in which 31 is the zero register.
static void set_or_drop(struct decoding *at, unsigned reg, unsigned size, struct ic_operand from)
{
	if (reg == ZERO)
		add_effect(at);
	else
		set_register(at, reg, size, from);
}

static void change_both(struct decoding *at, unsigned reg)
{
	struct ic_effect *effect = add_effect(at);

	effect->changed = 1ull << (FIRST_VECTOR + reg) | (reg == ZERO ? 0 : 1ull << reg);
}

// ---- Loads and stores

struct access {
	bool is_load, is_vector;
	unsigned size;
};

static void add_access(struct decoding *at, const struct access *access, unsigned reg,
		       struct ic_operand memory)
{
	struct ic_effect *effect;

	if (access->is_load) {
		if (access->is_vector)
			set_register(at, FIRST_VECTOR + reg, 16, memory);
		else
			set_or_drop(at, reg, 8, memory);
		at->effects[at->count - 1].read = memory;
		return;
	}
	effect = add_effect(at);
	effect->to = memory;
	effect->from = access->is_vector ? register_of(FIRST_VECTOR + reg, 0, access->size)
					 : value_of(reg, access->size);
}

static void add_to_base(struct decoding *at, unsigned base, uint64_t number)
{
	set_register(at, base, 8, register_of(base, number, 8));
}

static void read_pair(struct decoding *at)
{
	uint32_t opc = take_field(at, 30, 2), base = take_field(at, 5, 5),
		 mode = take_field(at, 23, 2);
	struct access access = { .is_load = take_field(at, 22, 1),
				 .is_vector = take_field(at, 26, 1) };
	bool is_signed = !access.is_vector && opc == 1;

	if (opc == 3 || (is_signed && (!access.is_load || mode == 0)))
		return; // tags, and what is not allocated
	access.size = access.is_vector ? 4u << opc : opc == 2 ? 8 : 4;
	uint64_t off = take_signed(at, 15, 7) * access.size;
	bool is_before = mode == 3, is_after = mode == 1;
	// A load may change the base, which the second half still needs.
	bool changes_base = access.is_load && !access.is_vector && take_field(at, 0, 5) == base;
	if (is_before)
		add_to_base(at, base, off);
	uint64_t here = is_before || is_after ? 0 : off;
	const unsigned regs[] = { take_field(at, 0, 5), take_field(at, 10, 5) };
	for (unsigned i = 0; i < 2; i++) {
		unsigned which = changes_base ? 1 - i : i;
		add_access(at, &access, regs[which],
			   memory_of(base, here + which * access.size, access.size));
	}
	if (is_after)
		add_to_base(at, base, off);
}

// Finds what a load or store of one register accesses; false if it is something else.
static bool find_access(const struct decoding *at, struct access *access)
{
	uint32_t size = take_field(at, 30, 2), opc = take_field(at, 22, 2);

	access->is_vector = take_field(at, 26, 1);
	access->is_load = access->is_vector ? opc & 1 : opc != 0;
	access->size = access->is_vector && opc & 2 ? 16 : 1u << size;
	if (access->is_vector)
		return !(opc & 2) || size == 0;
	return opc < 2 || (size < 2) || (size == 2 && opc == 2);
}

static void read_single(struct decoding *at)
{
	uint32_t base = take_field(at, 5, 5), reg = take_field(at, 0, 5),
		 mode = take_field(at, 10, 2);
	bool is_scaled = take_field(at, 24, 1), is_indexed = take_field(at, 21, 1);
	bool is_prefetch = take_field(at, 30, 2) == 3 && take_field(at, 26, 1) == 0 &&
			   take_field(at, 22, 2) == 2;
	struct access access;

	if (!is_scaled && is_indexed && (mode != 2 || take_field(at, 14, 1) == 0))
		return; // atomic, with a key, or not allocated
	if (!is_scaled && !is_indexed && mode == 2 && (is_prefetch || take_field(at, 26, 1)))
		return; // not allocated
	if (is_prefetch && (is_scaled || is_indexed || mode == 0)) {
		add_effect(at);
		return;
	}
	if (!find_access(at, &access))
		return;
	if (is_scaled) {
		add_access(at, &access, reg,
			   memory_of(base, (uint64_t)take_field(at, 10, 12) * access.size,
				     access.size));
		return;
	}
	if (is_indexed) {
		add_access(at, &access, reg, other);
		return;
	}
	uint64_t off = take_signed(at, 12, 9);
	bool is_before = mode == 3, is_after = mode == 1;
	if (is_before)
		add_to_base(at, base, off);
	add_access(at, &access, reg, memory_of(base, is_before || is_after ? 0 : off, access.size));
	if (is_after)
		add_to_base(at, base, off);
}

static void read_literal(struct decoding *at)
{
	uint32_t opc = take_field(at, 30, 2);
	struct access access = { .is_load = true, .is_vector = take_field(at, 26, 1) };
	struct ic_operand memory = { .kind = IC_OPERAND_MEMORY, .reg = -1 };

	if (opc == 3) { // a prefetch
		if (!access.is_vector)
			add_effect(at);
		return;
	}
	access.size = access.is_vector ? 4u << opc : opc == 1 ? 8 : 4;
	memory.size = (uint8_t)access.size;
	memory.number = at->addr + 4 * take_signed(at, 5, 19);
	add_access(at, &access, take_field(at, 0, 5), memory);
}

static void read_memory(struct decoding *at)
{
	if ((at->word & 0x3a000000) == 0x28000000)
		read_pair(at);
	else if ((at->word & 0x3a000000) == 0x38000000)
		read_single(at);
	else if ((at->word & 0x3b000000) == 0x18000000)
		read_literal(at);
}

// ---- Numbers

static void read_address(struct decoding *at)
{
	uint64_t number = take_signed(at, 5, 19) << 2 | take_field(at, 29, 2);
	bool is_page = at->word >> 31;
	struct ic_operand from = { .kind = IC_OPERAND_ADDRESS, .size = 8, .reg = -1 };

	from.number = is_page ? (at->addr & ~0xfffull) + (number << 12) : at->addr + number;
	set_or_drop(at, take_field(at, 0, 5), 8, from);
}

static void read_sum(struct decoding *at)
{
	uint64_t number = (uint64_t)take_field(at, 10, 12) << (take_field(at, 22, 1) ? 12 : 0);
	unsigned size = at->word >> 31 ? 8 : 4;
	bool is_difference = take_field(at, 30, 1), sets_flags = take_field(at, 29, 1);
	struct ic_operand from =
		register_of(take_field(at, 5, 5), is_difference ? -number : number, size);

	if (sets_flags)
		set_or_drop(at, take_field(at, 0, 5), size, from);
	else
		set_register(at, take_field(at, 0, 5), size, from);
}

static void read_wide_move(struct decoding *at)
{
	uint32_t opc = take_field(at, 29, 2);
	unsigned size = at->word >> 31 ? 8 : 4;

	if (opc == 1 || (size == 4 && take_field(at, 22, 1)))
		return; // not allocated
	uint64_t number = (uint64_t)take_field(at, 5, 16) << (16 * take_field(at, 21, 2));

	set_or_drop(at, take_field(at, 0, 5), size,
		    opc == 3 ? other : number_of(opc == 0 ? ~number : number, size));
}

static void read_logical(struct decoding *at)
{
	bool sets_flags = take_field(at, 29, 2) == 3;

	if (at->word >> 31 == 0 && take_field(at, 22, 1))
		return; // not allocated
	if (sets_flags)
		set_or_drop(at, take_field(at, 0, 5), 8, other);
	else // 31 is the stack pointer
		set_register(at, take_field(at, 0, 5), 8, other);
}

static void read_immediate(struct decoding *at)
{
	switch (take_field(at, 23, 3)) {
	case 0:
	case 1: read_address(at); break;
	case 2: read_sum(at); break;
	case 4: read_logical(at); break;
	case 5: read_wide_move(at); break;
	case 3: set_register(at, take_field(at, 0, 5), 8, other); break; // tags: 31 is sp
	default: // bit fields, and what signs x30 if it is none
		if (take_field(at, 23, 3) == 6 || take_field(at, 29, 2) == 0)
			set_or_drop(at, take_field(at, 0, 5), 8, other);
		break;
	}
}

// ---- The others

static void read_register_operation(struct decoding *at)
{
	unsigned size = at->word >> 31 ? 8 : 4;
	bool is_move = (at->word & 0x7fe0ffe0) == 0x2a0003e0;
	// Sums with an extended register, and tags: 31 is the stack pointer.
	bool is_of_stack = (at->word & 0x3f200000) == 0x0b200000 ||
			   (at->word & 0xffe0fc00) == 0x9ac01000;

	if (is_of_stack)
		set_register(at, take_field(at, 0, 5), size, other);
	else
		set_or_drop(at, take_field(at, 0, 5), size,
			    is_move ? value_of(take_field(at, 16, 5), size) : other);
}

static void read_vector_operation(struct decoding *at)
{
	uint32_t to = take_field(at, 0, 5), from = take_field(at, 5, 5),
		 word = at->word & 0xfffffc00;
	bool is_copy = (at->word & 0xbfe0fc00) == 0x0ea01c00 && take_field(at, 16, 5) == from;
	unsigned size = word == 0x1e204000 || word == 0x1e270000 || word == 0x1e260000 ? 4 : 8;

	if (is_copy) // mov v0.16b, v1.16b
		set_register(at, FIRST_VECTOR + to, 16,
			     register_of(FIRST_VECTOR + from, 0, at->word >> 30 & 1 ? 16 : 8));
	else if (word == 0x1e204000 || word == 0x1e604000) // fmov s0, s1
		set_register(at, FIRST_VECTOR + to, 16, register_of(FIRST_VECTOR + from, 0, size));
	else if (word == 0x1e270000 || word == 0x9e670000) // fmov s0, w1
		set_register(at, FIRST_VECTOR + to, 16, value_of(from, size));
	else if (word == 0x1e260000 || word == 0x9e660000) // fmov w0, s1
		set_or_drop(at, to, size, register_of(FIRST_VECTOR + from, 0, size));
	else // some change a general register
		change_both(at, to);
}

static void read_system(struct decoding *at)
{
	if ((at->word & 0xfffff01f) == 0xd503201f) // a hint: some sign x30 or x17, or set x16
		add_effect(at)->changed = 1ull << LINK | 1ull << 17 | 1ull << 16;
	else if ((at->word & 0xfffff01f) == 0xd503301f) // a barrier
		add_effect(at);
	else if ((at->word & 0xfff00000) == 0xd5300000) // mrs
		set_or_drop(at, take_field(at, 0, 5), 8, other);
}

unsigned ic_aarch64_effects_read(uint32_t word, uint64_t addr,
				 struct ic_effect effects[IC_MOST_EFFECTS])
{
	struct decoding at = { word, addr, effects, 0 };

	if ((word & 0x0a000000) == 0x08000000)
		read_memory(&at);
	else if ((word & 0x1c000000) == 0x10000000)
		read_immediate(&at);
	else if ((word & 0x0e000000) == 0x0a000000)
		read_register_operation(&at);
	else if ((word & 0x0e000000) == 0x0e000000)
		read_vector_operation(&at);
	else if ((word & 0xffc00000) == 0xd5000000)
		read_system(&at);
	return at.count;
}
