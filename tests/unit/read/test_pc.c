#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

#include <inlinecall/extra/index.h>

static struct dwarf_builder *unit_begin(uint16_t version)
{
	struct dwarf_builder *dw = scan_builder(version);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_abstract(dw, "f");
	return dw;
}

// Ends the unit; the index must have these lines below the unit's own.
static void check(struct dwarf_builder *dw, const char *wanted)
{
	struct scan scan;

	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	const char *text = scan_text(&scan);
	assert_memory_equal(text, "unit a.c\n", 9);
	assert_string_equal(text + 9, wanted);
	scan_close(&scan);
}

// An open instance without any code.
static void inlined(struct dwarf_builder *dw)
{
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
}

TEST(ranges_are_kept_in_the_order_of_their_list)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = unit_begin(version);

		scan_host(dw, "main", 0x1000, 0x1100);
		inlined(dw);
		dw_ranges(dw,
			  DW_RANGES({ 0x1050, 0x1060 }, { 0x1010, 0x1020 }, { 0x1020, 0x1030 }));
		dw_die_end(dw);
		dw_die_end(dw);
		check(dw, "host main 0x1000-0x1100 at 0x1000\n"
			  " inlined f 0x1050-0x1060 0x1010-0x1020 0x1020-0x1030 at 0x1050\n");
	}
}

TEST(an_end_is_an_address_or_a_size)
{
	struct dwarf_builder *dw = unit_begin(5);

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_addr(dw, DW_AT_low_pc, 0x1000);
	dw_addr(dw, DW_AT_high_pc, 0x1100);
	inlined(dw);
	dw_addrx(dw, DW_AT_low_pc, 0x1010);
	dw_addrx(dw, DW_AT_high_pc, 0x1020);
	dw_die_end(dw);
	inlined(dw);
	dw_addrx(dw, DW_AT_low_pc, 0x1010);
	dw_implicit_const(dw, DW_AT_high_pc, 0x30);
	dw_die_end(dw);
	inlined(dw); // one instruction of unknown size
	dw_addr(dw, DW_AT_low_pc, 0x1044);
	dw_die_end(dw);
	dw_die_end(dw);
	check(dw, "host {} 0x1000-0x1100 at 0x1000\n"
		  " inlined f 0x1010-0x1020 at 0x1010\n"
		  " inlined f 0x1010-0x1040 at 0x1010\n"
		  " inlined f at 0x1044\n");
}

TEST(an_entry_is_an_address_or_counts_from_the_start)
{
	struct dwarf_builder *dw = unit_begin(5);

	scan_host(dw, "main", 0x1000, 0x1100);
	scan_inlined(dw, "f", 0x1010, 0x1020);
	dw_addr(dw, DW_AT_entry_pc, 0x1014);
	dw_die_end(dw);
	scan_inlined(dw, "f", 0x1010, 0x1020);
	dw_data1(dw, DW_AT_entry_pc, 8);
	dw_die_end(dw);
	inlined(dw);
	dw_ranges(dw, DW_RANGES({ 0x1030, 0x1040 }, { 0x1020, 0x1028 }));
	dw_data1(dw, DW_AT_entry_pc, 4); // from the first range, if there is no low_pc
	dw_die_end(dw);
	inlined(dw);
	dw_ranges(dw, DW_RANGES({ 0x1030, 0x1040 }));
	dw_addrx(dw, DW_AT_entry_pc, 0x1034);
	dw_die_end(dw);
	scan_inlined(dw, "f", 0x1010, 0x1020);
	dw_addr(dw, DW_AT_entry_pc, 0x10); // not in the code
	dw_die_end(dw);
	dw_die_end(dw);
	check(dw, "host main 0x1000-0x1100 at 0x1000\n"
		  " inlined f 0x1010-0x1020 at 0x1014\n"
		  " inlined f 0x1010-0x1020 at 0x1018\n"
		  " inlined f 0x1030-0x1040 0x1020-0x1028 at 0x1034\n"
		  " inlined f 0x1030-0x1040 at 0x1034\n"
		  " inlined f 0x1010-0x1020\n"
		  "problem .debug_info+0x79: entry address 0x10 is not in code\n");
}

TEST(empty_ranges_are_left_out_and_do_not_make_code_dead)
{
	struct dwarf_builder *dw = unit_begin(5);

	scan_host(dw, "main", 0x1000, 0x1100);
	inlined(dw);
	dw_ranges(dw, DW_RANGES({ 0x1010, 0x1010 }, { 0x1020, 0x1030 }));
	dw_die_end(dw);
	inlined(dw); // only a marker: what is inside it is alive
	dw_ranges(dw, DW_RANGES({ 0x1040, 0x1040 }));
	scan_inlined(dw, "f", 0x1044, 0x1048);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	check(dw, "host main 0x1000-0x1100 at 0x1000\n"
		  " inlined f 0x1020-0x1030 at 0x1020\n"
		  " inlined f\n"
		  "  inlined f 0x1044-0x1048 at 0x1044\n");
}

// Before DWARF 5 it may be one that begins with an empty range at the unit's base.
TEST(a_list_without_ranges_in_live_code_is_reported)
{
	for (uint16_t version = 4; version <= 5; version++) {
		struct dwarf_builder *dw = unit_begin(version);

		scan_host(dw, "main", 0x1000, 0x1100);
		inlined(dw);
		dw_ranges(dw, NULL, 0);
		dw_die_end(dw);
		dw_die_end(dw);
		check(dw, version < 5 ? "host main 0x1000-0x1100 at 0x1000\n"
					" inlined f\n"
					"problem .debug_info+0x31: .debug_ranges: empty range list "
					"of code inlined into the function at 0x1000\n"
				      : "host main 0x1000-0x1100 at 0x1000\n"
					" inlined f\n"
					"problem .debug_info+0x32: .debug_rnglists: empty range "
					"list of code inlined into the function at 0x1000\n");
	}
}

TEST(code_that_the_linker_threw_away_has_no_address)
{
	const uint64_t tombstones[] = { 0, 1, UINT64_MAX, UINT64_MAX - 1, 0x777 };

	for (size_t i = 0; i < COUNT_OF(tombstones); i++) {
		struct dwarf_builder *dw = unit_begin(4);
		uint64_t start = tombstones[i];

		dw_die_begin(dw, DW_TAG_subprogram);
		dw_string(dw, DW_AT_name, "dead");
		dw_addr(dw, DW_AT_low_pc, start);
		dw_data4(dw, DW_AT_high_pc, 0x2000);
		// 0 plus an addend may be in the code: the host around it shows that it is dead.
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_ref4(dw, DW_AT_abstract_origin, "f");
		dw_addr(dw, DW_AT_low_pc, 0x1800);
		dw_data4(dw, DW_AT_high_pc, 0x10);
		scan_inlined(dw, "f", 0x1804, 0x1808);
		dw_die_end(dw);
		dw_die_end(dw);
		dw_die_end(dw);
		scan_host(dw, "alive", 0x1000, 0x1100);
		dw_die_end(dw);
		check(dw, "host dead\n"
			  " inlined f\n"
			  "  inlined f\n"
			  "host alive 0x1000-0x1100 at 0x1000\n");
	}
}

TEST(a_copy_is_not_thrown_away_without_the_code_around_it)
{
	struct dwarf_builder *dw = unit_begin(4);

	scan_host(dw, "main", 0x1000, 0x1100);
	scan_inlined(dw, "f", 0, 0x10);
	dw_die_end(dw);
	dw_die_end(dw);
	// A part of this one may have been.
	dw_range_list_begin(dw, "list");
	dw_range_pair(dw, 0x1200, 0x1210);
	dw_range_pair(dw, 0x1220, 0x1230);
	dw_range_pair(dw, 0, 0);
	dw_range_list_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "split");
	dw_sec_offset(dw, DW_AT_ranges, "list");
	scan_inlined(dw, "f", 0, 0x10);
	dw_die_end(dw);
	dw_die_end(dw);
	check(dw, "host main 0x1000-0x1100 at 0x1000\n"
		  " inlined f\n"
		  "host split 0x1200-0x1210 0x1220-0x1230 at 0x1200\n"
		  " inlined f\n"
		  "problem .debug_info+0x31: address 0x0, inlined into the function at 0x1000, is "
		  "not in code\n");
}

TEST(a_copy_is_not_kept_in_code_that_was_thrown_away)
{
	struct dwarf_builder *dw = unit_begin(4);

	scan_host(dw, "main", 1, 0x101);
	scan_inlined(dw, "f", 0x1010, 0x1020);
	scan_inlined(dw, "f", 0x1014, 0x1018);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_inlined(dw, "f", 1, 0x11);
	dw_die_end(dw);
	dw_die_end(dw);
	check(dw, "host main\n"
		  " inlined f\n"
		  "  inlined f\n"
		  " inlined f\n"
		  "problem .debug_info+0x31: code at 0x1010 was inlined into a function at 0x1, "
		  "where there is no code\n"
		  "problem .debug_info+0x46: code at 0x1014 was inlined into a function at 0x1, "
		  "where there is no code\n");
}

TEST(code_beyond_all_code_is_reported_once)
{
	struct dwarf_builder *dw = unit_begin(4);

	scan_host(dw, "lost", CODE_END + 0x10, CODE_END + 0x20);
	dw_die_end(dw);
	scan_host(dw, "lost_too", CODE_END, CODE_END + 0x10);
	dw_die_end(dw);
	scan_host(dw, "alive", 0x1000, 0x1100);
	dw_die_end(dw);
	check(dw, "host lost\n"
		  "host lost_too\n"
		  "host alive 0x1000-0x1100 at 0x1000\n"
		  "problem .debug_info+0x1b: code at 0x9010 is beyond all code sections\n");
}

TEST(an_empty_function_may_be_at_the_end_of_all_code)
{
	struct dwarf_builder *dw = unit_begin(4);

	scan_host(dw, "unreachable", CODE_END, CODE_END);
	dw_die_end(dw);
	scan_host(dw, "alive", 0x1000, 0x1100);
	dw_die_end(dw);
	check(dw, "host unreachable\n"
		  "host alive 0x1000-0x1100 at 0x1000\n");
}

TEST(code_that_reaches_beyond_its_section_is_kept_and_reported)
{
	struct dwarf_builder *dw = unit_begin(4);

	scan_host(dw, "long", CODE_END - 0x10, CODE_END + 0x10);
	dw_die_end(dw);
	check(dw, "host long 0x8ff0-0x9010\n"
		  "problem .debug_info+0x1b: range from 0x8ff0 to 0x9010 extends beyond the code "
		  "it starts in\n");
}

// A host with two copies in it.
static struct dwarf_builder *host_with_copies(struct ic_range host, struct ic_range first,
					      struct ic_range second)
{
	struct dwarf_builder *dw = unit_begin(4);

	scan_host(dw, "host", host.start, host.end);
	scan_inlined(dw, "f", first.start, first.end);
	dw_die_end(dw);
	scan_inlined(dw, "f", second.start, second.end);
	dw_die_end(dw);
	dw_die_end(dw);
	return dw;
}

static struct ic_range range(uint64_t start, uint64_t end)
{
	return (struct ic_range){ start, end };
}

TEST(inlined_code_outside_of_its_parent_is_reported_once)
{
	struct dwarf_builder *dw = host_with_copies(range(0x1000, 0x1100), range(0x1080, 0x1102),
						    range(0x2000, 0x2010));

	check(dw, "host host 0x1000-0x1100 at 0x1000\n"
		  " inlined f 0x1080-0x1102 at 0x1080\n"
		  " inlined f 0x2000-0x2010 at 0x2000\n"
		  "problem .debug_info+0x31: code at 0x1080 is outside the function it was inlined "
		  "into\n");
}

TEST(the_lowest_bit_of_micromips_is_no_part_of_an_address)
{
	struct dwarf_builder *dw = host_with_copies(range(0x1001, 0x1100), range(0x1000, 0x1010),
						    range(0x1081, 0x1101));

	check(dw, "host host 0x1001-0x1100 at 0x1001\n"
		  " inlined f 0x1000-0x1010 at 0x1000\n"
		  " inlined f 0x1081-0x1101 at 0x1081\n");
}

TEST(ranges_from_a_dead_base_are_dead)
{
	struct dwarf_builder *dw = unit_begin(4);

	dw_range_list_begin(dw, "list");
	dw_range_base(dw, UINT64_MAX); // wraps: 0x2001 becomes 0x2000
	dw_range_pair(dw, 0x2001, 0x2011);
	dw_range_base(dw, UINT64_MAX - 1);
	dw_range_pair(dw, 0x2002, 0x2012);
	dw_range_pair(dw, 0, 0);
	dw_range_list_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "dead");
	dw_sec_offset(dw, DW_AT_ranges, "list");
	scan_inlined(dw, "f", 0x2000, 0x2010);
	dw_die_end(dw);
	dw_die_end(dw);
	check(dw, "host dead\n inlined f\n");
}

TEST(ranges_of_a_dead_unit_are_dead)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, 0, 0x3000);
	dw_range_list_begin(dw, "list");
	dw_range_pair(dw, 0x1000, 0x1010); // from 0, the unit's low_pc
	dw_range_pair(dw, 0, 0);
	dw_range_list_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "dead");
	dw_sec_offset(dw, DW_AT_ranges, "list");
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.c\nhost dead\n");
	scan_close(&scan);
}

TEST(a_base_of_0_is_that_of_a_unit_with_ranges_and_is_alive)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_addr(dw, DW_AT_low_pc, 0);
	dw_ranges(dw, DW_RANGES({ 0x1000, 0x1010 }));
	dw_range_list_begin(dw, "list");
	dw_range_pair(dw, 0x1000, 0x1010);
	dw_range_pair(dw, 0, 0);
	dw_range_list_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "alive");
	dw_sec_offset(dw, DW_AT_ranges, "list");
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.c\nhost alive 0x1000-0x1010 at 0x1000\n");
	scan_close(&scan);
}

TEST(what_is_wrong_with_ranges_costs_the_instance_them_alone)
{
	struct dwarf_builder *dw = unit_begin(5);

	scan_host(dw, "main", 0x1000, 0x1100);
	inlined(dw);
	dw_value(dw, DW_AT_ranges, DW_FORM_sec_offset, 0x7777);
	dw_die_end(dw);
	inlined(dw);
	dw_value(dw, DW_AT_low_pc, DW_FORM_addrx, 99);
	dw_data1(dw, DW_AT_high_pc, 1);
	dw_die_end(dw);
	inlined(dw);
	dw_data8(dw, DW_AT_low_pc, 0x1010);
	dw_die_end(dw);
	inlined(dw);
	dw_ranges(dw, DW_RANGES({ 0x1010, 0x1020 }));
	dw_die_end(dw);
	dw_die_end(dw);
	check(dw, "host main 0x1000-0x1100 at 0x1000\n"
		  " inlined f\n"
		  " inlined f\n"
		  " inlined f\n"
		  " inlined f 0x1010-0x1020 at 0x1010\n"
		  "problem .debug_rnglists+0x7777: offset is beyond the end of the section "
		  "(for .debug_info+0x32)\n"
		  "problem .debug_addr+0x320: the section is missing or empty "
		  "(for .debug_info+0x3b)\n"
		  "problem .debug_info+0x42: unexpected form 0x7 for an address\n");
}

static void write_long_list(struct dwarf_builder *dw, uint32_t count)
{
	dw_range_list_begin(dw, "list");
	for (uint32_t i = 0; i < count; i++)
		dw_rle(dw, DW_RLE_offset_pair, 0x1000 + i * 2, 0x1001 + i * 2);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
}

// A small file must not become an index of any size, nor cost hours.
TEST(range_lists_that_are_used_over_and_over_are_cut)
{
	enum { USES = 300, LENGTH = 4000 };
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_addr(dw, DW_AT_low_pc, 0);
	write_long_list(dw, LENGTH);
	scan_abstract(dw, "f");
	scan_host(dw, "main", 0x1000, 0x8fff);
	for (uint32_t i = 0; i < USES; i++) {
		inlined(dw);
		dw_sec_offset(dw, DW_AT_ranges, "list");
		dw_die_end(dw);
	}
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	struct ic_index_counts counts = ic_index_count(scan.index);
	assert_int_equal(counts.inlined, USES);
	assert_int_equal(scan.index->units[0].instances[1].range_count, LENGTH);
	assert_int_equal(counts.problems, 9);
	assert_non_null(
		strstr(scan.index->problems[0].message,
		       ": range lists are referenced too many times; the rest are skipped"));
	// Some five lists fit the allowance; what is over it must not be read again and again.
	assert_in_range(counts.ranges, LENGTH, 8 * LENGTH);
	scan_close(&scan);
}

UNIT_TESTS(read_pc)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_kept_in_the_order_of_their_list),
		cmocka_unit_test(an_end_is_an_address_or_a_size),
		cmocka_unit_test(an_entry_is_an_address_or_counts_from_the_start),
		cmocka_unit_test(empty_ranges_are_left_out_and_do_not_make_code_dead),
		cmocka_unit_test(a_list_without_ranges_in_live_code_is_reported),
		cmocka_unit_test(code_that_the_linker_threw_away_has_no_address),
		cmocka_unit_test(a_copy_is_not_thrown_away_without_the_code_around_it),
		cmocka_unit_test(a_copy_is_not_kept_in_code_that_was_thrown_away),
		cmocka_unit_test(code_beyond_all_code_is_reported_once),
		cmocka_unit_test(an_empty_function_may_be_at_the_end_of_all_code),
		cmocka_unit_test(code_that_reaches_beyond_its_section_is_kept_and_reported),
		cmocka_unit_test(inlined_code_outside_of_its_parent_is_reported_once),
		cmocka_unit_test(the_lowest_bit_of_micromips_is_no_part_of_an_address),
		cmocka_unit_test(ranges_from_a_dead_base_are_dead),
		cmocka_unit_test(ranges_of_a_dead_unit_are_dead),
		cmocka_unit_test(a_base_of_0_is_that_of_a_unit_with_ranges_and_is_alive),
		cmocka_unit_test(what_is_wrong_with_ranges_costs_the_instance_them_alone),
		cmocka_unit_test(range_lists_that_are_used_over_and_over_are_cut),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
