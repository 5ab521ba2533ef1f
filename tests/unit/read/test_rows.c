#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

static void begin_lines(struct dwarf_builder *dw)
{
	static const char *const dirs[] = { "/src", NULL };
	static const struct dw_line_file files[] = {
		{ .path = "a.c" }, { .path = "a.c" }, { .path = "/b.h" }, { 0 }
	};
	struct dw_line_header header = dw_line_header_default(dw);
	bool is_old = dw_format(dw).version < 5;

	header.dirs = is_old ? dirs + 1 : dirs;
	header.files = is_old ? files + 1 : files;
	dw_line_begin(dw, "lines", &header);
}

// A row of the open table, at its own address.
static void put_row(struct dwarf_builder *dw, uint64_t addr, uint8_t file, uint8_t line)
{
	dw_line_address(dw, addr);
	dw_raw(dw, DW_BYTES(DW_LNS_set_file, file, DW_LNS_advance_line, (line - 1) & 0x7f,
			    DW_LNS_copy, DW_LNS_advance_line, (1 - line) & 0x7f)); // back to line 1
}

static void put_end(struct dwarf_builder *dw, uint64_t addr)
{
	dw_line_address(dw, addr);
	dw_line_end_sequence(dw, 0);
}

static void put_unit(struct dwarf_builder *dw, const char *name)
{
	scan_unit_of(dw, name, DW_LANG_C99);
	dw_stmt_list(dw, "lines");
	dw_low_high(dw, CODE_START, CODE_END);
	scan_unit_done(dw);
}

// Ends a file whose line table is open, and checks what is read of it. Frees the builder.
static void check(struct dwarf_builder *dw, const char *wanted)
{
	struct unit_scan scan;

	dw_line_end(dw);
	put_unit(dw, "a.c");
	unit_scan_open(&scan, dw);
	unit_scan_read(&scan);
	assert_string_equal(unit_scan_rows(&scan), wanted);
	unit_scan_close(&scan);
}

TEST(rows_have_their_place_in_all_versions)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);

		begin_lines(dw);
		put_row(dw, 0x1000, 1, 3);
		dw_raw(dw, DW_BYTES(DW_LNS_set_column, 7, 0, 2, DW_LNE_set_discriminator, 4));
		put_row(dw, 0x1010, 2, 5);
		put_row(dw, 0x1018, 2, 5); // another place: the discriminator was of one row
		put_end(dw, 0x1020);
		check(dw, "unit a.c\n"
			  "0x1000-0x1020\n"
			  " +0x0 /src/a.c:3\n"
			  " +0x10 /b.h:5:7.4\n"
			  " +0x18 /b.h:5:7\n");
	}
}

TEST(rows_without_a_line_get_that_of_one_before_if_that_is_asked_for)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct unit_scan scan;

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 0);
	put_row(dw, 0x1008, 2, 5);
	put_row(dw, 0x1010, 2, 5);
	put_row(dw, 0x1010, 1, 0); // the last of an address holds
	put_row(dw, 0x1018, 1, 0);
	put_row(dw, 0x1020, 2, 5);
	put_end(dw, 0x1028);
	put_row(dw, 0x2000, 1, 0); // no line of another sequence
	put_end(dw, 0x2008);
	dw_line_end(dw);
	put_unit(dw, "a.c");
	unit_scan_open(&scan, dw);
	scan.scan.context.want.skip_line_zero = true;
	unit_scan_read(&scan);
	assert_string_equal(unit_scan_rows(&scan), "unit a.c\n"
						   "0x1000-0x1028\n"
						   " +0x0 /src/a.c:0\n"
						   " +0x8 /b.h:5\n"
						   " +0x10 /b.h:5 approximate\n"
						   " +0x20 /b.h:5\n"
						   "0x2000-0x2008\n"
						   " +0x0 /src/a.c:0\n");
	unit_scan_close(&scan);
}

TEST(sequences_stay_in_the_order_of_the_table)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw);
	put_row(dw, 0x3000, 1, 1);
	put_end(dw, 0x3010);
	put_row(dw, 0x1000, 1, 2);
	put_end(dw, 0x1010);
	put_row(dw, 0x2000, 1, 3);
	put_end(dw, 0x2010);
	check(dw, "unit a.c\n"
		  "0x3000-0x3010\n +0x0 /src/a.c:1\n"
		  "0x1000-0x1010\n +0x0 /src/a.c:2\n"
		  "0x2000-0x2010\n +0x0 /src/a.c:3\n");
}

TEST(sequences_of_code_that_was_thrown_away_are_left_out)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw);
	put_row(dw, 0, 1, 1);
	put_row(dw, 0x1000, 1, 2); // later rows may look like other code
	put_end(dw, 0x1010);
	put_row(dw, UINT64_MAX - 1, 1, 3);
	put_row(dw, 0x1000, 1, 2); // likewise, beyond all addresses
	put_end(dw, 0x1010);
	put_row(dw, 0x2000, 1, 4);
	put_end(dw, 0x2010);
	put_end(dw, 0x3000); // no rows
	put_row(dw, 0x4000, 1, 5);
	put_end(dw, 0x4000); // no code
	check(dw, "unit a.c\n0x2000-0x2010\n +0x0 /src/a.c:4\n");
}

TEST(of_several_rows_at_an_address_the_last_holds)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 1);
	put_row(dw, 0x1000, 1, 2);
	put_row(dw, 0x1008, 1, 3);
	put_row(dw, 0x1010, 1, 4);
	put_row(dw, 0x1010, 2, 4);
	put_row(dw, 0x1010, 2, 5);
	put_row(dw, 0x1020, 2, 6);
	put_end(dw, 0x1020); // of no code
	check(dw, "unit a.c\n"
		  "0x1000-0x1020\n"
		  " +0x0 /src/a.c:2\n"
		  " +0x8 /src/a.c:3\n"
		  " +0x10 /b.h:5\n");
}

TEST(rows_of_one_place_are_one)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 1);
	put_row(dw, 0x1004, 1, 1); // of another statement, perhaps
	put_row(dw, 0x1008, 1, 1);
	put_row(dw, 0x1008, 1, 2); // which holds, and so the place ends here
	put_row(dw, 0x100c, 1, 1);
	put_row(dw, 0x1010, 1, 1);
	put_end(dw, 0x1020);
	check(dw, "unit a.c\n"
		  "0x1000-0x1020\n"
		  " +0x0 /src/a.c:1\n"
		  " +0x8 /src/a.c:2\n"
		  " +0xc /src/a.c:1\n");
}

TEST(where_rows_go_backwards_another_sequence_begins)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw);
	put_row(dw, 0x1010, 1, 1); // to nowhere
	put_row(dw, 0x1000, 1, 2);
	put_row(dw, 0x1008, 1, 3);
	put_row(dw, 0x1020, 1, 4); // to nowhere
	put_row(dw, 0x1008, 1, 5);
	put_row(dw, 0x1040, 1, 6); // the end is before it
	put_end(dw, 0x1030);
	put_row(dw, 0x2000, 1, 7);
	put_end(dw, 0x2010);
	check(dw, "unit a.c\n"
		  "0x1000-0x1020\n +0x0 /src/a.c:2\n +0x8 /src/a.c:3\n"
		  "0x1008-0x1040\n +0x0 /src/a.c:5\n"
		  "0x2000-0x2010\n +0x0 /src/a.c:7\n");
}

TEST(a_sequence_of_more_than_four_gigabytes_is_several)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 1);
	put_row(dw, 0x100000fff, 1, 2); // the last that 32 bits can hold
	put_row(dw, 0x100001000, 1, 3);
	put_row(dw, 0x100001004, 1, 4);
	put_row(dw, 0x500000000, 1, 5);
	put_end(dw, 0x500000010);
	check(dw, "unit a.c\n"
		  "0x1000-0x100001000\n +0x0 /src/a.c:1\n +0xffffffff /src/a.c:2\n"
		  "0x100001000-0x500000000\n +0x0 /src/a.c:3\n +0x4 /src/a.c:4\n"
		  "0x500000000-0x500000010\n +0x0 /src/a.c:5\n");
}

TEST(rows_before_a_fault_hold_to_the_last_of_them)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 1);
	put_end(dw, 0x1010);
	put_row(dw, 0x2000, 1, 2);
	put_row(dw, 0x2010, 1, 3);
	put_row(dw, 0x2020, 1, 4); // whose end is not known
	check(dw, "unit a.c\n"
		  "0x1000-0x1010\n +0x0 /src/a.c:1\n"
		  "0x2000-0x2020\n +0x0 /src/a.c:2\n +0x10 /src/a.c:3\n"
		  "problem .debug_line+0x93: unterminated sequence of rows (for "
		  ".debug_info+0x0)\n");
}

TEST(a_program_may_add_files)
{
	struct dwarf_builder *dw = scan_builder(4);

	begin_lines(dw);
	put_row(dw, 0x1000, 2, 1);
	dw_raw(dw, DW_BYTES(0, 7, DW_LNE_define_file, '/', 'c', 0, 0, 0, 0));
	put_row(dw, 0x1010, 3, 2);
	put_end(dw, 0x1020);
	put_row(dw, 0x2000, 3, 3);
	put_end(dw, 0x2010);
	check(dw, "unit a.c\n"
		  "0x1000-0x1020\n +0x0 /b.h:1\n +0x10 /c:2\n"
		  "0x2000-0x2010\n +0x0 /c:3\n");
}

TEST(a_file_that_the_table_lacks_is_not_known)
{
	struct dwarf_builder *dw = scan_builder(4);

	begin_lines(dw);
	put_row(dw, 0x1000, 9, 1);
	put_row(dw, 0x1010, 9, 2);
	put_row(dw, 0x1018, 1, 3);
	put_end(dw, 0x1020);
	check(dw, "unit a.c\n"
		  "0x1000-0x1020\n +0x0 ?:1\n +0x10 ?:2\n +0x18 /src/a.c:3\n"
		  "problem .debug_info+0xb: the line table (in .debug_line) has no file 9\n");
}

TEST(the_table_of_a_unit_without_code_is_not_run)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct unit_scan scan;

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 1); // without an end, which would be a problem
	dw_line_end(dw);
	scan_unit_of(dw, "types", DW_LANG_C99);
	dw_stmt_list(dw, "lines");
	scan_abstract(dw, "f"); // something besides the table
	scan_unit_done(dw);
	scan_unit_of(dw, "without a table", DW_LANG_C99);
	dw_low_high(dw, CODE_START, CODE_END);
	scan_unit_done(dw);
	unit_scan_open(&scan, dw);
	unit_scan_read(&scan);
	assert_string_equal(unit_scan_rows(&scan), "unit types\nunit without a table\n");
	unit_scan_close(&scan);
}

TEST(without_code_maps_no_rows_are_kept)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct unit_scan scan;

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 1);
	put_end(dw, 0x1010);
	dw_line_end(dw);
	put_unit(dw, "a.c");
	unit_scan_open(&scan, dw);
	scan.scan.context.want.code_map = false;
	unit_scan_read(&scan);
	assert_string_equal(unit_scan_rows(&scan), "unit a.c\n");
	unit_scan_close(&scan);
}

// If few addresses are wanted.
TEST(a_wanted_address_gets_the_row_that_holds_it_and_no_other_is_kept)
{
	static const uint64_t addrs[] = { 0x1008, 0x101f, 0x2fff, 0x3004 };
	const struct ic_requested_addrs wanted = { addrs, COUNT_OF(addrs) };
	struct dwarf_builder *dw = scan_builder(5);
	struct unit_scan scan;

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 1);
	put_row(dw, 0x1004, 1, 2);
	put_row(dw, 0x1008, 1, 3);
	put_row(dw, 0x1009, 9, 4); // a file that is not needed
	put_row(dw, 0x1010, 1, 5);
	put_row(dw, 0x1018, 1, 5); // which says the same
	put_end(dw, 0x1020);
	put_row(dw, 0x2000, 1, 6);
	put_end(dw, 0x2010);
	put_row(dw, 0x3000, 1, 7);
	put_end(dw, 0x3010);
	put_row(dw, 0x1000, 1, 8); // of several sequences the first holds
	put_row(dw, 0x3000, 1, 8);
	put_end(dw, 0x3010);
	dw_line_end(dw);
	put_unit(dw, "a.c");
	unit_scan_open(&scan, dw);
	scan.wanted = &wanted;
	unit_scan_read(&scan);
	assert_string_equal(unit_scan_rows(&scan), "unit a.c\n"
						   "0x1008-0x1009\n +0x0 /src/a.c:3\n"
						   "0x101f-0x1020\n +0x0 /src/a.c:5\n"
						   "0x3004-0x3005\n +0x0 /src/a.c:7\n"
						   "0x2fff-0x3000\n +0x0 /src/a.c:8\n");
	unit_scan_close(&scan);
}

enum { SHARED_BY = 64, LONG_PROGRAM = 20000 };

TEST(what_units_share_may_not_be_run_over_and_over)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct unit_scan scan;
	uint32_t with_rows = 0, with_problems = 0;

	begin_lines(dw);
	put_row(dw, 0x1000, 1, 1);
	dw_fill(dw, DW_LNS_negate_stmt, LONG_PROGRAM);
	put_row(dw, 0x1010, 1, 2);
	put_end(dw, 0x1020);
	dw_line_end(dw);
	for (uint32_t i = 0; i < SHARED_BY; i++)
		put_unit(dw, "a.c");
	unit_scan_open(&scan, dw);
	unit_scan_read(&scan);
	for (uint32_t i = 0; i < scan.index.unit_count; i++) {
		const struct ic_unit_model *unit = &scan.index.units[i];
		with_rows += unit->code_map.row_count == 2;
		with_problems += unit->problem_count;
		if (unit->problem_count > 0)
			assert_non_null(strstr(unit->problems[0].message,
					       ": line tables are referenced too many times; the "
					       "rest are skipped"));
	}
	assert_int_equal(with_rows + with_problems, SHARED_BY);
	assert_in_range(with_rows, 4, SHARED_BY / 4); // those of a program, and some
	unit_scan_close(&scan);
}

UNIT_TESTS(read_rows)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_their_place_in_all_versions),
		cmocka_unit_test(rows_without_a_line_get_that_of_one_before_if_that_is_asked_for),
		cmocka_unit_test(sequences_stay_in_the_order_of_the_table),
		cmocka_unit_test(sequences_of_code_that_was_thrown_away_are_left_out),
		cmocka_unit_test(of_several_rows_at_an_address_the_last_holds),
		cmocka_unit_test(rows_of_one_place_are_one),
		cmocka_unit_test(where_rows_go_backwards_another_sequence_begins),
		cmocka_unit_test(a_sequence_of_more_than_four_gigabytes_is_several),
		cmocka_unit_test(rows_before_a_fault_hold_to_the_last_of_them),
		cmocka_unit_test(a_program_may_add_files),
		cmocka_unit_test(a_file_that_the_table_lacks_is_not_known),
		cmocka_unit_test(the_table_of_a_unit_without_code_is_not_run),
		cmocka_unit_test(without_code_maps_no_rows_are_kept),
		cmocka_unit_test(a_wanted_address_gets_the_row_that_holds_it_and_no_other_is_kept),
		cmocka_unit_test(what_units_share_may_not_be_run_over_and_over),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
