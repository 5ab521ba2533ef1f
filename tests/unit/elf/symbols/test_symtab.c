#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/symtab.h"

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

static void check_search(const struct ic_symbols *symbols, const struct ic_elf_file *file,
			 const struct ic_elf_file *second, struct ic_arena *arena)
{
	for (uint32_t i = 0; i < 4 * symbols->count; i++) {
		const struct ic_symbol *symbol = &symbols->items[i / 4];
		uint64_t addr = (i & 1 ? symbol->start : symbol->end) - (i & 2 ? 1 : 0);
		symtab_check_at(symbols, file, second, SYMTAB_INNERMOST, addr, arena);
	}
}

static void check(struct elf_builder *elf, const char *const *names, const uint64_t *starts)
{
	struct ic_arena arena = { 0 };
	struct ic_elf_file file;
	uint32_t count = 0;

	elf_end_and_open(&file, elf);
	struct ic_symbols symbols = symtab_read_all(&file, NULL, SYMTAB_INNERMOST, &arena);
	for (; names[count]; count++) {
		assert_true(count < symbols.count);
		assert_string_equal(symbols.items[count].name, names[count]);
		assert_int_equal(symbols.items[count].start, starts[count]);
		assert_int_equal(symbols.items[count].end, starts[count] + 0x10);
	}
	assert_int_equal(symbols.count, count);
	check_search(&symbols, &file, NULL, &arena);
	ic_arena_free(&arena);
	ic_elf_file_close(&file);
}

TEST(functions_are_sorted_by_address_and_then_by_how_well_a_name_fits)
{
	for (int i = 0; i < 4; i++) {
		struct elf_builder *elf =
			elf_builder_new((struct elf_format){ .bits = i & 1 ? 32 : 64,
							     .big_endian = i & 2,
							     .machine = EM_S390,
							     .type = ET_EXEC });

		elf_add_code(elf, ".text", 0x1000, 0x10000);
		add(elf, "local", 0x2000, STT_FUNC, STB_LOCAL);
		add(elf, "late", 0x10fff, STT_FUNC, STB_GLOBAL);
		add(elf, "weak", 0x2000, STT_FUNC, STB_WEAK);
		add(elf, "global", 0x2000, STT_FUNC, STB_GLOBAL);
		add(elf, "second", 0x2000, STT_FUNC, STB_GLOBAL);
		add(elf, "unique", 0x2000, STT_GNU_IFUNC, STB_GNU_UNIQUE);
		add(elf, "early", 0x1001, STT_FUNC, STB_LOCAL);
		check(elf,
		      (const char *const[]){ "early", "local", "weak", "unique", "second", "global",
					     "late", NULL },
		      (const uint64_t[]){ 0x1001, 0x2000, 0x2000, 0x2000, 0x2000, 0x2000,
					  0x10fff });
	}
}

TEST(what_is_no_function_of_this_file_is_left_out)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "object", 0x1000, STT_OBJECT, STB_GLOBAL);
	add(elf, "function", 0x1000, STT_FUNC, STB_GLOBAL);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "label",
						 .section = ".text",
						 .value = 0x1000,
						 .type = STT_NOTYPE,
						 .bind = STB_GLOBAL });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "undefined",
						 .value = 0x1000,
						 .size = 8,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "sizeless",
						 .section = ".text",
						 .value = 0x1000,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	check(elf, (const char *const[]){ "function", NULL }, (const uint64_t[]){ 0x1000 });
}

TEST(what_has_a_size_and_lies_in_code_is_a_function_without_a_type_too)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "entry", 0x1000, STT_NOTYPE, STB_GLOBAL);
	elf_add_nobits(elf, ".bss", 0x3000, 0x1000, SHF_ALLOC | SHF_WRITE);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "data",
						 .section = ".bss",
						 .value = 0x3000,
						 .size = 0x10,
						 .type = STT_NOTYPE,
						 .bind = STB_GLOBAL });
	check(elf, (const char *const[]){ "entry", NULL }, (const uint64_t[]){ 0x1000 });
}

TEST(symbols_of_a_relocatable_file_lie_where_its_sections_were_put)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_arena arena = { 0 };
	struct ic_elf_file file;

	elf_add_code(elf, ".text.a", 0, 0x100);
	elf_add_code(elf, ".text", 0, 0x100);
	add(elf, "f", 0x20, STT_FUNC, STB_GLOBAL);
	elf_end_and_open(&file, elf);
	struct ic_symbols symbols = symtab_read_all(&file, NULL, SYMTAB_INNERMOST, &arena);
	assert_int_equal(symbols.count, 1);
	assert_int_equal(symbols.items[0].start, ic_elf_file_section(&file, ".text")->addr + 0x20);
	ic_arena_free(&arena);
	ic_elf_file_close(&file);
}

TEST(an_address_of_arm_or_mips_may_say_in_what_instructions_its_code_is)
{
	static const uint16_t machines[] = { EM_ARM, EM_MIPS, EM_MIPS_RS3_LE };

	for (size_t i = 0; i < COUNT_OF(machines); i++) {
		struct elf_builder *elf = elf_builder_new(
			(struct elf_format){ .bits = 32, .machine = machines[i], .type = ET_EXEC });

		elf_add_code(elf, ".text", 0x1000, 0x1000);
		add(elf, "thumb", 0x1101, STT_FUNC, STB_GLOBAL);
		check(elf, (const char *const[]){ "thumb", NULL }, (const uint64_t[]){ 0x1100 });
	}
}

// A table of Elf64_Sym by hand, with its strings.
static void add_table(struct elf_builder *elf, const char *name, uint32_t type, uint32_t link,
		      uint32_t text, uint32_t name_off)
{
	struct byte_buffer symbols = { 0 };

	byte_buffer_fill(&symbols, 0, sizeof(Elf64_Sym));
	byte_buffer_put(&symbols, name_off, 4);
	byte_buffer_put(&symbols, STB_GLOBAL << 4 | STT_FUNC, 1);
	byte_buffer_put(&symbols, 0, 1);
	byte_buffer_put(&symbols, text, 2);
	byte_buffer_put(&symbols, 0x1000, 8);
	byte_buffer_put(&symbols, 0x10, 8);
	elf_add_section(elf, (struct elf_section){ .name = name,
						   .type = type,
						   .link = link,
						   .bytes = byte_buffer_view(&symbols) });
	byte_buffer_deinit(&symbols);
}

static void add_strings(struct elf_builder *elf, const char *strings, size_t size)
{
	elf_add_section(elf, (struct elf_section){ .name = ".strings",
						   .type = SHT_STRTAB,
						   .bytes = { (const uint8_t *)strings, size } });
}

TEST(dynamic_symbols_do_where_there_are_no_others)
{
	struct elf_builder *elf = elf_begin(ET_DYN);

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add_strings(elf, "\0dynamic", 9);
	add_table(elf, ".dynsym", SHT_DYNSYM, 2, 1, 1);
	check(elf, (const char *const[]){ "dynamic", NULL }, (const uint64_t[]){ 0x1000 });

	elf = elf_begin(ET_DYN);
	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add_strings(elf, "\0dynamic", 9);
	add_table(elf, ".dynsym", SHT_DYNSYM, 2, 1, 1);
	add(elf, "static", 0x1800, STT_FUNC, STB_LOCAL);
	check(elf, (const char *const[]){ "static", NULL }, (const uint64_t[]){ 0x1800 });
}

TEST(a_section_number_that_does_not_fit_is_in_a_table_of_its_own)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add_strings(elf, "\0far", 5);
	add_table(elf, ".symtab", SHT_SYMTAB, 2, SHN_XINDEX, 1);
	elf_add_section(
		elf, (struct elf_section){ .name = ".symtab_shndx",
					   .type = SHT_SYMTAB_SHNDX,
					   .link = 3,
					   .bytes = { (const uint8_t *)"\0\0\0\0\1\0\0\0", 8 } });
	check(elf, (const char *const[]){ "far", NULL }, (const uint64_t[]){ 0x1000 });
}

TEST(names_without_an_end_and_tables_without_names_are_none)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add_strings(elf, "\0cut", 4);
	add_table(elf, ".symtab", SHT_SYMTAB, 2, 1, 1);
	check(elf, (const char *const[]){ NULL }, NULL);

	elf = elf_begin(ET_EXEC);
	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add_strings(elf, "\0name", 6);
	add_table(elf, ".symtab", SHT_SYMTAB, 2, 1, 0x777777);
	check(elf, (const char *const[]){ NULL }, NULL);

	elf = elf_begin(ET_EXEC);
	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add_table(elf, ".symtab", SHT_SYMTAB, 77, 1, 1);
	check(elf, (const char *const[]){ NULL }, NULL);
}

TEST(symbols_of_two_files_are_one_table)
{
	struct elf_builder *elf = elf_begin(ET_EXEC), *mini = elf_begin(ET_EXEC);
	struct ic_arena arena = { 0 };
	struct ic_elf_file file, second;
	struct ic_error err;

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add_strings(elf, "\0dynamic", 9);
	add_table(elf, ".dynsym", SHT_DYNSYM, 2, 1, 1); // at 0x1000
	elf_add_nobits(mini, ".text", 0x1000, 0x1000, SHF_ALLOC | SHF_EXECINSTR);
	add(mini, "behind", 0x1800, STT_FUNC, STB_LOCAL);
	add(mini, "same", 0x1000, STT_FUNC, STB_LOCAL);
	add(mini, "global", 0x1000, STT_FUNC, STB_GLOBAL);
	elf_end_and_open(&file, elf);
	assert_true(ic_elf_file_open(&second, elf_end_at(mini, "mini"), &err));
	struct ic_symbols symbols = symtab_read_all(&file, &second, SYMTAB_INNERMOST, &arena);
	const char *const wanted[] = { "same", "global", "dynamic", "behind" };
	assert_int_equal(symbols.count, COUNT_OF(wanted));
	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		assert_string_equal(symbols.items[i].name, wanted[i]);
	check_search(&symbols, &file, &second, &arena);
	ic_arena_free(&arena);
	ic_elf_file_close(&second);
	ic_elf_file_close(&file);
}

TEST(local_symbols_are_of_the_source_that_was_named_last)
{
	static const char *const sources[] = { NULL, "first.c", "second.c", NULL };
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_arena arena = { 0 };
	struct ic_elf_file file;

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	add(elf, "nobodys", 0x1000, STT_FUNC, STB_LOCAL);
	add(elf, "first.c", 0, STT_FILE, STB_LOCAL);
	add(elf, "one", 0x1100, STT_FUNC, STB_LOCAL);
	add(elf, "second.c", 0, STT_FILE, STB_LOCAL);
	add(elf, "two", 0x1200, STT_FUNC, STB_LOCAL);
	add(elf, "", 0, STT_FILE, STB_LOCAL);
	add(elf, "made", 0x1300, STT_FUNC, STB_LOCAL);
	add(elf, "everybodys", 0x1400, STT_FUNC, STB_GLOBAL);
	elf_end_and_open(&file, elf);
	struct ic_symbols symbols = symtab_read_all(&file, NULL, SYMTAB_INNERMOST, &arena);
	assert_int_equal(symbols.count, 5);
	for (size_t i = 0; i < 5; i++) {
		const char *source = i < 4 ? sources[i] : NULL;
		struct ic_symbol alone = symtab_find_at(&file, NULL, SYMTAB_INNERMOST,
							symbols.items[i].start, &arena);
		assert_ptr_equal(alone.source, symbols.items[i].source);
		if (source)
			assert_string_equal(alone.source, source);
		else
			assert_null(alone.source);
	}
	ic_arena_free(&arena);
	ic_elf_file_close(&file);
}

TEST(a_file_without_symbols_has_none)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	check(elf, (const char *const[]){ NULL }, NULL);
}

UNIT_TESTS(elf_symbols_symtab)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_sorted_by_address_and_then_by_how_well_a_name_fits),
		cmocka_unit_test(what_is_no_function_of_this_file_is_left_out),
		cmocka_unit_test(what_has_a_size_and_lies_in_code_is_a_function_without_a_type_too),
		cmocka_unit_test(symbols_of_a_relocatable_file_lie_where_its_sections_were_put),
		cmocka_unit_test(
			an_address_of_arm_or_mips_may_say_in_what_instructions_its_code_is),
		cmocka_unit_test(dynamic_symbols_do_where_there_are_no_others),
		cmocka_unit_test(a_section_number_that_does_not_fit_is_in_a_table_of_its_own),
		cmocka_unit_test(names_without_an_end_and_tables_without_names_are_none),
		cmocka_unit_test(symbols_of_two_files_are_one_table),
		cmocka_unit_test(local_symbols_are_of_the_source_that_was_named_last),
		cmocka_unit_test(a_file_without_symbols_has_none),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
