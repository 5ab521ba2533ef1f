#include "unit_test.h"

#include <stdio.h>

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

// A host with one instance of the DIE that `origin` labels.
static void use(struct dwarf_builder *dw, const char *origin)
{
	scan_host(dw, "main", 0x1000, 0x1100);
	scan_inlined(dw, origin, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
}

TEST(a_member_function_is_found_through_its_specification)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.cpp", DW_LANG_C_plus_plus_14);
	dw_die_begin(dw, DW_TAG_class_type);
	dw_string(dw, DW_AT_name, "Box");
	dw_label(dw, "declaration");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "size");
	dw_string(dw, DW_AT_linkage_name, "_ZN3Box4sizeEv");
	dw_data1(dw, DW_AT_decl_line, 7);
	dw_data1(dw, DW_AT_decl_column, 5);
	dw_flag_present(dw, DW_AT_declaration);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_label(dw, "abstract");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref4(dw, DW_AT_specification, "declaration");
	dw_data1(dw, DW_AT_decl_line, 77);
	dw_data1(dw, DW_AT_inline, DW_INL_declared_inlined);
	dw_die_end(dw);
	dw_label(dw, "copy");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref4(dw, DW_AT_abstract_origin, "abstract");
	dw_low_high(dw, 0x2000, 0x2010);
	dw_die_end(dw);
	use(dw, "abstract");
	scan_unit_done(dw);
	uint64_t abstract = dw_label_off(dw, "abstract");
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.cpp\n"
			   "host Box::size 0x2000-0x2010 at 0x2000\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined Box::size 0x1010-0x1020 at 0x1010\n");
	for (uint32_t i = 0; i <= 2; i += 2) { // the copy out of line, and the inlined one
		const struct ic_function *function = scan_function(&scan, i);
		assert_string_equal(function->linkage_name, "_ZN3Box4sizeEv");
		assert_int_equal(function->decl_line,
				 77); // the definition's, not the declaration's
		assert_int_equal(function->decl_column, 5); // the definition has none
		assert_int_equal(function->inlining, IC_INLINING_DECLARED_INLINED);
		assert_int_equal(function->die_off, abstract);
	}
	scan_close(&scan);
}

TEST(a_host_may_say_its_own_name_and_more)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct dw_line_header header = dw_line_header_default(dw);
	struct scan scan;

	header.files = (const struct dw_line_file[]){ { .path = "a.c" }, { .path = NULL } };
	dw_line_begin(dw, "lines", &header);
	dw_line_end(dw);
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_stmt_list(dw, "lines");
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_string(dw, DW_AT_MIPS_linkage_name, "linked");
	dw_data1(dw, DW_AT_decl_file, 1);
	dw_data1(dw, DW_AT_decl_line, 12);
	dw_data1(dw, DW_AT_inline, 9); // no such value
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	const struct ic_function *function = scan_function(&scan, 0);
	assert_string_equal(function->name, "main");
	assert_string_equal(function->linkage_name, "linked");
	assert_string_equal(function->decl_file, "/src/a.c");
	assert_int_equal(function->decl_line, 12);
	assert_int_equal(function->inlining, IC_INLINING_ABSENT);
	assert_int_equal(scan.index->problem_count, 0);
	scan_close(&scan);
}

TEST(an_origin_that_leads_in_a_circle_is_a_problem_and_ends)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_label(dw, "self");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref4(dw, DW_AT_abstract_origin, "self");
	dw_string(dw, DW_AT_name, "self");
	dw_die_end(dw);
	dw_label(dw, "ping");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref4(dw, DW_AT_specification, "pong");
	dw_die_end(dw);
	dw_label(dw, "pong");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref4(dw, DW_AT_abstract_origin, "ping");
	dw_die_end(dw);
	use(dw, "self");
	use(dw, "ping");
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan,
		    "unit a.c\n"
		    "host main 0x1000-0x1100 at 0x1000\n"
		    " inlined self 0x1010-0x1020 at 0x1010\n"
		    "host main 0x1000-0x1100 at 0x1000\n"
		    " inlined {} 0x1010-0x1020 at 0x1010\n"
		    "problem .debug_info+0x18: chain of function origins is cyclic or too long\n"
		    "problem .debug_info+0x27: chain of function origins is cyclic or too long\n");
	scan_close(&scan);
}

TEST(a_long_chain_of_origins_is_followed_to_its_end)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;
	char label[16], next[16];

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	for (int i = 0; i < 10; i++) {
		snprintf(label, sizeof(label), "link%d", i);
		snprintf(next, sizeof(next), "link%d", i + 1);
		dw_label(dw, label);
		dw_die_begin(dw, DW_TAG_subprogram);
		dw_ref4(dw, i % 2 ? DW_AT_specification : DW_AT_abstract_origin, next);
		dw_die_end(dw);
	}
	scan_abstract(dw, "link10");
	use(dw, "link0");
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.c\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined link10 0x1010-0x1020 at 0x1010\n");
	scan_close(&scan);
}

TEST(an_origin_that_is_no_function_is_a_problem)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_label(dw, "int");
	dw_die_begin(dw, DW_TAG_base_type);
	dw_die_end(dw);
	scan_host(dw, "main", 0x1000, 0x1100);
	scan_inlined(dw, "int", 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref4, 0x7777);
	dw_low_high(dw, 0x1020, 0x1030);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_GNU_ref_alt, 0x10);
	dw_low_high(dw, 0x1030, 0x1040);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.c\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined {} 0x1010-0x1020 at 0x1010\n"
			   " inlined ? 0x1020-0x1030 at 0x1020\n"
			   " inlined ? 0x1030-0x1040 at 0x1030\n"
			   "problem .debug_info+0x44: reference 0x7777 points outside its unit\n"
			   "problem .debug_info+0x59: DIE is in the supplementary file, which is "
			   "not available\n"
			   "problem .debug_info+0x18: unexpected DIE tag\n");
	scan_close(&scan);
}

TEST(a_name_that_is_not_there_costs_the_name_alone)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_value(dw, DW_AT_name, DW_FORM_strp, 0x7777);
	dw_data1(dw, DW_AT_decl_line, 3);
	dw_die_end(dw);
	use(dw, "f");
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan,
		    "unit a.c\n"
		    "host main 0x1000-0x1100 at 0x1000\n"
		    " inlined {} 0x1010-0x1020 at 0x1010\n"
		    "problem .debug_str+0x7777: string offset is beyond the end of the section "
		    "(for .debug_info+0x18)\n");
	assert_int_equal(scan_function(&scan, 1)->decl_line, 3);
	scan_close(&scan);
}

TEST(of_many_alike_problems_of_a_unit_the_rest_is_counted)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_host(dw, "main", 0x1000, 0x1100);
	for (uint32_t i = 0; i < 100; i++) {
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref4, 0x7777 + i);
		dw_low_high(dw, 0x1010, 0x1020);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_int_equal(scan.index->problem_count, 9);
	assert_string_equal(scan.index->problems[8].message,
			    ".debug_info+0x0: 92 more similar problems");
	struct ic_index_problem problem;
	assert_true(ic_index_problem_get(scan.index, 8, &problem));
	assert_string_equal(problem.section, ".debug_info");
	assert_false(ic_index_problem_get(scan.index, 9, &problem));
	scan_close(&scan);
}

UNIT_TESTS(read_function)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_member_function_is_found_through_its_specification),
		cmocka_unit_test(a_host_may_say_its_own_name_and_more),
		cmocka_unit_test(an_origin_that_leads_in_a_circle_is_a_problem_and_ends),
		cmocka_unit_test(a_long_chain_of_origins_is_followed_to_its_end),
		cmocka_unit_test(an_origin_that_is_no_function_is_a_problem),
		cmocka_unit_test(a_name_that_is_not_there_costs_the_name_alone),
		cmocka_unit_test(of_many_alike_problems_of_a_unit_the_rest_is_counted),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
