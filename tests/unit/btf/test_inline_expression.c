#include "unit_test.h"

#include "btf/inline_expression.h"

// An expression as text, of a value of `size` bytes.
static void check(struct ic_bytes locations, uint64_t size, const char *wanted)
{
	const struct ic_location_text_options options = { .size = size, .machine = 62 };
	struct ic_location location = ic_btf_expression_read(locations, 0, SWAP_LITTLE, size);
	char text[96];

	ic_location_text(&location, &options, text, sizeof(text));
	assert_string_equal(text, wanted);
}

TEST(constants_have_the_sign_of_their_operator)
{
	check(BYTES(1, 0xff, 0), 8, "0xffffffffffffffff");
	check(BYTES(5, 0xff, 0), 8, "0xff");
	check(BYTES(2, 0xfe, 0xff, 0), 4, "0xfffffffe");
	check(BYTES(6, 0xfe, 0xff, 0), 4, "0xfffe");
	check(BYTES(3, 0, 0, 0, 0x80, 0), 8, "0xffffffff80000000");
	check(BYTES(7, 0, 0, 0, 0x80, 0), 8, "0x80000000");
	check(BYTES(4, 1, 2, 3, 4, 5, 6, 7, 8, 0), 8, "0x807060504030201");
	check(BYTES(8, 1, 2, 3, 4, 5, 6, 7, 8, 0), 8, "0x807060504030201");
}

TEST(registers_and_loads_make_locations)
{
	check(BYTES(0), 4, "unavailable");
	check(BYTES(9, 5, 0), 4, "%rdi");
	check(BYTES(10, 5, 0xf0, 255, 255, 255, 255, 255, 255, 255, 0), 8, "%rdi-16");
	check(BYTES(10, 5, 12, 0, 0, 0, 0, 0, 0, 0, 11, 4, 0), 4, "*(u32 *)(%rdi+12)");
	check(BYTES(9, 5, 11, 8, 11, 2, 0), 2, "*(u16 *)(*(u64 *)(%rdi))");
	// What is loaded may be wider than the value.
	check(BYTES(9, 5, 11, 8, 0), 4, "*(u64 *)(%rdi)");
	check(BYTES(5, 0x40, 11, 4, 0), 4, "*(u32 *)(0x40)");
	check(BYTES(9, 5, 11, 8, 11, 8, 11, 8, 11, 8, 11, 8, 0), 0, "computed");
}

TEST(the_top_of_the_stack_is_the_value)
{
	check(BYTES(9, 5, 5, 7, 0), 4, "0x7");
	check(BYTES(5, 7, 9, 4, 0), 8, "%rsi");
}

TEST(what_cannot_be_read_is_said_to_be_so)
{
	check(BYTES(9, 5), 4, "unavailable (unreadable)");           // no end
	check(BYTES(10, 5, 0), 4, "unavailable (unreadable)");       // no operand
	check(BYTES(12, 0), 4, "unavailable (unreadable)");          // no such operator
	check(BYTES(11, 4, 0), 4, "unavailable (unreadable)");       // nothing to load from
	check(BYTES(9, 5, 11, 3, 0), 4, "unavailable (unreadable)"); // three bytes
	uint8_t long_one[3 * IC_BTF_MOST_OPS];
	memset(long_one, 9, sizeof(long_one));
	long_one[sizeof(long_one) - 1] = 0;
	check((struct ic_bytes){ long_one, sizeof(long_one) }, 4, "unavailable (unreadable)");
}

TEST(operators_follow_each_other_by_their_operands)
{
	assert_int_equal(ic_btf_expression_next(BYTES(0, 9, 5), 0), 1);
	assert_int_equal(ic_btf_expression_next(BYTES(0, 9, 5), 1), 3);
	assert_int_equal(ic_btf_expression_next(BYTES(0, 9), 1), 0);
	assert_int_equal(ic_btf_expression_next(BYTES(0, 12, 0), 1), 0);
}

UNIT_TESTS(btf_inline_expression)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_have_the_sign_of_their_operator),
		cmocka_unit_test(registers_and_loads_make_locations),
		cmocka_unit_test(the_top_of_the_stack_is_the_value),
		cmocka_unit_test(what_cannot_be_read_is_said_to_be_so),
		cmocka_unit_test(operators_follow_each_other_by_their_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
