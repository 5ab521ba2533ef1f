#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/report.h>

#include "alloc_meter.h"
#include "rows_fixture.h"

struct text { // that is being made
	FILE *out;
	char *text;
	size_t size;
};

static FILE *begin(struct text *text)
{
	text->out = open_memstream(&text->text, &text->size);
	assert_non_null(text->out);
	return text->out;
}

static const struct ic_row_options plain = { .file = "a.o" },
				   shown = { .base_names = true, .demangle = true };

// Calls `check` for all kinds of rows, with some options.
static void each(void (*check)(const struct subject *subject, const struct ic_row_options *options))
{
	for (unsigned kind = IC_ROWS_SITES; kind <= IC_ROWS_ARGUMENTS; kind++) {
		struct subject subject = subject_find((enum ic_rows_kind)kind);
		check(&subject, &plain);
		check(&subject, &shown);
		check(&subject, NULL);
		subject_free(&subject);
	}
}

// ---- Lines of JSON that are written by hand from rows

static void put_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, ",\"%s\":", key);
	if (!text) {
		fputs("null", out);
		return;
	}
	putc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\\%c" : "%c", *text);
	putc('"', out);
}

static void put_addr(FILE *out, const char *key, uint64_t addr)
{
	if (addr == IC_SITE_NO_ADDR)
		fprintf(out, ",\"%s\":null", key);
	else
		fprintf(out, ",\"%s\":\"0x%" PRIx64 "\"", key, addr);
}

static void put_number(FILE *out, const char *key, bool is_known, uint64_t number)
{
	if (is_known)
		fprintf(out, ",\"%s\":%" PRIu64, key, number);
	else
		fprintf(out, ",\"%s\":null", key);
}

static void put_line(FILE *out, const char *key, uint32_t line)
{
	put_number(out, key, line > 0, line);
}

static void put_flag(FILE *out, const char *key, bool flag)
{
	fprintf(out, ",\"%s\":%s", key, flag ? "true" : "false");
}

static void put_ranges(FILE *out, const struct ic_row_range *row_ranges, size_t count)
{
	fputs(",\"ranges\":[", out);
	for (size_t i = 0; i < count; i++) {
		const struct ic_row_range *range = &row_ranges[i];
		fprintf(out, "%s[\"0x%" PRIx64 "\",\"0x%" PRIx64 "\"", i > 0 ? "," : "",
			range->range.start, range->range.end);
		if (range->section)
			fprintf(out, ",\"%s\"", range->section);
		putc(']', out);
	}
	putc(']', out);
}

static void put_chain(FILE *out, const struct ic_site_row *row)
{
	struct text link;

	fputs(",\"chain\":[", out);
	for (size_t i = 0; i < row->chain_count; i++) {
		begin(&link);
		put_text(link.out, "function", row->chain[i].function);
		put_text(link.out, "call_file", row->chain[i].call_file);
		put_line(link.out, "call_line", row->chain[i].call_line);
		put_line(link.out, "call_column", row->chain[i].call_column);
		fclose(link.out);
		fprintf(out, "%s{%s}", i > 0 ? "," : "", link.text + 1);
		free(link.text);
	}
	putc(']', out);
}

static void put_site(FILE *out, const struct ic_site_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_text(out, "call_file", row->call_file);
	put_line(out, "call_line", row->call_line);
	put_line(out, "call_column", row->call_column);
	put_ranges(out, row->ranges, row->range_count);
	put_text(out, "section", row->section);
	put_addr(out, "entry", row->entry);
	put_text(out, "host", row->host);
	put_text(out, "symbol", row->symbol);
	put_chain(out, row);
	put_text(out, "unit", row->unit);
	put_addr(out, "die", row->die);
	put_text(out, "die_file", row->die_file);
	put_text(out, "entry_symbol", row->entry_symbol);
	put_number(out, "entry_offset", row->entry_offset != IC_SITE_NO_ADDR, row->entry_offset);
	if (row->kind != IC_SITE_CALL)
		return;
	put_addr(out, "return", row->return_addr);
	put_flag(out, "tail", row->tail);
}

static void put_count(FILE *out, const struct ic_count_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_number(out, "inlined", true, row->inlined);
	put_number(out, "without_code", true, row->without_code);
	put_number(out, "out_of_line", true, row->out_of_line);
	put_number(out, "calls", true, row->calls);
	put_number(out, "bytes", true, row->bytes);
}

static void put_node(FILE *out, const struct ic_tree_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_number(out, "depth", true, row->depth);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_flag(out, "inlined", row->inlined);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_text(out, "call_file", row->call_file);
	put_line(out, "call_line", row->call_line);
	put_line(out, "call_column", row->call_column);
	put_number(out, "bytes", true, row->bytes);
	put_number(out, "own_bytes", true, row->own_bytes);
	put_ranges(out, row->ranges, row->range_count);
	put_text(out, "section", row->section);
	put_addr(out, "entry", row->entry);
	put_text(out, "host", row->host);
	put_text(out, "symbol", row->symbol);
	put_text(out, "unit", row->unit);
	put_addr(out, "die", row->die);
	put_addr(out, "parent", row->parent);
	put_text(out, "die_file", row->die_file);
}

static void put_known(FILE *out, const char *key, uint64_t number)
{
	put_number(out, key, number != IC_STATISTIC_NONE, number);
}

static void put_statistic(FILE *out, const struct ic_statistic_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "by", row->by);
	put_text(out, "function", row->function);
	put_text(out, "linkage_name", row->linkage_name);
	put_text(out, "decl_file", row->decl_file);
	put_line(out, "decl_line", row->decl_line);
	put_text(out, "unit", row->unit);
	put_text(out, "inlined", row->inlined);
	put_known(out, "copies", row->copies);
	put_known(out, "without_code", row->without_code);
	put_known(out, "functions", row->functions);
	put_known(out, "callers", row->callers);
	put_known(out, "self_bytes", row->self_bytes);
	put_known(out, "bytes", row->bytes);
	put_known(out, "never", row->never);
	put_known(out, "partly", row->partly);
	put_known(out, "fully", row->fully);
	put_known(out, "out_of_line", row->out_of_line);
	put_known(out, "out_of_line_bytes", row->out_of_line_bytes);
	put_known(out, "code_bytes", row->code_bytes);
}

static void put_argument(FILE *out, const struct ic_argument_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	put_text(out, "by", row->by);
	put_text(out, "name", row->name);
	put_known(out, "functions", row->functions);
	put_known(out, "copies", row->copies);
	put_known(out, "arguments", row->arguments);
	put_known(out, "up_to", row->up_to);
	put_known(out, "few_functions", row->few_functions);
	put_known(out, "few_copies", row->few_copies);
	put_known(out, "few_arguments", row->few_arguments);
	put_known(out, "few_up_to", row->few_up_to);
}

static void put_frames(FILE *out, const struct ic_stack_row *row)
{
	struct text frame;

	fputs(",\"frames\":[", out);
	for (size_t i = 0; i < row->frame_count; i++) {
		begin(&frame);
		put_text(frame.out, "function", row->frames[i].function);
		put_text(frame.out, "linkage_name", row->frames[i].linkage_name);
		put_text(frame.out, "file", row->frames[i].file);
		put_number(frame.out, "line", true, row->frames[i].line);
		put_number(frame.out, "column", true, row->frames[i].column);
		put_number(frame.out, "discriminator", true, row->frames[i].discriminator);
		put_flag(frame.out, "inlined", row->frames[i].inlined);
		fclose(frame.out);
		fprintf(out, "%s{%s}", i > 0 ? "," : "", frame.text + 1);
		free(frame.text);
	}
	putc(']', out);
}

static void put_stack(FILE *out, const struct ic_stack_row *row)
{
	put_text(out, "type", row->type);
	put_text(out, "file", row->file);
	if (row->input)
		fputs(",\"address\":null", out);
	else
		fprintf(out, ",\"address\":\"0x%" PRIx64 "\"", row->address);
	if (row->is_line)
		put_addr(out, "end", row->end);
	put_text(out, "section", row->section);
	if (row->is_line)
		put_flag(out, "is_stmt", row->is_stmt);
	put_frames(out, row);
	if (row->is_line)
		return;
	put_text(out, "symbol", row->symbol);
	put_number(out, "symbol_offset", row->symbol_offset != IC_SITE_NO_ADDR, row->symbol_offset);
	put_number(out, "symbol_size", row->symbol_size != IC_SITE_NO_ADDR, row->symbol_size);
	put_text(out, "input", row->input);
}

static void put_row(FILE *out, const struct ic_row *row)
{
	struct text line;

	begin(&line);
	if (row->site)
		put_site(line.out, row->site);
	else if (row->count)
		put_count(line.out, row->count);
	else if (row->stack)
		put_stack(line.out, row->stack);
	else if (row->tree)
		put_node(line.out, row->tree);
	else if (row->statistic)
		put_statistic(line.out, row->statistic);
	else
		put_argument(line.out, row->argument);
	fclose(line.out);
	fprintf(out, "{%s}\n", line.text + 1);
	free(line.text);
}

// The report of all rows.
static char *reported(const struct subject *subject, const struct ic_row_options *options,
		      enum ic_report_format format)
{
	const struct ic_report_options look = { .format = format, .chain = true };
	struct ic_rows *rows = subject_rows(subject, options);
	struct text text;
	struct ic_report *report = ic_report_new(subject->kind, &look, begin(&text), NULL);

	assert_non_null(report);
	assert_true(ic_report_rows(report, rows));
	assert_true(ic_report_end(report, NULL));
	ic_report_free(report);
	ic_rows_free(rows);
	fclose(text.out);
	return text.text;
}

static void check_json(const struct subject *subject, const struct ic_row_options *options)
{
	struct ic_rows *rows = subject_rows(subject, options);
	char *json = reported(subject, options, IC_REPORT_JSON);
	struct text text;
	struct ic_row row;

	begin(&text);
	while (ic_rows_next(rows, &row, NULL))
		put_row(text.out, &row);
	fclose(text.out);
	assert_string_equal(text.text, json);
	assert_true(text.size > 100);
	free(text.text);
	free(json);
	ic_rows_free(rows);
}

TEST(a_row_has_what_its_line_of_json_has)
{
	each(check_json);
}

// ---- Rows one by one

static void check_one_by_one(const struct subject *subject, const struct ic_row_options *options)
{
	for (unsigned format = IC_REPORT_TEXT; format <= IC_REPORT_CSV; format++) {
		const struct ic_report_options look = { .format = (enum ic_report_format)format,
							.chain = true };
		char *wanted = reported(subject, options, look.format);
		struct ic_rows *rows = subject_rows(subject, options);
		struct text text;
		struct ic_row row;
		struct ic_report *report = ic_report_new(subject->kind, &look, begin(&text), NULL);
		while (ic_rows_next(rows, &row, NULL))
			assert_true(ic_report_row(report, &row));
		assert_true(ic_report_end(report, NULL));
		ic_report_free(report);
		ic_rows_free(rows);
		fclose(text.out);
		assert_string_equal(text.text, wanted);
		free(text.text);
		free(wanted);
	}
}

TEST(a_report_of_rows_one_by_one_is_that_of_all)
{
	each(check_one_by_one);
}

TEST(the_categories_of_arguments_add_up_and_shapes_without_any_are_no_lines)
{
	struct subject subject = subject_find(IC_ROWS_ARGUMENTS);
	char *text = reported(&subject, &plain, IC_REPORT_TEXT);

	assert_string_equal(text, "all\t8 arguments of 200 copies of 2 functions\n"
				  "few\t3 arguments of 3 copies of 1 function"
				  " with at most 100 copies each\n"
				  "    ALL\t   SHARE\t    FEW\t   SHARE\tCATEGORY\n"
				  "      1\t 12.50 %\t      0\t  0.00 %\tliteral\n"
				  "      3\t 37.50 %\t      2\t 66.67 %\tregister+above\n"
				  "      3\t 37.50 %\t      2\t 66.67 %\tarithmetic+above\n"
				  "      3\t 37.50 %\t      2\t 66.67 %\tcomposite+above\n"
				  "      5\t 62.50 %\t      2\t 66.67 %\tstack+above\n"
				  "      3\t 37.50 %\t      1\t 33.33 %\tempty\n"
				  "    ALL\t   SHARE\t    FEW\t   SHARE\tSHAPE\n"
				  "      1\t 12.50 %\t      0\t  0.00 %\tnumber\n"
				  "      2\t 25.00 %\t      2\t 66.67 %\tregister\n"
				  "      2\t 25.00 %\t      0\t  0.00 %\tframe\n"
				  "      2\t 25.00 %\t      1\t 33.33 %\tnot here\n"
				  "      1\t 12.50 %\t      0\t  0.00 %\toptimised out\n");
	free(text);
	subject_free(&subject);
}

TEST(a_site_is_told_with_offsets_in_its_section_and_names_for_a_reader)
{
	const struct ic_row_options options = { .base_names = true, .demangle = true };
	struct subject subject = subject_find(IC_ROWS_SITES);
	struct ic_rows *rows = subject_rows(&subject, &options);
	struct ic_row row;

	do
		assert_true(ic_rows_next(rows, &row, NULL));
	while (row.site->die != ROWS_MID_DIE);
	assert_null(row.tree);
	assert_string_equal(row.site->type, "site");
	assert_null(row.site->file);
	assert_string_equal(row.site->function, "mid(int)");
	assert_string_equal(row.site->linkage_name, "_Z3midi");
	assert_string_equal(row.site->decl_file, "a.h");
	assert_string_equal(row.site->call_file, "b.c");
	assert_int_equal(row.site->call_column, 7);
	assert_string_equal(row.site->section, ".text");
	assert_int_equal(row.site->entry, 0x18);
	assert_string_equal(row.site->entry_symbol, "outer");
	assert_int_equal(row.site->entry_offset, 0x18);
	assert_int_equal(row.site->range_count, 2);
	assert_null(row.site->ranges[0].section);
	assert_int_equal(row.site->ranges[0].range.start, 0x10);
	assert_string_equal(row.site->ranges[1].section, ".text.unlikely");
	assert_int_equal(row.site->ranges[1].range.end, 8);
	assert_string_equal(row.site->ranges[1].symbol, "mid(int) [clone .cold]");
	assert_int_equal(row.site->chain_count, 0);
	assert_int_equal(row.site->kind, IC_SITE_INLINED);
	assert_int_equal(row.site->function_off, 0x30);
	ic_rows_free(rows);
	subject_free(&subject);
}

TEST(the_chain_of_a_site_is_what_is_around_it)
{
	struct subject subject = subject_find(IC_ROWS_SITES);
	struct ic_rows *rows = subject_rows(&subject, NULL);
	struct ic_row row;

	do
		assert_true(ic_rows_next(rows, &row, NULL));
	while (row.site->die != ROWS_LEAF_DIE);
	assert_int_equal(row.site->chain_count, 1);
	assert_string_equal(row.site->chain[0].function, "mid");
	assert_string_equal(row.site->chain[0].linkage_name, "_Z3midi");
	assert_string_equal(row.site->chain[0].call_file, "/src/b.c");
	assert_int_equal(row.site->chain[0].call_line, 10);
	ic_rows_free(rows);
	subject_free(&subject);
}

TEST(counts_are_those_of_the_selection)
{
	struct subject subject = subject_find(IC_ROWS_COUNTS);
	struct ic_rows *rows = subject_rows(&subject, NULL);
	struct ic_count count;
	struct ic_row row;
	size_t number = 0;

	for (; ic_rows_next(rows, &row, NULL); number++) {
		assert_true(ic_counts_get(subject.counts, number, &count));
		assert_string_equal(row.count->function, count.function);
		assert_int_equal(row.count->inlined, count.inlined);
		assert_int_equal(row.count->without_code, count.without_code);
		assert_int_equal(row.count->out_of_line, count.out_of_line);
		assert_int_equal(row.count->calls, count.calls);
		assert_int_equal(row.count->bytes, count.size);
	}
	assert_int_equal(number, ic_counts_count(subject.counts));
	ic_rows_free(rows);
	subject_free(&subject);
}

TEST(names_stay_until_the_rows_are_freed)
{
	struct subject subject = subject_find(IC_ROWS_SITES);
	struct ic_rows *rows = subject_rows(&subject, &shown);
	struct ic_row row;
	const char *name = NULL;

	while (ic_rows_next(rows, &row, NULL))
		if (row.site->die == ROWS_MID_DIE)
			name = row.site->function;
	assert_string_equal(name, "mid(int)");
	ic_rows_free(rows);
	subject_free(&subject);
}

TEST(after_the_last_row_there_is_no_error)
{
	const struct ic_stack stack = { .addr = 5 };
	struct ic_rows *rows = ic_rows_of_stacks(&stack, 1, NULL, NULL);
	struct ic_error err = { .code = IC_ERROR_MEMORY };
	struct ic_row row;

	assert_non_null(rows);
	assert_true(ic_rows_next(rows, &row, &err));
	for (int i = 0; i < 2; i++) {
		err.code = IC_ERROR_MEMORY;
		assert_false(ic_rows_next(rows, &row, &err));
		assert_int_equal(err.code, IC_ERROR_NONE);
	}
	assert_int_equal(row.stack->address, 5); // untouched
	ic_rows_free(rows);
	rows = ic_rows_of_stacks(NULL, 0, NULL, NULL);
	assert_false(ic_rows_next(rows, &row, NULL));
	ic_rows_free(rows);
	ic_rows_free(NULL);
}

// ---- Memory that is out

// A report of all rows while allocation number `fail_at` fails. Its text; NULL if it failed.
static char *report_failing(const struct subject *subject, uint64_t fail_at, uint64_t *allocations)
{
	static char text[1 << 14];
	struct ic_error err = { .code = IC_ERROR_NONE };
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_non_null(out);
	setbuf(out, NULL);
	size_t live = alloc_meter_live();
	alloc_meter_start(fail_at, false);
	struct ic_report *report = ic_report_new(subject->kind, NULL, out, &err);
	struct ic_rows *rows = report ? subject_try_rows(subject, &shown, &err) : NULL;
	bool ok = rows && ic_report_rows(report, rows);
	if (rows)
		ok = ic_report_end(report, &err) && ok;
	*allocations = alloc_meter_calls();
	alloc_meter_stop();
	ic_rows_free(rows);
	ic_report_free(report);
	assert_int_equal(alloc_meter_live(), live);
	fclose(out);
	if (!ok)
		assert_error(&err, IC_ERROR_MEMORY, "out of memory");
	return ok ? text : NULL;
}

TEST(any_allocation_of_a_report_may_fail)
{
	for (unsigned kind = IC_ROWS_SITES; kind <= IC_ROWS_ARGUMENTS; kind++) {
		struct subject subject = subject_find((enum ic_rows_kind)kind);
		uint64_t count, unused, failed = 0;
		char *whole = strdup(report_failing(&subject, 0, &count));
		assert_non_null(whole);
		assert_in_range(count, 2, 200); // the rows and the report
		for (uint64_t i = 1; i <= count; i++) {
			const char *text = report_failing(&subject, i, &unused);
			failed += !text;
			if (text)
				assert_string_equal(text, whole);
		}
		assert_in_range(failed, 2, count);
		free(whole);
		subject_free(&subject);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_what_its_line_of_json_has),
		cmocka_unit_test(a_report_of_rows_one_by_one_is_that_of_all),
		cmocka_unit_test(
			the_categories_of_arguments_add_up_and_shapes_without_any_are_no_lines),
		cmocka_unit_test(a_site_is_told_with_offsets_in_its_section_and_names_for_a_reader),
		cmocka_unit_test(the_chain_of_a_site_is_what_is_around_it),
		cmocka_unit_test(counts_are_those_of_the_selection),
		cmocka_unit_test(names_stay_until_the_rows_are_freed),
		cmocka_unit_test(after_the_last_row_there_is_no_error),
		cmocka_unit_test(any_allocation_of_a_report_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
