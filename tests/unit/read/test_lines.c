#include "read/lines.h"

#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

static const struct ic_index_options with_calls = { .calls = true };

static const char *const dirs[] = { "/src", NULL };
static const struct dw_line_file old_files[] = { { .path = "a.c" }, { .path = "/b.h" }, { 0 } };
static const struct dw_line_file new_files[] = {
	{ .path = "a.c" }, { .path = "a.c" }, { .path = "/b.h" }, { 0 }
};

static void begin_lines(struct dwarf_builder *dw, uint16_t version)
{
	struct dw_line_header header = dw_line_header_default(dw);

	header.version = version;
	header.dirs = version < 5 ? dirs + 1 : dirs;
	header.files = version < 5 ? old_files : new_files;
	dw_line_begin(dw, "lines", &header);
}

// A row of the open table, at its own address.
static void put_row(struct dwarf_builder *dw, uint64_t addr, uint8_t file, uint8_t line)
{
	dw_line_address(dw, addr);
	dw_raw(dw, DW_BYTES(DW_LNS_set_file, file, DW_LNS_advance_line, line, DW_LNS_set_column, 7,
			    DW_LNS_copy, DW_LNS_advance_line, (-line) & 0x7f)); // back to line 1
}

static void put_call(struct dwarf_builder *dw, uint64_t return_addr)
{
	dw_die_begin(dw, DW_TAG_call_site);
	dw_ref4(dw, DW_AT_call_origin, "callee");
	dw_addr(dw, DW_AT_call_return_pc, return_addr);
	dw_die_end(dw);
}

static void begin_unit(struct dwarf_builder *dw, bool has_lines)
{
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	if (has_lines)
		dw_stmt_list(dw, "lines");
	scan_abstract(dw, "callee");
	scan_host(dw, "main", 0x1000, 0x2000);
}

static void end_unit(struct dwarf_builder *dw)
{
	dw_die_end(dw);
	scan_unit_done(dw);
}

#define UNIT "unit a.c\nhost main 0x1000-0x2000 at 0x1000\n"

TEST(a_call_has_the_place_of_the_row_that_holds_it)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(5); // the unit's own does not matter
		struct scan scan;

		begin_lines(dw, version);
		put_row(dw, 0x1800, 1, 9); // sequences have no order
		dw_line_end_sequence(dw, 0x10);
		put_row(dw, 0x1010, 1, 2);
		put_row(dw, 0x1020, 1, 3); // no code: the last of them holds
		put_row(dw, 0x1020, 2, 4);
		put_row(dw, 0x1030, 1, 5);
		dw_line_end_sequence(dw, 0x10);
		dw_line_end(dw);
		begin_unit(dw, true);
		put_call(dw, 0x1010); // before all rows
		put_call(dw, 0x1011);
		put_call(dw, 0x1020); // a call that returns to a row belongs to the one before it
		put_call(dw, 0x1021);
		put_call(dw, 0x1030);
		put_call(dw, 0x1040);
		put_call(dw, 0x1041); // after the sequence
		put_call(dw, 0x1808);
		put_call(dw, 0x1808); // two of one address
		end_unit(dw);
		scan_open(&scan, dw, &with_calls);
		assert_scan(&scan, UNIT "call callee returns 0x1010 in main\n"
					"call callee returns 0x1011 in main from /src/a.c:3:7\n"
					"call callee returns 0x1020 in main from /src/a.c:3:7\n"
					"call callee returns 0x1021 in main from /b.h:5:7\n"
					"call callee returns 0x1030 in main from /b.h:5:7\n"
					"call callee returns 0x1040 in main from /src/a.c:6:7\n"
					"call callee returns 0x1041 in main\n"
					"call callee returns 0x1808 in main from /src/a.c:10:7\n"
					"call callee returns 0x1808 in main from /src/a.c:10:7\n");
		scan_close(&scan);
	}
}

TEST(a_call_with_an_address_is_looked_up_by_that)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	begin_lines(dw, 5);
	put_row(dw, 0x1010, 1, 1);
	put_row(dw, 0x1018, 1, 2);
	dw_line_end_sequence(dw, 0x10);
	dw_line_end(dw);
	begin_unit(dw, true);
	dw_die_begin(dw, DW_TAG_call_site); // a tail call, as Clang has it
	dw_ref4(dw, DW_AT_call_origin, "callee");
	dw_flag_present(dw, DW_AT_call_tail_call);
	dw_addr(dw, DW_AT_call_pc, 0x1018);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_call_site);
	dw_ref4(dw, DW_AT_call_origin, "callee");
	dw_addr(dw, DW_AT_call_pc, 0x1017);
	dw_addr(dw, DW_AT_call_return_pc, 0x101c);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_call_site); // neither
	dw_ref4(dw, DW_AT_call_origin, "callee");
	dw_die_end(dw);
	end_unit(dw);
	scan_open(&scan, dw, &with_calls);
	assert_scan(&scan,
		    UNIT "jump callee at 0x1018 in main from /src/a.c:3:7\ncall callee at 0x1017 "
			 "returns 0x101c in main from /src/a.c:2:7\ncall callee in main\n");
	scan_close(&scan);
}

TEST(a_place_that_the_compiler_wrote_down_stays)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	begin_lines(dw, 5);
	put_row(dw, 0x1010, 1, 1);
	dw_line_end_sequence(dw, 0x10);
	dw_line_end(dw);
	begin_unit(dw, true);
	dw_die_begin(dw, DW_TAG_call_site);
	dw_ref4(dw, DW_AT_call_origin, "callee");
	dw_addr(dw, DW_AT_call_return_pc, 0x1018);
	dw_data1(dw, DW_AT_call_file, 2);
	dw_data1(dw, DW_AT_call_line, 77);
	dw_die_end(dw);
	end_unit(dw);
	scan_open(&scan, dw, &with_calls);
	assert_scan(&scan, UNIT "call callee returns 0x1018 in main from /b.h:77\n");
	scan_close(&scan);
}

// Linkers put discarded code at 0 or at the end; with gold the rest of it may then look like other
// code (docs/decisions/0004).
TEST(rows_of_code_that_was_thrown_away_hold_no_call)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	begin_lines(dw, 5);
	put_row(dw, 0, 1, 1);
	put_row(dw, 0x1000, 1, 2);
	dw_line_end_sequence(dw, 0x1000);
	put_row(dw, UINT64_MAX - 1, 1, 1);
	put_row(dw, 0x1000, 1, 3);
	dw_line_end_sequence(dw, 0x1000);
	put_row(dw, 0x1000, 1, 4);
	dw_line_end_sequence(dw, 0x1000);
	put_row(dw, 0x1000, 1, 5); // the first that holds it counts
	dw_line_end_sequence(dw, 0x1000);
	dw_line_end(dw);
	begin_unit(dw, true);
	put_call(dw, 0x1018);
	end_unit(dw);
	scan_open(&scan, dw, &with_calls);
	assert_scan(&scan, UNIT "call callee returns 0x1018 in main from /src/a.c:5:7\n");
	scan_close(&scan);
}

TEST(without_a_line_table_a_call_has_no_place)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	begin_unit(dw, false);
	put_call(dw, 0x1018);
	end_unit(dw);
	scan_open(&scan, dw, &with_calls);
	assert_scan(&scan, UNIT "call callee returns 0x1018 in main\n");
	scan_close(&scan);
}

TEST(a_program_may_add_files)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	begin_lines(dw, 4);
	dw_raw(dw, DW_BYTES(0, 7, DW_LNE_define_file, '/', 'c', 0, 0, 0, 0));
	put_row(dw, 0x1010, 3, 1);
	put_row(dw, 0x1018, 4, 1);
	dw_line_end_sequence(dw, 0x10);
	dw_line_end(dw);
	begin_unit(dw, true);
	put_call(dw, 0x1018);
	end_unit(dw);
	scan_open(&scan, dw, &with_calls);
	assert_scan(&scan, UNIT "call callee returns 0x1018 in main from /c:2:7\n");
	scan_close(&scan);
}

TEST(a_fault_in_the_table_is_a_problem_and_the_rows_before_it_hold)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	begin_lines(dw, 4);
	put_row(dw, 0x1010, 1, 1);
	put_row(dw, 0x1018, 9, 1);
	dw_line_end_sequence(dw, 0x10);
	dw_raw(dw, DW_BYTES(DW_LNS_copy));
	dw_line_end(dw);
	begin_unit(dw, true);
	put_call(dw, 0x1018);
	put_call(dw, 0x1020);
	end_unit(dw);
	scan_open(&scan, dw, &with_calls);
	const char *text = scan_text(&scan);
	assert_non_null(strstr(text, "call callee returns 0x1018 in main from /src/a.c:2:7\n"));
	assert_non_null(strstr(text, "call callee returns 0x1020 in main from ?:2:7\n"));
	assert_non_null(strstr(text, ": the line table (in .debug_line) has no file 9\n"));
	assert_non_null(strstr(text, "problem .debug_line+"));
	assert_non_null(strstr(text, ": unterminated sequence of rows (for .debug_info+0x0)\n"));
	assert_int_equal(scan.index->problem_count, 2);
	scan_close(&scan);
}

TEST(where_no_calls_are_asked_for_the_program_is_not_run)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	begin_lines(dw, 4);
	dw_raw(dw, DW_BYTES(DW_LNS_copy)); // a fault
	dw_line_end(dw);
	begin_unit(dw, true);
	put_call(dw, 0x1018);
	end_unit(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, UNIT);
	scan_close(&scan);
}

// The table is cut where no sequence is open, and nothing else shows that there is more.
TEST(a_table_that_many_units_share_is_not_run_whole_and_that_is_said)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	begin_lines(dw, 4);
	dw_fill(dw, DW_LNS_negate_stmt, 50000);
	put_row(dw, 0x1010, 1, 1);
	dw_line_end_sequence(dw, 0x10);
	dw_line_end(dw);
	for (int i = 0; i < 50; i++) {
		scan_unit_of(dw, "a.c", DW_LANG_C99);
		scan_unit_done(dw);
	}
	begin_unit(dw, true);
	put_call(dw, 0x1018);
	end_unit(dw);
	scan_open(&scan, dw, &with_calls);
	assert_non_null(strstr(scan_text(&scan), "call callee returns 0x1018 in main\n"));
	assert_int_equal(scan.index->problem_count, 1);
	assert_non_null(strstr(scan.index->problems[0].message,
			       "line tables are referenced too many times; the rest are skipped"));
	scan_close(&scan);
}

UNIT_TESTS(read_lines)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_has_the_place_of_the_row_that_holds_it),
		cmocka_unit_test(a_call_with_an_address_is_looked_up_by_that),
		cmocka_unit_test(a_place_that_the_compiler_wrote_down_stays),
		cmocka_unit_test(rows_of_code_that_was_thrown_away_hold_no_call),
		cmocka_unit_test(without_a_line_table_a_call_has_no_place),
		cmocka_unit_test(a_program_may_add_files),
		cmocka_unit_test(a_fault_in_the_table_is_a_problem_and_the_rows_before_it_hold),
		cmocka_unit_test(where_no_calls_are_asked_for_the_program_is_not_run),
		cmocka_unit_test(a_table_that_many_units_share_is_not_run_whole_and_that_is_said),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
