#include "symbolize/unit_map.h"

#include "unit_test.h"

enum { MOST = 20, UNITS = 6, ADDRS = 48 };

static uint32_t random_below(uint32_t *seed, uint32_t most)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % most;
}

// Whether each unit claims each address.
struct claimed {
	bool by[UNITS][ADDRS];
};

static void claim(struct ic_claims *claims, struct claimed *claimed, uint64_t start, uint64_t end,
		  uint32_t unit)
{
	assert_true(ic_claims_add(claims, (struct ic_range){ start, end }, unit, unit));
	for (uint64_t addr = start; addr < end && addr < ADDRS; addr++)
		claimed->by[unit][addr] = true;
}

// Up to the end the units after the first one are the same.
static void check_end(const struct ic_unit_map *map, const struct claimed *claimed, uint64_t addr)
{
	uint64_t first_end = ic_segments_end(&map->segments, addr);
	uint64_t end = ic_unit_map_others_end(map, addr);

	assert_true(end > addr);
	for (uint64_t at = addr; at < end && at < first_end && at < ADDRS; at++)
		for (uint32_t unit = 0; unit < UNITS; unit++)
			assert_int_equal(claimed->by[unit][at], claimed->by[unit][addr]);
}

// Looks all units up at all addresses, as a lookup by address does.
static void check(const struct ic_unit_map *map, const struct claimed *claimed)
{
	for (uint64_t addr = 0; addr < ADDRS; addr++) {
		uint32_t found = ic_unit_map_find(map, addr, IC_NONE);
		for (uint32_t unit = 0; unit < UNITS; unit++) {
			if (!claimed->by[unit][addr])
				continue;
			assert_true(found < map->claim_count);
			assert_int_equal(map->claims[found].owner, unit);
			while (found != IC_NONE && map->claims[found].owner == unit)
				found = ic_unit_map_find(map, addr, found);
		}
		assert_int_equal(found, IC_NONE);
		check_end(map, claimed, addr);
	}
}

TEST(all_units_that_claim_an_address_are_found_in_their_order)
{
	uint32_t seed = 1;

	for (uint32_t i = 0; i < 3000; i++) {
		struct claimed claimed = { 0 };
		struct ic_claims claims = { .list = { NULL, 0, 0, NULL } };
		struct ic_arena arena = { .blocks = NULL };
		struct ic_unit_map map;

		for (uint32_t j = random_below(&seed, MOST); j > 0; j--) {
			uint64_t start = random_below(&seed, ADDRS);
			uint64_t end = start + random_below(&seed, i % 2 ? 20 : 4);
			claim(&claims, &claimed, start, end, random_below(&seed, UNITS));
		}
		assert_true(ic_unit_map_build(&map, &claims, &arena));
		ic_claims_free(&claims);
		check(&map, &claimed);
		ic_arena_free(&arena);
	}
}

TEST(units_that_touch_do_not_overlap)
{
	struct claimed claimed = { 0 };
	struct ic_claims claims = { .list = { NULL, 0, 0, NULL } };
	struct ic_arena arena = { .blocks = NULL };
	struct ic_unit_map map;

	claim(&claims, &claimed, 10, 20, 1);
	claim(&claims, &claimed, 0, 10, 2);
	claim(&claims, &claimed, 20, 30, 0);
	assert_true(ic_unit_map_build(&map, &claims, &arena));
	assert_false(map.segments.overlapping);
	assert_int_equal(map.shared.count, 0);
	check(&map, &claimed);
	claim(&claims, &claimed, 5, 6, 3);
	assert_true(ic_unit_map_build(&map, &claims, &arena));
	assert_true(map.segments.overlapping);
	assert_int_equal(map.shared.count, 1);
	assert_int_equal(map.shared.ranges[0].start, 5);
	assert_int_equal(map.shared.ranges[0].end, 6);
	check(&map, &claimed);
	ic_claims_free(&claims);
	ic_arena_free(&arena);
}

// Each unit is skipped once, not once for each of the others.
TEST(going_through_many_units_takes_little_time)
{
	enum { COUNT = 100000 };
	struct ic_claims claims = { .list = { NULL, 0, 0, NULL } };
	struct ic_arena arena = { .blocks = NULL };
	struct ic_unit_map map;
	uint32_t found = IC_NONE, times = 0;

	for (uint32_t i = 0; i < COUNT; i++)
		assert_true(ic_claims_add(&claims, (struct ic_range){ 5, 10 }, COUNT - 1 - i,
					  COUNT - 1 - i));
	assert_true(ic_unit_map_build(&map, &claims, &arena));
	for (; (found = ic_unit_map_find(&map, 7, found)) != IC_NONE; times++)
		assert_int_equal(found, times);
	assert_int_equal(times, COUNT);
	ic_claims_free(&claims);
	ic_arena_free(&arena);
}

TEST(a_map_of_no_claims_finds_nobody)
{
	struct ic_claims claims = { .list = { NULL, 0, 0, NULL } };
	struct ic_arena arena = { .blocks = NULL };
	struct ic_unit_map map;

	assert_true(ic_unit_map_build(&map, &claims, &arena));
	assert_int_equal(ic_unit_map_find(&map, 0, IC_NONE), IC_NONE);
	assert_int_equal(ic_unit_map_find(&map, UINT64_MAX, IC_NONE), IC_NONE);
	ic_arena_free(&arena);
}

UNIT_TESTS(symbolize_unit_map)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_units_that_claim_an_address_are_found_in_their_order),
		cmocka_unit_test(units_that_touch_do_not_overlap),
		cmocka_unit_test(going_through_many_units_takes_little_time),
		cmocka_unit_test(a_map_of_no_claims_finds_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
