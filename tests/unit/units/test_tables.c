#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

#include <inlinecall/extra/index.h>

// A table of about `size` bytes under a label; its first two codes are for units and hosts.
static void write_table(struct dwarf_builder *dw, const char *label, uint32_t size)
{
	dw_section_begin(dw, ".debug_abbrev");
	dw_label(dw, label);
	dw_abbrev_begin(dw, 1, DW_TAG_compile_unit, 1);
	dw_abbrev_end(dw);
	for (uint32_t code = 3; code < 3 + size / 20; code++) {
		dw_uleb_padded(dw, code, 4);
		dw_uleb(dw, DW_TAG_member);
		dw_u8(dw, 0);
		for (int i = 0; i < 6; i++)
			dw_abbrev_attr(dw, DW_AT_decl_line, DW_FORM_data1);
		dw_abbrev_end(dw);
	}
	dw_abbrev_begin(dw, 2, DW_TAG_subprogram, 0);     // the last, so that all must be read
	dw_abbrev_attr(dw, DW_AT_type, DW_FORM_ref_addr); // an address in DWARF 2
	dw_abbrev_attr(dw, DW_AT_low_pc, DW_FORM_addr);
	dw_abbrev_attr(dw, DW_AT_high_pc, DW_FORM_addr);
	dw_abbrev_end(dw);
	dw_u8(dw, 0);
	dw_section_end(dw);
}

static void write_unit(struct dwarf_builder *dw, struct dw_unit unit)
{
	unit.type = DW_UT_compile;
	unit.abbrevs_by_hand = true;
	dw_unit_begin_with(dw, unit);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_code(dw, 1);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_die_code(dw, 2);
	dw_value(dw, DW_AT_type, DW_FORM_ref_addr, 0);
	dw_addr(dw, DW_AT_low_pc, 0x1000);
	dw_addr(dw, DW_AT_high_pc, 0x1010);
	dw_die_end(dw);
	scan_unit_done(dw);
}

TEST(units_of_all_sizes_may_share_a_table)
{
	for (uint32_t jobs = 1; jobs <= 4; jobs += 3) {
		const struct ic_index_options options = { .jobs = jobs };
		struct dwarf_builder *dw = scan_builder(4);
		struct scan scan;

		write_table(dw, "table", 100);
		for (uint16_t version = 2; version <= 5; version++)
			for (uint8_t i = 0; i < 4; i++)
				write_unit(dw, (struct dw_unit){ .version = version,
								 .addr_size = i & 1 ? 4 : 8,
								 .offset_size = i & 2 ? 4 : 8,
								 .abbrevs = "table" });
		scan_open(&scan, dw, &options);
		assert_int_equal(scan.index->problem_count, 0);
		assert_int_equal(ic_index_count(scan.index).hosts, 16);
		assert_int_equal(ic_index_count(scan.index).ranges, 16);
		scan_close(&scan);
	}
}

// The sizes of all four units are alike, but not that of a DW_FORM_ref_addr.
TEST(units_of_dwarf_2_and_of_later_ones_may_share_a_table)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	write_table(dw, "table", 100);
	for (uint16_t version = 2; version <= 5; version++)
		write_unit(dw, (struct dw_unit){ .version = version, .abbrevs = "table" });
	scan_open(&scan, dw, NULL);
	assert_int_equal(scan.index->problem_count, 0);
	assert_int_equal(ic_index_count(scan.index).ranges, 4);
	scan_close(&scan);
}

// One unit in another format than the many that it shares its table with.
TEST(a_large_table_may_be_shared_by_units_of_different_sizes)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	write_table(dw, "table", 40000);
	for (int i = 0; i < 8; i++)
		write_unit(dw,
			   (struct dw_unit){ .offset_size = i == 3 ? 8 : 4, .abbrevs = "table" });
	scan_open(&scan, dw, NULL);
	assert_int_equal(scan.index->problem_count, 0);
	assert_int_equal(ic_index_count(scan.index).hosts, 8);
	scan_close(&scan);
}

TEST(each_unit_may_have_a_table_of_its_own)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;
	char label[2] = "a";

	for (int i = 0; i < 20; i++, label[0]++) {
		write_table(dw, label, i % 7 == 0 ? 10000 : 20);
		write_unit(dw, (struct dw_unit){ .abbrevs = label });
	}
	scan_open(&scan, dw, NULL);
	assert_int_equal(scan.index->problem_count, 0);
	assert_int_equal(ic_index_count(scan.index).hosts, 20);
	scan_close(&scan);
}

TEST(a_shared_table_that_cannot_be_read_is_each_units_problem)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	dw_section_begin(dw, ".debug_abbrev");
	dw_label(dw, "table");
	dw_abbrev_begin(dw, 1, DW_TAG_compile_unit, 1);
	dw_section_end(dw);
	write_unit(dw, (struct dw_unit){ .abbrevs = "table" });
	write_unit(dw, (struct dw_unit){ .abbrevs = "table" });
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit ?\nunit ?\nproblem .debug_abbrev+0x3: unexpected end of data (for "
			   ".debug_info+0x0)\nproblem .debug_abbrev+0x0: invalid abbreviations, as "
			   "reported for the unit at 0x0 (for .debug_info+0x22)\n");
	scan_close(&scan);
}

// Every unit's table begins within the one before it: a small file that takes long to read.
TEST(overlapping_tables_are_read_as_far_as_a_sound_file_would_need)
{
	enum { UNITS = 300 };
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	write_table(dw, "table", 400000);
	for (uint64_t i = 0; i < UNITS; i++)
		write_unit(dw, (struct dw_unit){ .abbrevs = "table",
						 .bad_abbrev_off = DW_BAD(i * 1000 + 5) });
	write_table(dw, "good", 20);
	write_unit(dw, (struct dw_unit){ .abbrevs = "good" });
	scan_open(&scan, dw, NULL);
	assert_int_equal(ic_index_count(scan.index).units, UNITS + 1);
	assert_int_equal(ic_index_count(scan.index).hosts, 1); // the last unit is not affected
	assert_in_range(scan.index->problem_count, UNITS - 1, UNITS);
	assert_non_null(strstr(scan.index->problems[0].message, ".debug_abbrev+0x"));
	scan_close(&scan);
}

UNIT_TESTS(units_tables)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_of_all_sizes_may_share_a_table),
		cmocka_unit_test(units_of_dwarf_2_and_of_later_ones_may_share_a_table),
		cmocka_unit_test(a_large_table_may_be_shared_by_units_of_different_sizes),
		cmocka_unit_test(each_unit_may_have_a_table_of_its_own),
		cmocka_unit_test(a_shared_table_that_cannot_be_read_is_each_units_problem),
		cmocka_unit_test(overlapping_tables_are_read_as_far_as_a_sound_file_would_need),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
