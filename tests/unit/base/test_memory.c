#include "unit_test.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/memory.h"

TEST(a_fixed_limit_holds_to_the_byte)
{
	struct ic_memory memory = { .fixed = 100 };

	assert_true(ic_memory_take(&memory, 60));
	assert_true(ic_memory_has(&memory, 40));
	assert_false(ic_memory_has(&memory, 41));
	assert_false(memory.is_exceeded);
	assert_false(ic_memory_take(&memory, 41));
	assert_true(memory.is_exceeded);
	assert_true(ic_memory_take(&memory, 40)); // what was refused is not counted
	assert_false(ic_memory_take(&memory, UINT64_MAX));
	ic_memory_release(&memory, 100);
	assert_true(ic_memory_take(&memory, 100));
}

TEST(without_one_the_limit_grows_with_the_files)
{
	struct ic_memory memory = { .fixed = 0 };

	assert_int_equal(ic_memory_limit(&memory), IC_MEMORY_LEAST);
	ic_memory_add_file(&memory, IC_MEMORY_LEAST);
	assert_int_equal(ic_memory_limit(&memory), IC_MEMORY_PER_BYTE * IC_MEMORY_LEAST);
	ic_memory_add_file(&memory, 1ull << 62);
	assert_int_equal(ic_memory_limit(&memory), UINT64_MAX);
	ic_memory_remove_file(&memory, (1ull << 62) + IC_MEMORY_LEAST);
	assert_int_equal(ic_memory_limit(&memory), IC_MEMORY_LEAST);
}

TEST(nothing_is_refused_where_there_is_no_limit)
{
	assert_true(ic_memory_take(NULL, UINT64_MAX));
	assert_true(ic_memory_has(NULL, UINT64_MAX));
	ic_memory_release(NULL, 1);
	ic_memory_add_file(NULL, 1);
	ic_memory_remove_file(NULL, 1);
}

TEST(arrays_and_arenas_count_what_they_hold)
{
	struct ic_memory memory = { .fixed = 1 << 20 };
	IC_ARRAY(uint64_t) array = { .memory = &memory };
	struct ic_arena arena = { .memory = &memory }, other = { .memory = &memory };

	while (IC_ARRAY_PUSH(&array)) {}
	assert_in_range(array.count, 1 << 15, (1 << 20) / sizeof(uint64_t));
	assert_int_equal(memory.used, array.capacity * sizeof(uint64_t));
	IC_ARRAY_FREE(&array);
	assert_int_equal(memory.used, 0);

	memory.is_exceeded = false;
	assert_non_null(ic_arena_alloc(&other, 1000));
	while (ic_arena_alloc(&arena, 1000)) {}
	assert_true(memory.is_exceeded);
	assert_in_range(memory.used, 1 << 19, 1 << 20);
	ic_arena_adopt(&arena, &other);
	ic_arena_free(&arena);
	ic_arena_free(&other);
	assert_int_equal(memory.used, 0);
	assert_non_null(ic_arena_alloc(&arena, 1)); // it still counts against the limit
	assert_in_range(memory.used, 1, 1 << 20);
	ic_arena_free(&arena);
}

static void check_text(uint64_t size, const char *wanted)
{
	char text[IC_MEMORY_TEXT_SIZE];

	assert_string_equal(ic_memory_text(size, text), wanted);
}

TEST(sizes_are_written_as_people_read_them)
{
	check_text(0, "0 bytes");
	check_text(1023, "1023 bytes");
	check_text(1024, "1 KiB");
	check_text(1536, "1.5 KiB");
	check_text(256 << 20, "256 MiB");
	check_text(3ull << 30, "3 GiB");
	check_text(UINT64_MAX, "1677721.5 TiB");
}

UNIT_TESTS(base_memory)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fixed_limit_holds_to_the_byte),
		cmocka_unit_test(without_one_the_limit_grows_with_the_files),
		cmocka_unit_test(nothing_is_refused_where_there_is_no_limit),
		cmocka_unit_test(arrays_and_arenas_count_what_they_hold),
		cmocka_unit_test(sizes_are_written_as_people_read_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
