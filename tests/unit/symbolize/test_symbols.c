#include "unit_test.h"

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/sites.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include <inlinecall/extra/sites.h>

static void add_symbol(struct elf_builder *elf, const char *name, uint64_t value, uint64_t size)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".text",
						 .value = value,
						 .size = size,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
}

TEST(symbols_are_found_by_name)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_symbolizer_symbol symbol;
	struct elf_builder *elf;
	struct lookup lookup;

	program_put(dw,
		    &(struct program_unit){ .name = "a.c", .start = 0x1000, .root = PROGRAM_PAIR });
	elf = elf_begin(ET_EXEC);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	add_symbol(elf, "twice", 0x2000, 0x10);
	add_symbol(elf, "once", 0x3000, 0);
	add_symbol(elf, "twice", 0x1000, 0x10);
	lookup_open_elf(&lookup, elf);
	assert_true(ic_symbolizer_symbol_find(lookup.symbolizer, "twice", 0, &symbol));
	assert_int_equal(symbol.start, 0x2000);
	assert_true(ic_symbolizer_symbol_find(lookup.symbolizer, "twice", 1, &symbol));
	assert_int_equal(symbol.start, 0x1000);
	assert_int_equal(symbol.end, 0x1010);
	assert_false(ic_symbolizer_symbol_find(lookup.symbolizer, "twice", 2, &symbol));
	assert_true(ic_symbolizer_symbol_find(lookup.symbolizer, "once", 0, &symbol));
	assert_int_equal(symbol.end, symbol.start);
	assert_false(ic_symbolizer_symbol_find(lookup.symbolizer, "on", 0, &symbol));
	lookup_close(&lookup);
}

TEST(what_has_no_name_is_not_found)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_symbolizer_section section;
	struct ic_symbolizer_symbol symbol;
	struct lookup lookup;
	const char *name;

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = 0x1000 });
	lookup_open(&lookup, dw);
	assert_false(ic_symbolizer_symbol_find(lookup.symbolizer, NULL, 0, &symbol));
	assert_int_equal(ic_symbolizer_symbols_match(lookup.symbolizer, NULL, &symbol, 1), 0);
	assert_int_equal(ic_symbolizer_nearest_names(lookup.symbolizer, NULL, &name, 1), 0);
	assert_false(ic_symbolizer_section_find(lookup.symbolizer, NULL, 0, &section));
	struct ic_index *index = ic_index_build(lookup.image, NULL, NULL);
	assert_int_equal(ic_index_nearest_names(index, NULL, &name, 0, 1), 0);
	ic_index_free(index);
	lookup_close(&lookup);
}

UNIT_TESTS(symbolize_symbols)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_found_by_name),
		cmocka_unit_test(what_has_no_name_is_not_found),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
