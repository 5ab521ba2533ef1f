#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "elf/image/image.h"
#include "elf/sections/relocate.h"

#include "elf_builder.h"
#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

enum how { STRP, STRING, LINE_STRP, STRX };

static void write_name(struct dwarf_builder *dw, uint16_t attribute, enum how how, const char *name)
{
	switch (how) {
	case STRP: dw_strp(dw, attribute, name); break;
	case STRING: dw_string(dw, attribute, name); break;
	case LINE_STRP: dw_line_strp(dw, attribute, name); break;
	case STRX: dw_strx(dw, attribute, name); break;
	}
}

// A host, and one function inlined in it.
static void write_function(struct dwarf_builder *dw, const char *label, enum how how,
			   const char *name, const char *linkage_name)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_subprogram);
	if (name)
		write_name(dw, DW_AT_name, how, name);
	if (linkage_name)
		write_name(dw, DW_AT_linkage_name, how, linkage_name);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_die_end(dw);
	scan_host(dw, "host", 0x1000, 0x1100);
	scan_inlined(dw, label, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
}

// A unit with these.
static void write_unit(struct dwarf_builder *dw, const char *unit, enum how how, const char *name,
		       const char *linkage_name)
{
	scan_unit_of(dw, unit, DW_LANG_C_plus_plus);
	write_function(dw, unit, how, name, linkage_name);
	scan_unit_done(dw);
}

// The units that are read for a name, as "ac".
static const char *units_read(struct dwarf_builder *dw, const char *name)
{
	static char read[16];
	const char *const names[] = { name, NULL };
	const struct ic_index_options options = { .functions = names };
	struct scan scan;
	size_t count = 0;

	scan_open(&scan, dw, &options);
	for (uint32_t i = 0; i < scan.index->unit_count; i++)
		if (scan.index->units[i].name)
			read[count++] = scan.index->units[i].name[0];
	read[count] = 0;
	scan_close(&scan);
	return read;
}

// A small offset is found in many places, since it is a small number.
static struct dwarf_builder *builder_of(struct dwarf_format format)
{
	static char text[0x123457];
	struct dwarf_builder *dw = dwarf_builder_new(format);

	memset(text, '.', sizeof(text) - 1);
	scan_unit_of(dw, "z", DW_LANG_C99);
	dw_die_begin(dw, DW_TAG_variable);
	dw_strp(dw, DW_AT_name, text);
	dw_line_strp(dw, DW_AT_producer, text);
	dw_die_end(dw);
	scan_unit_done(dw);
	return dw;
}

static struct dwarf_builder *builder_with_strings(uint8_t offset_size)
{
	return builder_of(
		(struct dwarf_format){ .version = 5, .offset_size = offset_size, .addr_size = 8 });
}

TEST(only_units_with_the_name_are_read_however_it_is_written)
{
	for (enum how how = STRP; how <= LINE_STRP; how++) {
		for (uint8_t offset_size = 4; offset_size <= 8; offset_size += 4) {
			struct dwarf_builder *dw = builder_with_strings(offset_size);
			write_unit(dw, "a", how, "first", NULL);
			write_unit(dw, "b", how, "second", NULL);
			write_unit(dw, "c", how, "abs", NULL);
			write_unit(dw, "d", how, "second", NULL);
			assert_string_equal(units_read(dw, "second"), "bd");
		}
	}
}

TEST(a_name_may_be_the_end_of_another_string)
{
	for (enum dw_string_sharing sharing = DW_STRINGS_SHARED; sharing <= DW_STRINGS_APART;
	     sharing++) {
		struct dwarf_builder *dw = builder_with_strings(4);

		dw_string_sharing(dw, sharing);
		write_unit(dw, "b", STRP, "devm_kmalloc", NULL);
		write_unit(dw, "a", STRP, "kmalloc", NULL);
		assert_string_equal(units_read(dw, "kmalloc"), "a");
	}
}

static const char *units_for(const char *name, const char *linkage_name, const char *asked)
{
	struct dwarf_builder *dw = builder_with_strings(4);

	write_unit(dw, "a", STRP, name, linkage_name);
	write_unit(dw, "b", STRP, "unrelated", "_Z9unrelatedv");
	return units_read(dw, asked);
}

TEST(scopes_arguments_and_suffixes_of_clones_do_not_matter)
{
	assert_string_equal(units_for("func", NULL, "ns::func"), "a");
	assert_string_equal(units_for("func<int>", NULL, "func"), "a");
	assert_string_equal(units_for("func<int>", NULL, "func<int>"), "a");
	assert_string_equal(units_for("func", NULL, "func(int, char*)"), "a");
	assert_string_equal(units_for("func", NULL, "func.constprop.0"), "a");
	assert_string_equal(units_for("~Shape", NULL, "ns::Shape::~Shape"), "a");
	assert_string_equal(units_for("funcs", NULL, "func"), "");
	assert_string_equal(units_for("main.(*List[int]).Push", NULL, "main.(*List).Push"), "a");
}

TEST(a_symbol_is_a_name_too)
{
	assert_string_equal(units_for(NULL, "_ZN2ns4funcEv", "ns::func"), "a");
	assert_string_equal(units_for(NULL, "_ZN2ns4funcEv", "_ZN2ns4funcEv"), "a");
	assert_string_equal(units_for("func", "_ZN2ns4funcEv", "_ZN2ns4funcEv"), "a");
	assert_string_equal(units_for(NULL, "_ZN2ns12longer_namesEv", "longer_names"), "a");
	assert_string_equal(units_for(NULL, "_ZN2ns12longer_namesEv", "longer_name"), "");
	assert_string_equal(units_for(NULL, "func.lto_priv.0", "func.lto_priv.0"), "a");
}

static uint32_t count_read(struct dwarf_builder *dw, const char *name)
{
	const char *const names[] = { name, NULL };
	const struct ic_index_options options = { .functions = names };
	struct scan scan;
	uint32_t count = 0;

	scan_open(&scan, dw, &options);
	for (uint32_t i = 0; i < scan.index->unit_count; i++)
		count += scan.index->units[i].name != NULL;
	scan_close(&scan);
	return count;
}

TEST(the_name_may_be_the_end_of_any_number_of_strings)
{
	struct dwarf_builder *dw = builder_with_strings(4);
	char unit[16], longer[32];

	dw_string_sharing(dw, DW_STRINGS_APART);
	for (int i = 0; i < 300; i++) {
		snprintf(unit, sizeof(unit), "unit_%d", i);
		snprintf(longer, sizeof(longer), "get_%d_func", i);
		write_unit(dw, unit, STRP, i % 100 ? longer : "func", NULL);
	}
	assert_int_equal(count_read(dw, "func"), 3);
}

// Units with the name among a hundred.
static struct dwarf_builder *builder_with(int wanted)
{
	struct dwarf_builder *dw = builder_with_strings(4);

	for (int i = 0; i < 100; i++) {
		char unit[16];
		snprintf(unit, sizeof(unit), "unit_%d", i);
		write_unit(dw, unit, STRP, i < wanted ? "wanted" : "other", NULL);
	}
	return dw;
}

TEST(units_are_not_chosen_if_nearly_all_would_be)
{
	assert_int_equal(count_read(builder_with(50), "wanted"), 50);
	assert_int_equal(count_read(builder_with(95), "wanted"), 101);
	assert_int_equal(count_read(builder_with(100), "wanted"), 101);
}

TEST(a_string_full_of_the_name_is_searched_once)
{
	static char text[1 << 20];
	struct dwarf_builder *dw = scan_builder(5);

	for (size_t i = 0; i < sizeof(text) - 1; i++)
		text[i] = "4func"[i % 5];
	write_unit(dw, "b", STRP, "other", text);
	write_unit(dw, "a", STRP, NULL, "_ZN4func5outer4funcEv");
	assert_string_equal(units_read(dw, "func"), "a");
}

TEST(what_can_be_spelt_in_many_ways_is_looked_for_everywhere)
{
	assert_string_equal(units_for(NULL, "_ZplR1AS0_", "operator+"), "zab");
	assert_string_equal(units_for(NULL, "_ZNSsC1Ev", "std::string::string"), "zab");
	assert_string_equal(units_for("{lambda()#1}", NULL, "{lambda()#1}"), "zab");
	assert_string_equal(units_for("func", NULL, ""), "zab");
}

TEST(units_that_lead_to_others_are_all_read)
{
	struct dwarf_builder *dw = scan_builder(5);

	write_unit(dw, "a", STRP, "wanted", NULL);
	scan_unit_of(dw, "b", DW_LANG_C99);
	scan_host(dw, "b", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, "a");
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	assert_string_equal(units_read(dw, "wanted"), "ab");
}

TEST(units_that_share_a_table_of_strings_are_all_read)
{
	struct dwarf_builder *dw = scan_builder(5);

	write_unit(dw, "a", STRX, "first", NULL);
	write_unit(dw, "b", STRX, "second", NULL);
	assert_string_equal(units_read(dw, "first"), "ab");
}

TEST(of_small_sections_all_units_are_read)
{
	static const char *const names[] = { "first", NULL };
	struct ic_index_options options = { .functions = names };
	struct scan scan;

	for (uint64_t below = 0; below <= 1 << 20; below += 1 << 20) {
		struct dwarf_builder *dw = builder_with_strings(4);
		write_unit(dw, "a", STRP, "first", NULL);
		write_unit(dw, "b", STRP, "second", NULL);
		options.whole_below = below;
		scan_open(&scan, dw, &options);
		assert_int_equal(scan.index->units[2].name != NULL, below > 0);
		scan_close(&scan);
	}
}

// More relocations than are applied together.
static void write_variables(struct dwarf_builder *dw)
{
	for (int i = 0; i < 64; i++) {
		dw_die_begin(dw, DW_TAG_variable);
		dw_strp(dw, DW_AT_name, "variable");
		dw_data8(dw, DW_AT_const_value, 0); // to keep fields apart
		dw_die_end(dw);
	}
}

// Writes units a, b and c, each with an inlined function of its own name, to an object. A symbol is
// in the strings.
static const char *write_object(bool big_endian, uint64_t symbol_at)
{
	const struct elf_format object = { .bits = 64,
					   .big_endian = big_endian,
					   .machine = big_endian ? EM_S390 : EM_X86_64,
					   .type = ET_REL };
	struct dwarf_builder *dw = builder_of((struct dwarf_format){ .version = 5,
								     .offset_size = 4,
								     .addr_size = 8,
								     .big_endian = big_endian,
								     .relocs = DWARF_RELOCS_RELA });
	struct elf_builder *elf = elf_builder_new(object);

	dw_addr_target(dw, ".text");
	for (int i = 0; i < 3; i++) {
		const char unit[2] = { (char)('a' + i), 0 };
		char name[32];
		snprintf(name, sizeof(name), "function_%s", unit);
		scan_unit_of(dw, unit, DW_LANG_C99);
		write_variables(dw);
		write_function(dw, unit, STRP, name, NULL); // far from any header
		write_variables(dw);
		scan_unit_done(dw);
	}
	dw_addr_target(dw, NULL);
	elf_add_code(elf, ".text", 0, 0x2000);
	elf_add_dwarf(elf, dw);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "string",
						 .section = ".debug_str",
						 .value = symbol_at });
	dwarf_builder_free(dw);
	return elf_end_at(elf, "names.o");
}

// Whether all relocations of the units have been applied.
static bool is_relocated(const struct scan *scan)
{
	const struct ic_elf_file *file = &scan->image->file;
	const struct ic_bytes bytes = ic_elf_file_debug_section(file, ".debug_info")->bytes;
	const struct ic_section *section = ic_elf_file_debug_section(file, ".debug_info");
	uint8_t *before = malloc(bytes.size);
	struct ic_error err;

	assert_non_null(before);
	memcpy(before, bytes.data, bytes.size);
	assert_true(ic_section_relocate_rest(file, section, 1, &err));
	bool is_same = memcmp(before, bytes.data, bytes.size) == 0;
	free(before);
	return is_same;
}

TEST(of_a_relocatable_file_only_units_with_the_name_are_relocated)
{
	static const char *const names[] = { "function_b", NULL };
	const struct ic_index_options options = { .functions = names };
	struct scan scan;

	// If strings are referred to by symbols inside them, their offsets are known after
	// relocation.
	for (uint64_t symbol_at = 0; symbol_at < 2; symbol_at++) {
		for (int big_endian = 0; big_endian < 2; big_endian++) {
			scan_open_path(&scan, write_object(big_endian, symbol_at), &options);
			const struct ic_index *index = scan.index;
			assert_int_equal(index->unit_count, 4);
			for (uint32_t i = 0; i < 4; i++)
				assert_int_equal(index->units[i].name != NULL, i == 2);
			assert_non_null(strstr(scan_text(&scan), "inlined function_b "));
			assert_int_equal(index->problem_count, 0);
			assert_int_equal(is_relocated(&scan), symbol_at > 0);
			scan_close(&scan);
		}
	}
}

TEST(units_that_were_overwritten_are_read)
{
	static const char *const names[] = { "first", NULL };
	const struct ic_index_options options = { .functions = names };
	static const uint8_t bytes[2] = { 0, 0xff };

	for (size_t i = 0; i < 2; i++) {
		struct dwarf_builder *dw = builder_with_strings(4);
		uint8_t block[140];
		struct scan scan;

		memset(block, bytes[i], sizeof(block));
		write_unit(dw, "a", STRP, "first", NULL);
		scan_unit_of(dw, "b", DW_LANG_C99);
		dw_die_begin(dw, DW_TAG_variable);
		dw_block(dw, DW_AT_const_value, DW_FORM_block1, block, sizeof(block));
		dw_die_end(dw);
		scan_unit_done(dw);
		write_unit(dw, "c", STRP, "second", NULL);
		scan_open(&scan, dw, &options);
		assert_non_null(scan.index->units[2].name);
		assert_null(scan.index->units[3].name);
		scan_close(&scan);
	}
}

TEST(all_units_are_read_to_know_that_none_fits)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a", DW_LANG_C99);
	scan_host(dw, "gone", CODE_END + 0x1000, CODE_END + 0x1010);
	dw_die_end(dw);
	scan_unit_done(dw);
	write_unit(dw, "b", STRP, "other", NULL);
	assert_string_equal(units_read(dw, "gone"), "ab");
}

UNIT_TESTS(index_names)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_units_with_the_name_are_read_however_it_is_written),
		cmocka_unit_test(a_name_may_be_the_end_of_another_string),
		cmocka_unit_test(scopes_arguments_and_suffixes_of_clones_do_not_matter),
		cmocka_unit_test(a_symbol_is_a_name_too),
		cmocka_unit_test(the_name_may_be_the_end_of_any_number_of_strings),
		cmocka_unit_test(units_are_not_chosen_if_nearly_all_would_be),
		cmocka_unit_test(a_string_full_of_the_name_is_searched_once),
		cmocka_unit_test(what_can_be_spelt_in_many_ways_is_looked_for_everywhere),
		cmocka_unit_test(units_that_lead_to_others_are_all_read),
		cmocka_unit_test(units_that_share_a_table_of_strings_are_all_read),
		cmocka_unit_test(of_small_sections_all_units_are_read),
		cmocka_unit_test(of_a_relocatable_file_only_units_with_the_name_are_relocated),
		cmocka_unit_test(units_that_were_overwritten_are_read),
		cmocka_unit_test(all_units_are_read_to_know_that_none_fits),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
