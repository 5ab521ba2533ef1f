#include "dwarf/expressions/shape.h"

#include "unit_test.h"

#include "dwarf_constants.h"

static const struct ic_dwarf dwarf = { .swap = SWAP_LITTLE };
static const struct ic_unit unit = {
	.dwarf = &dwarf, .version = 5, .addr_size = 8, .offset_size = 4
};

// The categories as the RFC's table has them, by the names of the operations.
static const char *const literal[] = {
	"addr",
	"const1u",
	"const1s",
	"const2u",
	"const2s",
	"const4u",
	"const4s",
	"const8u",
	"const8s",
	"constu",
	"consts",
	"lit",
	"addrx",
	"constx",
	"stack_value",
	"implicit_value",
	"nop",
	"GNU_uninit",
	"GNU_addr_index",
	"GNU_const_index",
	"GNU_encoded_addr",
};
static const char *const in_register[] = { "reg", "regx", "breg", "bregx" };
static const char *const composite[] = { "piece", "bit_piece", "implicit_pointer",
					 "GNU_implicit_pointer" };
static const char *const stack[] = { "fbreg", "call_frame_cfa", "push_object_address",
				     "dup",   "drop",           "over",
				     "pick",  "swap",           "rot" };

static bool is_among(const char *name, const char *const *names, size_t count)
{
	size_t i = 0;

	while (i < count && strcmp(names[i], name) != 0)
		i++;
	return i < count;
}

static enum ic_location_category category_named(const char *name)
{
	if (is_among(name, literal, COUNT_OF(literal)))
		return IC_CATEGORY_LITERAL;
	if (is_among(name, in_register, COUNT_OF(in_register)))
		return IC_CATEGORY_REGISTER;
	if (is_among(name, composite, COUNT_OF(composite)))
		return IC_CATEGORY_COMPOSITE;
	if (is_among(name, stack, COUNT_OF(stack)))
		return IC_CATEGORY_STACK;
	return IC_CATEGORY_ARITHMETIC;
}

TEST(every_operation_is_of_a_category)
{
	for (unsigned code = 0; code <= UINT8_MAX; code++) {
		const uint8_t bytes[24] = { (uint8_t)code };
		const struct ic_operation_info *info = ic_operation_info((uint8_t)code);
		struct ic_expression walk =
			ic_expression_open(cursor_over((struct ic_bytes){ bytes, 24 }), &unit);
		struct ic_operation op;

		if (!info->name)
			continue;
		assert_true(ic_expression_next(&walk, &op));
		size_t size = (size_t)(walk.cur.pos - walk.begin);
		struct ic_cursor one = cursor_over((struct ic_bytes){ bytes, size });
		if (ic_expression_category(one, &unit) != category_named(info->name))
			fail_msg("DW_OP_%s is of another category", info->name);
		bool is_nothing = // by itself
			code == DW_OP_nop || code == DW_OP_GNU_uninit ||
			code == DW_OP_stack_value || code == DW_OP_plus || code == DW_OP_minus ||
			code == DW_OP_plus_uconst;
		if ((ic_expression_shape(one, &unit) == IC_SHAPE_EMPTY) != is_nothing)
			fail_msg("DW_OP_%s is of another shape", info->name);
	}
}

TEST(an_expression_is_of_its_last_category)
{
	static const struct {
		enum ic_location_category category;
		uint8_t size, bytes[8];
	} rows[] = {
		{ IC_CATEGORY_EMPTY, 0, { 0 } },
		{ IC_CATEGORY_LITERAL, 2, { DW_OP_lit0, DW_OP_stack_value } },
		{ IC_CATEGORY_REGISTER, 3, { DW_OP_breg0, 1, DW_OP_stack_value } },
		{ IC_CATEGORY_ARITHMETIC, 3, { DW_OP_breg0, 1, DW_OP_deref } },
		{ IC_CATEGORY_COMPOSITE, 5, { DW_OP_breg0, 1, DW_OP_deref, DW_OP_piece, 4 } },
		{ IC_CATEGORY_STACK, 3, { DW_OP_fbreg, 1, DW_OP_deref } },
		{ IC_CATEGORY_LITERAL, 3, { DW_OP_lit0, 1, DW_OP_deref } }, // 1 is unknown
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_int_equal(ic_expression_category(cursor_over((struct ic_bytes){
								rows[i].bytes, rows[i].size }),
							&unit),
				 rows[i].category);
}

#define CHECK(wanted, ...) \
	assert_int_equal(ic_expression_shape(cursor_over(BYTES(__VA_ARGS__)), &unit), wanted)

TEST(the_shape_is_the_first_that_is_true)
{
	CHECK(IC_SHAPE_EMPTY, DW_OP_nop);
	CHECK(IC_SHAPE_PIECES, DW_OP_implicit_pointer, 0, 0, 0, 0, 0, DW_OP_piece, 8);
	CHECK(IC_SHAPE_IMPLICIT_POINTER, DW_OP_implicit_pointer, 0, 0, 0, 0, 0);
	CHECK(IC_SHAPE_BYTES, DW_OP_implicit_value, 1, 1);
	CHECK(IC_SHAPE_BRANCH, DW_OP_lit0, DW_OP_skip, 0, 0, DW_OP_convert, 0);
	CHECK(IC_SHAPE_OUTSIDE, DW_OP_lit0, DW_OP_form_tls_address, DW_OP_deref);
	CHECK(IC_SHAPE_ENTRY_VALUE, DW_OP_entry_value, 1, DW_OP_reg0, DW_OP_convert, 0);
	CHECK(IC_SHAPE_TYPED, DW_OP_breg0, 0, DW_OP_deref, DW_OP_convert, 0);
	CHECK(IC_SHAPE_LOAD, DW_OP_breg0, 0, DW_OP_deref, DW_OP_neg);
	CHECK(IC_SHAPE_COMPUTED, DW_OP_breg0, 0, DW_OP_neg, DW_OP_stack_value);
	CHECK(IC_SHAPE_COMPUTED, DW_OP_breg0, 0, DW_OP_breg0, 0, DW_OP_plus, DW_OP_stack_value);
	CHECK(IC_SHAPE_FRAME, DW_OP_fbreg, 0);
	CHECK(IC_SHAPE_FRAME, DW_OP_call_frame_cfa, DW_OP_plus_uconst, 8, DW_OP_stack_value);
	CHECK(IC_SHAPE_REGISTER, DW_OP_reg0);
	CHECK(IC_SHAPE_REGISTER_VALUE, DW_OP_breg0, 0, DW_OP_stack_value);
	CHECK(IC_SHAPE_REGISTER_VALUE, DW_OP_breg0, 0, DW_OP_lit0, DW_OP_minus, DW_OP_stack_value);
	CHECK(IC_SHAPE_REGISTER_MEMORY, DW_OP_breg0, 0);
	CHECK(IC_SHAPE_ADDRESS, DW_OP_addrx, 0, DW_OP_stack_value);
	CHECK(IC_SHAPE_ADDRESS_MEMORY, DW_OP_addrx, 0);
	CHECK(IC_SHAPE_NUMBER, DW_OP_lit0, DW_OP_stack_value);
	CHECK(IC_SHAPE_NUMBER_MEMORY, DW_OP_lit0);
}

UNIT_TESTS(dwarf_expressions_shape)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_is_of_a_category),
		cmocka_unit_test(an_expression_is_of_its_last_category),
		cmocka_unit_test(the_shape_is_the_first_that_is_true),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
