#include "unit_test.h"

#include "elf/symbols/names.h"
#include "fixtures/elf.h"

static void add(struct elf_builder *elf, const char *name, uint64_t value, uint8_t type,
		uint8_t bind)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".text",
						 .value = value,
						 .size = 0x10,
						 .type = type,
						 .bind = bind });
}

static void check_named(const struct ic_symtab_names *names, const char *name,
			const uint64_t *starts, uint32_t count)
{
	const struct ic_elf_file *file = names->tables[0].table.file;
	const struct ic_elf_file *second = names->tables[1].table.file;
	struct ic_symbol symbol, again;

	if (second == file) // there is none
		second = NULL;
	for (uint32_t i = 0; i < count; i++) {
		assert_true(ic_symtab_names_find(names, name, i, &symbol));
		assert_int_equal(symbol.start, starts[i]);
		assert_true(ic_symtab_find_name(file, second, name, i, &again));
		assert_string_equal(again.name, symbol.name);
		assert_int_equal(again.start, starts[i]);
		assert_int_equal(again.end, symbol.end);
	}
	assert_false(ic_symtab_names_find(names, name, count, &symbol));
	assert_false(file && ic_symtab_find_name(file, second, name, count, &symbol));
	assert_false(ic_symtab_names_find(names, name, UINT32_MAX, &symbol));
}

TEST(whatever_has_an_address_is_found_by_its_name)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_elf_file file;
	struct ic_symtab_names names;
	struct ic_symbol symbol;
	struct ic_error err;

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "object", 0x1100, STT_OBJECT, STB_GLOBAL);
	add(elf, "plain", 0x1200, STT_NOTYPE, STB_GLOBAL);
	add(elf, "thread", 0x1300, STT_TLS, STB_GLOBAL);
	add(elf, "function", 0x1400, STT_FUNC, STB_LOCAL);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "undefined", .value = 0x1000 });
	elf_add_symbol(elf,
		       (struct elf_symbol){ .name = "label", .section = ".text", .value = 0x1500 });
	elf_end_and_open(&file, elf);
	assert_true(ic_symtab_names_build(&names, &file, NULL, &err));
	check_named(&names, "object", (const uint64_t[]){ 0x1100 }, 1);
	check_named(&names, "plain", (const uint64_t[]){ 0x1200 }, 1);
	check_named(&names, "function", (const uint64_t[]){ 0x1400 }, 1);
	check_named(&names, "label", (const uint64_t[]){ 0x1500 }, 1);
	check_named(&names, "thread", NULL, 0);
	check_named(&names, "undefined", NULL, 0);
	check_named(&names, "", NULL, 0);
	assert_true(ic_symtab_names_find(&names, "function", 0, &symbol));
	assert_int_equal(symbol.end, 0x1410);
	assert_true(ic_symtab_names_find(&names, "label", 0, &symbol));
	assert_int_equal(symbol.end, symbol.start);
	ic_symtab_names_free(&names);
	ic_elf_file_close(&file);
}

TEST(symbols_of_one_name_are_found_in_the_order_of_the_files)
{
	struct elf_builder *elf = elf_begin(ET_EXEC), *mini = elf_begin(ET_EXEC);
	struct ic_elf_file file, second;
	struct ic_symtab_names names;
	struct ic_error err;

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "twice", 0x1900, STT_FUNC, STB_LOCAL);
	add(elf, "once", 0x1100, STT_FUNC, STB_LOCAL);
	add(elf, "twice", 0x1200, STT_FUNC, STB_LOCAL);
	elf_add_nobits(mini, ".text", 0x1000, 0x1000, SHF_ALLOC | SHF_EXECINSTR);
	add(mini, "other", 0x1300, STT_FUNC, STB_LOCAL);
	add(mini, "twice", 0x1000, STT_FUNC, STB_LOCAL);
	elf_end_and_open(&file, elf);
	assert_true(ic_elf_file_open(&second, elf_end_at(mini, "mini"), &err));
	assert_true(ic_symtab_names_build(&names, &file, &second, &err));
	check_named(&names, "twice", (const uint64_t[]){ 0x1900, 0x1200, 0x1000 }, 3);
	check_named(&names, "once", (const uint64_t[]){ 0x1100 }, 1);
	check_named(&names, "other", (const uint64_t[]){ 0x1300 }, 1);
	ic_symtab_names_free(&names);
	ic_elf_file_close(&second);
	ic_elf_file_close(&file);
}

TEST(in_no_symbols_no_name_is_found)
{
	const struct ic_symtab_names none = { .sorted = NULL };

	check_named(&none, "name", NULL, 0);
}

TEST(a_symbol_with_a_version_has_its_name_without_it_too)
{
	struct elf_builder *elf = elf_begin(ET_DYN);
	struct ic_elf_file file;
	struct ic_symtab_names names;
	struct ic_error err;

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "wait@V1", 0x1100, STT_FUNC, STB_GLOBAL);
	add(elf, "wait@@V2", 0x1200, STT_FUNC, STB_GLOBAL);
	add(elf, "wait", 0x1300, STT_FUNC, STB_LOCAL); // the first in the file
	add(elf, "gone@V1", 0x1400, STT_FUNC, STB_GLOBAL);
	elf_end_and_open(&file, elf);
	assert_true(ic_symtab_names_build(&names, &file, NULL, &err));
	check_named(&names, "wait@V1", (const uint64_t[]){ 0x1100 }, 1);
	check_named(&names, "wait@@V2", (const uint64_t[]){ 0x1200 }, 1);
	check_named(&names, "wait", (const uint64_t[]){ 0x1300, 0x1200 }, 2);
	check_named(&names, "gone", (const uint64_t[]){ 0x1400 }, 1);
	check_named(&names, "wai", NULL, 0);
	check_named(&names, "wait@", NULL, 0);
	ic_symtab_names_free(&names);
	ic_elf_file_close(&file);
}

TEST(a_clone_is_found_by_the_name_of_its_function)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_elf_file file;
	struct ic_symtab_names names;
	struct ic_symbol symbol;
	struct ic_error err;

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "run.isra.0", 0x1100, STT_FUNC, STB_LOCAL);
	add(elf, "run.cold", 0x1200, STT_FUNC, STB_LOCAL);
	add(elf, "run.other", 0x1300, STT_FUNC, STB_LOCAL); // no clone: Go's names have dots
	add(elf, "runs.isra.0", 0x1400, STT_FUNC, STB_LOCAL);
	elf_end_and_open(&file, elf);
	assert_true(ic_symtab_names_build(&names, &file, NULL, &err));
	check_named(&names, "run", NULL, 0); // is not the name of a symbol
	check_named(&names, "run.cold", (const uint64_t[]){ 0x1200 }, 1);
	assert_true(ic_symtab_names_find_clone(&names, "run", 0, &symbol));
	assert_int_equal(symbol.start, 0x1100);
	assert_true(ic_symtab_names_find_clone(&names, "run", 1, &symbol));
	assert_int_equal(symbol.start, 0x1200);
	assert_false(ic_symtab_names_find_clone(&names, "run", 2, &symbol));
	assert_false(ic_symtab_names_find_clone(&names, "run.cold", 0, &symbol));
	ic_symtab_names_free(&names);
	ic_elf_file_close(&file);
}

UNIT_TESTS(elf_symbols_names)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_has_an_address_is_found_by_its_name),
		cmocka_unit_test(symbols_of_one_name_are_found_in_the_order_of_the_files),
		cmocka_unit_test(in_no_symbols_no_name_is_found),
		cmocka_unit_test(a_symbol_with_a_version_has_its_name_without_it_too),
		cmocka_unit_test(a_clone_is_found_by_the_name_of_its_function),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
