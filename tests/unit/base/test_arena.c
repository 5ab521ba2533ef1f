#include "unit_test.h"

#include "base/arena.h"

TEST(what_is_allocated_is_aligned_and_apart)
{
	struct ic_arena arena = { 0 };
	uint8_t *places[64];

	for (size_t i = 0; i < COUNT_OF(places); i++) {
		places[i] = ic_arena_alloc(&arena, i);
		assert_non_null(places[i]);
		assert_int_equal((uintptr_t)places[i] % 8, 0);
		memset(places[i], (int)i, i);
	}
	for (size_t i = 0; i < COUNT_OF(places); i++)
		for (size_t j = 0; j < i; j++)
			assert_int_equal(places[i][j], i);
	ic_arena_free(&arena);
}

TEST(an_arena_gives_more_than_its_largest_block)
{
	struct ic_arena arena = { 0 };

	for (size_t size = 1; size < 8u << 20; size *= 3) {
		uint8_t *place = ic_arena_alloc(&arena, size);
		assert_non_null(place);
		place[0] = place[size - 1] = 1;
	}
	ic_arena_free(&arena);
	assert_null(arena.blocks);
}

TEST(a_size_that_cannot_be_is_refused)
{
	struct ic_arena arena = { 0 };

	assert_null(ic_arena_alloc(&arena, SIZE_MAX));
	assert_null(ic_arena_alloc(&arena, SIZE_MAX - 7));
	assert_null(ic_arena_copy(&arena, "", SIZE_MAX / 2, 3));
	assert_null(ic_arena_items(&arena, UINT64_C(1) << 61, 24));
	if (SIZE_MAX < UINT64_MAX)
		assert_null(ic_arena_items(&arena, SIZE_MAX + UINT64_C(1), 1));
	assert_non_null(ic_arena_alloc(&arena, 1));
	ic_arena_free(&arena);
}

TEST(a_copy_of_nothing_is_not_null)
{
	struct ic_arena arena = { 0 };
	const uint32_t numbers[] = { 1, 2, 3 };

	assert_non_null(ic_arena_copy(&arena, NULL, 0, sizeof(uint32_t)));
	uint32_t *copy = ic_arena_copy(&arena, numbers, 3, sizeof(*numbers));
	assert_memory_equal(copy, numbers, sizeof(numbers));
	ic_arena_free(&arena);
}

TEST(an_adopted_arena_keeps_what_it_gave_and_is_empty)
{
	struct ic_arena all = { 0 }, some = { 0 };
	char *first = ic_arena_copy(&all, "first", 6, 1);
	char *second = ic_arena_copy(&some, "second", 7, 1);

	ic_arena_alloc(&some, 1 << 20); // a second block
	ic_arena_adopt(&all, &some);
	assert_null(some.blocks);
	assert_null(some.pos);
	ic_arena_free(&some); // nothing of it is left to free
	char *third = ic_arena_copy(&all, "third", 6, 1);
	assert_string_equal(first, "first");
	assert_string_equal(second, "second");
	assert_string_equal(third, "third");
	ic_arena_free(&all);
}

TEST(an_empty_arena_can_be_adopted_and_can_adopt)
{
	struct ic_arena all = { 0 }, some = { 0 }, none = { 0 };
	char *text = ic_arena_copy(&some, "text", 5, 1);

	ic_arena_adopt(&all, &none);
	ic_arena_adopt(&all, &some);
	ic_arena_adopt(&all, &none);
	assert_string_equal(text, "text");
	assert_non_null(ic_arena_alloc(&all, 8));
	ic_arena_free(&all);
}

UNIT_TESTS(base_arena)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_allocated_is_aligned_and_apart),
		cmocka_unit_test(an_arena_gives_more_than_its_largest_block),
		cmocka_unit_test(a_size_that_cannot_be_is_refused),
		cmocka_unit_test(a_copy_of_nothing_is_not_null),
		cmocka_unit_test(an_adopted_arena_keeps_what_it_gave_and_is_empty),
		cmocka_unit_test(an_empty_arena_can_be_adopted_and_can_adopt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
