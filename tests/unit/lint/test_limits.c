// What rules make of DWARF that cannot be read, or would take too long.
#include "fixtures/lint.h"

#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "fixtures/elf.h"

// What is beyond a DIE that cannot be read may be the name and DW_AT_inline.
TEST(an_origin_that_leads_nowhere_is_not_called_nameless)
{
	struct dwarf_builder *dw = lint_begin();
	struct lint_found found;

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_value(dw, DW_AT_specification, DW_FORM_ref_addr, 0xffffff);
	dw_die_end(dw);
	scan_host(dw, "main", LINT_START, LINT_END);
	lint_put_copy(dw, "g", 0, 4);
	lint_open(&found, lint_end(dw), NULL);
	assert_int_equal(strncmp(found.text, "origin-nowhere 1 of", 19), 0);
	assert_null(strstr(found.text, "name-missing"));
	assert_null(strstr(found.text, "origin-not-abstract"));
	lint_close(&found);
}

TEST(a_parameter_whose_origins_end_nowhere_is_not_called_another_s)
{
	struct dwarf_builder *dw = lint_begin();
	struct lint_found found;

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "g");
	dw_label(dw, "lost");
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref_addr, 0xffffff);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_host(dw, "main", LINT_START, LINT_END);
	lint_begin_copy(dw, "f", 0, 4);
	lint_put_argument(dw, "lost");
	dw_die_end(dw);
	lint_open(&found, lint_end(dw), NULL);
	assert_int_equal(strncmp(found.text, "origin-nowhere 1 of", 19), 0);
	assert_null(strstr(found.text, "parameter-of-other"));
	lint_close(&found);
}

TEST(a_long_chain_of_origins_is_a_problem)
{
	struct dwarf_builder *dw = lint_begin();
	char own[8], next[8];
	struct lint_found found;

	for (unsigned i = 0; i < 17; i++) {
		snprintf(own, sizeof(own), "c%u", i);
		snprintf(next, sizeof(next), "c%u", i + 1);
		dw_label(dw, own);
		dw_die_begin(dw, DW_TAG_subprogram);
		dw_ref4(dw, DW_AT_specification, i < 16 ? next : "f");
		dw_die_end(dw);
	}
	scan_host(dw, "main", LINT_START, LINT_END);
	lint_put_copy(dw, "c0", 0, 4);
	lint_open(&found, lint_end(dw), NULL);
	assert_non_null(strstr(found.text, ": origin chain is longer than 16 DIEs\n"));
	assert_null(strstr(found.text, "name-missing"));
	assert_null(strstr(found.text, "origin-not-abstract"));
	lint_close(&found);
}

// Each copy has the same ranges; what is left out is not said to be without code.
TEST(range_lists_that_are_used_over_and_over_are_a_problem)
{
	enum { USES = 300, LENGTH = 2000 };
	struct dwarf_builder *dw = lint_begin();
	struct lint_found found;

	dw_range_list_begin(dw, "list");
	for (uint64_t i = 0; i < LENGTH; i++)
		dw_rle(dw, DW_RLE_offset_pair, 0, 1);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
	scan_host(dw, "main", LINT_START, LINT_END);
	for (uint32_t i = 0; i < USES; i++) {
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_ref4(dw, DW_AT_abstract_origin, "f");
		dw_sec_offset(dw, DW_AT_ranges, "list");
		lint_put_call(dw);
		dw_die_end(dw);
	}
	lint_open(&found, lint_end(dw), NULL);
	const char *problem = strstr(
		found.text, ": range lists are referenced too many times; the rest are skipped\n");
	assert_non_null(problem);
	assert_null(strstr(problem + 30, "too many times"));
	assert_null(strstr(found.text, "copy-without-code"));
	lint_close(&found);
}

// Each range of a copy is compared with those of its host until one holds it.
TEST(ranges_that_take_too_many_comparisons_are_a_problem)
{
	enum { COUNT = 4000 };
	struct dwarf_builder *dw = lint_begin();
	struct lint_found found;

	dw_range_list_begin(dw, "host");
	for (uint64_t i = 0; i < COUNT; i++)
		dw_rle(dw, DW_RLE_offset_pair, i < COUNT - 1 ? 1 : 4, i < COUNT - 1 ? 3 : 8);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
	dw_range_list_begin(dw, "copy");
	for (uint64_t i = 0; i < COUNT; i++)
		dw_rle(dw, DW_RLE_offset_pair, 4, 8);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "main");
	dw_sec_offset(dw, DW_AT_ranges, "host");
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_sec_offset(dw, DW_AT_ranges, "copy");
	lint_put_call(dw);
	dw_die_end(dw);
	lint_open(&found, lint_end(dw), NULL);
	assert_non_null(strstr(found.text, ": gave up comparing the ranges and parameters of "
					   "copies\n"));
	assert_null(strstr(found.text, "range-outside-host"));
	lint_close(&found);
}

UNIT_TESTS(lint_limits)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_origin_that_leads_nowhere_is_not_called_nameless),
		cmocka_unit_test(a_parameter_whose_origins_end_nowhere_is_not_called_another_s),
		cmocka_unit_test(a_long_chain_of_origins_is_a_problem),
		cmocka_unit_test(range_lists_that_are_used_over_and_over_are_a_problem),
		cmocka_unit_test(ranges_that_take_too_many_comparisons_are_a_problem),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
