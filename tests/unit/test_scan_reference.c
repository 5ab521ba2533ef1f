#include "unit_test.h"

#include <stdio.h>

#include "elf_fixture.h"
#include "scan_fixture.h"

#include "dwarf_constants.h"

// A unit whose function `name` is what `origin` labels, or has a name of its own where that is
// NULL; and a host with an instance of the function that `used` labels.
static void link_unit(struct dwarf_builder *dw, const char *name, const char *origin,
		      const char *used)
{
	scan_unit_of(dw, name, DW_LANG_C99);
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_subprogram);
	if (origin)
		dw_ref_addr(dw, DW_AT_abstract_origin, origin);
	else
		dw_string(dw, DW_AT_name, name);
	dw_die_end(dw);
	if (used) {
		scan_host(dw, "main", 0x1000, 0x1100);
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_ref_addr(dw, DW_AT_abstract_origin, used);
		dw_low_high(dw, 0x1010, 0x1020);
		dw_die_end(dw);
		dw_die_end(dw);
	}
	scan_unit_done(dw);
}

TEST(an_origin_may_be_in_a_unit_before_or_behind)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct scan scan;

		link_unit(dw, "first", NULL, "second");
		link_unit(dw, "second", NULL, "first");
		scan_open(&scan, dw, NULL);
		assert_scan(&scan, "unit first\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined second 0x1010-0x1020 at 0x1010\n"
				   "unit second\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined first 0x1010-0x1020 at 0x1010\n");
		scan_close(&scan);
	}
}

TEST(an_origin_is_followed_from_unit_to_unit)
{
	for (uint32_t jobs = 1; jobs <= 4; jobs++) {
		const struct ic_index_options options = { .jobs = jobs };
		struct dwarf_builder *dw = scan_builder(5);
		struct scan scan;

		link_unit(dw, "a", "d", "b");
		link_unit(dw, "b", "c", "a");
		link_unit(dw, "c", "a", NULL); // c -> a -> d: back and forth
		link_unit(dw, "d", NULL, "c");
		scan_open(&scan, dw, &options);
		assert_scan(&scan, "unit a\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined d 0x1010-0x1020 at 0x1010\n"
				   "unit b\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined d 0x1010-0x1020 at 0x1010\n"
				   "unit c\n"
				   "unit d\n"
				   "host main 0x1000-0x1100 at 0x1000\n"
				   " inlined d 0x1010-0x1020 at 0x1010\n");
		scan_close(&scan);
	}
}

TEST(a_circle_through_units_is_a_problem_and_ends)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	link_unit(dw, "a", "b", NULL);
	link_unit(dw, "b", "c", NULL);
	link_unit(dw, "c", "a", "b");
	scan_open(&scan, dw, NULL);
	const char *text = scan_text(&scan);
	assert_non_null(strstr(text, " inlined {} 0x1010-0x1020 at 0x1010\n"));
	assert_non_null(strstr(text, ": the origin of a function is itself, or leads too far\n"));
	assert_int_equal(scan.index->problem_count, 1);
	scan_close(&scan);
}

TEST(a_scope_of_another_unit_is_found_too)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	scan_unit_of(dw, "a.cpp", DW_LANG_C_plus_plus);
	scan_host(dw, "main", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, "f");
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_unit_of(dw, "b.cpp", DW_LANG_C_plus_plus);
	dw_die_begin(dw, DW_TAG_namespace);
	dw_string(dw, DW_AT_name, "ns");
	scan_abstract(dw, "f");
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit a.cpp\n"
			   "host main 0x1000-0x1100 at 0x1000\n"
			   " inlined ns::f 0x1010-0x1020 at 0x1010\n"
			   "unit b.cpp\n");
	scan_close(&scan);
}

static void refer(struct dwarf_builder *dw, uint64_t off)
{
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref_addr, off);
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
}

TEST(references_that_lead_out_of_all_units_are_problems)
{
	for (uint32_t jobs = 1; jobs <= 2; jobs++) {
		const struct ic_index_options options = { .jobs = jobs };
		struct dwarf_builder *dw = scan_builder(5);
		struct scan scan;

		scan_unit_of(dw, "a.c", DW_LANG_C99);
		scan_host(dw, "main", 0x1000, 0x1100);
		refer(dw, 3); // a header
		refer(dw, 0x777777);
		dw_die_end(dw);
		scan_unit_done(dw);
		scan_open(&scan, dw, &options);
		assert_scan(&scan,
			    "unit a.c\n"
			    "host main 0x1000-0x1100 at 0x1000\n"
			    " inlined {} 0x1010-0x1020 at 0x1010\n"
			    " inlined ? 0x1010-0x1020 at 0x1010\n"
			    "problem .debug_info+0x3: a reference leads out of all units\n"
			    "problem .debug_info+0x777777: a reference leads out of all units "
			    "(for .debug_info+0x43)\n");
		scan_close(&scan);
	}
}

TEST(a_reference_into_a_unit_that_cannot_be_read_is_a_problem)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	dw_unit_begin_with(
		dw, (struct dw_unit){ .type = DW_UT_compile, .bad_abbrev_off = DW_BAD(0x7777) });
	dw_die_begin(dw, DW_TAG_compile_unit);
	scan_abstract(dw, "f");
	scan_unit_done(dw);
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	scan_host(dw, "main", 0x1000, 0x1100);
	refer(dw, 0xd);
	dw_die_end(dw);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	const char *text = scan_text(&scan);
	assert_non_null(strstr(text, " inlined {} 0x1010-0x1020 at 0x1010\n"));
	assert_non_null(strstr(text, "problem .debug_abbrev+0x7777: offset is beyond the end of "
				     "the section (for .debug_info+0x0)\n"));
	scan_close(&scan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_origin_may_be_in_a_unit_before_or_behind),
		cmocka_unit_test(an_origin_is_followed_from_unit_to_unit),
		cmocka_unit_test(a_circle_through_units_is_a_problem_and_ends),
		cmocka_unit_test(a_scope_of_another_unit_is_found_too),
		cmocka_unit_test(references_that_lead_out_of_all_units_are_problems),
		cmocka_unit_test(a_reference_into_a_unit_that_cannot_be_read_is_a_problem),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
