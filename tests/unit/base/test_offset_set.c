#include "unit_test.h"

#include <stdlib.h>

#include "base/offset_set.h"

enum { SIZE = 3000, LIMIT = 70000 };

// Compares each find with looking at one position after another.
static void check(const struct ic_offset_set *set, const bool *has, struct ic_bytes bytes,
		  bool swap, size_t start, size_t end)
{
	size_t found = start;

	for (size_t i = start; i < end; i++) {
		if (bytes.size < 4 || i > bytes.size - 4)
			continue;
		uint32_t number = ic_load32(bytes.data + i, swap);
		if (number >= LIMIT || !has[number])
			continue;
		assert_int_equal(ic_offset_set_find(set, bytes, swap, found, end), i);
		found = i + 1;
	}
	assert_int_equal(ic_offset_set_find(set, bytes, swap, found, end), end);
}

// Numbers below the limit are frequent.
static void fill(uint8_t *bytes)
{
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = rand() % 2 ? (uint8_t)rand() : 0;
}

TEST(each_number_is_found_at_each_position)
{
	static uint8_t bytes[SIZE];
	static bool has[LIMIT];
	struct ic_offset_set set = { .count = 0 };

	srand(1);
	for (uint32_t count = 0; count < 3000; count = count * 3 + 1) {
		memset(has, 0, sizeof(has));
		fill(bytes);
		assert_true(ic_offset_set_begin(&set, LIMIT));
		for (uint32_t i = 0; i < count; i++) {
			uint32_t number = (uint32_t)rand() % LIMIT;
			ic_offset_set_add(&set, number);
			has[number] = true;
		}
		for (int swap = 0; swap < 2; swap++)
			check(&set, has, (struct ic_bytes){ bytes, SIZE }, swap, 0, SIZE);
	}
	ic_offset_set_free(&set);
}

TEST(a_part_is_searched_as_the_whole_is)
{
	static uint8_t bytes[SIZE];
	static bool has[LIMIT];
	struct ic_offset_set set = { .count = 0 };

	assert_true(ic_offset_set_begin(&set, LIMIT));
	ic_offset_set_add(&set, 0);
	has[0] = true;
	for (size_t size = 0; size < 30; size++)
		for (size_t start = 0; start <= size; start++)
			for (size_t end = start; end <= size; end++)
				check(&set, has, (struct ic_bytes){ bytes, size }, false, start,
				      end);
	ic_offset_set_free(&set);
}

TEST(what_is_not_in_the_set_is_not_found)
{
	struct ic_offset_set set = { .count = 0 };

	assert_true(ic_offset_set_begin(&set, 1ull << 32));
	ic_offset_set_add(&set, 5);
	ic_offset_set_add(&set, 5);
	ic_offset_set_add(&set, UINT32_MAX);
	assert_int_equal(set.count, 2);
	assert_int_equal(set.few[0], 5);
	assert_int_equal(set.few[1], UINT32_MAX);
	for (uint64_t number = 0; number < 1ull << 32; number += 65521)
		assert_false(ic_offset_set_has(&set, (uint32_t)number));
	assert_true(ic_offset_set_has(&set, 5));
	assert_true(ic_offset_set_has(&set, UINT32_MAX));
	assert_true(ic_offset_set_begin(&set, 10)); // empty again
	assert_false(ic_offset_set_has(&set, 5));
	assert_false(ic_offset_set_has(&set, UINT32_MAX));
	ic_offset_set_free(&set);
}

UNIT_TESTS(base_offset_set)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_is_found_at_each_position),
		cmocka_unit_test(a_part_is_searched_as_the_whole_is),
		cmocka_unit_test(what_is_not_in_the_set_is_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
