#include "unit_test.h"

#include "text/span.h"

static struct ic_span span(const char *text)
{
	return (struct ic_span){ text, strlen(text) };
}

TEST(a_span_is_a_text_of_the_same_size)
{
	const struct ic_span part = { "xfs_read", 3 };

	assert_true(ic_span_is(part, "xfs"));
	assert_false(ic_span_is(part, "xf"));
	assert_false(ic_span_is(part, "xfs_read"));
	assert_true(ic_span_begins(part, "xf"));
	assert_true(ic_span_begins(part, "xfs"));
	assert_false(ic_span_begins(part, "xfs_"));
	assert_true(ic_span_holds(span("a xfs b"), "xfs"));
	assert_false(ic_span_holds(part, "read"));
}

TEST(what_is_not_there_is_no_text)
{
	const struct ic_span none = { NULL, 0 };

	assert_false(ic_span_is(none, ""));
	assert_false(ic_span_begins(none, ""));
	assert_false(ic_span_holds(none, ""));
	assert_true(ic_span_is(span(""), ""));
}

TEST(a_number_is_hexadecimal_and_all_of_the_span)
{
	uint64_t value;

	assert_true(ic_span_hex(span("0xffffffffc0a00000"), &value));
	assert_true(value == 0xffffffffc0a00000);
	assert_true(ic_span_hex(span("aF"), &value));
	assert_int_equal(value, 0xaf);
	assert_false(ic_span_hex(span(""), &value));
	assert_false(ic_span_hex(span("0x"), &value));
	assert_false(ic_span_hex(span(" 1"), &value));
	assert_false(ic_span_hex(span("-1"), &value));
	assert_false(ic_span_hex(span("1g"), &value));
	assert_false(ic_span_hex(span("12345678123456781"), &value));
	assert_false(ic_span_hex((struct ic_span){ "1\0", 2 }, &value));
}

TEST(blanks_at_the_end_are_trimmed)
{
	assert_true(ic_span_is(ic_span_trimmed(span(" a b \t\r")), " a b"));
	assert_true(ic_span_is(ic_span_trimmed(span(" \t")), ""));
}

TEST(a_text_is_found_where_it_first_begins)
{
	const char *text = "aab aabc";
	const struct ic_span span = { text, strlen(text) };

	assert_ptr_equal(ic_span_find(span, "aabc"), text + 4);
	assert_ptr_equal(ic_span_find(span, "b"), text + 2);
	assert_ptr_equal(ic_span_find(span, text), text);
	assert_null(ic_span_find(span, "aabcd"));
	assert_null(ic_span_find(span, "aabc aabc"));
	assert_null(ic_span_find((struct ic_span){ text, 7 }, "aabc"));
	assert_null(ic_span_find((struct ic_span){ text, 0 }, "a"));
}

UNIT_TESTS(text_span)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_found_where_it_first_begins),
		cmocka_unit_test(a_span_is_a_text_of_the_same_size),
		cmocka_unit_test(what_is_not_there_is_no_text),
		cmocka_unit_test(a_number_is_hexadecimal_and_all_of_the_span),
		cmocka_unit_test(blanks_at_the_end_are_trimmed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
