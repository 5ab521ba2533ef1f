#include "fixtures/evaluate.h"

#include "unit_test.h"

#include <stdio.h>

#include "dwarf/expressions/operation.h"

#include "dwarf_constants.h"

enum { MOST_BYTES = 40 };

static const struct ic_evaluate_options *const amd64 = &evaluate_amd64;

struct row {
	const char *wanted; // text, or an error's message
	uint8_t count;
	uint8_t bytes[MOST_BYTES];
};

#define ROW(wanted, ...)                                          \
	{                                                         \
		wanted, sizeof((const uint8_t[]){ __VA_ARGS__ }), \
		{                                                 \
			__VA_ARGS__                               \
		}                                                 \
	}

static void check_row(const struct ic_evaluate_options *options, const struct row *row)
{
	struct ic_evaluated evaluated;

	assert_string_equal(
		evaluate_text(options, (struct ic_bytes){ row->bytes, row->count }, &evaluated),
		row->wanted);
}

#define CHECK(options, wanted, ...)                              \
	do {                                                     \
		const struct row row = ROW(wanted, __VA_ARGS__); \
		check_row(options, &row);                        \
	} while (false)

// clang-format off
static const struct row rows[] = {
	ROW("at 0x101000", DW_OP_addr, 0, 0x10, 0, 0, 0, 0, 0, 0),
	ROW("0x706050403020100/8", BREG(5), 0, DW_OP_deref, VALUE),
	ROW("0xff/8", DW_OP_const1u, 0xff, VALUE),
	ROW("0xffffffffffffffff/8", DW_OP_const1s, 0xff, VALUE),
	ROW("0xfffe/8", DW_OP_const2u, 0xfe, 0xff, VALUE),
	ROW("0xfffffffffffffffe/8", DW_OP_const2s, 0xfe, 0xff, VALUE),
	ROW("0xfffffffe/8", DW_OP_const4u, 0xfe, 0xff, 0xff, 0xff, VALUE),
	ROW("0xfffffffffffffffe/8", DW_OP_const4s, 0xfe, 0xff, 0xff, 0xff, VALUE),
	ROW("0x807060504030201/8", DW_OP_const8u, 1, 2, 3, 4, 5, 6, 7, 8, VALUE),
	ROW("0x807060504030201/8", DW_OP_const8s, 1, 2, 3, 4, 5, 6, 7, 8, VALUE),
	ROW("0x3e8/8", DW_OP_constu, 0xe8, 7, VALUE),
	ROW("0xffffffffffffff80/8", DW_OP_consts, 0x80, 0x7f, VALUE),
	ROW("0x6/8", LIT(3), DW_OP_dup, DW_OP_plus, VALUE),
	ROW("0x1/8", LIT(1), LIT(2), DW_OP_drop, VALUE),
	ROW("0x1/8", LIT(1), LIT(2), DW_OP_over, VALUE),
	ROW("0x1/8", LIT(1), LIT(2), LIT(3), DW_OP_pick, 2, VALUE),
	ROW("0x1/8", LIT(1), LIT(2), DW_OP_swap, VALUE),
	ROW("0x2/8", LIT(1), LIT(2), DW_OP_swap, DW_OP_drop, VALUE),
	ROW("0x2/8", LIT(1), LIT(2), LIT(3), DW_OP_rot, VALUE),
	ROW("0x1/8", LIT(1), LIT(2), LIT(3), DW_OP_rot, DW_OP_drop, VALUE),
	ROW("0x3/8", LIT(1), LIT(2), LIT(3), DW_OP_rot, DW_OP_drop, DW_OP_drop, VALUE),
	ROW("0xa09080706050403/8", LIT(2), LIT(1), DW_OP_xderef, VALUE),
	ROW("0x5/8", DW_OP_const1s, 0xfb, DW_OP_abs, VALUE),
	ROW("0x8/8", LIT(12), LIT(10), DW_OP_and, VALUE),
	ROW("0xfffffffffffffffd/8", DW_OP_const1s, 0xf9, LIT(2), DW_OP_div, VALUE),
	ROW("expression+0x2: DW_OP_div: division by zero", LIT(1), LIT(0), DW_OP_div, VALUE),
	ROW("0x4ff8/8", BREG(5), 0, LIT(8), DW_OP_minus, VALUE),
	ROW("0x1/8", DW_OP_const1s, 0xff, LIT(2), DW_OP_mod, VALUE),
	ROW("expression+0x2: DW_OP_mod: division by zero", LIT(1), LIT(0), DW_OP_mod, VALUE),
	ROW("0x1e/8", LIT(5), LIT(6), DW_OP_mul, VALUE),
	ROW("0xfffffffffffffffb/8", LIT(5), DW_OP_neg, VALUE),
	ROW("0xfffffffffffffffa/8", LIT(5), DW_OP_not, VALUE),
	ROW("0xe/8", LIT(12), LIT(10), DW_OP_or, VALUE),
	ROW("0x9000/8", BREG(5), 0, BREG(4), 0, DW_OP_plus, VALUE),
	ROW("0x500c/8", BREG(5), 4, DW_OP_plus_uconst, 8, VALUE),
	ROW("0x14/8", LIT(5), LIT(2), DW_OP_shl, VALUE),
	ROW("0x0/8", LIT(5), DW_OP_const1u, 64, DW_OP_shl, VALUE),
	ROW("0xf/8", DW_OP_const1s, 0xff, DW_OP_const1u, 60, DW_OP_shr, VALUE),
	ROW("0xffffffffffffffff/8", DW_OP_const1s, 0xff, DW_OP_const1u, 99, DW_OP_shra, VALUE),
	ROW("0x6/8", LIT(12), LIT(10), DW_OP_xor, VALUE),
	ROW("0x5/8", LIT(5), LIT(1), DW_OP_bra, 1, 0, LIT(6), VALUE),
	ROW("0x6/8", LIT(5), LIT(0), DW_OP_bra, 1, 0, LIT(6), VALUE),
	ROW("0x1/8", LIT(1), LIT(1), DW_OP_eq, VALUE),
	ROW("0x0/8", DW_OP_const1s, 0xff, LIT(0), DW_OP_ge, VALUE),
	ROW("0x0/8", DW_OP_const1s, 0xff, LIT(0), DW_OP_gt, VALUE),
	ROW("0x1/8", DW_OP_const1s, 0xff, LIT(0), DW_OP_le, VALUE),
	ROW("0x1/8", DW_OP_const1s, 0xff, LIT(0), DW_OP_lt, VALUE),
	ROW("0x1/8", DW_OP_const1s, 0xff, LIT(0), DW_OP_ne, VALUE),
	ROW("0x5/8", LIT(5), DW_OP_skip, 1, 0, LIT(6), VALUE),
	ROW("0x1f/8", LIT(31), VALUE),
	ROW("at 0x1f", LIT(31)),
	ROW("reg5", REG(5)),
	ROW("at 0x4fff", BREG(5), 0x7f),
	ROW("reg300", DW_OP_regx, 0xac, 2),
	ROW("at 0x7010", DW_OP_fbreg, 0x10),
	ROW("at 0x12c001", DW_OP_bregx, 0xac, 2, 1),
	ROW("reg5:32@0 nothing:8@0 at 0x4000:32@0 ",
	    REG(5), DW_OP_piece, 4, DW_OP_piece, 1, BREG(4), 0, DW_OP_piece, 4),
	ROW("0x100/8", BREG(5), 0, DW_OP_deref_size, 2, VALUE),
	ROW("at 0x5008", BREG(5), 8, DW_OP_deref_size, 16, VALUE), // by Clang
	ROW("0x403/8", LIT(2), LIT(1), DW_OP_xderef_size, 2, VALUE),
	ROW("reg5", REG(5), DW_OP_nop),
	ROW("at 0x7200", DW_OP_push_object_address),
	ROW("at 0x9", DW_OP_call2, 5, 0),
	ROW("at 0x9", DW_OP_call4, 5, 0, 0, 0),
	ROW("at 0x9", DW_OP_call_ref, 6, 0, 0, 0),
	ROW("at 0x8005", LIT(5), DW_OP_form_tls_address),
	ROW("at 0x7100", DW_OP_call_frame_cfa),
	ROW("reg5:3@0 0x1/8:5@2 ",
	    REG(5), DW_OP_bit_piece, 3, 0, LIT(1), VALUE, DW_OP_bit_piece, 5, 2),
	ROW("bytes 3", DW_OP_implicit_value, 3, 1, 2, 3),
	ROW("pointer 0x4030201-2", DW_OP_implicit_pointer, 1, 2, 3, 4, 0x7e),
	ROW("at 0x102003", DW_OP_addrx, 3),
	ROW("0x2003/8", DW_OP_constx, 3, VALUE),
	ROW("0x1122334455667756/8", DW_OP_entry_value, 1, REG(5), VALUE),
	ROW("0xffffffff/4", DW_OP_const_type, S32, 4, 0xff, 0xff, 0xff, 0xff, VALUE),
	ROW("0x5000/4", DW_OP_regval_type, 5, U32, VALUE),
	ROW("0x3020100/4", BREG(5), 0, DW_OP_deref_type, 4, U32, VALUE),
	ROW("0x6050403/4", LIT(2), LIT(1), DW_OP_xderef_type, 4, U32, VALUE),
	ROW("0x5000/4", BREG(5), 0, DW_OP_convert, U32, VALUE),
	ROW("0x5000/8", BREG(5), 0, DW_OP_reinterpret, DOUBLE, VALUE),
	ROW("at 0x8005", LIT(5), DW_OP_GNU_push_tls_address),
	ROW("expression+0x0: DW_OP_LLVM_user: not supported", DW_OP_LLVM_user, 2),
	ROW("reg5", REG(5), DW_OP_GNU_uninit),
	ROW("expression+0x0: DW_OP_GNU_encoded_addr: not supported",
	    DW_OP_GNU_encoded_addr, 0, 1, 2, 3, 4, 5, 6, 7, 8),
	ROW("pointer 0x4030201+2", DW_OP_GNU_implicit_pointer, 1, 2, 3, 4, 2),
	ROW("0x1122334455667756/8", DW_OP_GNU_entry_value, 1, REG(5), VALUE),
	ROW("0x7/1", DW_OP_GNU_const_type, S8, 1, 7, VALUE),
	ROW("0x5000/8", DW_OP_GNU_regval_type, 5, U64, VALUE),
	ROW("0x3020100/4", BREG(5), 0, DW_OP_GNU_deref_type, 4, S32, VALUE),
	ROW("0x5000/4", BREG(5), 0, DW_OP_GNU_convert, U32, VALUE),
	ROW("0x5000/8", BREG(5), 0, DW_OP_GNU_reinterpret, U64, VALUE),
	ROW("0x105/8", DW_OP_GNU_parameter_ref, 5, 0, 0, 0, VALUE),
	ROW("at 0x102003", DW_OP_GNU_addr_index, 3),
	ROW("0x2003/8", DW_OP_GNU_const_index, 3, VALUE),
	ROW("0x205/8", DW_OP_GNU_variable_value, 5, 0, 0, 0, VALUE),
};
// clang-format on

TEST(every_operation_gives_what_it_means)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_row(amd64, &rows[i]);
}

TEST(no_operation_is_left_out)
{
	struct operations_seen seen = { { false } };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		operations_note(&seen, (struct ic_bytes){ rows[i].bytes, rows[i].count });
	operations_check_all(&seen);
}

TEST(arithmetic_is_that_of_the_type)
{
#define U(number) DW_OP_const_type, U32, 4, (number), 0xff, 0xff, 0xff
#define S(number) DW_OP_const_type, S32, 4, (number), 0xff, 0xff, 0xff
	CHECK(amd64, "0xfffffffd/4", U(0xfe), U(0xff), DW_OP_plus, VALUE);
	CHECK(amd64, "0x1/4", U(0xff), U(0xfe), DW_OP_div, VALUE);
	CHECK(amd64, "0x2/4", S(0xfe), S(0xff), DW_OP_div, VALUE);
	CHECK(amd64, "0xffffffff/4", S(0xfd), S(0xfe), DW_OP_mod, VALUE);
	CHECK(amd64, "0x0/4", S(0xfd), S(0xff), DW_OP_mod, VALUE);
	CHECK(amd64, "0xfffffffd/4", U(0xfd), U(0xfe), DW_OP_mod, VALUE);
	CHECK(amd64, "0x1/8", S(0xfd), S(0xfe), DW_OP_lt, VALUE);
	CHECK(amd64, "0x1/8", U(0xfd), DW_OP_const_type, U32, 4, 1, 0, 0, 0, DW_OP_gt, VALUE);
	CHECK(amd64, "0x0/8", S(0xfd), DW_OP_const_type, S32, 4, 1, 0, 0, 0, DW_OP_gt, VALUE);
	CHECK(amd64, "0xfffffffd/4", U(0xfd), DW_OP_abs, VALUE);
	CHECK(amd64, "0x3/4", S(0xfd), DW_OP_abs, VALUE);
	CHECK(amd64, "0x7fffffff/4", S(0xff), LIT(1), DW_OP_shr, VALUE);
	CHECK(amd64, "0xffffffff/4", S(0xff), LIT(1), DW_OP_shra, VALUE);
	CHECK(amd64, "0x0/4", S(0xfe), DW_OP_plus_uconst, 2, VALUE);
	CHECK(amd64, "expression+0x8: DW_OP_plus: operands have different types", U(0xff), LIT(1),
	      DW_OP_plus, VALUE);
	CHECK(amd64, "expression+0xe: DW_OP_plus: operands have different types", U(0xff), S(0xff),
	      DW_OP_plus, VALUE);
#undef U
#undef S
}

TEST(generic_numbers_are_of_the_type_of_others_of_their_size)
{
	struct ic_evaluate_options small = *amd64;

	CHECK(amd64, "0x30/8", LIT(2), DW_OP_convert, U64, LIT(24), DW_OP_mul, VALUE);
	CHECK(amd64, "0x30/8", LIT(24), LIT(2), DW_OP_convert, U64, DW_OP_mul, VALUE);
	CHECK(amd64, "0x4/8", LIT(9), DW_OP_convert, U64, LIT(2), DW_OP_div, VALUE);
	CHECK(amd64, "0x1/8", LIT(9), DW_OP_convert, U64, LIT(2), DW_OP_gt, VALUE);
	CHECK(amd64, "0x0/8", LIT(9), DW_OP_convert, U64, DW_OP_const1s, 0xff, DW_OP_eq, VALUE);
	CHECK(amd64, "expression+0x5: DW_OP_div: operands have different types", LIT(9),
	      DW_OP_convert, U64, DW_OP_const1s, 0xff, DW_OP_div, VALUE);
	CHECK(amd64, "expression+0x5: DW_OP_lt: operands have different types", LIT(9),
	      DW_OP_convert, U64, DW_OP_const1s, 0xff, DW_OP_lt, VALUE);
	small.addr_size = 4;
	CHECK(&small, "0xfffffff6/4", DW_OP_const1s, 0xfb, DW_OP_convert, S32, LIT(2), DW_OP_mul,
	      VALUE);
	CHECK(&small, "0xfffffffe/4", DW_OP_const1s, 0xfb, DW_OP_convert, S32, LIT(2), DW_OP_div,
	      VALUE);
	CHECK(&small, "0x1/4", DW_OP_const1s, 0xfb, DW_OP_convert, S32, LIT(2), DW_OP_lt, VALUE);
	CHECK(&small, "expression+0x6: DW_OP_plus: operands have different types", LIT(1),
	      DW_OP_convert, FLOAT, LIT(1), DW_OP_nop, DW_OP_nop, DW_OP_plus, VALUE);
}

TEST(an_expression_begins_with_the_values_that_are_given)
{
	static const uint64_t values[] = { 0x10, 0x20 };
	struct ic_evaluate_options options = *amd64;

	options.stack = values;
	options.stack_count = 2;
	CHECK(&options, "0x20/8", DW_OP_nop, VALUE); // the last is the top
	CHECK(&options, "0xfffffffffffffff0/8", DW_OP_minus, VALUE);
	CHECK(&options, "at 0x28", DW_OP_plus_uconst, 8);
	options.stack_count = 0;
	CHECK(&options, "0x5/8", LIT(5), VALUE);
	options.addr_size = 4;
	options.stack_count = 1;
	CHECK(&options, "at 0x18", DW_OP_plus_uconst, 8);
}

TEST(an_address_in_thread_local_storage_is_an_offset)
{
	CHECK(amd64, "at 0x8010", DW_OP_addr, 0x10, 0, 0, 0, 0, 0, 0, 0,
	      DW_OP_GNU_push_tls_address);
	CHECK(amd64, "at 0x8010", DW_OP_addr, 0x10, 0, 0, 0, 0, 0, 0, 0, DW_OP_form_tls_address);
	CHECK(amd64, "at 0x100010", DW_OP_addr, 0x10, 0, 0, 0, 0, 0, 0, 0, DW_OP_nop);
}

static bool find_loaded(void *context, uint64_t addr, uint64_t *loaded, struct ic_error *err)
{
	(void)context;
	(void)err;
	*loaded = 3 * addr;
	return addr < 0x1000;
}

TEST(each_address_may_be_loaded_somewhere_else)
{
	struct ic_evaluate_options options = evaluate_amd64;

	options.find_loaded = find_loaded;
	CHECK(&options, "at 0x30", DW_OP_addr, 0x10, 0, 0, 0, 0, 0, 0, 0);
	CHECK(&options, "at 0x8010", DW_OP_addr, 0x10, 0, 0, 0, 0, 0, 0, 0, DW_OP_form_tls_address);
	CHECK(&options, "expression+0x0: DW_OP_addr: cannot read address", DW_OP_addr, 0, 0x10, 0,
	      0, 0, 0, 0, 0);
}

static bool only_codes(void *context, uint32_t reg, void *bytes, size_t size, struct ic_error *err)
{
	(void)context;
	(void)reg;
	(void)bytes;
	(void)size;
	err->code = IC_ERROR_SYSTEM;
	return false;
}

TEST(a_message_of_before_is_not_taken_for_a_reason)
{
	struct ic_evaluate_options options = *amd64;
	struct ic_error err = { .code = IC_ERROR_NONE, .message = "of before" };
	struct ic_evaluated evaluated;
	uint8_t byte;

	options.read_register = only_codes;
	assert_false(ic_evaluate((const uint8_t[]){ BREG(5), 0 }, 2, &options, &evaluated, &err));
	assert_error(&err, IC_ERROR_NOT_FOUND, "expression+0x0: DW_OP_breg5: cannot read register");
	snprintf(err.message, sizeof(err.message), "of before");
	evaluated = (struct ic_evaluated){ .kind = IC_EVALUATED_REGISTER, .reg = 5 };
	assert_false(ic_evaluated_read(&evaluated, &options, &byte, 1, &err));
	assert_error(&err, IC_ERROR_NOT_FOUND, "cannot read register 0x5");
}

TEST(floating_point_numbers_are_calculated_with)
{
#define F(high, low) DW_OP_const_type, FLOAT, 4, 0, 0, low, high
	CHECK(amd64, "0x40200000/4", F(0x3f, 0x80), F(0x3f, 0xc0), DW_OP_plus, VALUE);
	CHECK(amd64, "0xbf000000/4", F(0x3f, 0x80), F(0x3f, 0xc0), DW_OP_minus, VALUE);
	CHECK(amd64, "0x40100000/4", F(0x3f, 0xc0), F(0x3f, 0xc0), DW_OP_mul, VALUE);
	CHECK(amd64, "0x3f2aaaab/4", F(0x3f, 0x80), F(0x3f, 0xc0), DW_OP_div, VALUE);
	CHECK(amd64, "0x7f800000/4", F(0x3f, 0x80), F(0, 0), DW_OP_div, VALUE); // infinite
	CHECK(amd64, "0x1/8", F(0x3f, 0x80), F(0x3f, 0xc0), DW_OP_lt, VALUE);
	CHECK(amd64, "0x0/8", F(0x7f, 0xc0), F(0x7f, 0xc0), DW_OP_eq, VALUE); // not a number
	CHECK(amd64, "0xbfc00000/4", F(0x3f, 0xc0), DW_OP_neg, VALUE);
	CHECK(amd64, "0x3fc00000/4", F(0xbf, 0xc0), DW_OP_abs, VALUE);
	CHECK(amd64, "0x3ff8000000000000/8", F(0x3f, 0xc0), DW_OP_convert, DOUBLE, VALUE);
	CHECK(amd64, "0x3fc00000/4", F(0x3f, 0xc0), DW_OP_convert, DOUBLE, DW_OP_convert, FLOAT,
	      VALUE);
	CHECK(amd64, "0x1/4", F(0x3f, 0xc0), DW_OP_convert, U32, VALUE);
	CHECK(amd64, "0xffffffff/4", F(0xbf, 0xc0), DW_OP_convert, S32, VALUE);
	CHECK(amd64, "0xffffffffffffffff/8", F(0xbf, 0xc0), DW_OP_convert, 0, VALUE);
	CHECK(amd64, "expression+0x7: DW_OP_convert: value does not fit in its type", F(0xbf, 0xc0),
	      DW_OP_convert, U32, VALUE);
	CHECK(amd64, "expression+0x7: DW_OP_convert: value does not fit in its type", F(0x7f, 0xc0),
	      DW_OP_convert, U32, VALUE);
	CHECK(amd64, "expression+0x7: DW_OP_convert: value does not fit in its type", F(0x43, 0x80),
	      DW_OP_convert, S8, VALUE);
	CHECK(amd64, "0xbf800000/4", DW_OP_const1s, 0xff, DW_OP_convert, FLOAT, VALUE);
	CHECK(amd64, "0x4f800000/4", DW_OP_const1s, 0xff, DW_OP_convert, U32, DW_OP_convert, FLOAT,
	      VALUE);
	CHECK(amd64, "0x41efffffffe00000/8", DW_OP_const1s, 0xff, DW_OP_convert, U32, DW_OP_convert,
	      DOUBLE, VALUE);
	CHECK(amd64, "0x3fc00000/4", F(0x3f, 0xc0), DW_OP_reinterpret, U32, VALUE);
	CHECK(amd64, "expression+0x7: DW_OP_not: operand is not an integer", F(0, 0), DW_OP_not,
	      VALUE);
	CHECK(amd64, "expression+0xe: DW_OP_and: operands are not integers", F(0, 0), F(0, 0),
	      DW_OP_and, VALUE);
	CHECK(amd64, "expression+0x7: DW_OP_deref: operand is not an integer", F(0, 0),
	      DW_OP_deref);
	CHECK(amd64, "address is not an integer", F(0, 0));
#undef F
}

TEST(types_convert_by_their_sign)
{
	CHECK(amd64, "0xffffffffffffffff/8", DW_OP_const_type, S8, 1, 0xff, DW_OP_convert, U64,
	      VALUE);
	CHECK(amd64, "0xff/4", DW_OP_const1u, 0xff, DW_OP_convert, U32, VALUE);
	CHECK(amd64, "0xffffffff/8", DW_OP_const1s, 0xff, DW_OP_convert, U32, DW_OP_convert, 0,
	      VALUE);
	CHECK(amd64, "0x100/8", DW_OP_entry_value, 3, DW_OP_regval_type, 5, U32, DW_OP_convert, 0,
	      DW_OP_drop, DW_OP_const2u, 0, 1, VALUE);
	CHECK(amd64, "0x556677a8/4", DW_OP_entry_value, 3, DW_OP_regval_type, 5, U32, VALUE);
}

TEST(types_that_are_not_supported_are_said_so)
{
	CHECK(amd64, "expression+0x2: DW_OP_convert: unsupported base type size", BREG(5), 0,
	      DW_OP_convert, LONG_DOUBLE, VALUE);
	CHECK(amd64, "expression+0x2: DW_OP_convert: unsupported base type encoding", BREG(5), 0,
	      DW_OP_convert, ODD, VALUE);
	CHECK(amd64, "expression+0x2: DW_OP_convert: cannot read type", BREG(5), 0, DW_OP_convert,
	      99, VALUE);
	CHECK(amd64, "expression+0x2: DW_OP_reinterpret: types have different sizes", BREG(5), 0,
	      DW_OP_reinterpret, U32, VALUE);
	CHECK(amd64, "expression+0x0: DW_OP_const_type: size of the constant differs from its type",
	      DW_OP_const_type, U32, 2, 1, 2, VALUE);
	CHECK(amd64, "expression+0x2: DW_OP_deref_type: load size does not match the type", BREG(5),
	      0, DW_OP_deref_type, 2, U32, VALUE);
	CHECK(amd64, "expression+0x2: DW_OP_deref_size: load size does not match the type", BREG(5),
	      0, DW_OP_deref_size, 9, DW_OP_dup, VALUE);
}

TEST(addresses_wrap_at_their_size)
{
	struct ic_evaluate_options small = *amd64;

	small.addr_size = 4;
	CHECK(&small, "0xffffffff/4", DW_OP_const1s, 0xff, VALUE);
	CHECK(&small, "at 0xfffffffe", LIT(1), LIT(3), DW_OP_minus);
	CHECK(&small, "0x1/4", DW_OP_const1s, 0xff, LIT(31), DW_OP_shr, VALUE);
	CHECK(&small, "0xffffffffffffffff/8", DW_OP_const1s, 0xff, DW_OP_convert, U64, VALUE);
}

TEST(a_big_endian_file_has_big_endian_numbers)
{
	struct ic_evaluate_options big = *amd64;
	struct ic_evaluated evaluated;
	uint8_t bytes[8];

	big.is_big_endian = true;
	CHECK(&big, "0x102/8", DW_OP_const2u, 1, 2, VALUE);
	CHECK(&big, "0x1020304/8", LIT(1), DW_OP_deref_size, 4, VALUE);
	evaluate_text(&big, BYTES(DW_OP_const2u, 1, 2, VALUE), &evaluated);
	assert_true(ic_evaluated_read(&evaluated, &big, bytes, 4, NULL));
	assert_memory_equal(bytes, "\0\0\1\2", 4);
}

TEST(an_expression_without_operations_is_optimised_out)
{
	struct ic_evaluated evaluated;
	struct ic_error err;
	uint8_t byte;

	assert_string_equal(evaluate_text(amd64, (struct ic_bytes){ NULL, 0 }, &evaluated),
			    "nothing");
	assert_false(ic_evaluated_read(&evaluated, amd64, &byte, 1, &err));
	assert_error(&err, IC_ERROR_NOT_FOUND, "the value is optimised out");
}

TEST(what_is_missing_is_said)
{
	const struct ic_evaluate_options none = { .version = 5, .addr_size = 8, .offset_size = 4 };
	struct ic_evaluated evaluated;

	CHECK(&none, "expression+0x0: DW_OP_breg5: register is not available", BREG(5), 0);
	CHECK(&none, "expression+0x1: DW_OP_deref: memory is not available", LIT(1), DW_OP_deref);
	CHECK(&none,
	      "expression+0x2: DW_OP_xderef: memory in other address spaces is not available",
	      LIT(1), LIT(2), DW_OP_xderef);
	CHECK(&none, "expression+0x0: DW_OP_fbreg: frame base is not available", DW_OP_fbreg, 0);
	CHECK(&none,
	      "expression+0x0: DW_OP_call_frame_cfa: canonical frame address is not available",
	      DW_OP_call_frame_cfa);
	CHECK(&none, "expression+0x0: DW_OP_entry_value: entry value is not available",
	      DW_OP_entry_value, 1, REG(5));
	CHECK(&none,
	      "expression+0x1: DW_OP_form_tls_address: thread-local storage is not available",
	      LIT(1), DW_OP_form_tls_address);
	CHECK(&none, "expression+0x0: DW_OP_push_object_address: object address is not available",
	      DW_OP_push_object_address);
	CHECK(&none, "expression+0x0: DW_OP_addrx: address is not available", DW_OP_addrx, 0);
	CHECK(&none, "expression+0x0: DW_OP_call2: location of the DIE is not available",
	      DW_OP_call2, 0, 0);
	CHECK(&none, "expression+0x1: DW_OP_convert: type is not available", LIT(1), DW_OP_convert,
	      4);
	CHECK(&none, "expression+0x0: DW_OP_GNU_parameter_ref: parameter value is not available",
	      DW_OP_GNU_parameter_ref, 0, 0, 0, 0);
	CHECK(&none, "expression+0x0: DW_OP_GNU_variable_value: variable value is not available",
	      DW_OP_GNU_variable_value, 0, 0, 0, 0);
	CHECK(&none, "expression+0x1: DW_OP_piece: too many pieces", REG(5), DW_OP_piece, 1);
	CHECK(amd64, "expression+0x0: DW_OP_bregx: cannot read register", DW_OP_bregx, 99, 0);
	CHECK(amd64, "no such process", DW_OP_bregx, 0xe2, 0, 0); // 98 is padded
	CHECK(amd64, "no such index", DW_OP_addrx, 9);
	CHECK(amd64, "expression+0x1: DW_OP_deref: cannot read memory", LIT(0), DW_OP_deref);
	assert_false(ic_evaluate((const uint8_t[]){ BREG(5), 0 }, 2, &none, &evaluated, NULL));
}

TEST(what_is_no_expression_fails)
{
	CHECK(amd64, "expression+0x0: unknown operation", 1);
	CHECK(amd64, "expression+0x1: unexpected end of data", BREG(5));
	CHECK(amd64, "expression+0x0: DW_OP_stack_value: too few values on the stack", VALUE);
	CHECK(amd64, "expression+0x1: DW_OP_plus: too few values on the stack", LIT(1), DW_OP_plus);
	CHECK(amd64, "expression+0x1: DW_OP_lit1: follows a whole location", REG(5), LIT(1));
	CHECK(amd64, "location after the last piece", REG(5), DW_OP_piece, 4, REG(4));
	CHECK(amd64, "expression+0x3: branch target is outside the expression", DW_OP_skip, 1, 0);
	CHECK(amd64, "called expression+0x2: unexpected end of data", DW_OP_call2, 8, 0);
	CHECK(amd64, "expression+0x0: DW_OP_regx: register number too large", DW_OP_regx, 0xff,
	      0xff, 0xff, 0xff, 0x7f);
}

TEST(endless_expressions_are_given_up)
{
	CHECK(amd64, "expression+0x0: DW_OP_skip: too many operations", DW_OP_skip, 0xfd, 0xff);
	CHECK(amd64, "expression+0x0: DW_OP_lit1: too many values on the stack", LIT(1), DW_OP_skip,
	      0xfc, 0xff);
	CHECK(amd64, "called expression+0x0: DW_OP_call2: calls are nested too deeply", DW_OP_call2,
	      7, 0);
}

TEST(a_call_of_what_has_no_location_does_nothing)
{
	CHECK(amd64, "at 0x5", LIT(5), DW_OP_call2, 0, 0);
}

TEST(a_loop_ends_when_its_condition_does)
{
	// 10 + 9 + ... + 1, with the sum below the counter.
	CHECK(amd64, "0x37/8", LIT(0), LIT(10), DW_OP_swap, DW_OP_over, DW_OP_plus, DW_OP_swap,
	      LIT(1), DW_OP_minus, DW_OP_dup, DW_OP_bra, 0xf6, 0xff, DW_OP_drop, VALUE);
}

TEST(what_may_not_be_set_is_marked)
{
	struct ic_evaluated evaluated;

	evaluate_text(amd64, BYTES(REG(5), DW_OP_GNU_uninit), &evaluated);
	assert_true(evaluated.is_uninitialised);
	evaluate_text(amd64, BYTES(REG(5)), &evaluated);
	assert_false(evaluated.is_uninitialised);
}

UNIT_TESTS(dwarf_expressions_evaluate)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_gives_what_it_means),
		cmocka_unit_test(no_operation_is_left_out),
		cmocka_unit_test(arithmetic_is_that_of_the_type),
		cmocka_unit_test(generic_numbers_are_of_the_type_of_others_of_their_size),
		cmocka_unit_test(an_expression_begins_with_the_values_that_are_given),
		cmocka_unit_test(an_address_in_thread_local_storage_is_an_offset),
		cmocka_unit_test(each_address_may_be_loaded_somewhere_else),
		cmocka_unit_test(a_message_of_before_is_not_taken_for_a_reason),
		cmocka_unit_test(floating_point_numbers_are_calculated_with),
		cmocka_unit_test(types_convert_by_their_sign),
		cmocka_unit_test(types_that_are_not_supported_are_said_so),
		cmocka_unit_test(addresses_wrap_at_their_size),
		cmocka_unit_test(a_big_endian_file_has_big_endian_numbers),
		cmocka_unit_test(an_expression_without_operations_is_optimised_out),
		cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(what_is_no_expression_fails),
		cmocka_unit_test(endless_expressions_are_given_up),
		cmocka_unit_test(a_call_of_what_has_no_location_does_nothing),
		cmocka_unit_test(a_loop_ends_when_its_condition_does),
		cmocka_unit_test(what_may_not_be_set_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
