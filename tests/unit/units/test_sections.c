#include "unit_test.h"

#include <stdlib.h>

#include "base/workers.h"
#include "debug/file.h"

#include "fixtures/elf.h"

enum { SIZE = 4 << 20 };

// A file whose .debug_str is out of proportion: empty strings, and a last one that may have no end.
static void open_file(struct ic_elf_file *file, char last)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	uint8_t *strings = calloc(1, SIZE);
	const struct elf_section sections[] = {
		{ .name = ".debug_info", .bytes = { (const uint8_t *)"info", 4 } },
		{ .name = ".debug_abbrev", .bytes = { (const uint8_t *)"abbrev", 6 } },
		{ .name = ".debug_str",
		  .bytes = { strings, SIZE },
		  .compression = ELF_COMPRESSION_ZSTD },
	};

	assert_non_null(strings);
	strings[SIZE - 1] = (uint8_t)last;
	for (size_t i = 0; i < COUNT_OF(sections); i++)
		elf_add_section(elf, sections[i]);
	elf_end_and_open(file, elf);
	free(strings);
}

static struct ic_dwarf *load(struct ic_dwarf_file *loaded, struct ic_elf_file *file)
{
	struct ic_error err;

	if (!ic_dwarf_file_load(loaded, file, IC_DWARF_FILE_MAIN, 1, &err))
		fail_msg("%s", err.message);
	return loaded->dwarfs;
}

static void close_file(struct ic_dwarf_file *loaded, struct ic_elf_file *file)
{
	ic_dwarf_file_unload(loaded);
	ic_elf_file_close(file);
}

TEST(a_section_out_of_proportion_is_decompressed_when_it_is_asked_for)
{
	struct ic_memory memory = { .fixed = 2 * SIZE };
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;
	struct ic_bytes bytes, again;
	struct ic_error err;

	open_file(&file, 'a');
	file.memory = &memory;
	const struct ic_dwarf *dwarf = load(&loaded, &file);
	assert_null(dwarf->str.data);
	assert_int_equal(dwarf->str.size, SIZE);
	assert_int_equal(memory.used, 0);
	assert_true(ic_dwarf_section(dwarf, &dwarf->str, &bytes, &err));
	assert_int_equal(bytes.size, SIZE - 1); // up to the last string that has an end
	assert_int_equal(bytes.data[SIZE - 2], 0);
	assert_int_equal(memory.used, SIZE);
	assert_true(ic_dwarf_section(dwarf, &dwarf->str, &again, &err));
	assert_ptr_equal(again.data, bytes.data);
	assert_false(dwarf->loader->has_failed(dwarf->loader));
	close_file(&loaded, &file);
	assert_int_equal(memory.used, 0);
}

TEST(what_is_readable_anyway_is_what_it_is)
{
	const struct ic_dwarf dwarf = { .str = BYTES(1, 2, 3) };
	struct ic_bytes bytes;
	struct ic_error err;

	assert_true(ic_dwarf_section(&dwarf, &dwarf.str, &bytes, &err));
	assert_ptr_equal(bytes.data, dwarf.str.data);
	assert_true(ic_dwarf_section(&dwarf, &dwarf.line, &bytes, &err));
	assert_int_equal(bytes.size, 0);
}

TEST(what_cannot_be_read_is_reported_to_each_once)
{
	struct ic_memory memory = { .fixed = SIZE - 1 };
	struct ic_arena arena = { .blocks = NULL };
	struct ic_problems problems = { .arena = &arena };
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;
	struct ic_bytes bytes;
	struct ic_error err;
	uint64_t reported = 0, to_other = 0;

	open_file(&file, 0);
	file.memory = &memory;
	const struct ic_dwarf *dwarf = load(&loaded, &file);
	dwarf->loader->report(dwarf->loader, &reported, &problems);
	assert_int_equal(problems.list.count, 0); // nothing has used it
	for (int i = 0; i < 3; i++) {
		assert_false(ic_dwarf_section(dwarf, &dwarf->str, &bytes, &err));
		assert_int_equal(bytes.size, 0);
		assert_true(ic_dwarf_is_reported(dwarf, &err));
		assert_true(dwarf->loader->has_failed(dwarf->loader));
		dwarf->loader->report(dwarf->loader, &reported, &problems);
		assert_int_equal(problems.list.count, 1);
	}
	assert_string_equal(problems.list.items[0].message,
			    ".debug_str takes 4 MiB of memory when decompressed, which exceeds the "
			    "memory limit of 3.9 MiB; its contents are left out");
	dwarf->loader->report(dwarf->loader, &to_other, &problems);
	assert_int_equal(problems.list.count, 2);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
	close_file(&loaded, &file);
}

struct readers {
	const struct ic_dwarf *dwarf;
	const uint8_t *data[64]; // by item
};

static void read_some(struct ic_items *items, uint32_t worker, void *context)
{
	struct readers *readers = context;
	struct ic_bytes bytes;
	struct ic_error err;
	(void)worker;

	for (uint32_t i; ic_items_take(items, &i);)
		if (ic_dwarf_section(readers->dwarf, &readers->dwarf->str, &bytes, &err) &&
		    bytes.size == SIZE && bytes.data[i] == 0)
			readers->data[i] = bytes.data;
}

TEST(many_threads_may_ask_for_a_section_at_once)
{
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;

	open_file(&file, 0);
	struct readers readers = { .dwarf = load(&loaded, &file) };
	ic_workers_run(8, COUNT_OF(readers.data), read_some, &readers);
	assert_non_null(readers.data[0]);
	for (size_t i = 0; i < COUNT_OF(readers.data); i++)
		assert_ptr_equal(readers.data[i], readers.data[0]);
	close_file(&loaded, &file);
}

UNIT_TESTS(units_sections)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_section_out_of_proportion_is_decompressed_when_it_is_asked_for),
		cmocka_unit_test(what_is_readable_anyway_is_what_it_is),
		cmocka_unit_test(what_cannot_be_read_is_reported_to_each_once),
		cmocka_unit_test(many_threads_may_ask_for_a_section_at_once),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
