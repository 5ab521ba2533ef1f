#include "unit_test.h"

#include "base/map.h"

TEST(a_new_key_has_no_value_and_an_old_one_keeps_its_own)
{
	struct ic_map map = { 0 };

	uint32_t *place = ic_map_at(&map, 77);
	assert_int_equal(*place, IC_NONE);
	*place = 5;
	assert_int_equal(*ic_map_at(&map, 77), 5);
	assert_int_equal(map.count, 1);
	*ic_map_at(&map, 0) = 6; // a key like another
	*ic_map_at(&map, UINT64_MAX) = 7;
	assert_int_equal(*ic_map_at(&map, 0), 6);
	assert_int_equal(*ic_map_at(&map, UINT64_MAX), 7);
	assert_int_equal(map.count, 3);
	ic_map_free(&map);
}

TEST(values_survive_that_the_map_grows)
{
	struct ic_map map = { 0 };

	for (uint64_t i = 0; i < 20000; i++)
		*ic_map_at(&map, i << 7 | 0x3) = (uint32_t)i; // offsets that share low bits
	assert_int_equal(map.count, 20000);
	for (uint64_t i = 0; i < 20000; i++)
		assert_int_equal(*ic_map_at(&map, i << 7 | 0x3), i);
	ic_map_free(&map);
}

TEST(a_cleared_map_is_empty_whatever_its_size)
{
	struct ic_map map = { 0 };

	ic_map_clear(&map); // before it was ever used
	for (uint64_t size = 1; size < 5000; size *= 7) {
		for (uint64_t i = 0; i < size; i++)
			*ic_map_at(&map, i) = (uint32_t)(i + size);
		ic_map_clear(&map);
		assert_int_equal(map.count, 0);
		for (uint64_t i = 0; i < size; i++) {
			uint32_t *place = ic_map_at(&map, i);
			assert_int_equal(*place, IC_NONE);
			*place = 1;
		}
		ic_map_clear(&map);
	}
	ic_map_free(&map);
	assert_null(map.slots);
}

TEST(what_is_not_in_a_map_is_not_found_and_not_added)
{
	struct ic_map map = { 0 };

	assert_null(ic_map_find(&map, 1)); // before it was ever used
	*ic_map_at(&map, 1) = 11;
	assert_int_equal(*ic_map_find(&map, 1), 11);
	assert_null(ic_map_find(&map, 2));
	assert_null(ic_map_find(&map, 0));
	assert_int_equal(map.count, 1);
	for (uint64_t i = 2; i < 1000; i++)
		*ic_map_at(&map, i) = (uint32_t)i;
	assert_int_equal(*ic_map_find(&map, 999), 999);
	assert_null(ic_map_find(&map, 1000));
	ic_map_clear(&map);
	assert_null(ic_map_find(&map, 1));
	ic_map_free(&map);
}

UNIT_TESTS(base_map)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_key_has_no_value_and_an_old_one_keeps_its_own),
		cmocka_unit_test(values_survive_that_the_map_grows),
		cmocka_unit_test(a_cleared_map_is_empty_whatever_its_size),
		cmocka_unit_test(what_is_not_in_a_map_is_not_found_and_not_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
