#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/fields.h>
#include <inlinecall/extra/report.h>

#include "alloc_meter.h"
#include "fixtures/row_json.h"
#include "fixtures/rows.h"

static const struct ic_row_options plain = { .file = "a.o" },
				   shown = { .base_names = true, .demangle = true };

// Calls `check` for all kinds of rows, with some options.
static void each(void (*check)(const struct subject *subject, const struct ic_row_options *options))
{
	for (unsigned kind = IC_ROWS_SITES; kind <= IC_ROWS_VERDICTS; kind++) {
		struct subject subject = subject_find((enum ic_rows_kind)kind);
		check(&subject, &plain);
		check(&subject, &shown);
		check(&subject, NULL);
		subject_free(&subject);
	}
}

// The report of all rows.
static char *reported(const struct subject *subject, const struct ic_row_options *options,
		      enum ic_report_format format)
{
	const struct ic_report_options look = { .format = format, .chain = true };
	struct ic_rows *rows = subject_rows(subject, options);
	struct text text;
	struct ic_report *report = ic_report_new(subject->kind, &look, text_begin(&text), NULL);

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

	text_begin(&text);
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
		struct ic_report *report =
			ic_report_new(subject->kind, &look, text_begin(&text), NULL);
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
	struct ic_statistic count;
	struct ic_row row;
	size_t number = 0;

	for (; ic_rows_next(rows, &row, NULL); number++) {
		assert_true(ic_statistics_get(subject.statistics, number, &count));
		assert_string_equal(row.count->function, count.function);
		assert_int_equal(row.count->inlined, count.copies);
		assert_int_equal(row.count->without_code, count.without_code);
		assert_int_equal(row.count->out_of_line, count.out_of_line);
		assert_int_equal(row.count->calls, count.calls);
		assert_int_equal(row.count->bytes, count.size);
	}
	assert_int_equal(number, ic_statistics_count(subject.statistics));
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
	const struct ic_rows_stack stack = { .addr = 5 };
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

// The value of a text field.
static const char *text_at(const struct ic_row_fields *fields, const char *key)
{
	for (size_t i = 0; i < fields->schema->field_count; i++) {
		const struct ic_field *field = &fields->schema->fields[i];
		const char *value;
		if (strcmp(field->key, key) != 0)
			continue;
		assert_int_equal(field->type, IC_FIELD_TEXT);
		memcpy(&value, (const char *)fields->row + field->at, sizeof(value));
		return value;
	}
	fail_msg("no field %s", key);
	return NULL;
}

static void check_fields(const struct subject *subject, const struct ic_row_options *options)
{
	struct ic_rows *rows = subject_rows(subject, options),
		       *again = subject_rows(subject, options);
	struct ic_row_fields fields;
	struct ic_error err;
	struct ic_row row;

	while (ic_rows_next(rows, &row, NULL)) {
		const void *const *members = (const void *const *)&row;
		assert_true(ic_rows_next_fields(again, &fields, &err));
		// Both are of the same type, and what they point to is the same.
		assert_string_equal(text_at(&fields, "type"),
				    *(const char *const *)members[subject->kind]);
		if (options && options->file)
			assert_string_equal(text_at(&fields, "file"), options->file);
	}
	assert_false(ic_rows_next_fields(again, &fields, &err));
	assert_int_equal(err.code, IC_ERROR_NONE);
	assert_false(ic_rows_next_fields(again, &fields, NULL));
	ic_rows_free(rows);
	ic_rows_free(again);
}

TEST(a_row_can_be_taken_by_its_fields)
{
	each(check_fields);
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
	for (unsigned kind = IC_ROWS_SITES; kind <= IC_ROWS_VERDICTS; kind++) {
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

UNIT_TESTS(report_rows_rows)
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
		cmocka_unit_test(a_row_can_be_taken_by_its_fields),
		cmocka_unit_test(any_allocation_of_a_report_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
