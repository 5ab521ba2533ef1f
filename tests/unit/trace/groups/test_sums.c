#include "trace/groups/sums.h"

#include "unit_test.h"

// The sum of numbers as text.
static const char *sum_of(const uint64_t *numbers, size_t count, bool is_signed)
{
	static char text[IC_TRACE_SUM_TEXT];
	struct ic_trace_sum sum = { .is_signed = is_signed };

	for (size_t i = 0; i < count; i++)
		ic_trace_sum_measure(&sum, NULL, numbers[i]);
	ic_trace_sum_text(&sum, text);
	return text;
}

#define SUM(is_signed, ...)                                                                      \
	sum_of((const uint64_t[]){ __VA_ARGS__ }, COUNT_OF(((const uint64_t[]){ __VA_ARGS__ })), \
	       is_signed)

TEST(sums_may_need_more_than_64_bits)
{
	assert_string_equal(SUM(false, 0), "0");
	assert_string_equal(SUM(false, 1, 2, 3), "6");
	assert_string_equal(SUM(false, UINT64_MAX, UINT64_MAX), "36893488147419103230");
	assert_string_equal(SUM(true, (uint64_t)-1), "-1");
	assert_string_equal(SUM(true, (uint64_t)-1, 1), "0");
	assert_string_equal(SUM(true, 1ull << 63, 1ull << 63), "-18446744073709551616");
	assert_string_equal(SUM(true, (uint64_t)-4294967296), "-4294967296");
	assert_string_equal(SUM(true, INT64_MAX, INT64_MAX, (uint64_t)-5), "18446744073709551609");
}

TEST(least_and_most_are_those_of_the_type)
{
	struct ic_trace_sum sum = { .is_signed = true };

	ic_trace_sum_measure(&sum, NULL, (uint64_t)-7);
	ic_trace_sum_measure(&sum, NULL, 3);
	assert_int_equal(ic_trace_sum_least(&sum), (uint64_t)-7);
	assert_int_equal(ic_trace_sum_most(&sum), 3);
	assert_true(ic_trace_sum_mean(&sum) == -2);
	sum = (struct ic_trace_sum){ .is_signed = false };
	ic_trace_sum_measure(&sum, NULL, UINT64_MAX);
	ic_trace_sum_measure(&sum, NULL, 3);
	assert_int_equal(ic_trace_sum_least(&sum), 3);
	assert_int_equal(ic_trace_sum_most(&sum), UINT64_MAX);
}

UNIT_TESTS(trace_groups_sums)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_may_need_more_than_64_bits),
		cmocka_unit_test(least_and_most_are_those_of_the_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
