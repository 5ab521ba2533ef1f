#include "base/segments.h"

#include "unit_test.h"

enum { MOST_LAYERS = 24 };

// The addresses that random ranges begin and end at: the lowest there are, and the highest.
enum { PLACES = 40 };

static uint64_t place(uint32_t number)
{
	return number < PLACES / 2 ? number : UINT64_MAX - (PLACES - 1 - number);
}

static uint32_t random_below(uint32_t *state, uint32_t most)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % most;
}

// The owner of the top layer, by looking at every layer.
static uint32_t owner_at(const struct ic_layer *layers, uint32_t count, uint64_t addr)
{
	const struct ic_layer *front = NULL;

	for (uint32_t i = 0; i < count; i++)
		if (layers[i].range.start <= addr && addr < layers[i].range.end &&
		    (!front || layers[i].rank < front->rank ||
		     (layers[i].rank == front->rank && layers[i].owner < front->owner)))
			front = &layers[i];
	return front ? front->owner : IC_NONE;
}

// Whether two of them have the same address.
static bool overlap(const struct ic_layer *layers, uint32_t count)
{
	for (uint32_t i = 0; i < PLACES; i++) {
		uint32_t holding = 0;
		for (uint32_t j = 0; j < count; j++)
			holding += layers[j].range.start <= place(i) &&
				   place(i) < layers[j].range.end;
		if (holding > 1)
			return true;
	}
	return false;
}

static void check_order(const struct ic_segments *segments)
{
	for (uint32_t i = 1; i < segments->count; i++) {
		assert_true(segments->items[i - 1].start < segments->items[i].start);
		assert_true(segments->items[i - 1].owner != segments->items[i].owner);
	}
	if (segments->count > 0) {
		assert_true(segments->items[0].owner != IC_NONE);
		assert_int_equal(segments->items[segments->count - 1].owner, IC_NONE);
	}
}

// Builds the segments, and checks every place.
static void check(const struct ic_layer *layers, uint32_t count)
{
	struct ic_arena arena = { .blocks = NULL };
	struct ic_segments segments;

	assert_true(ic_segments_build(&segments, layers, count, &arena));
	check_order(&segments);
	assert_int_equal(segments.overlapping, overlap(layers, count));
	for (uint32_t i = 0; i < PLACES; i++)
		assert_int_equal(ic_segments_find(&segments, place(i)),
				 owner_at(layers, count, place(i)));
	for (uint32_t i = 0; i + 1 < PLACES; i++)
		if (place(i) + 1 == place(i + 1) && place(i + 1) < UINT64_MAX)
			assert_int_equal(ic_segments_end(&segments, place(i)) > place(i + 1),
					 owner_at(layers, count, place(i)) ==
						 owner_at(layers, count, place(i + 1)));
	ic_arena_free(&arena);
}

// Layers of ranges with this chance of ten to be empty or inverted, of few owners or many, some of
// which have the same rank.
static void check_random(uint32_t *state, uint32_t odd, uint32_t owners, uint32_t ties)
{
	struct ic_layer layers[MOST_LAYERS];
	// If there are few, they may not overlap.
	uint32_t count = random_below(state, owners < 10 ? 4 : MOST_LAYERS + 1);
	uint32_t ranks[MOST_LAYERS];

	for (uint32_t i = 0; i < count; i++) { // a permutation
		uint32_t other = random_below(state, i + 1);
		ranks[i] = ranks[other];
		ranks[other] = i;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t start = random_below(state, PLACES), end = random_below(state, PLACES);
		if (start > end && random_below(state, 10) >= odd) {
			uint32_t swapped = start;
			start = end;
			end = swapped;
		}
		layers[i] = (struct ic_layer){ .range = { place(start), place(end) },
					       .rank = (uint64_t)ranks[i] / ties << 32,
					       .owner = random_below(state, owners) };
	}
	check(layers, count);
}

TEST(at_every_address_the_layer_of_the_lowest_rank_and_owner_is_in_front)
{
	uint32_t seed = 1;

	for (uint32_t i = 0; i < 20000; i++)
		check_random(&seed, i % 4 == 0 ? 10 : 0, i & 1 ? 3 : 1000, 1 + i % 3);
}

TEST(nested_layers_come_to_the_fore_again_where_those_on_top_end)
{
	struct ic_layer layers[] = {
		{ { 0x1000, 0x1100 }, 9, 0 },
		{ { 0x1010, 0x1080 }, 8, 1 },
		{ { 0x1010, 0x1020 }, 7, 2 }, // begins with the one around it
		{ { 0x1060, 0x1080 }, 6, 3 }, // ends with it
	};
	const struct ic_segment wanted[] = {
		{ 0x1000, 0 }, { 0x1010, 2 }, { 0x1020, 1 },
		{ 0x1060, 3 }, { 0x1080, 0 }, { 0x1100, IC_NONE },
	};
	struct ic_arena arena = { .blocks = NULL };
	struct ic_segments segments;

	assert_true(ic_segments_build(&segments, layers, COUNT_OF(layers), &arena));
	assert_int_equal(segments.count, COUNT_OF(wanted));
	for (uint32_t i = 0; i < segments.count; i++) {
		assert_int_equal(segments.items[i].start, wanted[i].start);
		assert_int_equal(segments.items[i].owner, wanted[i].owner);
	}
	ic_arena_free(&arena);
}

TEST(neighbours_of_one_owner_are_one_segment)
{
	struct ic_layer layers[] = { { { 5, 7 }, 1, 4 }, { { 3, 5 }, 2, 4 }, { { 3, 9 }, 3, 4 } };
	struct ic_arena arena = { .blocks = NULL };
	struct ic_segments segments;

	assert_true(ic_segments_build(&segments, layers, COUNT_OF(layers), &arena));
	assert_int_equal(segments.count, 2);
	assert_int_equal(segments.items[0].start, 3);
	assert_int_equal(segments.items[1].start, 9);
	ic_arena_free(&arena);
}

TEST(empty_and_inverted_ranges_count_for_nothing)
{
	struct ic_layer layers[] = { { { 5, 5 }, 1, 1 }, { { 9, 3 }, 2, 2 }, { { 4, 6 }, 3, 3 } };
	struct ic_layer none[] = { { { 5, 5 }, 1, 1 }, { { 9, 3 }, 2, 2 } };
	struct ic_arena arena = { .blocks = NULL };
	struct ic_segments segments;

	check(layers, COUNT_OF(layers));
	assert_true(ic_segments_build(&segments, none, COUNT_OF(none), &arena));
	assert_int_equal(segments.count, 0);
	assert_int_equal(ic_segments_find(&segments, 5), IC_NONE);
	assert_true(ic_segments_build(&segments, NULL, 0, &arena));
	assert_non_null(segments.items);
	assert_int_equal(ic_segments_find(&segments, 0), IC_NONE);
	assert_int_equal(ic_segments_find(&segments, UINT64_MAX), IC_NONE);
	ic_arena_free(&arena);
}

TEST(a_range_may_reach_to_the_last_address)
{
	struct ic_layer layers[] = { { { 0, UINT64_MAX }, 2, 1 },
				     { { UINT64_MAX - 2, UINT64_MAX }, 1, 2 } };

	check(layers, COUNT_OF(layers));
}

UNIT_TESTS(base_segments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			at_every_address_the_layer_of_the_lowest_rank_and_owner_is_in_front),
		cmocka_unit_test(nested_layers_come_to_the_fore_again_where_those_on_top_end),
		cmocka_unit_test(neighbours_of_one_owner_are_one_segment),
		cmocka_unit_test(empty_and_inverted_ranges_count_for_nothing),
		cmocka_unit_test(a_range_may_reach_to_the_last_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
