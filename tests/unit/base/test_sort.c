#include "base/sort.h"

#include "unit_test.h"

#include <stdlib.h>

// Numbers are the places before: so equal keys must keep their order.
static void check_sorted(const struct ic_keyed *items, const struct ic_keyed *before,
			 uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		assert_true(items[i].number < count);
		assert_int_equal(items[i].key, before[items[i].number].key);
		if (i == 0)
			continue;
		assert_true(items[i - 1].key <= items[i].key);
		if (items[i - 1].key == items[i].key)
			assert_true(items[i - 1].number < items[i].number);
	}
}

static void check(const uint64_t *keys, uint32_t count)
{
	struct ic_keyed *items = calloc(count + 1, sizeof(*items));
	struct ic_keyed *before = calloc(count + 1, sizeof(*before));

	for (uint32_t i = 0; i < count; i++)
		before[i] = items[i] = (struct ic_keyed){ keys[i], i };
	items[count].key = 77;
	assert_true(ic_keyed_sort(items, count));
	check_sorted(items, before, count);
	assert_int_equal(items[count].key, 77); // nothing beyond them is touched
	free(items);
	free(before);
}

// A few items are sorted in another way than many.
enum { MANY = 5000 };

TEST(equal_keys_keep_their_order)
{
	uint64_t keys[MANY];

	for (uint32_t i = 0; i < MANY; i++)
		keys[i] = i * 7919 % 13;
	for (uint32_t count = 0; count <= 100; count++)
		check(keys, count);
	for (uint32_t count = 2000; count <= 2100; count++)
		check(keys, count);
	check(keys, MANY);
}

TEST(a_difference_in_any_bit_counts)
{
	uint64_t keys[MANY];

	for (unsigned bit = 0; bit < 64; bit++) {
		for (uint32_t i = 0; i < MANY; i++) // no other bit differs
			keys[i] = (i % 3 == 0 ? 1ull << bit : 0) ^ (bit & 1 ? UINT64_MAX : 0);
		check(keys, 4);
		check(keys, MANY);
		keys[2] ^= UINT64_MAX;
		check(keys, 4);
		check(keys, MANY);
	}
}

TEST(keys_of_all_sizes_are_sorted)
{
	uint64_t keys[MANY], seed = 1;

	for (unsigned bits = 1; bits <= 64; bits++) {
		for (uint32_t i = 0; i < MANY; i++) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			keys[i] = seed >> (64 - bits);
		}
		check(keys, 10 + bits);
		check(keys, 2048);
		check(keys, MANY);
	}
}

TEST(none_one_and_those_in_order_stay)
{
	const uint64_t keys[] = { 5, 6, UINT64_MAX };

	check(NULL, 0);
	check(keys, 1);
	check(keys, COUNT_OF(keys));
}

TEST(the_first_of_equal_keys_is_found)
{
	const struct ic_keyed items[] = { { 3, 0 }, { 5, 1 }, { 5, 2 }, { 5, 3 }, { 9, 4 } };
	const struct ic_keyed wanted[] = { { 0, 0 }, { 3, 0 }, { 4, 1 },         { 5, 1 },
					   { 6, 4 }, { 9, 4 }, { UINT64_MAX, 5 } };

	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		assert_int_equal(ic_keyed_find(items, COUNT_OF(items), wanted[i].key),
				 wanted[i].number);
	assert_int_equal(ic_keyed_find(items, 0, 3), 0);
}

UNIT_TESTS(base_sort)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_keys_keep_their_order),
		cmocka_unit_test(a_difference_in_any_bit_counts),
		cmocka_unit_test(keys_of_all_sizes_are_sorted),
		cmocka_unit_test(none_one_and_those_in_order_stay),
		cmocka_unit_test(the_first_of_equal_keys_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
