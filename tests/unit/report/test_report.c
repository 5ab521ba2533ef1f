#include "unit_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <inlinecall/extra/report.h>

// A stream that is full after some bytes, and keeps what was written.
struct sink {
	char text[4096];
	size_t size, room;
	unsigned writes;
};

static ssize_t take(void *cookie, const char *text, size_t size)
{
	struct sink *sink = cookie;

	sink->writes++;
	if (sink->size + size > sink->room) {
		errno = EPIPE;
		return -1;
	}
	memcpy(sink->text + sink->size, text, size);
	sink->size += size;
	return (ssize_t)size;
}

static FILE *open_sink(struct sink *sink, size_t room)
{
	*sink = (struct sink){ .room = room };
	FILE *out = fopencookie(sink, "w", (cookie_io_functions_t){ .write = take });
	assert_non_null(out);
	return out;
}

enum { WHOLE = sizeof(((struct sink *)NULL)->text) - 1 };

struct printed { // a report that is made, and where it goes
	struct sink sink;
	FILE *out;
	struct ic_report *report;
};

static void print(struct printed *printed, enum ic_rows_kind kind,
		  const struct ic_report_options *options)
{
	printed->out = open_sink(&printed->sink, WHOLE);
	printed->report = ic_report_new(kind, options, printed->out, NULL);
	assert_non_null(printed->report);
}

// Ends the report, which must have written exactly this.
static void check(struct printed *printed, const char *wanted)
{
	assert_true(ic_report_end(printed->report, NULL));
	ic_report_free(printed->report);
	assert_int_equal(fclose(printed->out), 0);
	assert_string_equal(printed->sink.text, wanted);
}

static const struct ic_report_options csv = { .format = IC_REPORT_CSV },
				      json = { .format = IC_REPORT_JSON };

// ---- Rows to print

static bool add_count(struct ic_report *report, const char *file, const char *function,
		      uint64_t inlined)
{
	const struct ic_count_row row = {
		.type = "function", .file = file, .function = function, .inlined = inlined
	};

	return ic_report_row(report, &(struct ic_row){ .count = &row });
}

static const struct ic_row_range range = { .range = { 0x10, 0x20 } };

static bool add_site(struct ic_report *report, uint64_t function_off, size_t range_count)
{
	const struct ic_site_row row = {
		.type = "site",
		.function = "leaf",
		.decl_file = "a.c",
		.decl_line = 3,
		.host = "main",
		.entry = 0x10,
		.ranges = &range,
		.range_count = range_count,
		.function_off = function_off,
	};

	return ic_report_row(report, &(struct ic_row){ .site = &row });
}

static bool add_stacks(struct ic_report *report, const struct ic_rows_stack *stacks, size_t count)
{
	struct ic_rows *rows = ic_rows_of_stacks(stacks, count, NULL, NULL);

	assert_non_null(rows);
	bool ok = ic_report_rows(report, rows);
	ic_rows_free(rows);
	return ok;
}

static bool add_addr(struct ic_report *report, uint64_t addr)
{
	return add_stacks(report, &(struct ic_rows_stack){ .addr = addr }, 1);
}

// ---- Parts

#define CSV_OF_COUNTS                                                                      \
	"type,file,function,linkage_name,decl_file,decl_line,inlined,without_code,out_of_" \
	"line,calls,bytes\n"

TEST(several_files_have_one_heading_in_csv)
{
	struct printed printed;

	print(&printed, IC_ROWS_COUNTS, &csv);
	assert_true(ic_report_begin(printed.report, "a"));
	assert_true(ic_report_flush(printed.report));
	assert_string_equal(printed.sink.text, CSV_OF_COUNTS); // though there is no row yet
	assert_true(ic_report_begin(printed.report, "b"));
	assert_true(add_count(printed.report, "b", "f", 1));
	assert_true(ic_report_begin(printed.report, "c"));
	assert_true(add_count(printed.report, "c", "g", 2));
	check(&printed, CSV_OF_COUNTS "function,b,f,,,,1,0,0,0,0\nfunction,c,g,,,,2,0,0,0,0\n");
}

TEST(rows_in_pieces_have_one_heading_in_csv)
{
	struct printed printed;

	print(&printed, IC_ROWS_STACKS, &csv);
	assert_true(add_addr(printed.report, 1));
	assert_true(ic_report_flush(printed.report));
	assert_true(add_addr(printed.report, 2));
	check(&printed, "type,file,address,end,section,is_stmt,frame,function,linkage_name,source,"
			"line,column,discriminator,inlined,symbol,symbol_offset,symbol_size\n"
			"stack,,0x1,,,,0,,,,,,,,,,\nstack,,0x2,,,,0,,,,,,,,,,\n");
}

#define COLUMNS "INLINED\t    OUT\t  CALLS\t  BYTES\tFUNCTION\tPLACE\n"

TEST(text_has_the_headings_of_each_part_that_has_a_line)
{
	struct printed printed;

	print(&printed, IC_ROWS_COUNTS, NULL);
	ic_report_begin(printed.report, "a\033");
	add_count(printed.report, NULL, "f", 1);
	add_count(printed.report, NULL, "g", 2);
	ic_report_begin(printed.report, "b");
	add_count(printed.report, NULL, "gone", 0);
	ic_report_begin(printed.report, NULL);
	add_count(printed.report, NULL, "h", 3);
	check(&printed, "a?:\n" COLUMNS "      1\t      0\t      0\t      0\tf()\t??:0\n"
			"      2\t      0\t      0\t      0\tg()\t??:0\n" COLUMNS
			"      3\t      0\t      0\t      0\th()\t??:0\n");
}

// Functions of two files may have the same offset.
TEST(a_function_has_its_heading_once_in_each_part)
{
	static const char line[] = "\t[0x10 - 0x20]\t??:0\tmain()\n";
	struct printed printed;
	char wanted[400];

	print(&printed, IC_ROWS_SITES, NULL);
	add_site(printed.report, 0x40, 1); // in a part without a name
	add_site(printed.report, 0x40, 1);
	add_site(printed.report, 0x50, 1);
	ic_report_begin(printed.report, "b");
	add_site(printed.report, 0x50, 0);
	add_site(printed.report, 0x50, 1);
	snprintf(wanted, sizeof(wanted), "a.c:3\n%s%sa.c:3\n%sb:\na.c:3\n%s", line, line, line,
		 line);
	check(&printed, wanted);
}

TEST(a_report_without_rows_writes_nothing)
{
	struct printed printed;

	print(&printed, IC_ROWS_SITES, &csv);
	check(&printed, "");
	print(&printed, IC_ROWS_SITES, &json);
	assert_true(ic_report_begin(printed.report, "a"));
	check(&printed, "");
}

// ---- Flushing

TEST(what_is_flushed_is_there_and_the_rest_at_the_end)
{
	struct printed printed;

	print(&printed, IC_ROWS_STACKS, NULL);
	assert_true(add_addr(printed.report, 1));
	assert_int_equal(printed.sink.writes, 0);
	assert_true(ic_report_flush(printed.report));
	assert_string_equal(printed.sink.text, "0x1\t??\n");
	assert_true(add_addr(printed.report, 2));
	assert_string_equal(printed.sink.text, "0x1\t??\n");
	check(&printed, "0x1\t??\n0x2\t??\n");
}

TEST(a_report_that_is_freed_without_an_end_writes_no_more)
{
	struct printed printed;

	print(&printed, IC_ROWS_STACKS, NULL);
	assert_true(add_addr(printed.report, 1));
	assert_true(ic_report_flush(printed.report));
	assert_true(add_addr(printed.report, 2));
	ic_report_free(printed.report);
	assert_int_equal(fclose(printed.out), 0);
	assert_string_equal(printed.sink.text, "0x1\t??\n");
	ic_report_free(NULL);
}

// ---- Failures

TEST(nobody_who_reads_is_an_error_at_the_end_and_nothing_is_written_after_it)
{
	struct sink sink;
	struct ic_error err;
	FILE *out = open_sink(&sink, 10);
	struct ic_report *report = ic_report_new(IC_ROWS_STACKS, NULL, out, &err);

	assert_non_null(report);
	assert_true(add_addr(report, 1));
	assert_true(ic_report_flush(report));
	assert_true(add_addr(report, 2));
	assert_false(ic_report_flush(report));
	unsigned writes = sink.writes;
	assert_false(add_addr(report, 3));
	assert_false(ic_report_row(report, &(struct ic_row){ .site = NULL }));
	assert_false(ic_report_begin(report, NULL));
	assert_false(ic_report_flush(report));
	assert_false(ic_report_end(report, NULL));
	assert_false(ic_report_end(report, &err));
	assert_error(&err, IC_ERROR_SYSTEM, "cannot write the report: Broken pipe");
	assert_int_equal(err.os_error, EPIPE);
	assert_int_equal(sink.writes, writes);
	ic_report_free(report);
	fclose(out);
	assert_string_equal(sink.text, "0x1\t??\n");
}

TEST(rows_that_nobody_reads_are_not_made)
{
	enum { COUNT = 100000 };
	struct ic_rows_stack *stacks = calloc(COUNT, sizeof(*stacks));
	struct sink sink;
	struct ic_row row;
	FILE *out = open_sink(&sink, 0);
	struct ic_report *report = ic_report_new(IC_ROWS_STACKS, NULL, out, NULL);
	struct ic_rows *rows = ic_rows_of_stacks(stacks, COUNT, NULL, NULL);

	assert_non_null(stacks);
	assert_false(ic_report_rows(report, rows));
	assert_true(ic_rows_next(rows, &row, NULL)); // one that is left
	ic_rows_free(rows);
	ic_report_free(report);
	fclose(out);
	free(stacks);
}

TEST(a_stream_that_was_closed_is_an_error_at_the_end)
{
	struct ic_error err;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	FILE *out = fdopen(ends[1], "w");
	assert_non_null(out);
	struct ic_report *report = ic_report_new(IC_ROWS_STACKS, &json, out, &err);
	assert_non_null(report);
	close(ends[1]);
	assert_true(add_addr(report, 1));
	assert_false(ic_report_end(report, &err));
	assert_int_equal(err.os_error, EBADF);
	ic_report_free(report);
	fclose(out);
	close(ends[0]);
}

TEST(a_row_of_another_kind_fails_a_report_that_keeps_what_it_had)
{
	static const char message[] = "the report is for rows of a different kind";
	struct printed printed;
	struct ic_error err;

	print(&printed, IC_ROWS_STACKS, NULL);
	assert_true(add_addr(printed.report, 1));
	assert_false(add_count(printed.report, NULL, "f", 1));
	assert_false(add_addr(printed.report, 2));
	assert_false(ic_report_end(printed.report, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, message);
	ic_report_free(printed.report);
	fclose(printed.out);
	assert_string_equal(printed.sink.text, "0x1\t??\n");

	print(&printed, IC_ROWS_SITES, NULL);
	assert_false(add_addr(printed.report, 1)); // as one of several
	assert_false(ic_report_end(printed.report, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, message);
	ic_report_free(printed.report);
	fclose(printed.out);

	print(&printed, IC_ROWS_SITES, NULL);
	assert_false(ic_report_row(printed.report, &(struct ic_row){ .site = NULL }));
	ic_report_free(printed.report);
	fclose(printed.out);
}

TEST(a_report_that_has_ended_takes_no_more)
{
	const struct ic_report_options options = { .format = IC_REPORT_CSV };
	struct printed printed;
	struct ic_error err;

	print(&printed, IC_ROWS_STACKS, &options); // without any row, and so without a heading
	assert_true(ic_report_end(printed.report, NULL));
	assert_false(ic_report_begin(printed.report, "later"));
	assert_false(add_addr(printed.report, 1));
	assert_false(ic_report_flush(printed.report));
	assert_false(ic_report_end(printed.report, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, "the report has ended");
	ic_report_free(printed.report);
	assert_int_equal(fclose(printed.out), 0);
	assert_string_equal(printed.sink.text, "");
}

TEST(what_is_no_kind_and_no_format_is_refused)
{
	const struct ic_report_options options = { .format = (enum ic_report_format)9 };
	struct ic_error err;

	assert_null(ic_report_new((enum ic_rows_kind)77, NULL, stdout, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, "no report of kind 77 has format 0");
	assert_null(ic_report_new(IC_ROWS_SITES, &options, stdout, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, "no report of kind 0 has format 9");
	assert_null(ic_report_new(IC_ROWS_SITES, &options, stdout, NULL));
}

UNIT_TESTS(report_report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_that_has_ended_takes_no_more),
		cmocka_unit_test(what_is_no_kind_and_no_format_is_refused),
		cmocka_unit_test(several_files_have_one_heading_in_csv),
		cmocka_unit_test(rows_in_pieces_have_one_heading_in_csv),
		cmocka_unit_test(text_has_the_headings_of_each_part_that_has_a_line),
		cmocka_unit_test(a_function_has_its_heading_once_in_each_part),
		cmocka_unit_test(a_report_without_rows_writes_nothing),
		cmocka_unit_test(what_is_flushed_is_there_and_the_rest_at_the_end),
		cmocka_unit_test(a_report_that_is_freed_without_an_end_writes_no_more),
		cmocka_unit_test(
			nobody_who_reads_is_an_error_at_the_end_and_nothing_is_written_after_it),
		cmocka_unit_test(rows_that_nobody_reads_are_not_made),
		cmocka_unit_test(a_stream_that_was_closed_is_an_error_at_the_end),
		cmocka_unit_test(a_row_of_another_kind_fails_a_report_that_keeps_what_it_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
