#include "dwarf/expressions/text.h"

#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

enum { X86_64 = 62 };

static const uint8_t addrs[] = { 0x10, 0x40, 0, 0, 0, 0, 0, 0 };

static const struct ic_dwarf dwarf = { .swap = SWAP_LITTLE, .addr = { addrs, sizeof(addrs) } };

// It begins at 0x100, and its only address by index is 0x4010.
static const struct ic_unit unit = {
	.dwarf = &dwarf, .version = 5, .addr_size = 8, .offset_size = 4, .off = 0x100
};

static const char *type_name(void *context, uint64_t off)
{
	(void)context;
	return off == 0x12a ? "int" : NULL;
}

static const char *symbol(void *context, uint64_t addr, uint64_t *off)
{
	*off = addr - 0x4000;
	return addr >= 0x4000 && addr < 0x4100 ? context : NULL;
}

static char counter[] = "counter";
static const struct ic_expression_names some_names = {
	.machine = X86_64, .type_name = type_name, .symbol = symbol, .context = counter
};

// The text of an expression with these names, and an error's message.
static const char *text_with(const struct ic_expression_names *names, struct ic_bytes bytes)
{
	static char copy[4096];
	struct ic_expression_text text = { .chars.count = 0 };
	struct ic_error err = { .message = "" };

	if (!ic_expression_write(&text, cursor_over(bytes), &unit, names, &err))
		assert_string_not_equal(err.message, "");
	snprintf(copy, sizeof(copy), "%s%s%s", ic_expression_text(&text),
		 err.message[0] ? " | " : "", err.message);
	ic_expression_text_free(&text);
	return copy;
}

#define CHECK_TEXT(wanted, ...) \
	assert_string_equal(text_with(&some_names, BYTES(__VA_ARGS__)), wanted)

TEST(operations_are_spelled_as_in_the_standard)
{
	CHECK_TEXT("DW_OP_dup, DW_OP_plus, DW_OP_stack_value", 0x12, 0x22, 0x9f);
	CHECK_TEXT("DW_OP_lit0, DW_OP_lit31", 0x30, 0x4f);
	CHECK_TEXT("DW_OP_call_frame_cfa", 0x9c);
	CHECK_TEXT("DW_OP_GNU_push_tls_address, DW_OP_GNU_uninit", 0xe0, 0xf0);
}

TEST(signed_operands_have_a_sign)
{
	CHECK_TEXT("DW_OP_const1u 0xff, DW_OP_const1s -1", 0x08, 0xff, 0x09, 0xff);
	CHECK_TEXT("DW_OP_const2u 0xfffe, DW_OP_const2s -2", 0x0a, 0xfe, 0xff, 0x0b, 0xfe, 0xff);
	CHECK_TEXT("DW_OP_const4u 0x1, DW_OP_const4s +1", 0x0c, 1, 0, 0, 0, 0x0d, 1, 0, 0, 0);
	CHECK_TEXT("DW_OP_const8u 0x1, DW_OP_const8s -1", 0x0e, 1, 0, 0, 0, 0, 0, 0, 0, 0x0f, 0xff,
		   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
	CHECK_TEXT("DW_OP_constu 0x80, DW_OP_consts -64", 0x10, 0x80, 1, 0x11, 0x40);
	CHECK_TEXT("DW_OP_fbreg -16, DW_OP_plus_uconst 0x8", 0x91, 0x70, 0x23, 8);
	CHECK_TEXT("DW_OP_bra -3, DW_OP_skip +256", 0x28, 0xfd, 0xff, 0x2f, 0, 1);
	CHECK_TEXT("DW_OP_pick 0x2, DW_OP_deref_size 0x4, DW_OP_xderef_size 0x1", 0x15, 2, 0x94, 4,
		   0x95, 1);
}

TEST(registers_have_their_names)
{
	static const struct ic_expression_names no_names = { .machine = 0 };

	CHECK_TEXT("DW_OP_reg5 rdi", 0x55);
	CHECK_TEXT("DW_OP_breg7 rsp+8, DW_OP_deref", 0x77, 8, 0x06);
	CHECK_TEXT("DW_OP_breg31 xmm14-1", 0x8f, 0x7f);
	CHECK_TEXT("DW_OP_regx xmm15, DW_OP_bregx rbp+0", 0x90, 32, 0x92, 6, 0);
	CHECK_TEXT("DW_OP_regx reg200, DW_OP_bregx reg4294967296-1", 0x90, 200, 1, 0x92, 0x80, 0x80,
		   0x80, 0x80, 0x10, 0x7f);
	assert_string_equal(text_with(&no_names, BYTES(0x55, 0x75, 8)),
			    "DW_OP_reg5 reg5, DW_OP_breg5 reg5+8");
}

TEST(types_have_their_offset_and_their_name)
{
	CHECK_TEXT("DW_OP_convert (0x0000012a) \"int\", DW_OP_convert 0x0", 0xa8, 0x2a, 0xa8, 0);
	CHECK_TEXT("DW_OP_reinterpret (0x0000012b)", 0xa9, 0x2b);
	CHECK_TEXT("DW_OP_regval_type rdi (0x0000012a) \"int\"", 0xa5, 5, 0x2a);
	CHECK_TEXT("DW_OP_deref_type 0x4 (0x0000012a) \"int\"", 0xa6, 4, 0x2a);
	CHECK_TEXT("DW_OP_xderef_type 0x4 (0x0000012a) \"int\"", 0xa7, 4, 0x2a);
	CHECK_TEXT("DW_OP_const_type (0x0000012a) \"int\" 0x2 0x01 0xff", 0xa4, 0x2a, 2, 1, 0xff);
	CHECK_TEXT("DW_OP_GNU_convert (0x0000012a) \"int\", DW_OP_GNU_reinterpret 0x0", 0xf7, 0x2a,
		   0xf9, 0);
	CHECK_TEXT("DW_OP_GNU_regval_type rdi (0x0000012a) \"int\"", 0xf5, 5, 0x2a);
	CHECK_TEXT("DW_OP_GNU_deref_type 0x4 (0x0000012a) \"int\"", 0xf6, 4, 0x2a);
	CHECK_TEXT("DW_OP_GNU_const_type (0x0000012a) \"int\" 0x1 0x07", 0xf4, 0x2a, 1, 7);
}

TEST(dies_are_offsets_in_the_section)
{
	CHECK_TEXT("DW_OP_call2 (0x00000302), DW_OP_call4 (0x00000302)", 0x98, 2, 2, 0x99, 2, 2, 0,
		   0);
	CHECK_TEXT("DW_OP_call_ref (0x00000202)", 0x9a, 2, 2, 0, 0);
	CHECK_TEXT("DW_OP_implicit_pointer (0x00000202) -1", 0xa0, 2, 2, 0, 0, 0x7f);
	CHECK_TEXT("DW_OP_GNU_implicit_pointer (0x00000202) +1", 0xf2, 2, 2, 0, 0, 1);
	CHECK_TEXT("DW_OP_GNU_parameter_ref (0x00000302)", 0xfa, 2, 2, 0, 0);
	CHECK_TEXT("DW_OP_GNU_variable_value (0x00000202)", 0xfd, 2, 2, 0, 0);
}

TEST(addresses_have_their_symbol)
{
	CHECK_TEXT("DW_OP_addr 0x4004 <counter+0x4>", 0x03, 4, 0x40, 0, 0, 0, 0, 0, 0);
	CHECK_TEXT("DW_OP_addr 0x4000 <counter>", 0x03, 0, 0x40, 0, 0, 0, 0, 0, 0);
	CHECK_TEXT("DW_OP_addr 0x4", 0x03, 4, 0, 0, 0, 0, 0, 0, 0);
	CHECK_TEXT("DW_OP_addrx 0x0 (0x4010) <counter+0x10>", 0xa1, 0);
	CHECK_TEXT("DW_OP_GNU_addr_index 0x0 (0x4010) <counter+0x10>", 0xfb, 0);
	CHECK_TEXT("DW_OP_constx 0x0 (0x4010)", 0xa2, 0);
	CHECK_TEXT("DW_OP_GNU_const_index 0x1 <no such index>", 0xfc, 1);
	CHECK_TEXT("DW_OP_GNU_encoded_addr 0x4001 <counter+0x1>", 0xf1, 2, 1, 0x40);
}

TEST(pieces_and_values_have_their_sizes)
{
	CHECK_TEXT("DW_OP_lit1, DW_OP_piece 0x4, DW_OP_bit_piece 0x8 0x2", 0x31, 0x93, 4, 0x9d, 8,
		   2);
	CHECK_TEXT("DW_OP_implicit_value 0x3 0x01 0x02 0xff", 0x9e, 3, 1, 2, 0xff);
	assert_string_equal(text_with(&some_names, (struct ic_bytes){ .data = addrs, .size = 0 }),
			    "<empty>");
}

TEST(expressions_within_others_are_in_parentheses)
{
	CHECK_TEXT("DW_OP_entry_value(DW_OP_reg5 rdi), DW_OP_stack_value", 0xa3, 1, 0x55, 0x9f);
	CHECK_TEXT("DW_OP_GNU_entry_value(DW_OP_breg4 rsi+0, DW_OP_deref)", 0xf3, 3, 0x74, 0, 0x06);
	CHECK_TEXT("DW_OP_lit1, DW_OP_entry_value(DW_OP_entry_value(<empty>)), DW_OP_and", 0x31,
		   0xa3, 2, 0xa3, 0, 0x1a);
}

TEST(what_cannot_be_read_is_marked)
{
	CHECK_TEXT("DW_OP_lit1, <unknown operation> ed 01 | .test+0x1: unknown operation", 0x31,
		   0xed, 1);
	CHECK_TEXT("<unexpected end of data> 03 01 | .test+0x1: unexpected end of data", 0x03, 1);
	CHECK_TEXT("<unexpected end of data> 9e 05 01 | .test+0x2: unexpected end of data", 0x9e, 5,
		   1);
	CHECK_TEXT("<unknown pointer encoding> f1 05 | .test+0x2: unknown pointer encoding", 0xf1,
		   5);
	CHECK_TEXT("DW_OP_entry_value(<unknown operation> 01 | .test+0x2: unknown operation", 0xa3,
		   1, 1, 0x31);
	CHECK_TEXT("<unknown operation> 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f ... | "
		   ".test+0x0: unknown operation",
		   0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

TEST(nesting_has_a_limit)
{
	uint8_t bytes[64];

	for (uint8_t i = 0; i < sizeof(bytes); i += 2) {
		bytes[i] = 0xa3;
		bytes[i + 1] = (uint8_t)(sizeof(bytes) - i - 2);
	}
	const char *text = text_with(&some_names, (struct ic_bytes){ bytes, sizeof(bytes) });
	assert_non_null(strstr(text, "DW_OP_entry_value(<nested too deeply> a3 2e a3"));
	assert_non_null(strstr(text, " | expressions are nested more than 8 deep"));
}

TEST(the_length_of_a_text_has_a_limit)
{
	const size_t size = 1 << 18;
	uint8_t *bytes = malloc(size);
	struct ic_expression_text text = { .chars.count = 0 };
	struct ic_error err;

	assert_non_null(bytes);
	memset(bytes, 0x12, size);
	assert_false(ic_expression_write(&text, cursor_over((struct ic_bytes){ bytes, size }),
					 &unit, &some_names, &err));
	const char *end = ic_expression_text(&text) + text.chars.count;
	assert_string_equal(end - 21, "DW_OP_dup, <too long>");
	assert_in_range(text.chars.count, IC_EXPRESSION_MOST_TEXT - 16,
			IC_EXPRESSION_MOST_TEXT + 16);
	ic_expression_text_free(&text);
	free(bytes);
}

TEST(texts_are_appended_until_they_are_cleared)
{
	struct ic_expression_text text = { .chars.count = 0 };
	struct ic_error err;

	assert_string_equal(ic_expression_text(&text), "");
	for (int i = 0; i < 2; i++)
		assert_true(ic_expression_write(&text, cursor_over(BYTES(0x30)), &unit, &some_names,
						&err));
	assert_string_equal(ic_expression_text(&text), "DW_OP_lit0DW_OP_lit0");
	ic_expression_text_clear(&text);
	assert_string_equal(ic_expression_text(&text), "");
	ic_expression_text_free(&text);
}

UNIT_TESTS(dwarf_expressions_text)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_are_spelled_as_in_the_standard),
		cmocka_unit_test(signed_operands_have_a_sign),
		cmocka_unit_test(registers_have_their_names),
		cmocka_unit_test(types_have_their_offset_and_their_name),
		cmocka_unit_test(dies_are_offsets_in_the_section),
		cmocka_unit_test(addresses_have_their_symbol),
		cmocka_unit_test(pieces_and_values_have_their_sizes),
		cmocka_unit_test(expressions_within_others_are_in_parentheses),
		cmocka_unit_test(what_cannot_be_read_is_marked),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(the_length_of_a_text_has_a_limit),
		cmocka_unit_test(texts_are_appended_until_they_are_cleared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
