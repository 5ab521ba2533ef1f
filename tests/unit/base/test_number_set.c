#include "unit_test.h"

#include <stdlib.h>

#include "base/number_set.h"

TEST(an_empty_set_has_no_neighbours)
{
	struct ic_number_set set;

	assert_true(ic_number_set_init(&set, 0));
	assert_int_equal(ic_number_set_next(&set, 0), IC_NONE);
	assert_int_equal(ic_number_set_previous(&set, 0), IC_NONE);
	ic_number_set_deinit(&set);
	assert_true(ic_number_set_init(&set, 70000));
	assert_int_equal(ic_number_set_next(&set, 0), IC_NONE);
	assert_int_equal(ic_number_set_next(&set, 69999), IC_NONE);
	assert_int_equal(ic_number_set_previous(&set, 69999), IC_NONE);
	ic_number_set_deinit(&set);
}

TEST(the_neighbours_of_a_number_are_others)
{
	struct ic_number_set set;

	assert_true(ic_number_set_init(&set, 300000));
	ic_number_set_add(&set, 0);
	ic_number_set_add(&set, 63);
	ic_number_set_add(&set, 64);
	ic_number_set_add(&set, 299999);
	assert_int_equal(ic_number_set_next(&set, 0), 63);
	assert_int_equal(ic_number_set_next(&set, 63), 64);
	assert_int_equal(ic_number_set_next(&set, 64), 299999);
	assert_int_equal(ic_number_set_next(&set, 299999), IC_NONE);
	assert_int_equal(ic_number_set_previous(&set, 299999), 64);
	assert_int_equal(ic_number_set_previous(&set, 64), 63);
	assert_int_equal(ic_number_set_previous(&set, 63), 0);
	assert_int_equal(ic_number_set_previous(&set, 0), IC_NONE);
	ic_number_set_remove(&set, 64);
	assert_int_equal(ic_number_set_next(&set, 63), 299999);
	assert_int_equal(ic_number_set_previous(&set, 299999), 63);
	ic_number_set_deinit(&set);
}

// Compares with a walk over flags, from every number, after each of many changes.
static void compare(uint32_t bound, uint32_t changes, uint32_t spread)
{
	struct ic_number_set set;
	bool *flags = calloc(bound, sizeof(*flags));
	uint32_t random = bound;

	assert_non_null(flags);
	assert_true(ic_number_set_init(&set, bound));
	for (uint32_t i = 0; i < changes; i++) {
		random = random * 1664525 + 1013904223;
		uint32_t number = (random >> 8) % bound / spread * spread;
		flags[number] = !flags[number];
		if (flags[number])
			ic_number_set_add(&set, number);
		else
			ic_number_set_remove(&set, number);
		for (uint32_t j = 0, last = IC_NONE; j < bound; j++) {
			assert_int_equal(ic_number_set_previous(&set, j), last);
			last = flags[j] ? j : last;
		}
		for (uint32_t j = bound, first = IC_NONE; j-- > 0;) {
			assert_int_equal(ic_number_set_next(&set, j), first);
			first = flags[j] ? j : first;
		}
	}
	ic_number_set_deinit(&set);
	free(flags);
}

TEST(a_set_is_what_a_walk_over_flags_finds)
{
	compare(1, 4, 1);
	compare(64, 200, 1);
	compare(65, 200, 1);
	compare(4096, 50, 61);
	compare(4097, 50, 64);
	compare(10000, 50, 4096);
}

UNIT_TESTS(base_number_set)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_set_has_no_neighbours),
		cmocka_unit_test(the_neighbours_of_a_number_are_others),
		cmocka_unit_test(a_set_is_what_a_walk_over_flags_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
