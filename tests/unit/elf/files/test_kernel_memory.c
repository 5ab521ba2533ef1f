// Page tables in a dump that is made up: tables at the start of physical memory, one a page.
#include "unit_test.h"

#include <elf.h>

#include "core_builder.h"
#include "elf/files/kernel_memory.h"
#include "fixtures/elf.h"

enum { PAGE = 0x1000, PAGES = 8, PRESENT = 1, LARGE = 0x80, MEMORY = 0x100000 };

static const uint64_t kernel = 0xffffffff81000000;

struct world {
	struct byte_buffer physical;
	struct ic_core_file core;
};

static void put_entry(struct world *world, unsigned page, unsigned index, uint64_t entry)
{
	byte_buffer_patch(&world->physical, page * PAGE + index * 8, entry, 8);
}

// Of `kernel`: pages 1 to 4 of memory are the tables, from the top. The code is a large page of 2
// MiB from MEMORY * 2 on, the next 4 KiB are page 5, and the next 1 GiB is a large page too.
static void begin(struct world *world)
{
	*world = (struct world){ .physical = { .data = NULL } };
	byte_buffer_fill(&world->physical, 0, PAGES * PAGE);
	put_entry(world, 1, 511, 2 * PAGE | PRESENT);
	put_entry(world, 2, 510, 3 * PAGE | PRESENT);
	put_entry(world, 2, 511, 0x40000000 | PRESENT | LARGE | PAGE); // a bit with another meaning
	put_entry(world, 3, 8, 2 * MEMORY | PRESENT | LARGE);
	put_entry(world, 3, 9, 4 * PAGE | PRESENT);
	put_entry(world, 4, 0, 5 * PAGE | PRESENT | 1ull << 63);
	memcpy(world->physical.data + 5 * PAGE, "page", 4);
	memcpy(world->physical.data + 6 * PAGE - 2, "en", 2);
}

static void open_world(struct world *world)
{
	static const uint64_t addrs[] = { 0, 2 * MEMORY, 0x40000000 };
	const struct core_segment segments[] = {
		{ 0, PAGES * PAGE, byte_buffer_view(&world->physical), PF_R },
		{ kernel + 0x300000, 8, { (const uint8_t *)"largemem", 8 }, PF_R },
		{ 0, 5, { (const uint8_t *)"giant", 5 }, PF_R },
	};
	struct core_file file = {
		.machine = EM_X86_64, .segments = segments, .segment_count = 3, .physical = addrs
	};
	struct byte_buffer bytes = core_build(&file);
	struct ic_error err;

	temp_write(temp_path("vmcore"), bytes.data, bytes.size);
	byte_buffer_deinit(&bytes);
	byte_buffer_deinit(&world->physical);
	if (!ic_core_file_open(&world->core, temp_path("vmcore"), 0, &err))
		fail_msg("%s", err.message);
}

static const struct ic_kernel_memory four = { .root = PAGE, .levels = 4 };

static bool can_read(const struct world *world, uint64_t addr, size_t size)
{
	uint8_t bytes[64];

	return ic_kernel_memory_read(&world->core, &four, addr, bytes, size);
}

TEST(pages_of_each_size_are_found)
{
	struct world world;
	char text[8];
	uint64_t physical, size;

	begin(&world);
	open_world(&world);
	assert_true(ic_kernel_memory_read(&world.core, &four, kernel, text, 8));
	assert_memory_equal(text, "largemem", 8);
	assert_true(ic_kernel_memory_read(&world.core, &four, kernel + 0x200000, text, 4));
	assert_memory_equal(text, "page", 4);
	assert_true(ic_kernel_memory_translate(&world.core, &four, kernel + 0x200ffe, &physical,
					       &size));
	assert_true(physical == 5 * PAGE + 0xffe && size == 2);
	assert_true(ic_kernel_memory_read(&world.core, &four, 0xffffffffc0000000, text, 5));
	assert_memory_equal(text, "giant", 5);
	ic_core_file_close(&world.core);
}

TEST(what_is_not_mapped_is_not_read)
{
	struct world world;

	begin(&world);
	open_world(&world);
	assert_true(can_read(&world, kernel + 0x200ffe, 2));
	assert_false(can_read(&world, kernel + 0x200ffe, 3));  // the next page is not there
	assert_false(can_read(&world, kernel + 8, 1));         // is not in the dump
	assert_false(can_read(&world, 0, 1));                  // although a segment has it
	assert_true(can_read(&world, kernel + 0x300000, 8));   // in no table, but in a segment
	assert_false(can_read(&world, 0x0000ffffffffffff, 1)); // not canonical
	assert_false(can_read(&world, 0xfffe00007fffffff << 8, 1));
	ic_core_file_close(&world.core);
}

TEST(five_levels_begin_with_another_table)
{
	const struct ic_kernel_memory five = { .root = 6 * PAGE, .levels = 5 };
	struct world world;
	char text[4];

	begin(&world);
	put_entry(&world, 6, 511, PAGE | PRESENT);
	open_world(&world);
	assert_true(ic_kernel_memory_read(&world.core, &five, kernel + 0x200000, text, 4));
	assert_memory_equal(text, "page", 4);
	ic_core_file_close(&world.core);
}

TEST(bits_of_encryption_are_no_address)
{
	const struct ic_kernel_memory encrypted = { PAGE, 4, 1ull << 47 };
	struct world world;
	char text[4];

	begin(&world);
	put_entry(&world, 4, 0, 5 * PAGE | PRESENT | 1ull << 47);
	open_world(&world);
	assert_true(ic_kernel_memory_read(&world.core, &encrypted, kernel + 0x200000, text, 4));
	assert_false(can_read(&world, kernel + 0x200000, 4));
	ic_core_file_close(&world.core);
}

TEST(tables_may_point_anywhere)
{
	static const uint64_t entries[] = { 0, PRESENT | LARGE | PAGE, UINT64_MAX, PAGE | PRESENT,
					    0x7000000 | PRESENT };
	struct world world;

	for (size_t i = 0; i < COUNT_OF(entries); i++) {
		begin(&world);
		put_entry(&world, 1, 511, entries[i]);
		open_world(&world);
		assert_false(can_read(&world, kernel, 8));
		ic_core_file_close(&world.core);
	}
	begin(&world);
	open_world(&world);
	const struct ic_kernel_memory nowhere = { .root = UINT64_MAX, .levels = 4 };
	const struct ic_kernel_memory unknown = { .levels = 0 };
	uint8_t byte;
	assert_false(ic_kernel_memory_read(&world.core, &nowhere, kernel, &byte, 1));
	assert_false(ic_kernel_memory_read(&world.core, &unknown, kernel, &byte, 1));
	ic_core_file_close(&world.core);
}

UNIT_TESTS(elf_files_kernel_memory)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_of_each_size_are_found),
		cmocka_unit_test(what_is_not_mapped_is_not_read),
		cmocka_unit_test(five_levels_begin_with_another_table),
		cmocka_unit_test(bits_of_encryption_are_no_address),
		cmocka_unit_test(tables_may_point_anywhere),
	};
	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
