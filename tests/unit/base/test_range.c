#include "unit_test.h"

#include "base/range.h"

static void check_set(struct ic_range *ranges, uint32_t count, const struct ic_range *wanted,
		      uint32_t wanted_count)
{
	struct ic_range_set set = ic_range_set_build(ranges, count);
	uint64_t size = 0;

	assert_int_equal(set.count, wanted_count);
	for (uint32_t i = 0; i < wanted_count; i++) {
		size += wanted[i].end - wanted[i].start;
		assert_int_equal(set.ranges[i].start, wanted[i].start);
		assert_int_equal(set.ranges[i].end, wanted[i].end);
	}
	assert_int_equal(ic_range_set_size(&set), size);
}

TEST(ranges_are_sorted_and_merged_where_they_overlap_or_touch)
{
	struct ic_range ranges[] = { { 50, 60 }, { 10, 20 }, { 20, 30 }, { 12, 14 },
				     { 29, 35 }, { 36, 40 }, { 5, 6 } };
	const struct ic_range wanted[] = { { 5, 6 }, { 10, 35 }, { 36, 40 }, { 50, 60 } };

	check_set(ranges, COUNT_OF(ranges), wanted, COUNT_OF(wanted));
}

TEST(ranges_that_hold_nothing_are_left_out)
{
	struct ic_range ranges[] = { { 10, 10 }, { 30, 20 }, { 12, 15 }, { 0, 0 } };
	const struct ic_range wanted[] = { { 12, 15 } };

	check_set(ranges, COUNT_OF(ranges), wanted, COUNT_OF(wanted));
	check_set(NULL, 0, NULL, 0);
}

TEST(a_range_inside_of_another_adds_nothing)
{
	struct ic_range ranges[] = { { 0, 100 }, { 10, 20 }, { 99, 101 }, { 0, UINT64_MAX } };
	const struct ic_range wanted[] = { { 0, UINT64_MAX } };

	check_set(ranges, COUNT_OF(ranges), wanted, COUNT_OF(wanted));
}

TEST(an_address_is_found_in_the_range_that_holds_it)
{
	struct ic_range ranges[] = { { 0, 2 }, { 10, 20 }, { 30, 40 }, { 50, 51 } };
	struct ic_range_set set = ic_range_set_build(ranges, COUNT_OF(ranges));

	for (uint64_t addr = 0; addr < 60; addr++) {
		const struct ic_range *wanted = NULL;
		for (size_t i = 0; i < COUNT_OF(ranges); i++)
			if (addr >= ranges[i].start && addr < ranges[i].end)
				wanted = &ranges[i];
		assert_ptr_equal(ic_range_set_find(&set, addr), wanted);
	}
	assert_null(ic_range_set_find(&set, UINT64_MAX));
	assert_null(ic_range_set_find(&(struct ic_range_set){ NULL, 0 }, 1));
}

UNIT_TESTS(base_range)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_sorted_and_merged_where_they_overlap_or_touch),
		cmocka_unit_test(ranges_that_hold_nothing_are_left_out),
		cmocka_unit_test(a_range_inside_of_another_adds_nothing),
		cmocka_unit_test(an_address_is_found_in_the_range_that_holds_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
