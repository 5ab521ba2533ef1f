#include "emit/die_out.h"

#include "unit_test.h"

#include "dwarf/units/constants.h"

static void check(const struct ic_out *out, const char *wanted, size_t size)
{
	assert_false(out->failed);
	assert_int_equal(out->bytes.count, size);
	assert_memory_equal(out->bytes.items, wanted, size);
}

static struct ic_dies_out dies_of(unsigned addr_size)
{
	bool swap = IC_HOST_IS_BIG_ENDIAN;

	return (struct ic_dies_out){ .info.swap = swap,
				     .abbrev.swap = swap,
				     .addr_size = addr_size };
}

TEST(dies_of_the_same_shape_share_an_abbreviation)
{
	struct ic_dies_out dies = dies_of(4);
	struct ic_die_out die = { .tag = DW_TAG_subprogram };

	ic_die_give(&die, IC_DIE_low_pc, 0x1000);
	ic_die_give(&die, IC_DIE_name, 7);
	assert_int_equal(ic_dies_out_put(&dies, &die), 0);
	ic_die_give(&die, IC_DIE_name, 9);
	assert_int_equal(ic_dies_out_put(&dies, &die), 9);
	die.has_children = true;
	ic_dies_out_put(&dies, &die);
	ic_dies_out_end(&dies);
	ic_dies_out_finish(&dies);
	// In the order of die_attrs.def: the name comes first.
	check(&dies.info,
	      "\1\7\0\0\0\0\x10\0\0"
	      "\1\x9\0\0\0\0\x10\0\0"
	      "\2\x9\0\0\0\0\x10\0\0\0",
	      28);
	check(&dies.abbrev, "\1\x2e\0\x03\x0e\x11\x01\0\0\2\x2e\1\x03\x0e\x11\x01\0\0\0", 19);
	ic_dies_out_free(&dies);
}

TEST(values_have_their_forms)
{
	struct ic_dies_out dies = dies_of(8);
	struct ic_die_out die = { .tag = DW_TAG_inlined_subroutine };

	ic_die_give(&die, IC_DIE_language, 0x16);
	ic_die_give(&die, IC_DIE_stmt_list, 0x20);
	ic_die_give(&die, IC_DIE_abstract_origin, 0x30);
	ic_die_give(&die, IC_DIE_declaration, 1);
	ic_die_give(&die, IC_DIE_inline, 1);
	ic_die_give(&die, IC_DIE_high_pc, 0x40);
	ic_die_give(&die, IC_DIE_entry_pc, 0x50);
	ic_die_give(&die, IC_DIE_call_line, 300);
	ic_dies_out_put(&dies, &die);
	check(&dies.info, "\1\x16\0\x20\0\0\0\x30\0\0\0\1\x40\0\0\0\x50\0\0\0\0\0\0\0\xac\2", 26);
	ic_dies_out_free(&dies);
}

UNIT_TESTS(emit_die_out)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dies_of_the_same_shape_share_an_abbreviation),
		cmocka_unit_test(values_have_their_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
