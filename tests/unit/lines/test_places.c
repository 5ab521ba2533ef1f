#include "lines/places.h"

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

// Opens a table with the files "/src/a.c", "/src/sub/b.h" and "/b.h": 1 to 3 in all versions.
static void begin_lines(struct dwarf_builder *dw, const char *label)
{
	static const char *const dirs[] = { "/src", "sub", NULL };
	static const struct dw_line_file files[] = {
		{ .path = "a.c" },
		{ .path = "a.c" },
		{ .path = "b.h", .dir = 1 },
		{ .path = "/b.h" },
		{ 0 },
	};
	struct dw_line_header header = dw_line_header_default(dw);
	bool is_old = dw_format(dw).version < 5;

	header.dirs = is_old ? dirs + 1 : dirs;
	header.files = is_old ? files + 1 : files;
	dw_line_begin(dw, label, &header);
}

// A row of the open table, at its own address.
static void put_row(struct dwarf_builder *dw, uint64_t addr, uint8_t file, uint8_t line)
{
	dw_line_address(dw, addr);
	dw_raw(dw, DW_BYTES(DW_LNS_set_file, file, DW_LNS_advance_line, (line - 1) & 0x7f,
			    DW_LNS_copy, DW_LNS_advance_line, (1 - line) & 0x7f)); // back to line 1
}

// Makes the next rows recommended for breakpoints, or not, in turn: at first they are.
static void flip_stmt(struct dwarf_builder *dw)
{
	dw_raw(dw, DW_BYTES(DW_LNS_negate_stmt));
}

static void put_column(struct dwarf_builder *dw, uint8_t column)
{
	dw_raw(dw, DW_BYTES(DW_LNS_set_column, column));
}

static void put_end(struct dwarf_builder *dw, uint64_t addr)
{
	dw_line_address(dw, addr);
	dw_line_end_sequence(dw, 0);
}

static void put_unit(struct dwarf_builder *dw, const char *name, const char *lines)
{
	scan_unit_of(dw, name, DW_LANG_C99);
	dw_string(dw, DW_AT_comp_dir, "/src");
	if (lines)
		dw_stmt_list(dw, lines);
	dw_low_high(dw, CODE_START, CODE_END);
	scan_unit_done(dw);
}

struct searched { // an open file, and what was found last
	struct unit_scan scan;
	struct ic_line_sources sources;
	char *text;
};

static void open_jobs(struct searched *of, struct dwarf_builder *dw, uint32_t jobs)
{
	struct ic_error err;

	*of = (struct searched){ .text = NULL };
	unit_scan_open(&of->scan, dw);
	of->scan.scan.worker_count = jobs;
	assert_true(ic_line_sources_read(&of->sources, &of->scan.scan, &of->scan.problems, &err));
}

static void close_searched(struct searched *of)
{
	ic_line_sources_free(&of->sources);
	unit_scan_close(&of->scan);
	free(of->text);
}

static void put_place(FILE *out, const struct ic_place_row *place)
{
	fprintf(out, "%" PRIu32 ": 0x%" PRIx64 "-0x%" PRIx64 " %s", place->line, place->range.start,
		place->range.end, place->file ? place->file : "?");
	if (place->column > 0 || place->discriminator > 0)
		fprintf(out, ":%" PRIu32, place->column);
	if (place->discriminator > 0)
		fprintf(out, ".%" PRIu32, place->discriminator);
	fprintf(out, place->is_stmt ? " stmt\n" : "\n");
}

// Every place of a file, each on a line, those that continue others joined with these; and after
// them all problems so far.
static const char *places_of(struct searched *of, const char *file)
{
	struct ic_place_rows places = { .list.count = 0 };
	struct ic_place_row whole = { .line = 0 };
	struct ic_error err;
	size_t size;

	assert_true(ic_place_rows_find(&places, &of->scan.scan, &of->sources, file,
				       &of->scan.problems, &err));
	free(of->text);
	FILE *out = open_memstream(&of->text, &size);
	for (uint32_t i = 0; i < places.list.count; i++) {
		const struct ic_place_row *place = &places.list.items[i];

		if (i > 0 && place->range.start < place->range.end &&
		    ic_place_row_continues(&whole, place)) {
			if (whole.range.end < place->range.end)
				whole.range.end = place->range.end;
			continue;
		}
		if (i > 0)
			put_place(out, &whole);
		whole = *place;
	}
	if (places.list.count > 0)
		put_place(out, &whole);
	for (uint32_t i = 0; i < of->scan.problems.list.count; i++)
		fprintf(out, "problem %s\n", of->scan.problems.list.items[i].message);
	assert_int_equal(fclose(out), 0);
	ic_place_rows_free(&places);
	return of->text;
}

// The rest of a file whose one table is open, and the places of /src/a.c. Frees the builder.
static void check(struct dwarf_builder *dw, const char *wanted)
{
	struct searched of;

	dw_line_end(dw);
	put_unit(dw, "a.c", "lines");
	open_jobs(&of, dw, 1);
	assert_string_equal(places_of(&of, "a.c"), wanted);
	close_searched(&of);
}

TEST(files_are_named_by_their_last_parts)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct searched of;

		begin_lines(dw, "lines");
		put_row(dw, 0x1000, 1, 3);
		put_row(dw, 0x1010, 2, 4);
		put_row(dw, 0x1020, 3, 5);
		put_end(dw, 0x1030);
		dw_line_end(dw);
		put_unit(dw, "a.c", "lines");
		open_jobs(&of, dw, 1);
		assert_string_equal(places_of(&of, "a.c"), "3: 0x1000-0x1010 /src/a.c stmt\n");
		assert_string_equal(places_of(&of, "/src/a.c"), "3: 0x1000-0x1010 /src/a.c stmt\n");
		assert_string_equal(places_of(&of, "b.h"), "4: 0x1010-0x1020 /src/sub/b.h stmt\n"
							   "5: 0x1020-0x1030 /b.h stmt\n");
		assert_string_equal(places_of(&of, "sub/b.h"),
				    "4: 0x1010-0x1020 /src/sub/b.h stmt\n");
		assert_string_equal(places_of(&of, "/b.h"), "5: 0x1020-0x1030 /b.h stmt\n");
		assert_string_equal(places_of(&of, "ub/b.h"), "");
		assert_string_equal(places_of(&of, ".h"), "");
		assert_string_equal(places_of(&of, "x/src/a.c"), "");
		assert_string_equal(places_of(&of, "src"), "");
		close_searched(&of);
	}
}

TEST(what_is_one_run_of_code_is_one_place)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_column(dw, 7);
	put_row(dw, 0x1000, 1, 3);
	put_row(dw, 0x1008, 1, 3);
	put_row(dw, 0x1010, 1, 4);
	put_row(dw, 0x1018, 1, 3); // another run
	put_column(dw, 9);
	put_row(dw, 0x1020, 1, 3); // another place in the line
	dw_raw(dw, DW_BYTES(0, 2, DW_LNE_set_discriminator, 4));
	put_row(dw, 0x1028, 1, 3);
	put_row(dw, 0x1030, 1, 3);
	put_end(dw, 0x1038);
	check(dw, "3: 0x1000-0x1010 /src/a.c:7 stmt\n"
		  "3: 0x1018-0x1020 /src/a.c:7 stmt\n"
		  "3: 0x1020-0x1028 /src/a.c:9 stmt\n"
		  "3: 0x1028-0x1030 /src/a.c:9.4 stmt\n"
		  "3: 0x1030-0x1038 /src/a.c:9 stmt\n"
		  "4: 0x1010-0x1018 /src/a.c:7 stmt\n");
}

TEST(runs_of_several_sequences_are_joined)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_row(dw, 0x1010, 1, 3);
	put_end(dw, 0x1020);
	put_row(dw, 0x1000, 1, 3); // up to the first
	put_end(dw, 0x1010);
	put_row(dw, 0x1008, 1, 3); // over both
	put_end(dw, 0x1018);
	put_row(dw, 0x1021, 1, 3); // not quite
	put_end(dw, 0x1030);
	check(dw, "3: 0x1000-0x1020 /src/a.c stmt\n"
		  "3: 0x1021-0x1030 /src/a.c stmt\n");
}

TEST(a_breakpoint_that_is_recommended_within_a_run_begins_another)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 1, 3);
	flip_stmt(dw);
	put_row(dw, 0x1008, 1, 3);
	flip_stmt(dw);
	put_row(dw, 0x1010, 1, 3); // where one stops anyway, coming from the start
	flip_stmt(dw);
	put_row(dw, 0x1018, 1, 4);
	put_row(dw, 0x1020, 1, 3);
	flip_stmt(dw);
	put_row(dw, 0x1028, 1, 3);
	put_end(dw, 0x1030);
	check(dw, "3: 0x1000-0x1018 /src/a.c stmt\n"
		  "3: 0x1020-0x1028 /src/a.c\n"
		  "3: 0x1028-0x1030 /src/a.c stmt\n"
		  "4: 0x1018-0x1020 /src/a.c\n");
}

TEST(a_line_whose_code_another_row_took_has_an_empty_place)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 1, 3);
	put_row(dw, 0x1000, 1, 3); // once is enough
	put_row(dw, 0x1000, 2, 3); // of another file
	put_row(dw, 0x1000, 1, 4);
	put_row(dw, 0x1010, 1, 5);
	put_row(dw, 0x1010, 1, 4); // after its code, and no part of it
	put_row(dw, 0x1010, 1, 5);
	put_end(dw, 0x1020);
	check(dw, "3: 0x1000-0x1000 /src/a.c stmt\n"
		  "4: 0x1000-0x1010 /src/a.c stmt\n"
		  "4: 0x1010-0x1010 /src/a.c stmt\n"
		  "5: 0x1010-0x1020 /src/a.c stmt\n");
}

TEST(where_a_line_has_code_it_has_no_empty_place_but_may_be_stopped_at)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	flip_stmt(dw);
	put_row(dw, 0x1000, 1, 3);
	flip_stmt(dw);
	put_column(dw, 7);
	put_row(dw, 0x1008, 1, 3); // empty, and recommended
	flip_stmt(dw);
	put_column(dw, 0);
	put_row(dw, 0x1008, 1, 3);
	put_end(dw, 0x1010);
	put_row(dw, 0x1004, 1, 3); // of another sequence, within the code of the first
	put_row(dw, 0x1004, 1, 4);
	put_end(dw, 0x1005);
	check(dw, "3: 0x1000-0x1008 /src/a.c\n"
		  "3: 0x1008-0x1010 /src/a.c stmt\n"
		  "4: 0x1004-0x1005 /src/a.c stmt\n");
}

TEST(an_empty_place_may_be_far_behind_the_start_of_the_code_around_it)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 1, 3);
	put_end(dw, 0x1040);
	put_column(dw, 7);
	put_row(dw, 0x1008, 1, 3); // which is listed between
	put_end(dw, 0x1010);
	put_row(dw, 0x1020, 1, 3);
	put_row(dw, 0x1020, 1, 4);
	put_end(dw, 0x1021);
	check(dw, "3: 0x1000-0x1040 /src/a.c stmt\n"
		  "3: 0x1008-0x1010 /src/a.c:7 stmt\n"
		  "4: 0x1020-0x1021 /src/a.c stmt\n");
}

TEST(the_code_of_a_line_is_not_that_of_the_next)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 1, 3);
	put_end(dw, 0x1040);
	put_row(dw, 0x1008, 1, 4);
	put_row(dw, 0x1008, 1, 5);
	put_row(dw, 0x1010, 1, 4);
	put_row(dw, 0x1010, 1, 5);
	put_end(dw, 0x1011);
	check(dw, "3: 0x1000-0x1040 /src/a.c stmt\n"
		  "4: 0x1008-0x1008 /src/a.c stmt\n"
		  "4: 0x1010-0x1010 /src/a.c stmt\n"
		  "5: 0x1008-0x1011 /src/a.c stmt\n");
}

TEST(a_row_at_the_end_of_its_sequence_is_at_other_code)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 1, 3);
	put_row(dw, 0x1010, 1, 4);
	put_end(dw, 0x1010);
	put_row(dw, 0x1010, 1, 5);
	put_row(dw, 0x1010, 1, 6);
	put_end(dw, 0x1010);
	check(dw, "3: 0x1000-0x1010 /src/a.c stmt\n"
		  "5: 0x1010-0x1010 /src/a.c stmt\n");
}

TEST(code_that_was_thrown_away_has_no_places)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_row(dw, 0, 1, 3);
	put_row(dw, 0x1000, 1, 4);
	put_end(dw, 0x1010);
	put_row(dw, 0x2000, 1, 5);
	put_row(dw, 0x10, 1, 6); // another sequence
	put_row(dw, 0x1000, 1, 7);
	put_row(dw, 0x3000, 1, 8);
	put_row(dw, 0x1000, 1, 9); // which does not come to life
	put_end(dw, 0x1010);
	put_row(dw, 0x3000, 1, 10);
	put_row(dw, 0x2000, 1, 11); // another sequence
	put_end(dw, 0x2010);
	check(dw, "11: 0x2000-0x2010 /src/a.c stmt\n");
}

TEST(so_has_code_that_was_thrown_away_from_the_midst_of_others)
{
	for (uint64_t mark = UINT64_MAX - 1; mark != 2; mark++) { // -2 to 1, as linkers write
		struct dwarf_builder *dw = scan_builder(5);

		begin_lines(dw, "lines");
		put_row(dw, 0x1000, 1, 3);
		put_row(dw, mark, 1, 4);
		put_row(dw, 0x1008, 1, 5);
		put_row(dw, 0x1010, 1, 6);
		put_row(dw, mark, 1, 7);
		put_end(dw, mark); // where line 6 ends is not known
		check(dw, "3: 0x1000-0x1008 /src/a.c stmt\n5: 0x1008-0x1010 /src/a.c stmt\n");
	}
}

TEST(a_row_of_no_file_is_of_none)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct searched of;

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 0, 3); // which stands for no file before DWARF 5
	put_row(dw, 0x1010, 9, 4);
	put_row(dw, 0x1020, 1, 5);
	put_end(dw, 0x1030);
	dw_line_end(dw);
	put_unit(dw, "a.c", "lines");
	open_jobs(&of, dw, 1);
	assert_string_equal(places_of(&of, "a.c"), "5: 0x1020-0x1030 /src/a.c stmt\n");
	assert_string_equal(places_of(&of, ""), "");
	close_searched(&of);
}

TEST(line_0_is_no_line)
{
	struct dwarf_builder *dw = scan_builder(5);

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 1, 0);
	put_row(dw, 0x1010, 1, 1);
	put_end(dw, 0x1020);
	check(dw, "1: 0x1010-0x1020 /src/a.c stmt\n");
}

TEST(a_program_may_define_files)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct searched of;

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 4, 3); // not defined yet
	dw_raw(dw, DW_BYTES(0, 6, DW_LNE_define_file, 'c', 0, 0, 0, 0));
	dw_raw(dw, DW_BYTES(0, 8, DW_LNE_define_file, 'a', '.', 'c', 0, 1, 0, 0));
	put_row(dw, 0x1010, 4, 4);
	put_row(dw, 0x1020, 5, 5);
	put_end(dw, 0x1030);
	dw_line_end(dw);
	put_unit(dw, "a.c", "lines");
	open_jobs(&of, dw, 1);
	assert_string_equal(places_of(&of, "a.c"), "5: 0x1020-0x1030 /src/sub/a.c stmt\n");
	assert_string_equal(places_of(&of, "c"), ""); // as the manual says
	close_searched(&of);
}

TEST(a_damaged_table_has_what_is_before_the_fault_and_that_is_said_once)
{
	static const char wanted[] =
		"3: 0x1000-0x1010 /src/a.c stmt\n"
		"4: 0x1010-0x1020 /src/a.c stmt\n"
		"problem .debug_line+0x7a: unterminated sequence of rows (for .debug_info+0x0)\n";
	struct dwarf_builder *dw = scan_builder(5);
	struct searched of;

	begin_lines(dw, "lines");
	put_row(dw, 0x1000, 1, 3);
	put_row(dw, 0x1010, 1, 4);
	put_row(dw, 0x1020, 1, 5);
	dw_line_end(dw);
	put_unit(dw, "a.c", "lines");
	open_jobs(&of, dw, 1);
	assert_string_equal(places_of(&of, "a.c"), wanted);
	assert_string_equal(places_of(&of, "/src/a.c"), wanted);
	close_searched(&of);
}

TEST(a_damaged_header_may_be_read_again_by_another_worker)
{
	static const struct dw_line_file files[] = { { .path = "a.c" }, { 0 } };
	struct dwarf_builder *dw = scan_builder(4);
	struct dw_line_header header = dw_line_header_default(dw);
	struct searched of;

	header.files = files;
	header.bad_header_length = (struct dw_bad)DW_BAD(26); // it ends before the files do
	dw_line_begin(dw, "lines", &header);
	dw_line_end(dw);
	put_unit(dw, "a.c", "lines");
	open_jobs(&of, dw, 1);
	assert_int_equal(of.scan.problems.list.count, 1);
	ic_scan_stream(&of.scan.scan, 0)->reader.problems = (struct ic_problems){ .arena = NULL };
	places_of(&of, "a.c");
	assert_int_equal(of.scan.problems.list.count, 2); // with that of the program
	places_of(&of, "/a.c");
	assert_int_equal(of.scan.problems.list.count, 2);
	close_searched(&of);
}

// Units that each have a table of their own, with code of the same lines at other addresses.
static struct dwarf_builder *many_tables(uint32_t count)
{
	struct dwarf_builder *dw = scan_builder(5);
	char label[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(label, sizeof(label), "lines%u", i);
		begin_lines(dw, label);
		put_row(dw, 0x1000 + 0x100 * (count - i), 2, 3);
		put_row(dw, 0x1000 + 0x100 * (count - i) + 0x10, 3, 3); // other files of the name
		put_row(dw, 0x1000 + 0x100 * (count - i) + 0x20, 2, 4);
		put_end(dw, 0x1000 + 0x100 * (count - i) + 0x30);
		put_row(dw, 0x8000, i & 1 ? 3 : 2, 3); // the same code for all
		if (i == 5)
			dw_line_address(dw, 0x8004); // and no end
		else
			put_end(dw, 0x8004);
		dw_line_end(dw);
		put_unit(dw, "a.c", label);
	}
	return dw;
}

TEST(what_several_tables_say_does_not_depend_on_threads)
{
	struct searched one, many;

	open_jobs(&one, many_tables(40), 1);
	open_jobs(&many, many_tables(40), 2);
	for (uint32_t i = 0; i < 3; i++) {
		const char *wanted = places_of(&one, "b.h");
		assert_string_equal(places_of(&many, "b.h"), wanted);
		assert_non_null(strstr(wanted, "3: 0x1100-0x1110 /src/sub/b.h stmt\n"
					       "3: 0x1110-0x1120 /b.h stmt\n"
					       "3: 0x1200-0x1210 /src/sub/b.h stmt\n"));
		assert_non_null(strstr(wanted, "3: 0x8000-0x8004 /b.h stmt\n"
					       "3: 0x8000-0x8004 /src/sub/b.h stmt\n"
					       "4: 0x1120-0x1130 /src/sub/b.h stmt\n"));
	}
	close_searched(&one);
	close_searched(&many);
}

TEST(the_places_of_a_line_are_found_in_the_list)
{
	struct ic_place_row items[] = {
		{ .line = 3 }, { .line = 3 }, { .line = 5 }, { .line = 9 }, { .line = 9 }
	};
	struct ic_place_rows places = { .list = { items, COUNT_OF(items), COUNT_OF(items), NULL } };
	static const uint32_t wanted[] = { 0, 0, 0, 0, 2, 2, 3, 3, 3, 3, 5 };

	for (uint32_t line = 0; line < COUNT_OF(wanted); line++)
		assert_int_equal(ic_place_rows_from(&places, line), wanted[line]);
	places.list.count = 0;
	assert_int_equal(ic_place_rows_from(&places, 3), 0);
}

enum { NESTED = 64, LONG_PROGRAM = 20000 };

// Tables whose programs jump over the headers of all those after them, and are the same from there
// on. Their sizes are known once they have been written: those of a header, and of all.
static struct dwarf_builder *nested_tables(uint64_t header_size, uint64_t size)
{
	static const struct dw_line_file files[] = { { .path = "a.c" }, { .path = "a.c" }, { 0 } };
	static const char *const dirs[] = { "/src", NULL };
	struct dwarf_builder *dw = scan_builder(5);
	char label[32];

	for (uint32_t i = 0; i < NESTED; i++) {
		struct dw_line_header header = dw_line_header_default(dw);
		snprintf(label, sizeof(label), "lines%u", i);
		header.dirs = dirs;
		header.files = files;
		header.bad_length = (struct dw_bad)DW_BAD(size - i * (header_size + 3) - 4);
		dw_line_begin(dw, label, &header);
		if (i + 1 < NESTED) { // an unknown opcode, of which the next header is the operand
			dw_raw(dw, DW_BYTES(0, (uint8_t)(header_size + 1), 0x80));
		} else {
			put_row(dw, 0x1000, 1, 3);
			dw_fill(dw, DW_LNS_negate_stmt, LONG_PROGRAM);
			put_end(dw, 0x1010);
		}
		dw_line_end(dw);
		put_unit(dw, "a.c", label);
	}
	dw_section_begin(dw, ".debug_line");
	dw_label(dw, "end");
	dw_section_end(dw);
	return dw;
}

TEST(what_tables_share_may_not_be_run_over_and_over)
{
	struct dwarf_builder *dw = nested_tables(100, 100000);
	uint64_t header_size = dw_label_off(dw, "lines1") - 3, size = dw_label_off(dw, "end");
	struct searched of;

	dwarf_builder_free(dw);
	assert_in_range(header_size, 20, 126);
	open_jobs(&of, nested_tables(header_size, size), 2);
	assert_int_equal(of.sources.count, NESTED);
	const char *text = places_of(&of, "a.c");
	assert_memory_equal(text, "3: 0x1000-0x1010 /src/a.c stmt\n", 31);
	uint32_t cut = 0;
	for (const char *at = text;
	     (at = strstr(at, ": line tables are referenced too many times")); at++)
		cut++;
	assert_in_range(cut, NESTED / 2, NESTED - 4);
	assert_int_equal(of.scan.problems.list.count, cut);
	close_searched(&of);
}

UNIT_TESTS(lines_places)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_named_by_their_last_parts),
		cmocka_unit_test(what_is_one_run_of_code_is_one_place),
		cmocka_unit_test(runs_of_several_sequences_are_joined),
		cmocka_unit_test(a_breakpoint_that_is_recommended_within_a_run_begins_another),
		cmocka_unit_test(a_line_whose_code_another_row_took_has_an_empty_place),
		cmocka_unit_test(where_a_line_has_code_it_has_no_empty_place_but_may_be_stopped_at),
		cmocka_unit_test(an_empty_place_may_be_far_behind_the_start_of_the_code_around_it),
		cmocka_unit_test(the_code_of_a_line_is_not_that_of_the_next),
		cmocka_unit_test(a_row_at_the_end_of_its_sequence_is_at_other_code),
		cmocka_unit_test(code_that_was_thrown_away_has_no_places),
		cmocka_unit_test(so_has_code_that_was_thrown_away_from_the_midst_of_others),
		cmocka_unit_test(a_row_of_no_file_is_of_none),
		cmocka_unit_test(line_0_is_no_line),
		cmocka_unit_test(a_program_may_define_files),
		cmocka_unit_test(
			a_damaged_table_has_what_is_before_the_fault_and_that_is_said_once),
		cmocka_unit_test(a_damaged_header_may_be_read_again_by_another_worker),
		cmocka_unit_test(what_several_tables_say_does_not_depend_on_threads),
		cmocka_unit_test(the_places_of_a_line_are_found_in_the_list),
		cmocka_unit_test(what_tables_share_may_not_be_run_over_and_over),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
