#include "unit_test.h"

#include <stdlib.h>

#include "base/array.h"

TEST(what_is_pushed_stays_in_order)
{
	IC_ARRAY(uint32_t) array = { 0 };

	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t *place = IC_ARRAY_PUSH(&array);
		assert_non_null(place);
		*place = i * 3;
	}
	assert_int_equal(array.count, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(array.items[i], i * 3);
	IC_ARRAY_FREE(&array);
	assert_null(array.items);
	assert_int_equal(array.count + array.capacity, 0);
}

TEST(room_can_be_made_before_it_is_needed)
{
	IC_ARRAY(uint64_t) array = { 0 };

	assert_true(IC_ARRAY_RESERVE(&array, 500));
	assert_true(array.capacity >= 500);
	uint64_t *items = array.items;
	assert_true(IC_ARRAY_RESERVE(&array, 20)); // it has more than that
	for (uint32_t i = 0; i < 500; i++)
		*IC_ARRAY_PUSH(&array) = i;
	assert_ptr_equal(array.items, items);
	IC_ARRAY_FREE(&array);
}

TEST(an_array_grows_by_half_at_least)
{
	IC_ARRAY(char) array = { 0 };
	uint32_t moves = 0, capacity = 0;

	for (uint32_t i = 0; i < 100000; i++) {
		*IC_ARRAY_PUSH(&array) = 'x';
		moves += array.capacity != capacity;
		capacity = array.capacity;
	}
	assert_in_range(moves, 1, 30); // else a unit of a million instances would take minutes
	IC_ARRAY_FREE(&array);
}

TEST(a_count_that_does_not_fit_is_refused_and_changes_nothing)
{
	IC_ARRAY(uint64_t) array = { 0 };

	*IC_ARRAY_PUSH(&array) = 7;
	assert_false(ic_array_grow((void **)&array.items, &array.capacity, UINT32_MAX + 1ull,
				   sizeof(uint64_t), NULL));
	assert_int_equal(array.items[0], 7);
	assert_false(
		ic_array_grow((void **)&array.items, &array.capacity, 100, SIZE_MAX / 2, NULL));
	assert_int_equal(array.items[0], 7);
	IC_ARRAY_FREE(&array);
}

TEST(items_that_no_memory_can_hold_are_refused)
{
	assert_null(ic_items_alloc(UINT64_MAX / 8 + 2, 8)); // 8 bytes, if cut off
	free(ic_items_alloc(3, 8));
	assert_null(ic_items_zeroed(UINT64_MAX / 8 + 2, 8));
	if (SIZE_MAX < UINT64_MAX) // none, if cut off
		assert_null(ic_items_zeroed(SIZE_MAX + UINT64_C(1), 8));
	uint64_t *zeroed = ic_items_zeroed(3, 8);
	assert_int_equal(zeroed[0] | zeroed[1] | zeroed[2], 0);
	free(zeroed);
}

UNIT_TESTS(base_array)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_pushed_stays_in_order),
		cmocka_unit_test(room_can_be_made_before_it_is_needed),
		cmocka_unit_test(an_array_grows_by_half_at_least),
		cmocka_unit_test(a_count_that_does_not_fit_is_refused_and_changes_nothing),
		cmocka_unit_test(items_that_no_memory_can_hold_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
