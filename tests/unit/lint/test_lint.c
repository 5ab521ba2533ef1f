// Each rule of lib/lint/rules.def: what breaks it is found, and the sound form is not.
#include "fixtures/lint.h"

#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "fixtures/elf.h"

// ---- Rules

TEST(a_sound_unit_breaks_no_rule)
{
	struct dwarf_builder *dw = lint_begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_ranges(dw, DW_RANGES({ LINT_START + 0x10, LINT_START + 0x18 },
				{ LINT_START + 0x20, LINT_START + 0x28 }));
	dw_addr(dw, DW_AT_entry_pc, LINT_START + 0x20);
	lint_put_call(dw);
	lint_put_argument(dw, "a");
	dw_die_begin(dw, DW_TAG_lexical_block);
	lint_put_copy(dw, "f", 0x20, 0x24);
	dw_die_end(dw);
	dw_die_end(dw);
	lint_put_copy(dw, "f", 0x28, 0x30);
	lint_check(lint_end(dw), NULL, "");
}

TEST(discarded_code_breaks_no_rule)
{
	struct dwarf_builder *dw = lint_begin();

	scan_host(dw, "gone", 0, 0x10);
	scan_inlined(dw, "f", 0, 0x20);
	dw_die_end(dw);
	lint_check(lint_end(dw), NULL, "");
}

TEST(origin_missing)
{
	struct dwarf_builder *dw = lint_begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_low_high(dw, LINT_START, LINT_START + 4);
	lint_put_call(dw);
	dw_die_end(dw);
	lint_check(lint_end(dw), NULL,
		   "origin-missing 1 of GNU C17 12.2.0\n ?: no DW_AT_abstract_origin\n");
}

TEST(origin_nowhere)
{
	struct dwarf_builder *dw = lint_begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref_addr, 0xffffff);
	dw_low_high(dw, LINT_START, LINT_START + 4);
	lint_put_call(dw);
	dw_die_end(dw);
	lint_check(lint_end(dw), NULL,
		   "origin-nowhere 1 of GNU C17 12.2.0\n ?: invalid origin: .debug_info+0xffffff: "
		   "reference points outside all units\n");
}

TEST(origin_cycle)
{
	struct dwarf_builder *dw = lint_begin();

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_ref4(dw, DW_AT_specification, "g");
	dw_die_end(dw);
	struct lint_found found;
	lint_open(&found, (scan_unit_done(dw), dw), "origin-cycle");
	assert_non_null(strstr(found.text, "origin-cycle 1 of GNU C17 12.2.0\n"));
	assert_non_null(strstr(found.text, "leads into a reference cycle"));
	lint_close(&found);
}

TEST(origin_tag)
{
	struct dwarf_builder *dw = lint_begin_main();
	struct lint_found found;

	lint_put_copy(dw, "a", 0, 4);
	lint_open(&found, lint_end(dw), "origin-tag");
	assert_non_null(strstr(found.text, "has tag 0x5, expected 0x2e\n"));
	lint_close(&found);
}

TEST(inlined_outside)
{
	struct dwarf_builder *dw = lint_begin();

	lint_put_copy(dw, "f", 0, 4);
	scan_unit_done(dw);
	lint_check(dw, NULL, "inlined-outside 1 of GNU C17 12.2.0\n f: not in a function\n");
}

TEST(abstract_code)
{
	struct dwarf_builder *dw = lint_begin();

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "g");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_low_high(dw, LINT_START, LINT_END);
	dw_die_end(dw);
	scan_unit_done(dw);
	lint_check(dw, NULL,
		   "abstract-code 1 of GNU C17 12.2.0\n g: has both DW_AT_inline and code\n");
}

TEST(inline_value)
{
	struct dwarf_builder *dw = lint_begin();

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_data1(dw, DW_AT_inline, 4);
	dw_die_end(dw);
	scan_unit_done(dw);
	lint_check(dw, NULL, "inline-value 1 of GNU C17 12.2.0\n ?: DW_AT_inline 4\n");
}

TEST(range_inverted)
{
	struct dwarf_builder *dw = lint_begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_addr(dw, DW_AT_low_pc, LINT_START + 0x10);
	dw_addr(dw, DW_AT_high_pc, LINT_START + 8);
	lint_put_call(dw);
	dw_die_end(dw);
	lint_check(lint_end(dw), "range-inverted",
		   "range-inverted 1 of GNU C17 12.2.0\n f: 0x1010-0x1008\n");
}

TEST(range_outside_host)
{
	struct dwarf_builder *dw = lint_begin_main();
	struct lint_found found;

	lint_put_copy(dw, "f", 0xf0, 0x104);
	lint_begin_copy(dw, "f", 0x10, 0x20);
	lint_put_copy(dw, "f", 0x18, 0x24); // its host is the copy
	dw_die_end(dw);
	lint_open(&found, lint_end(dw), "range-outside-host");
	assert_non_null(strstr(found.text, "range-outside-host 2 of GNU C17 12.2.0\n"));
	assert_non_null(strstr(found.text, " f: 0x10f0-0x1104 is not within DIE 0x"));
	assert_non_null(strstr(found.text, " f: 0x1018-0x1024 is not within DIE 0x"));
	lint_close(&found);
}

TEST(function_outside_unit)
{
	struct dwarf_builder *dw = lint_begin();

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "inside");
	dw_low_high(dw, LINT_START + 0x80, LINT_END);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "main");
	dw_low_high(dw, LINT_END - 8, LINT_END + 8);
	lint_check(lint_end(dw), "function-outside-unit",
		   "function-outside-unit 1 of GNU C17 12.2.0\n"
		   " main: 0x10f8-0x1108 is not in the unit's ranges\n");
}

TEST(a_host_of_adjacent_ranges_holds_what_crosses_them)
{
	struct dwarf_builder *dw = lint_begin();

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "main");
	dw_ranges(dw,
		  DW_RANGES({ LINT_START + 0x10, LINT_END }, { LINT_START, LINT_START + 0x10 }));
	lint_put_copy(dw, "f", 8, 0x18);
	lint_check(lint_end(dw), NULL, "");
}

static struct dwarf_builder *entered_at(uint64_t entry)
{
	struct dwarf_builder *dw = lint_begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_ranges(dw, DW_RANGES({ LINT_START + 0x10, LINT_START + 0x18 },
				{ LINT_START + 0x20, LINT_START + 0x20 }));
	dw_addr(dw, DW_AT_entry_pc, LINT_START + entry);
	lint_put_call(dw);
	dw_die_end(dw);
	return lint_end(dw);
}

TEST(entry_outside_and_entry_empty)
{
	lint_check(entered_at(0x14), NULL, "");
	lint_check(entered_at(0x18), NULL,
		   "entry-outside 1 of GNU C17 12.2.0\n"
		   " f: entry 0x1018 is outside its ranges\n");
	lint_check(entered_at(0x20), NULL,
		   "entry-empty 1 of GNU C17 12.2.0\n"
		   " f: entry 0x1020 is only in an empty range\n");
}

static struct dwarf_builder *called_from(uint8_t file, uint8_t line, bool has_file)
{
	struct dwarf_builder *dw = lint_begin_main();

	scan_inlined(dw, "f", LINT_START, LINT_START + 4);
	if (has_file)
		dw_data1(dw, DW_AT_call_file, file);
	dw_data1(dw, DW_AT_call_line, line);
	dw_die_end(dw);
	return lint_end(dw);
}

TEST(the_place_of_a_call)
{
	lint_check(called_from(0, 7, true), NULL, "");
	lint_check(called_from(2, 7, true), NULL,
		   "call-file-number 1 of GNU C17 12.2.0\n"
		   " f: DW_AT_call_file 2 is not in the line table\n");
	lint_check(called_from(1, 0, true), NULL,
		   "call-line-zero 1 of GNU C17 12.2.0\n f: DW_AT_call_line 0\n");
	lint_check(called_from(1, 7, false), NULL,
		   "call-line-missing 1 of GNU C17 12.2.0\n f: no DW_AT_call_file\n");
}

TEST(origin_not_abstract_and_inlined_denied)
{
	struct dwarf_builder *dw = lint_begin();

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "g");
	dw_die_end(dw);
	dw_label(dw, "h");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "h");
	dw_data1(dw, DW_AT_inline, DW_INL_declared_not_inlined);
	dw_die_end(dw);
	scan_host(dw, "main", LINT_START, LINT_END);
	lint_put_copy(dw, "g", 0, 4);
	lint_put_copy(dw, "h", 4, 8);
	struct lint_found found;
	lint_open(&found, lint_end(dw), NULL);
	assert_non_null(strstr(found.text, "origin-not-abstract 1 of GNU C17 12.2.0\n g: "));
	assert_non_null(strstr(found.text, "inlined-denied 1 of GNU C17 12.2.0\n h: "));
	lint_close(&found);
}

TEST(name_missing)
{
	struct dwarf_builder *dw = lint_begin();
	struct lint_found found;

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_die_end(dw);
	scan_host(dw, "main", LINT_START, LINT_END);
	lint_put_copy(dw, "g", 0, 4);
	lint_open(&found, lint_end(dw), NULL);
	assert_non_null(strstr(found.text, "name-missing 1 of GNU C17 12.2.0\n ?: origin 0x"));
	lint_close(&found);
}

TEST(ranges_overlap)
{
	struct dwarf_builder *dw = lint_begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_ranges(dw, DW_RANGES({ LINT_START + 0x10, LINT_START + 0x18 },
				{ LINT_START + 0x14, LINT_START + 0x20 }));
	lint_put_call(dw);
	dw_die_end(dw);
	lint_check(lint_end(dw), NULL,
		   "ranges-overlap 1 of GNU C17 12.2.0\n f: 0x1010-0x1018 and 0x1014-0x1020\n");
}

TEST(copies_overlap)
{
	struct dwarf_builder *dw = lint_begin_main();
	struct lint_found found;

	lint_put_copy(dw, "f", 0, 8);
	dw_die_begin(dw, DW_TAG_lexical_block);
	lint_put_copy(dw, "f", 4, 12);
	dw_die_end(dw);
	lint_put_copy(dw, "f", 12, 16);
	lint_open(&found, lint_end(dw), NULL);
	assert_non_null(strstr(found.text, "copies-overlap 1 of GNU C17 12.2.0\n"
					   " f: 0x1004-0x100c overlaps DIE 0x"));
	lint_close(&found);
}

TEST(code_without_lines)
{
	struct dwarf_builder *dw = lint_begin();

	scan_host(dw, "main", LINT_START, LINT_END + 0x10);
	lint_put_copy(dw, "f", 0xfc, 0x104);
	lint_check(lint_end(dw), "code-without-lines",
		   "code-without-lines 1 of GNU C17 12.2.0\n f: the line table does not cover all "
		   "of 0x10fc-0x1104\n");
}

TEST(copy_without_code)
{
	struct dwarf_builder *dw = lint_begin_main();

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	lint_put_call(dw);
	dw_die_end(dw);
	lint_check(lint_end(dw), NULL,
		   "copy-without-code 1 of GNU C17 12.2.0\n f: no non-empty range\n");
}

TEST(whole_function)
{
	struct dwarf_builder *dw = lint_begin_main();
	struct lint_found found;

	lint_put_copy(dw, "f", 0, 0x100);
	lint_open(&found, lint_end(dw), NULL);
	assert_non_null(strstr(found.text, "whole-function 1 of GNU C17 12.2.0\n"
					   " f: 0x1000-0x1100 is all of the code of DIE 0x"));
	lint_close(&found);
}

// A copy of f, in the order of the origins; an empty one is none.
static struct dwarf_builder *with_arguments(const char *first, const char *second)
{
	struct dwarf_builder *dw = lint_begin();

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "g");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	lint_put_formal(dw, "other");
	dw_die_end(dw);
	scan_host(dw, "main", LINT_START, LINT_END);
	lint_begin_copy(dw, "f", 0, 4);
	lint_put_argument(dw, first);
	lint_put_argument(dw, second);
	dw_die_end(dw);
	return lint_end(dw);
}

TEST(parameters)
{
	struct lint_found found;

	lint_check(with_arguments("a", "b"), NULL, "");
	lint_check(
		with_arguments("b", "a"), NULL,
		"parameter-order 1 of GNU C17 12.2.0\n f: parameter 1 comes after parameter 2\n");
	lint_check(with_arguments("b", "b"), NULL,
		   "parameter-twice 1 of GNU C17 12.2.0\n f: parameter 2 is repeated\n");
	lint_check(with_arguments("a", NULL), NULL,
		   "parameter-without-origin 1 of GNU C17 12.2.0\n f: no DW_AT_abstract_origin\n");
	lint_open(&found, with_arguments("a", "other"), NULL);
	assert_non_null(strstr(found.text, "parameter-of-other 1 of GNU C17 12.2.0\n f: "));
	lint_close(&found);
}

TEST(a_parameter_without_a_target_is_counted_once)
{
	struct dwarf_builder *dw = lint_begin_main();
	struct lint_found found;

	lint_begin_copy(dw, "f", 0, 4);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref_addr, 0xffffff);
	dw_die_end(dw);
	dw_die_end(dw);
	lint_open(&found, lint_end(dw), NULL);
	assert_non_null(strstr(found.text, "origin-nowhere 1 of GNU C17 12.2.0\n"));
	lint_close(&found);
}

// ---- Options

TEST(findings_beyond_the_limit_are_counted)
{
	struct dwarf_builder *dw = lint_begin_main();

	for (unsigned i = 0; i < 5; i++) {
		scan_inlined(dw, "f", LINT_START + 8 * i, LINT_START + 8 * i + 4);
		dw_die_end(dw);
	}
	lint_check(lint_end(dw), NULL,
		   "call-line-missing 5 of GNU C17 12.2.0\n"
		   " f: no DW_AT_call_file\n f: no DW_AT_call_file\n");
}

// Each unit is checked by one thread, and referred to by a unit that another may check: what is
// wrong with its root DIE is said once, where it is.
TEST(units_that_refer_to_each_other_are_checked_by_several_threads)
{
	enum { UNITS = 64 };
	struct dwarf_builder *dw = scan_builder(5);
	const struct ic_lint_options options[] = { { .jobs = 1 }, { .jobs = 4 } };
	struct ic_index_problem problem, other;
	struct ic_lint *lints[2];
	struct ic_error err;
	struct scan scan;
	char names[2][16];

	for (unsigned i = 0; i < UNITS; i++) {
		snprintf(names[0], sizeof(names[0]), "f%u", i);
		snprintf(names[1], sizeof(names[1]), "f%u", (i + UNITS / 2) % UNITS);
		scan_unit_of(dw, "a.c", DW_LANG_C99);
		dw_value(dw, DW_AT_comp_dir, DW_FORM_strp, 0xffffff);
		scan_abstract(dw, names[0]);
		scan_host(dw, "main", LINT_START, LINT_END);
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_ref_addr(dw, DW_AT_abstract_origin, names[1]);
		dw_low_high(dw, LINT_START, LINT_START + 4);
		dw_die_end(dw);
		dw_die_end(dw);
		scan_unit_done(dw);
	}
	scan_open(&scan, dw, NULL);
	for (int i = 0; i < 2; i++)
		assert_non_null(lints[i] = ic_lint_run(scan.image, &options[i], &err));
	for (size_t i = 0; i < UNITS; i++) {
		assert_true(ic_lint_problem_get(lints[0], i, &problem));
		assert_true(ic_lint_problem_get(lints[1], i, &other));
		assert_string_equal(problem.message, other.message);
	}
	assert_false(ic_lint_problem_get(lints[0], UNITS, &problem));
	for (int i = 0; i < 2; i++)
		ic_lint_free(lints[i]);
	scan_close(&scan);
}

TEST(rules_that_are_not_asked_find_nothing)
{
	const struct ic_lint_options errors = { .limit = 1, .least = IC_LINT_ERROR };
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
	assert_error(&err, IC_ERROR_NOT_FOUND, "unknown rule 'no-such-rule'");
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
	assert_int_equal(count, 27);
}

UNIT_TESTS(lint_lint)
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
		cmocka_unit_test(function_outside_unit),
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
		cmocka_unit_test(a_parameter_without_a_target_is_counted_once),
		cmocka_unit_test(findings_beyond_the_limit_are_counted),
		cmocka_unit_test(units_that_refer_to_each_other_are_checked_by_several_threads),
		cmocka_unit_test(rules_that_are_not_asked_find_nothing),
		cmocka_unit_test(rules_are_ordered_and_differ),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
