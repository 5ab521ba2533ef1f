#include "unit_test.h"

#include "btf/inline_lower.h"

static const struct ic_btf_lowering rfc = { .format = IC_BTF_INLINE_RFC, .swap = SWAP_LITTLE };
static const struct ic_btf_lowering loc = { .format = IC_BTF_INLINE_LOC, .swap = SWAP_LITTLE };

static void check(const struct ic_btf_lowering *how, struct ic_location location, uint64_t size,
		  bool is_signed, struct ic_bytes wanted)
{
	struct ic_btf_lowered lowered;

	assert_int_equal(ic_btf_lower(how, &location, size, is_signed, &lowered), IC_BTF_LOSS_NONE);
	assert_int_equal(lowered.size, wanted.size);
	assert_memory_equal(lowered.bytes, wanted.data, wanted.size);
}

static void check_loss(const struct ic_btf_lowering *how, struct ic_location location,
		       uint64_t size, enum ic_btf_loss wanted)
{
	struct ic_btf_lowered lowered;

	assert_int_equal(ic_btf_lower(how, &location, size, false, &lowered), wanted);
}

static struct ic_location constant(uint64_t number)
{
	return (struct ic_location){ .kind = IC_LOCATION_CONSTANT, .constant = number };
}

static struct ic_location at(enum ic_location_kind kind, uint32_t reg, int64_t offset)
{
	return (struct ic_location){ .kind = kind, .reg = reg, .offset = offset };
}

static struct ic_location load(enum ic_location_kind kind, uint32_t size, int64_t offset)
{
	struct ic_location location = at(kind, 5, 8);

	location.load_count = 1;
	location.loads[0] = (struct ic_location_load){ size, offset };
	return location;
}

TEST(a_constant_has_the_smallest_operator_of_its_sign)
{
	check(&rfc, constant(3), 4, true, BYTES(5, 3, 0));
	check(&rfc, constant(200), 4, true, BYTES(5, 200, 0));
	check(&rfc, constant(0x1234), 4, true, BYTES(6, 0x34, 0x12, 0));
	check(&rfc, constant(0x12345), 4, true, BYTES(7, 0x45, 0x23, 1, 0, 0));
	check(&rfc, constant(1ull << 32), 8, false, BYTES(8, 0, 0, 0, 0, 1, 0, 0, 0, 0));
	check(&rfc, constant(UINT64_MAX), 4, true, BYTES(1, 0xff, 0));
	check(&rfc, constant((uint64_t)-129), 8, true, BYTES(2, 0x7f, 0xff, 0));
	check(&rfc, constant((uint64_t)-40000), 8, true, BYTES(3, 0xc0, 0x63, 0xff, 0xff, 0));
	check(&rfc, constant(1ull << 63), 8, true, BYTES(4, 0, 0, 0, 0, 0, 0, 0, 0x80, 0));
	check(&rfc, constant(UINT64_MAX), 4, false, BYTES(7, 0xff, 0xff, 0xff, 0xff, 0));
	check(&rfc, constant(0x1ff), 1, false, BYTES(5, 0xff, 0));
}

TEST(registers_and_memory_have_operators)
{
	check(&rfc, at(IC_LOCATION_REGISTER, 5, 0), 8, false, BYTES(9, 5, 0));
	check(&rfc, at(IC_LOCATION_REGISTER, 5, -1), 8, false,
	      BYTES(10, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0));
	check(&rfc, at(IC_LOCATION_MEMORY, 5, 12), 4, false,
	      BYTES(10, 5, 12, 0, 0, 0, 0, 0, 0, 0, 11, 4, 0));
	check(&rfc, at(IC_LOCATION_MEMORY, 5, 0), 1, false, BYTES(9, 5, 11, 1, 0));
	check(&rfc, load(IC_LOCATION_VALUE, 8, 0), 4, false,
	      BYTES(10, 5, 8, 0, 0, 0, 0, 0, 0, 0, 11, 8, 0));
	check(&rfc, load(IC_LOCATION_MEMORY, 8, 0), 2, false,
	      BYTES(10, 5, 8, 0, 0, 0, 0, 0, 0, 0, 11, 8, 11, 2, 0));
	check(&rfc,
	      (struct ic_location){
		      .kind = IC_LOCATION_MEMORY, .base = IC_BASE_CONSTANT, .constant = 16 },
	      4, false, BYTES(5, 16, 11, 4, 0));
	check(&rfc, (struct ic_location){ .kind = IC_LOCATION_BYTES, .constant = 7, .size = 8 }, 8,
	      false, BYTES(5, 7, 0));
}

TEST(what_an_expression_cannot_say_is_lost_for_a_reason)
{
	struct ic_location frame = at(IC_LOCATION_MEMORY, 0, -16), entry = frame;
	struct ic_location_piece halves[2] = {
		{ .bit_size = 64, .location = at(IC_LOCATION_REGISTER, 5, 0) },
		{ .bit_size = 64, .location = at(IC_LOCATION_REGISTER, 4, 0) },
	};
	struct ic_location pieces = { .kind = IC_LOCATION_PIECES, .pieces = halves };

	frame.base = IC_BASE_CFA;
	entry.base = IC_BASE_ENTRY_REGISTER;
	check_loss(&rfc, (struct ic_location){ .why = IC_LOCATION_WHY_NOT_HERE }, 4,
		   IC_BTF_LOSS_UNAVAILABLE);
	check_loss(&rfc, (struct ic_location){ .why = IC_LOCATION_WHY_UNREADABLE }, 4,
		   IC_BTF_LOSS_UNREADABLE);
	check_loss(&rfc, at(IC_LOCATION_ENTRY_VALUE, 5, 0), 4, IC_BTF_LOSS_ENTRY_VALUE);
	check_loss(&rfc, entry, 4, IC_BTF_LOSS_ENTRY_VALUE);
	check_loss(&rfc, frame, 4, IC_BTF_LOSS_FRAME);
	check_loss(&rfc, (struct ic_location){ .kind = IC_LOCATION_BYTES, .size = 9 }, 9,
		   IC_BTF_LOSS_BYTES);
	check_loss(&rfc, at(IC_LOCATION_MEMORY, 5, 0), 24, IC_BTF_LOSS_SIZE);
	check_loss(&rfc, at(IC_LOCATION_MEMORY, 5, 0), 0, IC_BTF_LOSS_SIZE);
	check_loss(&rfc, load(IC_LOCATION_MEMORY, 8, 4), 8, IC_BTF_LOSS_POINTER);
	check_loss(&rfc, at(IC_LOCATION_REGISTER, 256, 0), 8, IC_BTF_LOSS_NUMBER);
	check_loss(&rfc, (struct ic_location){ .kind = IC_LOCATION_COMPUTED }, 4,
		   IC_BTF_LOSS_COMPUTED);
	pieces.piece_count = 2;
	check_loss(&rfc, pieces, 16, IC_BTF_LOSS_PIECES);
	pieces.piece_count = 1;
	check_loss(&rfc, pieces, 16, IC_BTF_LOSS_PIECES);
	check(&rfc, pieces, 8, false, BYTES(9, 5, 0));
}

TEST(addresses_are_numbers_only_if_they_are_fixed)
{
	struct ic_location location = { .kind = IC_LOCATION_ADDRESS, .constant = 0x1000 };
	struct ic_location memory = {
		.kind = IC_LOCATION_MEMORY, .base = IC_BASE_ADDRESS, .constant = 0x1000, .offset = 4
	};
	struct ic_btf_lowering fixed = rfc;

	check_loss(&rfc, location, 8, IC_BTF_LOSS_ADDRESS);
	check_loss(&rfc, memory, 8, IC_BTF_LOSS_ADDRESS);
	fixed.has_fixed_addresses = true;
	check(&fixed, location, 8, false, BYTES(6, 0, 0x10, 0));
	check(&fixed, memory, 8, false, BYTES(6, 4, 0x10, 11, 8, 0));
}

TEST(a_loc_param_has_a_size_flags_and_words)
{
	struct ic_location_piece halves[2] = {
		{ .bit_size = 64, .location = at(IC_LOCATION_REGISTER, 5, 0) },
		{ .bit_size = 64, .location = at(IC_LOCATION_REGISTER, 4, 0) },
	};
	struct ic_location pieces = { .kind = IC_LOCATION_PIECES,
				      .pieces = halves,
				      .piece_count = 2 };

	check(&loc, at(IC_LOCATION_REGISTER, 5, 0), 4, false,
	      BYTES(4, 0, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0));
	check(&loc, at(IC_LOCATION_REGISTER, 5, 1), 8, false,
	      BYTES(8, 0, 0, 0, 0x28, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0));
	check(&loc, at(IC_LOCATION_MEMORY, 2, 16), 8, false,
	      BYTES(8, 0, 0, 0, 0x38, 0, 0, 0, 2, 0, 0, 0, 16, 0, 0, 0));
	check(&loc, at(IC_LOCATION_MEMORY, 2, 0), 24, false,
	      BYTES(24, 0, 0, 0, 0x18, 0, 0, 0, 2, 0, 0, 0));
	check(&loc, load(IC_LOCATION_VALUE, 8, 0), 8, false,
	      BYTES(8, 0, 0, 0, 0x38, 0, 0, 0, 5, 0, 0, 0, 8, 0, 0, 0));
	check(&loc, constant(UINT64_MAX), 4, true,
	      BYTES(4, 0, 0, 0, 3, 0, 0, 0, 0xff, 0xff, 0xff, 0xff));
	check(&loc, constant(1ull << 32), 8, false,
	      BYTES(8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0));
	check(&loc, pieces, 16, false, BYTES(16, 0, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0));
	check_loss(&loc, pieces, 12, IC_BTF_LOSS_PIECES);
	check_loss(&loc, load(IC_LOCATION_MEMORY, 8, 0), 8, IC_BTF_LOSS_POINTER);
	check_loss(&loc, at(IC_LOCATION_REGISTER, 5, 1ll << 32), 8, IC_BTF_LOSS_NUMBER);
	check_loss(&loc, at(IC_LOCATION_REGISTER, UINT32_MAX, 0), 8, IC_BTF_LOSS_NUMBER);
}

TEST(every_loss_has_a_text)
{
	for (int i = 0; i < IC_BTF_LOSS_COUNT_OF; i++)
		assert_non_null(ic_btf_loss_text((enum ic_btf_loss)i));
	assert_null(ic_btf_loss_text((enum ic_btf_loss)IC_BTF_LOSS_COUNT_OF));
}

UNIT_TESTS(btf_inline_lower)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_constant_has_the_smallest_operator_of_its_sign),
		cmocka_unit_test(registers_and_memory_have_operators),
		cmocka_unit_test(what_an_expression_cannot_say_is_lost_for_a_reason),
		cmocka_unit_test(addresses_are_numbers_only_if_they_are_fixed),
		cmocka_unit_test(a_loc_param_has_a_size_flags_and_words),
		cmocka_unit_test(every_loss_has_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
