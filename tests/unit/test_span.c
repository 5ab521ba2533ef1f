#include "unit_test.h"

#include "base/span.h"

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

TEST(blanks_at_the_end_are_trimmed)
{
	assert_true(ic_span_is(ic_span_trimmed(span(" a b \t\r")), " a b"));
	assert_true(ic_span_is(ic_span_trimmed(span(" \t")), ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_span_is_a_text_of_the_same_size),
		cmocka_unit_test(what_is_not_there_is_no_text),
		cmocka_unit_test(blanks_at_the_end_are_trimmed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
