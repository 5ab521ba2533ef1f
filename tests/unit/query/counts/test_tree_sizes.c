#include "unit_test.h"

#include <stdlib.h>

#include "query/counts/tree_sizes.h"

enum { ADDRESSES = 64, MOST_ITEMS = 12, MOST_RANGES = 24 };

static uint32_t random_below(uint32_t *seed, uint32_t bound)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % bound;
}

static bool is_inside(const struct ic_tree_item *items, uint32_t item, uint32_t around)
{
	while (item != IC_NONE && item != around)
		item = items[item].parent;
	return item == around;
}

// Compares with a look at every address.
static void check(const struct ic_tree_item *items, uint32_t item_count,
		  const struct ic_tree_range *ranges, uint32_t range_count)
{
	for (uint32_t i = 0; i < item_count; i++) {
		uint64_t size = 0, own_size = 0;

		for (uint64_t addr = 0; addr < ADDRESSES; addr++) {
			bool has = false, others = false;
			for (uint32_t j = 0; j < range_count; j++) {
				if (addr < ranges[j].range.start || addr >= ranges[j].range.end)
					continue;
				has |= ranges[j].item == i;
				others |= ranges[j].item != i &&
					  is_inside(items, ranges[j].item, i);
			}
			size += has || others;
			own_size += has && !others;
		}
		assert_int_equal(items[i].size, size);
		assert_int_equal(items[i].own_size, own_size);
	}
}

TEST(sizes_of_nested_ranges_add_up)
{
	struct ic_tree_item items[] = { { .parent = IC_NONE },
					{ .parent = 0 },
					{ .parent = 1 },
					{ .parent = 0 },
					{ .parent = IC_NONE } };
	const struct ic_tree_range ranges[] = { { { 0, 60 }, 0 },  { { 10, 20 }, 1 },
						{ { 30, 35 }, 1 }, { { 12, 15 }, 2 },
						{ { 40, 41 }, 3 }, { { 60, 64 }, 4 } };

	assert_true(ic_tree_sizes_count(items, 5, ranges, 6));
	assert_int_equal(items[0].size, 60);
	assert_int_equal(items[0].own_size, 44);
	assert_int_equal(items[1].size, 15);
	assert_int_equal(items[1].own_size, 12);
	assert_int_equal(items[2].size, 3);
	assert_int_equal(items[2].own_size, 3);
	assert_int_equal(items[3].size, 1);
	assert_int_equal(items[4].own_size, 4);
	check(items, 5, ranges, 6);
}

TEST(what_lies_outside_of_the_one_around_it_counts_there_too)
{
	struct ic_tree_item items[] = { { .parent = IC_NONE }, { .parent = 0 }, { .parent = 1 } };
	const struct ic_tree_range ranges[] = { { { 0, 10 }, 0 }, { { 50, 60 }, 2 } };

	assert_true(ic_tree_sizes_count(items, 3, ranges, 2));
	assert_int_equal(items[0].size, 20);
	assert_int_equal(items[0].own_size, 10);
	assert_int_equal(items[1].size, 10);
	assert_int_equal(items[1].own_size, 0);
	assert_int_equal(items[2].size, 10);
}

TEST(a_byte_that_several_claim_counts_once)
{
	struct ic_tree_item items[] = { { .parent = IC_NONE }, { .parent = 0 }, { .parent = 0 } };
	const struct ic_tree_range ranges[] = {
		{ { 0, 10 }, 0 }, { { 2, 6 }, 1 }, { { 3, 5 }, 1 }, { { 4, 8 }, 2 }
	};

	assert_true(ic_tree_sizes_count(items, 3, ranges, 4));
	assert_int_equal(items[0].size, 10);
	assert_int_equal(items[0].own_size, 4);
	assert_int_equal(items[1].own_size, 4);
	assert_int_equal(items[2].own_size, 4); // two of which are the other's as well
}

TEST(sizes_are_those_of_every_address_by_itself)
{
	struct ic_tree_item items[MOST_ITEMS];
	struct ic_tree_range ranges[MOST_RANGES];
	uint32_t seed = 7;

	for (int round = 0; round < 3000; round++) {
		uint32_t item_count = 1 + random_below(&seed, MOST_ITEMS);
		uint32_t range_count = random_below(&seed, MOST_RANGES + 1);
		uint32_t last = IC_NONE;

		for (uint32_t i = 0; i < item_count; i++) {
			uint32_t up = random_below(&seed, 3); // inside the last one, or beside it
			while (last != IC_NONE && up-- > 0)
				last = items[last].parent;
			items[i] = (struct ic_tree_item){ .parent = last };
			last = i;
		}
		for (uint32_t i = 0; i < range_count; i++) {
			uint32_t start = random_below(&seed, ADDRESSES);
			uint32_t size = 1 + random_below(&seed, ADDRESSES - start);
			ranges[i] = (struct ic_tree_range){ { start, start + size },
							    random_below(&seed, item_count) };
		}
		assert_true(ic_tree_sizes_count(items, item_count, ranges, range_count));
		check(items, item_count, ranges, range_count);
	}
}

TEST(no_nesting_is_too_deep)
{
	enum { DEEP = 200000 };
	struct ic_tree_item *items = calloc(DEEP, sizeof(*items));
	struct ic_tree_range *ranges = calloc(DEEP, sizeof(*ranges));

	assert_non_null(items);
	assert_non_null(ranges);
	for (uint32_t i = 0; i < DEEP; i++) {
		items[i].parent = i == 0 ? IC_NONE : i - 1;
		// Each around the next, and the last ones first.
		ranges[DEEP - 1 - i] = (struct ic_tree_range){ { i, 2 * DEEP - i }, i };
	}
	assert_true(ic_tree_sizes_count(items, DEEP, ranges, DEEP));
	assert_int_equal(items[0].size, 2 * DEEP);
	assert_int_equal(items[0].own_size, 2);
	assert_int_equal(items[DEEP - 1].size, 2);
	assert_int_equal(items[DEEP - 2].size, 4);
	free(items);
	free(ranges);
}

TEST(addresses_may_be_at_the_very_end)
{
	struct ic_tree_item items[] = { { .parent = IC_NONE }, { .parent = 0 } };
	const struct ic_tree_range ranges[] = { { { 0, UINT64_MAX }, 0 },
						{ { UINT64_MAX - 1, UINT64_MAX }, 1 } };

	assert_true(ic_tree_sizes_count(items, 2, ranges, 2));
	assert_true(items[0].size == UINT64_MAX);
	assert_true(items[0].own_size == UINT64_MAX - 1);
	assert_int_equal(items[1].size, 1);
	assert_true(ic_tree_sizes_count(NULL, 0, NULL, 0));
	assert_true(ic_tree_sizes_count(items, 2, NULL, 0));
	assert_int_equal(items[0].size, 0);
}

UNIT_TESTS(query_counts_tree_sizes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_of_nested_ranges_add_up),
		cmocka_unit_test(what_lies_outside_of_the_one_around_it_counts_there_too),
		cmocka_unit_test(a_byte_that_several_claim_counts_once),
		cmocka_unit_test(sizes_are_those_of_every_address_by_itself),
		cmocka_unit_test(no_nesting_is_too_deep),
		cmocka_unit_test(addresses_may_be_at_the_very_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
