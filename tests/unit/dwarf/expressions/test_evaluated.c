#include "fixtures/evaluate.h"

#include "unit_test.h"

#include <stdio.h>

#include "dwarf_constants.h"

static void check_read(struct ic_bytes expression, size_t size, const char *wanted)
{
	struct ic_evaluated evaluated;
	struct ic_error err;
	uint8_t bytes[32];
	char text[128] = "";

	evaluate_text(&evaluate_amd64, expression, &evaluated);
	if (!ic_evaluated_read(&evaluated, &evaluate_amd64, bytes, size, &err))
		snprintf(text, sizeof(text), "%.127s", err.message);
	else
		for (size_t i = 0; i < size; i++)
			snprintf(text + 3 * i, sizeof(text) - 3 * i, "%02x ", bytes[i]);
	assert_string_equal(text, wanted);
}

TEST(a_value_is_read_from_where_it_is)
{
	check_read(BYTES(REG(5)), 4, "00 50 00 00 ");
	check_read(BYTES(BREG(5), 1), 4, "01 02 03 04 ");
	check_read(BYTES(BREG(5), 1, VALUE), 4, "01 50 00 00 ");
	check_read(BYTES(BREG(5), 1, VALUE), 9, "the value has 8 bytes, not 9");
	check_read(BYTES(DW_OP_implicit_value, 3, 1, 2, 3), 3, "01 02 03 ");
	check_read(BYTES(DW_OP_implicit_value, 3, 1, 2, 3), 4, "the value has 3 bytes, not 4");
	check_read(BYTES(DW_OP_implicit_pointer, 0, 0, 0, 0, 0), 8,
		   "an implicit pointer has no value: its target is not in memory");
	check_read(BYTES(DW_OP_regx, 99), 8, "cannot read register 0x63");
	check_read(BYTES(LIT(0)), 8, "cannot read memory at 0x0");
}

TEST(a_value_is_put_together_from_its_pieces)
{
	check_read(BYTES(REG(5), DW_OP_piece, 2, BREG(4), 1, DW_OP_piece, 2), 4, "00 50 01 02 ");
	check_read(BYTES(REG(5), DW_OP_piece, 2, BREG(4), 1, DW_OP_piece, 2), 3, "00 50 01 ");
	check_read(BYTES(REG(5), DW_OP_piece, 2), 4, "the pieces have 2 bytes, not 4");
	check_read(BYTES(REG(5), DW_OP_piece, 2, DW_OP_piece, 2), 4, "the value is optimised out");
	// 5 bits of 0x5000 from bit 12 on, then 3 bits 110, then 8 of memory at 0x401f from bit 12
	// on.
	check_read(BYTES(REG(5), DW_OP_bit_piece, 5, 12, LIT(6), VALUE, DW_OP_bit_piece, 3, 0,
			 BREG(4), 0x1f, DW_OP_bit_piece, 8, 12),
		   2, "c5 12 ");
}

UNIT_TESTS(dwarf_expressions_evaluated)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_read_from_where_it_is),
		cmocka_unit_test(a_value_is_put_together_from_its_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
