// Where the table of functions of Go and the module data are, in files that may pretend anything.
#include "unit_test.h"

#include "elf/symbols/go_tables.h"
#include "fixtures/elf.h"
#include "fixtures/go.h"

struct opened {
	struct ic_elf_file file;
	struct ic_go_place place;
	bool is_found;
};

static void open_parts(struct opened *opened, struct go_parts *parts)
{
	struct ic_error err;

	if (!ic_elf_file_open(&opened->file, go_parts_write(parts, "a.out"), &err))
		fail_msg("%s", err.message);
	opened->is_found = ic_go_place_find(&opened->file, &opened->place);
}

// Whether the table of a program is found at its place.
static bool finds(struct go_parts *parts)
{
	size_t size = parts->bytes.size;
	struct opened opened;

	open_parts(&opened, parts);
	if (opened.is_found) {
		assert_int_equal(opened.place.addr, GO_TABLE);
		assert_int_equal(opened.place.bytes.size, size);
		assert_ptr_equal(opened.place.bytes.data,
				 ic_loaded_at(&opened.file, GO_TABLE).data);
	}
	ic_elf_file_close(&opened.file);
	return opened.is_found;
}

static void make(struct go_parts *parts, uint32_t release, unsigned format)
{
	struct go_table table = go_table_of(release, format & 1 ? 8 : 4, format & 2);

	go_parts_make(parts, &table);
}

static const uint32_t releases[] = { 2, 12, 16, 18, 20, 27 };

TEST(a_section_is_taken_as_it_is)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct go_parts parts;
		make(&parts, 20, 1);
		parts.section = names[i];
		memset(parts.bytes.data, 0xee, parts.bytes.size); // whoever reads it says so
		assert_true(finds(&parts));
	}
}

TEST(an_empty_section_is_none)
{
	struct go_parts parts;

	make(&parts, 20, 1);
	parts.bytes.size = 0;
	assert_false(finds(&parts));
}

TEST(a_table_is_searched_for_where_no_section_tells_it)
{
	for (size_t i = 0; i < COUNT_OF(releases); i++) {
		for (unsigned format = 0; format < 4; format++) {
			struct go_parts parts;
			make(&parts, releases[i], format);
			parts.is_headless = true;
			assert_true(finds(&parts));
			make(&parts, releases[i], format);
			parts.section = ".data.rel.ro";
			parts.is_joined = true;
			assert_true(finds(&parts));
			make(&parts, releases[i], format);
			parts.is_headless = parts.in_code = true;
			assert_true(finds(&parts));
		}
	}
}

TEST(programs_of_other_languages_are_not_searched)
{
	struct go_parts parts;
	struct opened opened;

	make(&parts, 20, 1);
	parts.section = ".rodata";
	open_parts(&opened, &parts);
	assert_false(opened.is_found);
	assert_false(ic_go_place_is_likely(&opened.file));
	ic_elf_file_close(&opened.file);
	make(&parts, 20, 1);
	open_parts(&opened, &parts);
	assert_true(ic_go_place_is_likely(&opened.file));
	ic_elf_file_close(&opened.file);
}

TEST(a_table_is_aligned)
{
	struct go_parts parts;

	make(&parts, 20, 1);
	parts.is_headless = true;
	byte_buffer_insert(&parts.bytes, 0, 4);
	assert_false(finds(&parts));
}

// Where the last part begins that the header of a table of 64 bits describes; of the list of
// functions, where it ends. Records that are cut off are found missing when they are read.
static size_t described_end(const struct go_parts *parts)
{
	uint32_t release = parts->table.release, files;
	uint64_t list;

	// The list of files comes after that of functions, which ends with its offset.
	memcpy(&files, parts->bytes.data + 8 + 8 + 5 * 8, sizeof(files));
	if (release < 16)
		return files;
	memcpy(&list, parts->bytes.data + 8 + (release < 18 ? 6 : 7) * 8, sizeof(list));
	return (size_t)list + 5 * (release < 18 ? 8 : 4);
}

TEST(a_table_is_none_if_its_parts_are_cut_off)
{
	for (size_t i = 0; i < COUNT_OF(releases); i++) {
		struct go_table table = go_table_of(releases[i], 8, IC_HOST_IS_BIG_ENDIAN);
		size_t least = 1;
		for (size_t left = 1; left <= least; left += left + 8 < least ? 7 : 1) {
			struct go_parts parts;
			go_parts_make(&parts, &table);
			least = described_end(&parts);
			parts.is_headless = true;
			parts.bytes.size = left;
			assert_int_equal(finds(&parts), left == least);
		}
	}
}

// From Go 1.18 on the module data confirm a table.
TEST(a_table_without_its_module_data_is_not_taken)
{
	static const uint32_t words[] = { 0, 1, 10, 16, 17 };

	for (unsigned format = 0; format < 4; format++) {
		for (size_t i = 0; i < COUNT_OF(words); i++) {
			struct go_parts parts;
			make(&parts, 20, format);
			parts.is_headless = true;
			go_module_set(&parts, words[i], 77);
			assert_false(finds(&parts));
		}
	}
}

// Before, that its first functions are in order.
TEST(an_old_table_whose_functions_are_not_in_order_is_not_taken)
{
	for (unsigned format = 0; format < 4; format++) {
		uint8_t size = format & 1 ? 8 : 4;
		struct go_parts parts;
		make(&parts, 12, format);
		parts.is_headless = true;
		byte_buffer_patch(&parts.bytes, 8u + size, GO_TEXT + 64, size);
		assert_false(finds(&parts));
	}
}

TEST(a_table_of_no_functions_is_none)
{
	struct go_parts parts;

	make(&parts, 12, 1);
	parts.is_headless = true;
	byte_buffer_patch(&parts.bytes, 8, 0, 8);
	assert_false(finds(&parts));
}

// Heads of tables, which have nothing of one but that.
static void put_heads(struct go_parts *parts, uint32_t count)
{
	parts->before.big_endian = parts->table.big_endian;
	for (uint32_t i = 0; i < count; i++) {
		byte_buffer_append(&parts->before, parts->bytes.data, 8);
		byte_buffer_fill(&parts->before, 0xff, 56);
	}
}

TEST(a_search_ends_after_many_heads_of_tables)
{
	struct go_parts parts;

	make(&parts, 20, 1);
	parts.is_headless = true;
	put_heads(&parts, 31);
	assert_true(finds(&parts));
	make(&parts, 20, 1);
	parts.is_headless = true;
	put_heads(&parts, 32);
	assert_false(finds(&parts));
}

static bool find_module(struct go_parts *parts, uint64_t words[IC_GO_MODULE_WORDS])
{
	bool swap = parts->table.big_endian != IC_HOST_IS_BIG_ENDIAN;
	struct ic_go_pclntab table;
	struct opened opened;
	struct ic_error err;

	open_parts(&opened, parts);
	assert_true(opened.is_found);
	assert_true(
		ic_go_pclntab_open(&table, opened.place.bytes, opened.place.addr, swap, "", &err));
	bool is_found = ic_go_module_find(&opened.file, &table, words);
	ic_elf_file_close(&opened.file);
	return is_found;
}

TEST(module_data_are_found_in_every_format)
{
	for (size_t i = 3; i < COUNT_OF(releases); i++) {
		for (unsigned format = 0; format < 4; format++) {
			uint64_t words[IC_GO_MODULE_WORDS];
			struct go_parts parts;
			make(&parts, releases[i], format);
			assert_true(find_module(&parts, words));
			assert_int_equal(words[0], GO_TABLE);
			assert_int_equal(words[17], 3);
			assert_int_equal(words[22], GO_TEXT);
		}
	}
}

// Other data that begin with the table's address: a list of modules, or another module's.
static void put_others(struct go_parts *parts, uint32_t count)
{
	parts->module.big_endian = parts->table.big_endian;
	for (uint32_t i = 0; i < count; i++) {
		byte_buffer_insert(&parts->module, 0, 8 * 8);
		go_module_set(parts, 0, GO_TABLE);
		go_module_set(parts, 1, GO_TABLE + 8);
	}
}

TEST(other_words_that_are_the_address_of_the_table_are_not_taken)
{
	uint64_t words[IC_GO_MODULE_WORDS];
	struct go_parts parts;

	make(&parts, 20, 3);
	put_others(&parts, 31);
	assert_true(find_module(&parts, words));
	assert_int_equal(words[17], 3);
	make(&parts, 20, 3);
	put_others(&parts, 32); // more are not tried
	assert_false(find_module(&parts, words));
}

// Moves the addresses of the module data into relocations, as in a program that may be anywhere.
static void relocate_module(struct go_parts *parts)
{
	static const uint32_t filled[] = { 0, 1, 10, 16, 22 };
	enum { DYNAMIC_SIZE = 48, RELATIVE = 8 /* of x86-64 */ };
	const uint64_t dynamic[] = { DT_RELA,   GO_BEFORE + DYNAMIC_SIZE,
				     DT_RELASZ, 24 * COUNT_OF(filled),
				     DT_NULL,   0 };

	parts->before.big_endian = parts->table.big_endian;
	for (size_t i = 0; i < COUNT_OF(dynamic); i++)
		byte_buffer_put(&parts->before, dynamic[i], 8);
	for (size_t i = 0; i < COUNT_OF(filled); i++) {
		uint64_t value;
		memcpy(&value, parts->module.data + (size_t)filled[i] * 8, 8);
		byte_buffer_put(&parts->before, GO_MODULE + filled[i] * 8, 8);
		byte_buffer_put(&parts->before, RELATIVE, 8);
		byte_buffer_put(&parts->before, value, 8);
		go_module_set(parts, filled[i], 0);
	}
}

TEST(module_data_that_the_dynamic_linker_fills_in_are_found)
{
	struct go_table table = go_table_of(20, 8, IC_HOST_IS_BIG_ENDIAN);
	uint64_t words[IC_GO_MODULE_WORDS];
	struct ic_go_place place;
	struct ic_elf_file file;
	struct go_parts parts;
	struct ic_error err;

	go_parts_make(&parts, &table);
	relocate_module(&parts);
	parts.is_headless = true;
	assert_true(ic_elf_file_open(&file, go_parts_write(&parts, "a.out"), &err));
	assert_false(ic_go_place_find(&file, &place));
	file.machine = EM_X86_64;
	file.layout.dynamic = (struct ic_range){ GO_BEFORE, GO_BEFORE + 48 };
	assert_true(ic_go_place_find(&file, &place));
	struct ic_go_pclntab opened;
	assert_true(ic_go_pclntab_open(&opened, place.bytes, place.addr, false, "", &err));
	assert_true(ic_go_module_find(&file, &opened, words));
	assert_int_equal(words[22], GO_TEXT);
	ic_elf_file_close(&file);
}

TEST(module_data_that_the_file_cuts_off_are_none)
{
	uint64_t words[IC_GO_MODULE_WORDS];
	struct go_parts parts;

	make(&parts, 20, 1);
	parts.module.size--;
	assert_false(find_module(&parts, words));
}

UNIT_TESTS(elf_symbols_go_tables)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_section_is_taken_as_it_is),
		cmocka_unit_test(an_empty_section_is_none),
		cmocka_unit_test(a_table_is_searched_for_where_no_section_tells_it),
		cmocka_unit_test(programs_of_other_languages_are_not_searched),
		cmocka_unit_test(a_table_is_aligned),
		cmocka_unit_test(a_table_is_none_if_its_parts_are_cut_off),
		cmocka_unit_test(a_table_without_its_module_data_is_not_taken),
		cmocka_unit_test(an_old_table_whose_functions_are_not_in_order_is_not_taken),
		cmocka_unit_test(a_table_of_no_functions_is_none),
		cmocka_unit_test(a_search_ends_after_many_heads_of_tables),
		cmocka_unit_test(module_data_are_found_in_every_format),
		cmocka_unit_test(other_words_that_are_the_address_of_the_table_are_not_taken),
		cmocka_unit_test(module_data_that_the_dynamic_linker_fills_in_are_found),
		cmocka_unit_test(module_data_that_the_file_cuts_off_are_none),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
