// Tables of values by address, as Go's functions have them.
#include "unit_test.h"

#include "go/pc_values.h"

struct reading {
	ic_go_runs runs;
	uint64_t steps;
	enum ic_go_values_end end;
};

static struct reading read_values(const uint8_t *bytes, size_t size, uint32_t code, uint64_t steps)
{
	const struct ic_go_pclntab table = { .quantum = 4, .values = { bytes, size } };
	struct reading reading = { .steps = steps };

	reading.end = ic_go_runs_read(&table, 1, code, &reading.runs, &reading.steps);
	return reading;
}

TEST(runs_begin_at_minus_one_and_end_with_a_zero)
{
	// From -1 to 3, to 2, to 2 + 100.
	static const uint8_t bytes[] = { 0, 8, 2, 1, 1, 0xc8, 1, 3, 0, 9, 9 };
	struct reading reading = read_values(bytes, sizeof(bytes), 1000, 100);

	assert_int_equal(reading.end, IC_GO_VALUES_OK);
	assert_int_equal(reading.runs.count, 3);
	assert_int_equal(reading.steps, 97);
	assert_int_equal(ic_go_runs_at(&reading.runs, 0), 3);
	assert_int_equal(ic_go_runs_at(&reading.runs, 7), 3);
	assert_int_equal(ic_go_runs_at(&reading.runs, 8), 2);
	assert_int_equal(ic_go_runs_at(&reading.runs, 12), 102);
	assert_int_equal(ic_go_runs_at(&reading.runs, 23), 102);
	assert_int_equal(ic_go_runs_at(&reading.runs, 24), -1);
	IC_ARRAY_FREE(&reading.runs);
}

TEST(the_first_value_may_be_minus_one)
{
	static const uint8_t bytes[] = { 0, 0, 2, 2, 1, 0 };
	struct reading reading = read_values(bytes, sizeof(bytes), 1000, 100);

	assert_int_equal(reading.end, IC_GO_VALUES_OK);
	assert_int_equal(reading.runs.count, 2);
	assert_int_equal(ic_go_runs_at(&reading.runs, 0), -1);
	assert_int_equal(ic_go_runs_at(&reading.runs, 8), 0);
	IC_ARRAY_FREE(&reading.runs);
}

TEST(what_is_beyond_the_function_is_cut)
{
	static const uint8_t bytes[] = { 0, 8, 2, 2, 100, 2, 2, 0 };
	struct reading reading = read_values(bytes, sizeof(bytes), 20, 100);

	assert_int_equal(reading.end, IC_GO_VALUES_OK);
	assert_int_equal(reading.runs.count, 2);
	assert_int_equal(reading.runs.items[1].end, 20);
	IC_ARRAY_FREE(&reading.runs);
}

TEST(values_that_do_not_end_or_are_too_large_are_faults)
{
	static const uint8_t endless[] = { 0, 8, 2, 2 };
	static const uint8_t wide[] = { 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, 0 };

	struct reading reading = read_values(endless, sizeof(endless), 1000, 100);
	assert_int_equal(reading.end, IC_GO_VALUES_FAULT);
	assert_int_equal(reading.runs.count, 1); // that before stays
	IC_ARRAY_FREE(&reading.runs);
	reading = read_values(wide, sizeof(wide), 1000, 100);
	assert_int_equal(reading.end, IC_GO_VALUES_FAULT);
	IC_ARRAY_FREE(&reading.runs);
	reading = read_values(wide, 1, 1000, 100);
	assert_int_equal(reading.end, IC_GO_VALUES_FAULT);
	IC_ARRAY_FREE(&reading.runs);
}

TEST(a_pair_of_no_length_only_changes_the_value)
{
	static const uint8_t bytes[] = { 0, 8, 0, 2, 0, 2, 3, 0 };
	struct reading reading = read_values(bytes, sizeof(bytes), 1000, 100);

	assert_int_equal(reading.end, IC_GO_VALUES_OK);
	assert_int_equal(reading.runs.count, 1);
	assert_int_equal(reading.runs.items[0].end, 12);
	assert_int_equal(ic_go_runs_at(&reading.runs, 0), 5);
	IC_ARRAY_FREE(&reading.runs);
}

TEST(no_more_steps_are_taken_than_are_allowed)
{
	static const uint8_t bytes[] = { 0, 8, 2, 1, 1, 1, 1, 0 };
	struct reading reading = read_values(bytes, sizeof(bytes), 1000, 2);

	assert_int_equal(reading.end, IC_GO_VALUES_STEPS);
	IC_ARRAY_FREE(&reading.runs);
}

UNIT_TESTS(go_pc_values)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_begin_at_minus_one_and_end_with_a_zero),
		cmocka_unit_test(the_first_value_may_be_minus_one),
		cmocka_unit_test(what_is_beyond_the_function_is_cut),
		cmocka_unit_test(values_that_do_not_end_or_are_too_large_are_faults),
		cmocka_unit_test(a_pair_of_no_length_only_changes_the_value),
		cmocka_unit_test(no_more_steps_are_taken_than_are_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
