#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/symbolizer.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

static void put(struct dwarf_builder *dw, const char *name, uint64_t start, enum program_root root)
{
	program_put(dw, &(struct program_unit){ .name = name, .start = start, .root = root });
}

static void check_program(struct lookup *lookup, uint64_t start, const char *at_start,
			  const char *at_leaf, const char *at_end)
{
	assert_lookup(lookup, start - 1, "");
	assert_lookup(lookup, start, at_start);
	assert_lookup(lookup, start + 0xf, at_start);
	assert_lookup(lookup, start + 0x10, at_leaf);
	assert_lookup(lookup, start + 0x1f, at_leaf);
	assert_lookup(lookup, start + 0x20, at_end);
	assert_lookup(lookup, start + 0xff, at_end);
	assert_lookup(lookup, start + 0x100, "");
}

#define CHECK_PROGRAM(lookup, start, name) \
	check_program(lookup, start, PROGRAM_START(name), PROGRAM_LEAF(name), PROGRAM_END(name))

enum { LISTS_NONE, LISTS_ALL, LISTS_ONE };

TEST(the_frames_are_the_same_with_and_without_a_list_of_addresses)
{
	for (uint16_t version = 2; version <= 5; version++) {
		for (int lists = LISTS_NONE; lists <= LISTS_ONE; lists++) {
			struct dwarf_builder *dw = scan_builder(version);
			struct lookup lookup;

			put(dw, "a.c", 0x1000, PROGRAM_PAIR);
			put(dw, "b.c", 0x2000, version == 2 ? PROGRAM_SILENT : PROGRAM_RANGES);
			if (lists == LISTS_ALL)
				dw_aranges(dw, "a.c", DW_RANGES({ 0x1000, 0x1100 }));
			if (lists != LISTS_NONE)
				dw_aranges(dw, "b.c", DW_RANGES({ 0x2000, 0x2100 }));
			lookup_open(&lookup, dw);
			CHECK_PROGRAM(&lookup, 0x2000, "b.c");
			CHECK_PROGRAM(&lookup, 0x1000, "a.c");
			CHECK_PROGRAM(&lookup, 0x2000, "b.c"); // also when it has been read
			assert_string_equal(lookup_problems(&lookup), "");
			lookup_close(&lookup);
		}
	}
}

TEST(more_look_ups_than_are_worth_reading_units_alone_give_the_same)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct lookup lookup;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	put(dw, "b.c", 0x2000, PROGRAM_PAIR);
	dw_aranges(dw, "a.c", DW_RANGES({ 0x1000, 0x1100 }));
	dw_aranges(dw, "b.c", DW_RANGES({ 0x2000, 0x2100 }));
	lookup_open(&lookup, dw);
	for (int i = 0; i < 2000; i++) {
		assert_lookup(&lookup, 0x1010, PROGRAM_LEAF("a.c"));
		assert_lookup(&lookup, 0x2020, PROGRAM_END("b.c"));
	}
	lookup_close(&lookup);
}

TEST(a_list_that_leaves_a_unit_out_or_names_another_does_not_hide_it)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct lookup lookup;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	put(dw, "b.c", 0x2000, PROGRAM_PAIR);
	put(dw, "c.c", 0x3000, PROGRAM_PAIR);
	dw_aranges(dw, "a.c", DW_RANGES({ 0x1000, 0x1100 }, { 0x2000, 0x2100 })); // b's
	lookup_open(&lookup, dw);
	CHECK_PROGRAM(&lookup, 0x3000, "c.c");
	CHECK_PROGRAM(&lookup, 0x2000, "b.c");
	CHECK_PROGRAM(&lookup, 0x1000, "a.c");
	lookup_close(&lookup);
}

TEST(a_list_may_name_what_is_no_unit)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct lookup lookup;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	dw_section_begin(dw, ".debug_info");
	dw_label(dw, "behind all units");
	dw_section_end(dw);
	dw_aranges(dw, "behind all units", DW_RANGES({ 0x1000, 0x1100 }));
	lookup_open(&lookup, dw);
	CHECK_PROGRAM(&lookup, 0x1000, "a.c");
	assert_string_equal(lookup_problems(&lookup), "");
	lookup_close(&lookup);
}

TEST(a_list_that_is_damaged_is_a_problem_and_the_units_speak)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct lookup lookup;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	put(dw, "b.c", 0x2000, PROGRAM_PAIR);
	dw_aranges(dw, "a.c", DW_RANGES({ 0x1000, 0x1100 }));
	dw_section_begin(dw, ".debug_aranges");
	dw_raw(dw, DW_BYTES(1, 2, 3));
	dw_section_end(dw);
	lookup_open(&lookup, dw);
	CHECK_PROGRAM(&lookup, 0x2000, "b.c");
	CHECK_PROGRAM(&lookup, 0x1000, "a.c");
	assert_string_equal(lookup_problems(&lookup),
			    ".debug_aranges+0x30: unexpected end of data\n");
	lookup_close(&lookup);
}

TEST(what_is_inlined_may_be_a_function_of_another_unit)
{
	for (int i = 0; i < 4; i++) {
		struct dwarf_builder *dw = scan_builder(i & 1 ? 4 : 5);
		struct lookup lookup;

		put(dw, "a.c", 0x1000, PROGRAM_PAIR);
		program_put(dw, &(struct program_unit){
					.name = "b.c", .start = 0x2000, .origin = "a.c" });
		if (i & 2)
			dw_aranges(dw, "b.c", DW_RANGES({ 0x2000, 0x2100 }));
		lookup_open(&lookup, dw);
		assert_lookup(&lookup, 0x2010, "a.c.leaf /src/b.c:2 in b.c.main /src/b.c:7");
		assert_string_equal(lookup_problems(&lookup), "");
		lookup_close(&lookup);
	}
}

// In a damaged file: its copies do not belong to the function around it.
TEST(what_is_in_a_function_without_code_is_not_of_the_one_around_it)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct lookup lookup;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, 0x1000, 0x1100);
	scan_abstract(dw, "leaf");
	scan_host(dw, "host", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "nested");
	scan_inlined(dw, "leaf", 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	for (int i = 0; i < 3; i++) // at first only what is needed is read
		assert_lookup(&lookup, 0x1010, "host ?:0");
	lookup_close(&lookup);
}

static struct elf_builder *elf_with(struct dwarf_builder *dw)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	if (dw)
		elf_add_dwarf(elf, dw);
	if (dw)
		dwarf_builder_free(dw);
	return elf;
}

static void add_symbol(struct elf_builder *elf, const char *name, uint64_t value, uint64_t size)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".text",
						 .value = value,
						 .size = size,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
}

// A unit of assembly: a line table, and only the root DIE, perhaps without addresses.
static void put_assembly(struct dwarf_builder *dw, const char *name, bool has_pc)
{
	static const char *const dirs[] = { "/src", NULL };
	const struct dw_line_file files[] = { { .path = name }, { .path = name }, { 0 } };
	struct dw_line_header header = dw_line_header_default(dw);
	char lines[64];

	snprintf(lines, sizeof(lines), "%s.lines", name);
	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, lines, &header);
	dw_line_address(dw, 0x4000);
	dw_line_row(dw, 0, 8);
	dw_line_row(dw, 0x10, 1);
	dw_line_end_sequence(dw, 0x10);
	dw_line_end(dw);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .label = name });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_Mips_Assembler);
	if (has_pc)
		dw_low_high(dw, 0x4000, 0x4020);
	dw_stmt_list(dw, lines);
	dw_die_end(dw);
	dw_unit_end(dw);
}

TEST(assembly_has_its_lines_and_the_name_of_its_symbol)
{
	for (int i = 0; i < 4; i++) {
		struct dwarf_builder *dw = scan_builder(5);
		struct elf_builder *elf;
		struct lookup lookup;

		put_assembly(dw, "a.S", i >= 2);
		if (i % 2)
			dw_aranges(dw, "a.S", DW_RANGES({ 0x4000, 0x4020 }));
		elf = elf_with(dw);
		add_symbol(elf, "memcpy", 0x4000, 0x10);
		lookup_open_elf(&lookup, elf);
		assert_lookup(&lookup, 0x4008, "[memcpy] /src/a.S:9");
		assert_lookup(&lookup, 0x4010, "? /src/a.S:10"); // after the symbol
		assert_lookup(&lookup, 0x4020, "");
		lookup_close(&lookup);
	}
}

TEST(where_dwarf_knows_nothing_the_symbol_is_all)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_symbolizer_symbol symbol, symbols[20];
	const uint64_t addrs[20] = { 0x3008, UINT64_MAX };
	struct elf_builder *elf;
	struct ic_frame frame;
	struct lookup lookup;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	elf = elf_with(dw);
	add_symbol(elf, "main", 0x1000, 0x100); // of which the unit knows more
	add_symbol(elf, "other", 0x3000, 0x20);
	lookup_open_elf(&lookup, elf);
	assert_lookup(&lookup, 0x1010, PROGRAM_LEAF("a.c"));
	assert_lookup(&lookup, 0x3000, "[other] ?:0");
	assert_lookup(&lookup, 0x301f, "[other] ?:0");
	assert_lookup(&lookup, 0x3020, ""); // never one that ends before it
	assert_int_equal(ic_symbolizer_frames_at(lookup.symbolizer, 0x3008, &frame, 1), 1);
	assert_string_equal(frame.linkage_name, "other");
	assert_int_equal(frame.start, 0x3000);
	assert_true(frame.is_symbol);
	assert_false(frame.inlined);
	assert_true(ic_symbolizer_symbol_at(lookup.symbolizer, 0x3008, &symbol));
	assert_string_equal(symbol.name, "other");
	assert_int_equal(symbol.start, 0x3000);
	assert_int_equal(symbol.end, 0x3020);
	assert_false(ic_symbolizer_symbol_at(lookup.symbolizer, 0x3020, &symbol));
	assert_false(ic_symbolizer_symbol_at(lookup.symbolizer, UINT64_MAX, &symbol));
	for (size_t count = 2; count <= COUNT_OF(addrs); count++) { // one by one, and at once
		memset(symbols, 0x5a, sizeof(symbols));
		ic_symbolizer_symbols_at(lookup.symbolizer, addrs, count, symbols);
		assert_string_equal(symbols[0].name, "other");
		assert_int_equal(symbols[0].start, 0x3000);
		assert_null(symbols[1].name);
		for (size_t i = 2; i < count; i++)
			assert_null(symbols[i].name);
	}
	lookup_close(&lookup);
}

TEST(addresses_outside_of_code_have_no_frames)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct elf_builder *elf;
	struct lookup lookup;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_END - 0x100, CODE_END + 0x100); // a lie
	scan_host(dw, "main", CODE_END - 0x100, CODE_END + 0x100);
	dw_die_end(dw);
	scan_unit_done(dw);
	elf = elf_with(dw);
	add_symbol(elf, "data", CODE_END + 0x40, 0x20);
	lookup_open_elf(&lookup, elf);
	assert_lookup(&lookup, CODE_END - 1, "main ?:0");
	assert_lookup(&lookup, CODE_END, "");
	assert_lookup(&lookup, CODE_END + 0x48, "");
	assert_lookup(&lookup, 0, "");
	assert_lookup(&lookup, UINT64_MAX, "");
	lookup_close(&lookup);
}

TEST(of_a_relocatable_file_every_section_has_addresses_of_its_own)
{
	struct dwarf_builder *dw = dwarf_builder_new((struct dwarf_format){
		.version = 5, .offset_size = 4, .addr_size = 8, .relocs = DWARF_RELOCS_RELA });
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_symbolizer_section hot, cold;
	struct ic_index_section section;
	struct lookup lookup;

	elf_add_code(elf, ".text", 0, 0x100);
	elf_add_code(elf, ".text.cold", 0, 0x100);
	dw_addr_target(dw, ".text");
	put(dw, "a.c", 0, PROGRAM_PAIR);
	dw_aranges(dw, "a.c", DW_RANGES({ 0, 0x100 }));
	dw_addr_target(dw, ".text.cold");
	put(dw, "b.c", 0, PROGRAM_PAIR);
	dw_aranges(dw, "b.c", DW_RANGES({ 0, 0x100 }));
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	lookup_open_elf(&lookup, elf);
	assert_true(ic_symbolizer_section_find(lookup.symbolizer, ".text", 0, &hot));
	assert_true(ic_symbolizer_section_find(lookup.symbolizer, ".text.cold", 0, &cold));
	assert_false(ic_symbolizer_section_find(lookup.symbolizer, ".text", 1, &cold));
	assert_int_equal(hot.size, 0x100);
	assert_true(hot.start != cold.start);
	assert_lookup(&lookup, cold.start + 0x10, PROGRAM_LEAF("b.c"));
	assert_lookup(&lookup, hot.start + 0x10, PROGRAM_LEAF("a.c"));
	assert_lookup(&lookup, hot.start + 0x20, PROGRAM_END("a.c"));
	assert_true(ic_symbolizer_section_at(lookup.symbolizer, cold.start + 0x10, &section));
	assert_string_equal(section.name, ".text.cold");
	assert_int_equal(section.start, cold.start);
	assert_int_equal(ic_symbolizer_lowest_addr(lookup.symbolizer), 0);
	assert_string_equal(lookup_problems(&lookup), "");
	lookup_close(&lookup);
}

TEST(debug_information_of_which_nothing_is_in_the_code_is_reported)
{
	for (int listed = 0; listed < 2; listed++) {
		struct dwarf_builder *dw = scan_builder(5);
		struct lookup lookup;

		put(dw, "a.c", CODE_END + 0x1000, PROGRAM_PAIR);
		if (listed)
			dw_aranges(dw, "a.c", DW_RANGES({ CODE_END + 0x1000, CODE_END + 0x1100 }));
		lookup_open(&lookup, dw);
		assert_lookup(&lookup, CODE_START, "");
		assert_non_null(strstr(lookup_problems(&lookup), "is it for another file?"));
		lookup_close(&lookup);
	}
}

TEST(the_lowest_address_is_that_of_the_first_page)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_symbolizer_section section;
	struct lookup lookup;

	put(dw, "a.c", 0x401100, PROGRAM_PAIR);
	elf_add_code(elf, ".text", 0x401080, 0x1000);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	lookup_open_elf(&lookup, elf);
	assert_int_equal(ic_symbolizer_lowest_addr(lookup.symbolizer), 0x401000);
	assert_true(ic_symbolizer_section_find(lookup.symbolizer, ".text", 0, &section));
	assert_int_equal(section.start, 0x401080);
	assert_lookup(&lookup, 0x401110, PROGRAM_LEAF("a.c"));
	lookup_close(&lookup);
}

static void put_faulty(struct dwarf_builder *dw, const char *name, uint64_t start)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .label = name });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_string(dw, DW_AT_name, name);
	if (dw_format(dw).version > 2)
		dw_low_high(dw, start, start + 0x100);
	scan_host(dw, name, start, start + 0x100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref4, 0x123456);
	dw_low_high(dw, start + 0x10, start + 0x20);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

TEST(problems_are_those_of_the_units_that_were_read_each_once)
{
	for (int i = 0; i < 8; i++) {
		struct dwarf_builder *dw = scan_builder(i & 1 ? 2 : 5);
		struct lookup lookup;

		put(dw, "good", 0x1000, PROGRAM_PAIR);
		put_faulty(dw, "bad", 0x2000);
		if (i & 2)
			dw_aranges(dw, "bad", DW_RANGES({ 0x2000, 0x2100 }));
		lookup_open(&lookup, dw);
		if (i & 4) {
			assert_lookup(&lookup, 0x1000, PROGRAM_START("good"));
			if (!(i & 1))
				assert_string_equal(lookup_problems(&lookup), "");
		}
		assert_lookup(&lookup, 0x2010, "? ?:0 in bad ?:0");
		assert_lookup(&lookup, 0x2014, "? ?:0 in bad ?:0");
		assert_lookup(&lookup, 0x2020, "bad ?:0");
		const char *problems = lookup_problems(&lookup);
		assert_non_null(strstr(problems, ".debug_info+0x"));
		assert_ptr_equal(strchr(problems, '\n') + 1, problems + strlen(problems));
		lookup_close(&lookup);
	}
}

// Such as those of variables, which may be read for any number of functions.
TEST(of_problems_of_no_unit_the_first_are_listed_and_the_rest_counted)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_error err;
	struct lookup lookup;

	put(dw, "good", 0x1000, PROGRAM_PAIR);
	lookup_open(&lookup, dw);
	ic_fail(&err, IC_ERROR_MALFORMED, "bad");
	for (int i = 0; i < 8; i++)
		ic_problems_add(&lookup.symbolizer->problems, &err, NULL, 0);
	assert_string_equal(lookup_problems(&lookup), "bad\nbad\nbad\nbad\nbad\nbad\nbad\nbad\n");
	for (int i = 0; i < 4; i++)
		ic_problems_add(&lookup.symbolizer->problems, &err, NULL, 0);
	for (int i = 0; i < 2; i++)
		assert_non_null(strstr(lookup_problems(&lookup), "bad\nand 4 more problems\n"));
	ic_problems_add(&lookup.symbolizer->problems, &err, NULL, 0);
	lookup.symbolizer->problems.out_of_memory = true;
	assert_non_null(
		strstr(lookup_problems(&lookup), "bad\nand 5 more problems\nout of memory\n"));
	lookup_close(&lookup);
}

// A unit with few wanted addresses is read as far as they need.
TEST(problems_are_the_same_where_many_addresses_are_asked_for_at_once)
{
	enum { COUNT = 40 };
	struct dwarf_builder *dw = scan_builder(5);
	uint64_t addrs[COUNT] = { 0x2014 };
	struct lookup lookup;

	put(dw, "good", 0x1000, PROGRAM_PAIR);
	put_faulty(dw, "bad", 0x2000);
	lookup_open(&lookup, dw);
	for (uint64_t i = 1; i < COUNT; i++)
		addrs[i] = 0x1000 + i;
	for (int i = 0; i < 3; i++) {
		struct ic_stacks *stacks = ic_stacks_find(lookup.symbolizer, addrs, COUNT, NULL);
		assert_non_null(stacks);
		assert_string_equal(lookup_stack(&lookup, stacks, 0), "? ?:0 in bad ?:0");
		ic_stacks_free(stacks);
		const char *problems = lookup_problems(&lookup);
		assert_non_null(strstr(problems, ".debug_info+0x"));
		assert_ptr_equal(strchr(problems, '\n') + 1, problems + strlen(problems));
	}
	lookup_close(&lookup);
}

TEST(a_unit_that_cannot_be_read_costs_its_own_addresses)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct lookup lookup;

	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .bad_version = DW_BAD(9) });
	dw_unit_end(dw);
	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .bad_version = DW_BAD(9) });
	dw_unit_end(dw);
	lookup_open(&lookup, dw);
	CHECK_PROGRAM(&lookup, 0x1000, "a.c");
	lookup_close(&lookup);
}

TEST(of_units_that_claim_an_address_the_first_with_an_instance_answers)
{
	for (int listed = 0; listed < 2; listed++) {
		struct dwarf_builder *dw = scan_builder(5);
		struct lookup lookup;

		scan_unit_of(dw, "empty", DW_LANG_C99); // claims all, and has nothing
		dw_low_high(dw, CODE_START, CODE_END);
		scan_unit_done(dw);
		put_assembly(dw, "asm", true); // has rows
		put(dw, "a.c", 0x4000, PROGRAM_PAIR);
		put(dw, "b.c", 0x4000, PROGRAM_PAIR); // folded with it
		if (listed) {
			dw_aranges(dw, "asm", DW_RANGES({ 0x4000, 0x4020 }));
			dw_aranges(dw, "a.c", DW_RANGES({ 0x4000, 0x4100 }));
			dw_aranges(dw, "b.c", DW_RANGES({ 0x4000, 0x4100 }));
		}
		lookup_open(&lookup, dw);
		assert_lookup(&lookup, 0x4000, PROGRAM_START("a.c"));
		assert_lookup(&lookup, 0x4010, PROGRAM_LEAF("a.c"));
		assert_lookup(&lookup, 0x40ff, PROGRAM_END("a.c"));
		assert_lookup(&lookup, 0x4100, "");
		lookup_close(&lookup);
	}
}

TEST(of_units_that_have_rows_alone_the_first_answers)
{
	for (int listed = 0; listed < 2; listed++) {
		struct dwarf_builder *dw = scan_builder(5);
		struct lookup lookup;

		put_assembly(dw, "a.S", true);
		put_assembly(dw, "b.S", true);
		if (listed) {
			dw_aranges(dw, "a.S", DW_RANGES({ 0x4000, 0x4020 }));
			dw_aranges(dw, "b.S", DW_RANGES({ 0x4000, 0x4020 }));
		}
		lookup_open(&lookup, dw);
		assert_lookup(&lookup, 0x4008, "? /src/a.S:9");
		lookup_close(&lookup);
	}
}

TEST(what_does_not_fit_is_counted)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_frame frames[2];
	struct elf_builder *elf;
	struct lookup lookup;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	elf = elf_with(dw);
	add_symbol(elf, "other", 0x3000, 0x20);
	lookup_open_elf(&lookup, elf);
	memset(frames, 0x5a, sizeof(frames));
	struct ic_frame untouched = frames[1];
	assert_int_equal(ic_symbolizer_frames_at(lookup.symbolizer, 0x1010, frames, 1), 2);
	assert_string_equal(frames[0].function, "a.c.leaf");
	assert_memory_equal(&frames[1], &untouched, sizeof(untouched));
	assert_int_equal(ic_symbolizer_frames_at(lookup.symbolizer, 0x1010, NULL, 0), 2);
	assert_int_equal(ic_symbolizer_frames_at(lookup.symbolizer, 0x3000, NULL, 0), 1);
	assert_int_equal(ic_symbolizer_frames_at(lookup.symbolizer, 0x4000, NULL, 0), 0);
	lookup_close(&lookup);
}

// A list may name one large unit over and over. Without a bound this takes minutes.
TEST(a_list_that_names_a_unit_over_and_over_costs_no_more_than_others)
{
	enum { COUNT = 40000 };
	struct dwarf_builder *dw = scan_builder(4);
	struct lookup lookup;

	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .label = "large" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_low_high(dw, 0x1000, 0x2000);
	for (uint32_t i = 0; i < COUNT; i++) {
		dw_die_begin(dw, DW_TAG_subprogram);
		dw_low_high(dw, 0x1800, 0x1804);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	dw_unit_end(dw);
	for (uint32_t i = 0; i < COUNT; i++)
		dw_aranges(dw, "large", DW_RANGES({ 0x1000, 0x2000 }));
	lookup_open(&lookup, dw);
	assert_lookup(&lookup, 0x1400, "");
	assert_lookup(&lookup, 0x1800, "? ?:0");
	lookup_close(&lookup);
}

UNIT_TESTS(symbolize_symbolizer)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_frames_are_the_same_with_and_without_a_list_of_addresses),
		cmocka_unit_test(more_look_ups_than_are_worth_reading_units_alone_give_the_same),
		cmocka_unit_test(a_list_that_leaves_a_unit_out_or_names_another_does_not_hide_it),
		cmocka_unit_test(a_list_may_name_what_is_no_unit),
		cmocka_unit_test(a_list_that_is_damaged_is_a_problem_and_the_units_speak),
		cmocka_unit_test(what_is_in_a_function_without_code_is_not_of_the_one_around_it),
		cmocka_unit_test(what_is_inlined_may_be_a_function_of_another_unit),
		cmocka_unit_test(assembly_has_its_lines_and_the_name_of_its_symbol),
		cmocka_unit_test(where_dwarf_knows_nothing_the_symbol_is_all),
		cmocka_unit_test(addresses_outside_of_code_have_no_frames),
		cmocka_unit_test(of_a_relocatable_file_every_section_has_addresses_of_its_own),
		cmocka_unit_test(debug_information_of_which_nothing_is_in_the_code_is_reported),
		cmocka_unit_test(the_lowest_address_is_that_of_the_first_page),
		cmocka_unit_test(problems_are_those_of_the_units_that_were_read_each_once),
		cmocka_unit_test(of_problems_of_no_unit_the_first_are_listed_and_the_rest_counted),
		cmocka_unit_test(problems_are_the_same_where_many_addresses_are_asked_for_at_once),
		cmocka_unit_test(a_unit_that_cannot_be_read_costs_its_own_addresses),
		cmocka_unit_test(of_units_that_claim_an_address_the_first_with_an_instance_answers),
		cmocka_unit_test(of_units_that_have_rows_alone_the_first_answers),
		cmocka_unit_test(a_list_that_names_a_unit_over_and_over_costs_no_more_than_others),
		cmocka_unit_test(what_does_not_fit_is_counted),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
