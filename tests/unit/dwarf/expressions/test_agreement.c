// Reducing an expression and evaluating it give the same value: tried with many that are made at
// random of operations that fit together.
#include "expression_agreement.h"

#include "unit_test.h"

#include <stdio.h>

#include "dwarf_constants.h"

enum { MOST_OPERATIONS = 10, MOST_BYTES = 128, TRIES = 200000 };

struct maker {
	uint64_t seed;
	uint8_t bytes[MOST_BYTES];
	size_t size;
	unsigned depth; // values on the stack
	bool is_big_endian;
	uint8_t addr_size;
};

static uint32_t random_below(struct maker *maker, uint32_t most)
{
	maker->seed ^= maker->seed << 13;
	maker->seed ^= maker->seed >> 7;
	maker->seed ^= maker->seed << 17;
	return (uint32_t)(maker->seed >> 32) % most;
}

static void put(struct maker *maker, unsigned byte)
{
	maker->bytes[maker->size++] = (uint8_t)byte;
}

static void put_random(struct maker *maker, size_t count)
{
	while (count-- > 0) // more often than not at an end of the range
		put(maker, random_below(maker, 3) ? random_below(maker, 2) * 0xff
						  : random_below(maker, 256));
}

// Two bytes that are a LEB128 number.
static void put_leb(struct maker *maker)
{
	put(maker, 0x80 | random_below(maker, 128));
	put(maker, random_below(maker, 128));
}

static void make_value(struct maker *maker)
{
	static const uint8_t sizes[] = { 1, 1, 2, 2, 4, 4, 8, 8 };
	uint32_t code = random_below(maker, 8);

	maker->depth++;
	switch (random_below(maker, 12)) {
	case 0:
		put(maker, DW_OP_const1u + code);
		put_random(maker, sizes[code]);
		break;
	case 1: put(maker, DW_OP_lit0 + random_below(maker, 32)); break;
	case 2: put(maker, DW_OP_lit0 + random_below(maker, 3)); break;
	case 3: put(maker, DW_OP_constu), put_leb(maker); break;
	case 4: put(maker, DW_OP_consts), put_leb(maker); break;
	case 5: put(maker, DW_OP_addr), put_random(maker, maker->addr_size); break;
	case 6: put(maker, DW_OP_addrx), put(maker, random_below(maker, 4)); break;
	case 7: put(maker, DW_OP_fbreg), put_leb(maker); break;
	case 8: put(maker, DW_OP_call_frame_cfa); break;
	case 9:
		put(maker, DW_OP_entry_value);
		put(maker, 3);
		put(maker, DW_OP_breg0 + random_below(maker, 32));
		put_leb(maker);
		break;
	default: put(maker, DW_OP_breg0 + random_below(maker, 32)), put_leb(maker);
	}
}

static void make_operation(struct maker *maker)
{
	static const uint8_t binary[] = { DW_OP_plus, DW_OP_minus, DW_OP_plus, DW_OP_minus,
					  DW_OP_and,  DW_OP_div,   DW_OP_mod,  DW_OP_mul,
					  DW_OP_or,   DW_OP_shl,   DW_OP_shr,  DW_OP_shra,
					  DW_OP_xor,  DW_OP_eq,    DW_OP_ge,   DW_OP_gt,
					  DW_OP_le,   DW_OP_lt,    DW_OP_ne };
	static const uint8_t unary[] = { DW_OP_abs, DW_OP_neg, DW_OP_not, DW_OP_nop };
	uint32_t choice = random_below(maker, 16);

	if (maker->depth == 0 || choice < 4) {
		make_value(maker);
	} else if (choice < 6) {
		put(maker, DW_OP_plus_uconst), put_leb(maker);
	} else if (choice < 8) {
		put(maker, DW_OP_deref);
	} else if (choice == 8) {
		put(maker, DW_OP_deref_size);
		put(maker, 1 + random_below(maker, maker->addr_size));
	} else if (choice == 9) {
		put(maker, unary[random_below(maker, COUNT_OF(unary))]);
	} else if (choice == 10) {
		put(maker, DW_OP_dup);
		maker->depth++;
	} else if (maker->depth >= 2) {
		put(maker,
		    choice == 11 ? DW_OP_swap : binary[random_below(maker, COUNT_OF(binary))]);
		maker->depth -= choice != 11;
	}
}

// Values and what is done with them; then that is a value, or memory, or one in a piece.
static void make(struct maker *maker)
{
	maker->size = 0;
	maker->depth = 0;
	for (uint32_t left = 1 + random_below(maker, MOST_OPERATIONS); left > 0; left--)
		make_operation(maker);
	for (; maker->depth > 1; maker->depth--)
		put(maker, DW_OP_plus);
	if (random_below(maker, 2))
		put(maker, DW_OP_stack_value);
	if (random_below(maker, 4))
		return;
	put(maker, DW_OP_piece);
	put(maker, 1 + random_below(maker, 8));
	if (random_below(maker, 2)) {
		put(maker, DW_OP_reg0 + random_below(maker, 32));
		put(maker, DW_OP_piece);
		put(maker, 1 + random_below(maker, 8));
	}
}

static void fail_with(const struct maker *maker, const char *why)
{
	char text[3 * MOST_BYTES + 1] = "";

	for (size_t i = 0; i < maker->size; i++)
		snprintf(text + 3 * i, sizeof(text) - 3 * i, "%02x ", maker->bytes[i]);
	fail_msg("%s: %s", why, text);
}

TEST(what_is_reduced_is_what_is_evaluated)
{
	struct maker maker = { .seed = 0x123456789 };
	unsigned counts[EXPRESSION_DIFFERS + 1] = { 0 };
	const char *why;

	for (unsigned i = 0; i < TRIES; i++) {
		const struct expression_setting setting = {
			.addr_size = i & 1 ? 8 : 4,
			.is_big_endian = i & 2,
			.frame = (uint8_t)random_below(&maker, 3),
			.size = (uint8_t)(1u << random_below(&maker, i & 1 ? 4 : 3)),
		};
		maker.addr_size = setting.addr_size;
		make(&maker);
		enum expression_agreement agreement = expression_compare(
			(struct ic_bytes){ maker.bytes, maker.size }, &setting, &why);
		counts[agreement]++;
		if (agreement == EXPRESSION_DIFFERS || agreement == EXPRESSION_FAULTY)
			fail_with(&maker, agreement == EXPRESSION_FAULTY ? "faulty" : why);
	}
	assert_true(counts[EXPRESSION_AGREES] > TRIES / 3);
	print_message("%u of %u agree, the others are computed\n", counts[EXPRESSION_AGREES],
		      TRIES);
}

UNIT_TESTS(dwarf_expressions_agreement)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_reduced_is_what_is_evaluated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
