#include "unit_test.h"

#include "base/byte_pool.h"

TEST(equal_runs_have_one_number)
{
	struct ic_byte_pool pool = { .by_hash = { .slots = NULL } };

	assert_int_equal(ic_byte_pool_add(&pool, "", 0), 0);
	assert_int_equal(ic_byte_pool_add(&pool, "ab", 2), 1);
	assert_int_equal(ic_byte_pool_add(&pool, "ab\0", 3), 2);
	assert_int_equal(ic_byte_pool_add(&pool, "0123456789", 10), 3);
	assert_int_equal(ic_byte_pool_add(&pool, "0123456780", 10), 4);
	assert_int_equal(ic_byte_pool_add(&pool, "ab", 2), 1);
	assert_int_equal(ic_byte_pool_add(&pool, "", 0), 0);
	assert_int_equal(ic_byte_pool_add(&pool, "0123456789", 10), 3);
	assert_int_equal(pool.bytes.count, 25);
	assert_int_equal(ic_byte_pool_find(&pool, "0123456780", 10), 4);
	assert_int_equal(ic_byte_pool_find(&pool, "a", 1), IC_NONE);
	assert_int_equal(ic_byte_pool_get(&pool, 2).size, 3);
	assert_memory_equal(ic_byte_pool_get(&pool, 2).data, "ab\0", 3);
	ic_byte_pool_free(&pool);
}

TEST(many_runs_are_told_apart)
{
	struct ic_byte_pool pool = { .by_hash = { .slots = NULL } };

	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 10000; i++)
			assert_int_equal(ic_byte_pool_add(&pool, &i, sizeof(i)), i);
	assert_int_equal(pool.bytes.count, 40000);
	ic_byte_pool_free(&pool);
}

TEST(a_map_keeps_a_value_for_each_run)
{
	struct ic_byte_map map = { .keys = { .by_hash = { .slots = NULL } } };

	assert_int_equal(ic_byte_map_find(&map, "ab", 2), IC_NONE);
	assert_int_equal(*ic_byte_map_at(&map, "ab", 2), IC_NONE);
	*ic_byte_map_at(&map, "ab", 2) = 7;
	*ic_byte_map_at(&map, "a", 1) = 8;
	assert_int_equal(*ic_byte_map_at(&map, "ab", 2), 7);
	assert_int_equal(ic_byte_map_find(&map, "ab", 2), 7);
	assert_int_equal(ic_byte_map_find(&map, "a", 1), 8);
	assert_int_equal(ic_byte_map_find(&map, "b", 1), IC_NONE);
	ic_byte_map_free(&map);
}

UNIT_TESTS(base_byte_pool)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_runs_have_one_number),
		cmocka_unit_test(many_runs_are_told_apart),
		cmocka_unit_test(a_map_keeps_a_value_for_each_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
