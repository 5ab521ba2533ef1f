#include "unit_test.h"

#include "debug/file.h"
#include "read/unit.h"
#include "tables/line_contexts.h"

#include "fixtures/elf.h"

static void add(struct elf_builder *elf, const char *name, const char *text, uint64_t flags)
{
	elf_add_section(elf,
			(struct elf_section){ .name = name,
					      .align = 1,
					      .flags = flags,
					      .bytes = { (const uint8_t *)text, strlen(text) } });
}

static void load(struct ic_dwarf_file *dwarf_file, struct ic_elf_file *file,
		 enum ic_dwarf_file_kind kind)
{
	struct ic_error err = { .message = "" };

	if (!ic_dwarf_file_load(dwarf_file, file, kind, 2, &err))
		fail_msg("%s", err.message);
}

#define assert_section(bytes, text)                                    \
	do {                                                           \
		assert_int_equal((bytes).size, strlen(text));          \
		assert_memory_equal((bytes).data, text, (bytes).size); \
	} while (0)

TEST(every_section_of_units_is_one_of_its_own)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;

	add(elf, ".debug_info", "group", SHF_GROUP);
	add(elf, ".debug_types", "types", SHF_GROUP);
	add(elf, ".debug_info", "info", 0);
	add(elf, ".debug_info.dwo", "split", 0);
	add(elf, ".debug_abbrev", "abbrev", 0);
	add(elf, ".debug_str", "str", 0);
	add(elf, ".debug_str.dwo", "split str", 0);
	add(elf, ".debug_info2", "no", 0);
	elf_end_and_open(&file, elf);
	load(&loaded, &file, IC_DWARF_FILE_MAIN);
	assert_int_equal(loaded.count, 3);
	assert_section(loaded.dwarfs[0].info, "group");
	assert_section(loaded.dwarfs[1].info, "types");
	assert_section(loaded.dwarfs[2].info, "info");
	for (uint32_t i = 0; i < 3; i++) {
		const struct ic_dwarf *dwarf = &loaded.dwarfs[i];
		assert_section(dwarf->abbrev, "abbrev");
		assert_section(dwarf->str, "str");
		assert_int_equal(dwarf->ranges.size, 0);
		assert_int_equal(dwarf->is_types, i == 1);
		assert_string_equal(dwarf->info_name, i == 1 ? ".debug_types" : ".debug_info");
		assert_false(dwarf->is_split || dwarf->is_supplementary);
		assert_null(dwarf->file);
		assert_ptr_equal(dwarf->source, &ic_unit_source_dies);
	}
	assert_null(loaded.sole); // of two
	ic_dwarf_file_free(&loaded);
	ic_elf_file_close(&file);
}

TEST(split_sections_are_those_of_their_own_names)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;

	add(elf, ".debug_info", "info", 0);
	add(elf, ".debug_info.dwo", "split", 0);
	add(elf, ".debug_types.dwo", "types", SHF_GROUP);
	add(elf, ".debug_abbrev", "no", 0);
	add(elf, ".debug_abbrev.dwo", "abbrev", 0);
	add(elf, ".debug_str.dwo", "str", 0);
	add(elf, ".debug_str_offsets.dwo", "offsets", 0);
	add(elf, ".debug_rnglists.dwo", "lists", 0);
	add(elf, ".debug_addr", "no", 0);
	elf_end_and_open(&file, elf);
	load(&loaded, &file, IC_DWARF_FILE_SPLIT);
	assert_int_equal(loaded.count, 2);
	assert_section(loaded.dwarfs[0].info, "split");
	assert_string_equal(loaded.dwarfs[0].info_name, ".debug_info.dwo");
	assert_section(loaded.dwarfs[0].abbrev, "abbrev");
	assert_section(loaded.dwarfs[0].str, "str");
	assert_section(loaded.dwarfs[0].str_offsets, "offsets");
	assert_section(loaded.dwarfs[0].rnglists, "lists");
	assert_int_equal(loaded.dwarfs[0].addr.size, 0); // which stay in the program
	assert_true(loaded.dwarfs[0].is_split);
	assert_string_equal(loaded.dwarfs[0].file, file.path);
	assert_true(loaded.dwarfs[1].is_types);
	ic_dwarf_file_free(&loaded);
	ic_elf_file_close(&file);
}

TEST(the_only_section_of_units_is_known)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;

	add(elf, ".debug_types", "types", 0);
	add(elf, ".debug_info", "info", 0);
	add(elf, ".debug_line", "lines", 0); // which belong to those units
	elf_end_and_open(&file, elf);
	load(&loaded, &file, IC_DWARF_FILE_MAIN);
	assert_int_equal(loaded.count, 2);
	assert_ptr_equal(loaded.sole, &loaded.dwarfs[1]);
	ic_dwarf_file_free(&loaded);
	ic_elf_file_close(&file);
}

TEST(line_tables_are_units_only_in_a_main_file_without_others)
{
	for (int kind = IC_DWARF_FILE_MAIN; kind <= IC_DWARF_FILE_SPLIT; kind++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		struct ic_dwarf_file loaded;
		struct ic_elf_file file;

		add(elf, ".debug_line", "lines", 0);
		elf_end_and_open(&file, elf);
		load(&loaded, &file, (enum ic_dwarf_file_kind)kind);
		assert_int_equal(loaded.count, kind == IC_DWARF_FILE_MAIN);
		if (kind == IC_DWARF_FILE_MAIN) {
			assert_section(loaded.dwarfs[0].info, "lines");
			assert_string_equal(loaded.dwarfs[0].info_name, ".debug_line");
			assert_ptr_equal(loaded.dwarfs[0].source, &ic_unit_source_lines);
		}
		assert_null(loaded.sole); // nothing that .debug_aranges could be for
		ic_dwarf_file_free(&loaded);
		ic_elf_file_close(&file);
	}
}

TEST(a_supplementary_file_is_marked_as_one)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;

	add(elf, ".debug_info", "info", 0);
	elf_end_and_open(&file, elf);
	load(&loaded, &file, IC_DWARF_FILE_SUPPLEMENTARY);
	assert_int_equal(loaded.count, 1);
	assert_true(loaded.dwarfs[0].is_supplementary);
	assert_string_equal(loaded.dwarfs[0].file, file.path);
	ic_dwarf_file_free(&loaded);
	ic_elf_file_close(&file);
}

TEST(the_old_name_counts_where_there_is_none_under_the_new_one)
{
	for (int has_new = 0; has_new < 2; has_new++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		struct ic_dwarf_file loaded;
		struct ic_elf_file file;

		elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
							   .bytes = { (const uint8_t *)"old", 3 },
							   .compression = ELF_COMPRESSION_GNU });
		if (has_new)
			add(elf, ".debug_info", "new", 0);
		elf_end_and_open(&file, elf);
		load(&loaded, &file, IC_DWARF_FILE_MAIN);
		assert_int_equal(loaded.count, 1);
		assert_section(loaded.dwarfs[0].info, has_new ? "new" : "old");
		ic_dwarf_file_free(&loaded);
		ic_elf_file_close(&file);
	}
}

TEST(a_file_without_units_has_none)
{
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;

	elf_end_and_open(&file, elf_begin(ET_EXEC));
	load(&loaded, &file, IC_DWARF_FILE_MAIN);
	assert_int_equal(loaded.count, 0);
	ic_dwarf_file_free(&loaded);
	ic_elf_file_close(&file);
}

static bool is_relocated(const struct ic_dwarf *dwarf, size_t off)
{
	return memcmp(dwarf->info.data + off, "\0\0\0\0", 4) != 0;
}

static void add_relocated(struct elf_builder *elf, size_t size)
{
	static const uint8_t zeros[4096];
	const struct section_reloc relocs[] = {
		{ .off = 0, .size = 4, .target = ".text", .addend = 1 },
		{ .off = size - 4, .size = 4, .target = ".text", .addend = 1 },
	};

	elf_add_section(elf,
			(struct elf_section){ .name = ".debug_info", .bytes = { zeros, size } });
	elf_add_relocs(elf, ".debug_info", relocs, 2);
}

TEST(parts_of_the_units_are_relocated_when_they_are_needed)
{
	for (int all = 0; all < 2; all++) {
		struct elf_builder *elf = elf_begin(ET_REL);
		struct ic_dwarf_file loaded;
		struct ic_elf_file file;
		struct ic_error err;

		elf_add_code(elf, ".text", 0, 16);
		add_relocated(elf, 4096);
		elf_end_and_open(&file, elf);
		load(&loaded, &file, IC_DWARF_FILE_MAIN);
		assert_int_equal(loaded.count, 1);
		assert_null(loaded.dwarfs[0].file);
		assert_false(is_relocated(&loaded.dwarfs[0], 0));
		assert_false(is_relocated(&loaded.dwarfs[0], 4092));
		if (all)
			assert_true(ic_dwarf_file_need_all(&loaded, 2, &err));
		else
			assert_true(ic_dwarf_file_need(&loaded, 4092, 4096, &err));
		assert_true(is_relocated(&loaded.dwarfs[0], 4092));
		ic_dwarf_file_free(&loaded);
		ic_elf_file_close(&file);
	}
}

// None of them is large, and parts would need to know which section they are in.
TEST(several_sections_of_units_are_relocated_at_once)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;
	struct ic_error err;

	elf_add_code(elf, ".text", 0, 16);
	add_relocated(elf, 4096);
	add(elf, ".debug_info", "group", SHF_GROUP);
	elf_end_and_open(&file, elf);
	load(&loaded, &file, IC_DWARF_FILE_MAIN);
	assert_int_equal(loaded.count, 2);
	assert_true(is_relocated(&loaded.dwarfs[0], 0));
	assert_true(is_relocated(&loaded.dwarfs[0], 4092));
	assert_true(ic_dwarf_file_need(&loaded, 0, 100, &err));
	assert_true(ic_dwarf_file_need_all(&loaded, 1, &err));
	ic_dwarf_file_free(&loaded);
	ic_elf_file_close(&file);
}

TEST(sections_that_are_more_than_the_file_are_refused)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_dwarf_file loaded;
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };

	add(elf, ".debug_info", "information", 0);
	add(elf, ".debug_info", "information", 0);
	elf_end_and_open(&file, elf);
	for (uint32_t i = 0; i < file.section_count; i++)
		if (!strcmp(file.sections[i].name, ".debug_info"))
			file.sections[i].raw = (struct ic_bytes){ file.data, file.size };
	assert_false(ic_dwarf_file_load(&loaded, &file, IC_DWARF_FILE_MAIN, 1, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	assert_non_null(strstr(err.message, ": sections with units overlap"));
	ic_elf_file_close(&file);
}

TEST(one_more_section_is_loaded_by_its_name)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };
	struct ic_bytes bytes;

	elf_add_section(elf, (struct elf_section){ .name = ".debug_cu_index",
						   .bytes = { (const uint8_t *)"index", 5 },
						   .compression = ELF_COMPRESSION_ZLIB });
	elf_add_section(elf, (struct elf_section){ .name = ".debug_tu_index",
						   .bytes = { (const uint8_t *)"index", 5 },
						   .compression = ELF_COMPRESSION_ZLIB,
						   .bad_uncompressed_size = 9 });
	elf_end_and_open(&file, elf);
	assert_true(ic_dwarf_file_section(&bytes, &file, ".debug_cu_index", &err));
	assert_section(bytes, "index");
	assert_true(ic_dwarf_file_section(&bytes, &file, ".debug_other", &err));
	assert_int_equal(bytes.size, 0);
	assert_false(ic_dwarf_file_section(&bytes, &file, ".debug_tu_index", &err));
	assert_non_null(strstr(err.message, "cannot decompress .debug_tu_index"));
	ic_elf_file_close(&file);
}

UNIT_TESTS(debug_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_section_of_units_is_one_of_its_own),
		cmocka_unit_test(split_sections_are_those_of_their_own_names),
		cmocka_unit_test(the_only_section_of_units_is_known),
		cmocka_unit_test(line_tables_are_units_only_in_a_main_file_without_others),
		cmocka_unit_test(a_supplementary_file_is_marked_as_one),
		cmocka_unit_test(the_old_name_counts_where_there_is_none_under_the_new_one),
		cmocka_unit_test(a_file_without_units_has_none),
		cmocka_unit_test(parts_of_the_units_are_relocated_when_they_are_needed),
		cmocka_unit_test(several_sections_of_units_are_relocated_at_once),
		cmocka_unit_test(sections_that_are_more_than_the_file_are_refused),
		cmocka_unit_test(one_more_section_is_loaded_by_its_name),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
