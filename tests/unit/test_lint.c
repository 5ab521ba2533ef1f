// Each rule of lib/lint/rules.def: what breaks it is found, and the sound form is not.
#include <inlinecall/lint.h>

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_fixture.h"
#include "scan_fixture.h"

#include "dwarf_constants.h"

enum { START = CODE_START, END = CODE_START + 0x100 };

// ---- What was found, as text

struct found {
	struct scan scan;
	struct ic_lint *lint;
	char *text;
};

// Takes ownership of the builder; only `rule`, or all rules if it is NULL.
static void open_found(struct found *found, struct dwarf_builder *dw, const char *rule)
{
	const char *rules[] = { rule };
	const struct ic_lint_options options = { .most = 2,
						 .rules = rule ? rules : NULL,
						 .rule_count = 1 };
	struct ic_index_problem problem;
	struct ic_lint_finding finding;
	struct ic_lint_count count;
	struct ic_error err = { .message = "" };
	size_t size;

	scan_open(&found->scan, dw, NULL);
	found->lint = ic_lint_run(found->scan.image, &options, &err);
	if (!found->lint)
		fail_msg("%s", err.message);
	FILE *out = open_memstream(&found->text, &size);
	for (size_t i = 0; ic_lint_count_get(found->lint, i, &count); i++) {
		fprintf(out, "%s %" PRIu64 " of %s\n", count.rule->name, count.count,
			count.producer ? count.producer : "?");
		for (size_t j = 0; j < count.kept; j++) {
			assert_true(ic_lint_finding_get(found->lint, count.first + j, &finding));
			fprintf(out, " %s: %s\n", finding.function ? finding.function : "?",
				finding.text);
		}
	}
	for (size_t i = 0; ic_lint_problem_get(found->lint, i, &problem); i++)
		fprintf(out, "problem %s\n", problem.message);
	fclose(out);
}

static void close_found(struct found *found)
{
	free(found->text);
	ic_lint_free(found->lint);
	scan_close(&found->scan);
}

static void check(struct dwarf_builder *dw, const char *rule, const char *wanted)
{
	struct found found;

	open_found(&found, dw, rule);
	assert_string_equal(found.text, wanted);
	close_found(&found);
}

// ---- DWARF

static void put_formal(struct dwarf_builder *dw, const char *label)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, label);
	dw_die_end(dw);
}

static void put_lines(struct dwarf_builder *dw, uint64_t start, uint64_t size)
{
	struct dw_line_header header = dw_line_header_default(dw);
	const char *const dirs[] = { "/src", NULL };
	const struct dw_line_file files[] = { { .path = "a.c" },
					      { .path = "a.c" },
					      { .path = NULL } };

	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, start);
	dw_line_row(dw, 0, 0);
	dw_line_end_sequence(dw, size);
	dw_line_end(dw);
}

// An open unit with lines for all of main, and f(a, b), which is abstract.
static struct dwarf_builder *begin(void)
{
	struct dwarf_builder *dw = scan_builder(5);

	put_lines(dw, START, 0x100);
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_string(dw, DW_AT_producer, "GNU C17 12.2.0 -O2");
	dw_low_high(dw, START, END);
	dw_stmt_list(dw, "lines");
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "f");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	put_formal(dw, "a");
	put_formal(dw, "b");
	dw_die_end(dw);
	return dw;
}

static void put_call(struct dwarf_builder *dw)
{
	dw_data1(dw, DW_AT_call_file, 1);
	dw_data1(dw, DW_AT_call_line, 7);
}

// An open copy, with all that it should have.
static void begin_copy(struct dwarf_builder *dw, const char *origin, uint64_t start, uint64_t end)
{
	scan_inlined(dw, origin, START + start, START + end);
	put_call(dw);
}

static void put_copy(struct dwarf_builder *dw, const char *origin, uint64_t start, uint64_t end)
{
	begin_copy(dw, origin, start, end);
	dw_die_end(dw);
}

static void put_argument(struct dwarf_builder *dw, const char *origin)
{
	dw_die_begin(dw, DW_TAG_formal_parameter);
	if (origin)
		dw_ref4(dw, DW_AT_abstract_origin, origin);
	dw_die_end(dw);
}

// The end of main and of the unit.
static struct dwarf_builder *end(struct dwarf_builder *dw)
{
	dw_die_end(dw);
	scan_unit_done(dw);
	return dw;
}

// An open unit with an open main.
static struct dwarf_builder *begin_main(void)
{
	struct dwarf_builder *dw = begin();

	scan_host(dw, "main", START, END);
	return dw;
}

// ---- Rules

TEST(a_sound_unit_breaks_no_rule)
{
	struct dwarf_builder *dw = begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_ranges(dw, DW_RANGES({ START + 0x10, START + 0x18 }, { START + 0x20, START + 0x28 }));
	dw_addr(dw, DW_AT_entry_pc, START + 0x20);
	put_call(dw);
	put_argument(dw, "a");
	dw_die_begin(dw, DW_TAG_lexical_block);
	put_copy(dw, "f", 0x20, 0x24);
	dw_die_end(dw);
	dw_die_end(dw);
	put_copy(dw, "f", 0x28, 0x30);
	check(end(dw), NULL, "");
}

TEST(discarded_code_breaks_no_rule)
{
	struct dwarf_builder *dw = begin();

	scan_host(dw, "gone", 0, 0x10);
	scan_inlined(dw, "f", 0, 0x20);
	dw_die_end(dw);
	check(end(dw), NULL, "");
}

TEST(origin_missing)
{
	struct dwarf_builder *dw = begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_low_high(dw, START, START + 4);
	put_call(dw);
	dw_die_end(dw);
	check(end(dw), NULL, "origin-missing 1 of GNU C17 12.2.0\n ?: no DW_AT_abstract_origin\n");
}

TEST(origin_nowhere)
{
	struct dwarf_builder *dw = begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref_addr, 0xffffff);
	dw_low_high(dw, START, START + 4);
	put_call(dw);
	dw_die_end(dw);
	check(end(dw), NULL,
	      "origin-nowhere 1 of GNU C17 12.2.0\n ?: its origin: .debug_info+0xffffff: a "
	      "reference leads out of all units\n");
}

TEST(origin_cycle)
{
	struct dwarf_builder *dw = begin();

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_ref4(dw, DW_AT_specification, "g");
	dw_die_end(dw);
	struct found found;
	open_found(&found, (scan_unit_done(dw), dw), "origin-cycle");
	assert_non_null(strstr(found.text, "origin-cycle 1 of GNU C17 12.2.0\n"));
	assert_non_null(strstr(found.text, "leads back to itself"));
	close_found(&found);
}

TEST(origin_tag)
{
	struct dwarf_builder *dw = begin_main();
	struct found found;

	put_copy(dw, "a", 0, 4);
	open_found(&found, end(dw), "origin-tag");
	assert_non_null(strstr(found.text, "has tag 0x5, not 0x2e\n"));
	close_found(&found);
}

TEST(inlined_outside)
{
	struct dwarf_builder *dw = begin();

	put_copy(dw, "f", 0, 4);
	scan_unit_done(dw);
	check(dw, NULL, "inlined-outside 1 of GNU C17 12.2.0\n f: in no function\n");
}

TEST(abstract_code)
{
	struct dwarf_builder *dw = begin();

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "g");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_low_high(dw, START, END);
	dw_die_end(dw);
	scan_unit_done(dw);
	check(dw, NULL, "abstract-code 1 of GNU C17 12.2.0\n ?: DW_AT_inline and code\n");
}

TEST(inline_value)
{
	struct dwarf_builder *dw = begin();

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_data1(dw, DW_AT_inline, 4);
	dw_die_end(dw);
	scan_unit_done(dw);
	check(dw, NULL, "inline-value 1 of GNU C17 12.2.0\n ?: DW_AT_inline 4\n");
}

TEST(range_inverted)
{
	struct dwarf_builder *dw = begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_addr(dw, DW_AT_low_pc, START + 0x10);
	dw_addr(dw, DW_AT_high_pc, START + 8);
	put_call(dw);
	dw_die_end(dw);
	check(end(dw), "range-inverted", "range-inverted 1 of GNU C17 12.2.0\n ?: 0x1010-0x1008\n");
}

TEST(range_outside_host)
{
	struct dwarf_builder *dw = begin_main();
	struct found found;

	put_copy(dw, "f", 0xf0, 0x104);
	begin_copy(dw, "f", 0x10, 0x20);
	put_copy(dw, "f", 0x18, 0x24); // its host is the copy
	dw_die_end(dw);
	open_found(&found, end(dw), "range-outside-host");
	assert_non_null(strstr(found.text, "range-outside-host 2 of GNU C17 12.2.0\n"));
	assert_non_null(strstr(found.text, " f: 0x10f0-0x1104 is not in 0x"));
	assert_non_null(strstr(found.text, " f: 0x1018-0x1024 is not in 0x"));
	close_found(&found);
}

TEST(a_host_of_adjacent_ranges_holds_what_crosses_them)
{
	struct dwarf_builder *dw = begin();

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "main");
	dw_ranges(dw, DW_RANGES({ START + 0x10, END }, { START, START + 0x10 }));
	put_copy(dw, "f", 8, 0x18);
	check(end(dw), NULL, "");
}

static struct dwarf_builder *entered_at(uint64_t entry)
{
	struct dwarf_builder *dw = begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_ranges(dw, DW_RANGES({ START + 0x10, START + 0x18 }, { START + 0x20, START + 0x20 }));
	dw_addr(dw, DW_AT_entry_pc, START + entry);
	put_call(dw);
	dw_die_end(dw);
	return end(dw);
}

TEST(entry_outside_and_entry_empty)
{
	check(entered_at(0x14), NULL, "");
	check(entered_at(0x18), NULL,
	      "entry-outside 1 of GNU C17 12.2.0\n"
	      " f: entered at 0x1018, which is in none of its ranges\n");
	check(entered_at(0x20), NULL,
	      "entry-empty 1 of GNU C17 12.2.0\n"
	      " f: entered at 0x1020, where only an empty range is\n");
}

static struct dwarf_builder *called_from(uint8_t file, uint8_t line, bool has_file)
{
	struct dwarf_builder *dw = begin_main();

	scan_inlined(dw, "f", START, START + 4);
	if (has_file)
		dw_data1(dw, DW_AT_call_file, file);
	dw_data1(dw, DW_AT_call_line, line);
	dw_die_end(dw);
	return end(dw);
}

TEST(the_place_of_a_call)
{
	check(called_from(0, 7, true), NULL, "");
	check(called_from(2, 7, true), NULL,
	      "call-file-number 1 of GNU C17 12.2.0\n"
	      " f: DW_AT_call_file 2: the line table has none of that number\n");
	check(called_from(1, 0, true), NULL,
	      "call-line-zero 1 of GNU C17 12.2.0\n f: DW_AT_call_line 0\n");
	check(called_from(1, 7, false), NULL,
	      "call-line-missing 1 of GNU C17 12.2.0\n f: no DW_AT_call_file\n");
}

TEST(origin_not_abstract_and_inlined_denied)
{
	struct dwarf_builder *dw = begin();

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "g");
	dw_die_end(dw);
	dw_label(dw, "h");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "h");
	dw_data1(dw, DW_AT_inline, DW_INL_declared_not_inlined);
	dw_die_end(dw);
	scan_host(dw, "main", START, END);
	put_copy(dw, "g", 0, 4);
	put_copy(dw, "h", 4, 8);
	struct found found;
	open_found(&found, end(dw), NULL);
	assert_non_null(strstr(found.text, "origin-not-abstract 1 of GNU C17 12.2.0\n g: "));
	assert_non_null(strstr(found.text, "inlined-denied 1 of GNU C17 12.2.0\n h: "));
	close_found(&found);
}

TEST(name_missing)
{
	struct dwarf_builder *dw = begin();
	struct found found;

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_die_end(dw);
	scan_host(dw, "main", START, END);
	put_copy(dw, "g", 0, 4);
	open_found(&found, end(dw), NULL);
	assert_non_null(strstr(found.text, "name-missing 1 of GNU C17 12.2.0\n ?: its origin 0x"));
	close_found(&found);
}

TEST(ranges_overlap)
{
	struct dwarf_builder *dw = begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_ranges(dw, DW_RANGES({ START + 0x10, START + 0x18 }, { START + 0x14, START + 0x20 }));
	put_call(dw);
	dw_die_end(dw);
	check(end(dw), NULL,
	      "ranges-overlap 1 of GNU C17 12.2.0\n ?: 0x1010-0x1018 and 0x1014-0x1020\n");
}

TEST(copies_overlap)
{
	struct dwarf_builder *dw = begin_main();
	struct found found;

	put_copy(dw, "f", 0, 8);
	dw_die_begin(dw, DW_TAG_lexical_block);
	put_copy(dw, "f", 4, 12);
	dw_die_end(dw);
	put_copy(dw, "f", 12, 16);
	open_found(&found, end(dw), NULL);
	assert_non_null(strstr(found.text, "copies-overlap 1 of GNU C17 12.2.0\n"
					   " ?: 0x1004-0x100c is also in 0x"));
	close_found(&found);
}

TEST(code_without_lines)
{
	struct dwarf_builder *dw = begin();

	scan_host(dw, "main", START, END + 0x10);
	put_copy(dw, "f", 0xfc, 0x104);
	check(end(dw), NULL,
	      "code-without-lines 1 of GNU C17 12.2.0\n f: no line for all of 0x10fc-0x1104\n");
}

TEST(copy_without_code)
{
	struct dwarf_builder *dw = begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	put_call(dw);
	dw_die_end(dw);
	check(end(dw), NULL, "copy-without-code 1 of GNU C17 12.2.0\n f: no range of code\n");
}

TEST(whole_function)
{
	struct dwarf_builder *dw = begin_main();
	struct found found;

	put_copy(dw, "f", 0, 0x100);
	open_found(&found, end(dw), NULL);
	assert_non_null(strstr(found.text, "whole-function 1 of GNU C17 12.2.0\n"
					   " f: 0x1000-0x1100 is all of 0x"));
	close_found(&found);
}

// A copy of f, in the order of the origins; an empty one is none.
static struct dwarf_builder *with_arguments(const char *first, const char *second)
{
	struct dwarf_builder *dw = begin();

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "g");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	put_formal(dw, "other");
	dw_die_end(dw);
	scan_host(dw, "main", START, END);
	begin_copy(dw, "f", 0, 4);
	put_argument(dw, first);
	put_argument(dw, second);
	dw_die_end(dw);
	return end(dw);
}

TEST(parameters)
{
	struct found found;

	check(with_arguments("a", "b"), NULL, "");
	check(with_arguments("b", "a"), NULL,
	      "parameter-order 1 of GNU C17 12.2.0\n f: its parameter 1 is behind parameter 2\n");
	check(with_arguments("b", "b"), NULL,
	      "parameter-twice 1 of GNU C17 12.2.0\n f: its parameter 2 was there already\n");
	check(with_arguments("a", NULL), NULL,
	      "parameter-without-origin 1 of GNU C17 12.2.0\n f: no DW_AT_abstract_origin\n");
	open_found(&found, with_arguments("a", "other"), NULL);
	assert_non_null(strstr(found.text, "parameter-of-other 1 of GNU C17 12.2.0\n f: "));
	close_found(&found);
}

// ---- Options

TEST(findings_beyond_the_limit_are_counted)
{
	struct dwarf_builder *dw = begin_main();

	for (unsigned i = 0; i < 5; i++) {
		scan_inlined(dw, "f", START + 8 * i, START + 8 * i + 4);
		dw_die_end(dw);
	}
	check(end(dw), NULL,
	      "call-line-missing 5 of GNU C17 12.2.0\n"
	      " f: no DW_AT_call_file\n f: no DW_AT_call_file\n");
}

TEST(rules_that_are_not_asked_find_nothing)
{
	const struct ic_lint_options errors = { .most = 1, .least = IC_LINT_ERROR };
	const char *const unknown[] = { "no-such-rule" };
	const struct ic_lint_options wrong = { .rules = unknown, .rule_count = 1 };
	struct ic_lint_count count;
	struct scan scan;
	struct ic_error err;

	scan_open(&scan, called_from(1, 0, true), NULL);
	struct ic_lint *lint = ic_lint_run(scan.image, &errors, NULL);
	assert_non_null(lint);
	assert_false(ic_lint_count_get(lint, 0, &count));
	ic_lint_free(lint);
	assert_null(ic_lint_run(scan.image, &wrong, &err));
	assert_error(&err, IC_ERROR_NOT_FOUND, "no rule is called 'no-such-rule'");
	scan_close(&scan);
	ic_lint_free(NULL);
}

TEST(rules_are_ordered_and_differ)
{
	struct ic_lint_rule rule, before = { .severity = IC_LINT_ERROR };
	size_t count = 0;

	for (; ic_lint_rule_get(count, &rule); count++) {
		assert_true(rule.severity <= before.severity);
		for (size_t i = 0; i < count; i++) {
			assert_true(ic_lint_rule_get(i, &before));
			assert_string_not_equal(rule.name, before.name);
		}
		before = rule;
	}
	assert_int_equal(count, 26);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_unit_breaks_no_rule),
		cmocka_unit_test(discarded_code_breaks_no_rule),
		cmocka_unit_test(origin_missing),
		cmocka_unit_test(origin_nowhere),
		cmocka_unit_test(origin_cycle),
		cmocka_unit_test(origin_tag),
		cmocka_unit_test(inlined_outside),
		cmocka_unit_test(abstract_code),
		cmocka_unit_test(inline_value),
		cmocka_unit_test(range_inverted),
		cmocka_unit_test(range_outside_host),
		cmocka_unit_test(a_host_of_adjacent_ranges_holds_what_crosses_them),
		cmocka_unit_test(entry_outside_and_entry_empty),
		cmocka_unit_test(the_place_of_a_call),
		cmocka_unit_test(origin_not_abstract_and_inlined_denied),
		cmocka_unit_test(name_missing),
		cmocka_unit_test(ranges_overlap),
		cmocka_unit_test(copies_overlap),
		cmocka_unit_test(code_without_lines),
		cmocka_unit_test(copy_without_code),
		cmocka_unit_test(whole_function),
		cmocka_unit_test(parameters),
		cmocka_unit_test(findings_beyond_the_limit_are_counted),
		cmocka_unit_test(rules_that_are_not_asked_find_nothing),
		cmocka_unit_test(rules_are_ordered_and_differ),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
