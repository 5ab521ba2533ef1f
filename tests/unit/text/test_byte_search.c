#include "unit_test.h"

#include <stdlib.h>

#include "text/byte_search.h"

enum { SIZE = 5000 };

struct hits {
	uint32_t *counts; // by position
	size_t last;
	uint32_t left; // that are wanted
};

static bool count_hit(const struct ic_needle *needle, size_t position, void *context)
{
	struct hits *hits = context;

	assert_true(needle->size > 0);
	assert_true(position >= hits->last);
	hits->last = position;
	hits->counts[position]++;
	return --hits->left > 0;
}

// How many needles begin at each position, by the search or by comparing all.
static void search(const struct ic_byte_search *search, struct ic_bytes bytes, size_t start,
		   size_t end, uint32_t *counts)
{
	struct hits hits = { counts, 0, UINT32_MAX };

	memset(counts, 0, SIZE * sizeof(*counts));
	ic_byte_search_run(search, bytes, start, end, count_hit, &hits);
}

static void compare(const struct ic_byte_search *search, struct ic_bytes bytes, size_t start,
		    size_t end, uint32_t *counts)
{
	memset(counts, 0, SIZE * sizeof(*counts));
	for (size_t i = start; i < end; i++)
		for (uint32_t j = 0; j < search->needles.count; j++) {
			const struct ic_needle *needle = &search->needles.items[j];
			counts[i] += needle->size <= bytes.size - i &&
				     memcmp(bytes.data + i, needle->bytes, needle->size) == 0;
		}
}

static void check(const struct ic_byte_search *needles, struct ic_bytes bytes, size_t start,
		  size_t end)
{
	static uint32_t found[SIZE], expected[SIZE];

	search(needles, bytes, start, end, found);
	compare(needles, bytes, start, end, expected);
	assert_memory_equal(found, expected, sizeof(found));
}

// Of few letters, so that much is found.
static void fill(uint8_t *bytes, size_t size, unsigned letters)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)((unsigned)rand() % letters * 37);
}

TEST(every_needle_is_found_at_every_position)
{
	static uint8_t bytes[SIZE];

	srand(1);
	for (uint32_t count = 1; count <= 300; count += count < 12 ? 1 : 96) {
		struct ic_byte_search needles = { .needles = { 0 } };
		fill(bytes, SIZE, count < 12 ? 3 : 7);
		for (uint32_t i = 0; i < count; i++) {
			struct ic_needle needle = { .size = (uint8_t)(1 + i % 4), .of = i };
			memcpy(needle.bytes, bytes + (unsigned)rand() % (SIZE - 4), needle.size);
			assert_true(ic_byte_search_add(&needles, needle));
		}
		ic_byte_search_prepare(&needles);
		check(&needles, (struct ic_bytes){ bytes, SIZE }, 0, SIZE);
		ic_byte_search_free(&needles);
	}
}

TEST(a_part_is_searched_as_the_whole_is)
{
	static uint8_t bytes[SIZE];
	struct ic_byte_search needles = { .needles = { 0 } };

	srand(2);
	fill(bytes, SIZE, 2);
	for (uint8_t size = 2; size <= 4; size++) {
		struct ic_needle needle = { .size = size };
		memcpy(needle.bytes, bytes + 100, size);
		assert_true(ic_byte_search_add(&needles, needle));
	}
	ic_byte_search_prepare(&needles);
	for (size_t size = 0; size < 70; size++)
		for (size_t start = 0; start <= size; start++)
			for (size_t end = start; end <= size; end++)
				check(&needles, (struct ic_bytes){ bytes, size }, start, end);
	ic_byte_search_free(&needles);
}

TEST(a_search_can_be_stopped_at_each_hit)
{
	static uint8_t bytes[SIZE];
	static uint32_t counts[SIZE];
	struct ic_byte_search needles = { .needles = { 0 } };

	srand(3);
	fill(bytes, SIZE, 4);
	for (uint8_t size = 2; size <= 3; size++) {
		struct ic_needle needle = { .size = size };
		memcpy(needle.bytes, bytes + 100, size);
		assert_true(ic_byte_search_add(&needles, needle));
	}
	ic_byte_search_prepare(&needles);
	for (uint32_t wanted = 1; wanted <= 100; wanted++) {
		struct hits hits = { counts, 0, wanted };
		uint32_t found = 0;
		memset(counts, 0, sizeof(counts));
		ic_byte_search_run(&needles, (struct ic_bytes){ bytes, SIZE }, 0, SIZE, count_hit,
				   &hits);
		for (size_t i = 0; i < SIZE; i++)
			found += counts[i];
		assert_int_equal(found, wanted);
	}
	ic_byte_search_free(&needles);
}

TEST(without_needles_nothing_is_found)
{
	const uint8_t bytes[64] = { 0 };
	struct ic_byte_search needles = { .needles = { 0 } };

	ic_byte_search_prepare(&needles);
	check(&needles, (struct ic_bytes){ bytes, 64 }, 0, 64);
}

UNIT_TESTS(text_byte_search)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_needle_is_found_at_every_position),
		cmocka_unit_test(a_part_is_searched_as_the_whole_is),
		cmocka_unit_test(a_search_can_be_stopped_at_each_hit),
		cmocka_unit_test(without_needles_nothing_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
