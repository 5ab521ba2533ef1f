#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

#include <inlinecall/extra/index.h>

static void write_good(struct dwarf_builder *dw, const char *name, uint64_t start)
{
	char label[32];

	snprintf(label, sizeof(label), "f_%s", name);
	scan_unit_of(dw, name, DW_LANG_C99);
	scan_abstract(dw, label);
	scan_host(dw, "main", start, start + 0x10);
	scan_inlined(dw, label, start + 4, start + 8);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
}

#define GOOD_A                                \
	"unit a.c\n"                          \
	"host main 0x1000-0x1010 at 0x1000\n" \
	" inlined f_a.c 0x1004-0x1008 at 0x1004\n"
#define GOOD_C                                \
	"unit c.c\n"                          \
	"host main 0x3000-0x3010 at 0x3000\n" \
	" inlined f_c.c 0x3004-0x3008 at 0x3004\n"

typedef void write_unit(struct dwarf_builder *dw);

// A faulty unit between two good ones, which stay.
static void check_between(write_unit *bad, const char *units, const char *problems)
{
	for (uint32_t jobs = 1; jobs <= 4; jobs += 3) {
		const struct ic_index_options options = { .jobs = jobs };
		struct dwarf_builder *dw = scan_builder(4);
		struct scan scan;
		char wanted[2048];

		write_good(dw, "a.c", 0x1000);
		bad(dw);
		write_good(dw, "c.c", 0x3000);
		scan_open(&scan, dw, &options);
		snprintf(wanted, sizeof(wanted), GOOD_A "%s" GOOD_C "%s", units, problems);
		assert_scan(&scan, wanted);
		scan_close(&scan);
	}
}

static void bad_version(struct dwarf_builder *dw)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .bad_version = DW_BAD(9) });
	dw_die_begin(dw, DW_TAG_compile_unit);
	scan_unit_done(dw);
}

static void bad_addr_size(struct dwarf_builder *dw)
{
	dw_unit_begin_with(dw,
			   (struct dw_unit){ .type = DW_UT_compile, .bad_addr_size = DW_BAD(3) });
	dw_die_begin(dw, DW_TAG_compile_unit);
	scan_unit_done(dw);
}

static void bad_abbrev_off(struct dwarf_builder *dw)
{
	dw_unit_begin_with(
		dw, (struct dw_unit){ .type = DW_UT_compile, .bad_abbrev_off = DW_BAD(0x7777) });
	dw_die_begin(dw, DW_TAG_compile_unit);
	scan_unit_done(dw);
}

static void no_root(struct dwarf_builder *dw)
{
	dw_unit_begin(dw, DW_UT_compile);
	dw_unit_end(dw);
}

static void no_abbrev(struct dwarf_builder *dw)
{
	scan_unit_of(dw, "b.c", DW_LANG_C99);
	scan_host(dw, "kept", 0x2000, 0x2010);
	dw_die_children(dw);
	dw_u8(dw, 0x7f);
	dw_die_end(dw);
	scan_host(dw, "lost", 0x2010, 0x2020);
	dw_die_end(dw);
	scan_unit_done(dw);
}

// The fault comes before the walk has stopped at any DIE of the unit.
static void no_abbrev_at_first(struct dwarf_builder *dw)
{
	scan_unit_of(dw, "b.c", DW_LANG_C99);
	dw_die_children(dw);
	dw_u8(dw, 0x7f);
	scan_unit_done(dw);
}

static void unknown_form(struct dwarf_builder *dw)
{
	scan_unit_of(dw, "b.c", DW_LANG_C99);
	scan_host(dw, "lost", 0x2000, 0x2010);
	dw_attr(dw, DW_AT_decl_line, 0x7777);
	dw_die_end(dw);
	scan_unit_done(dw);
}

// The last child ends within an attribute.
static void cut_off(struct dwarf_builder *dw)
{
	scan_unit_of(dw, "b.c", DW_LANG_C99);
	scan_host(dw, "kept", 0x2000, 0x2010);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_base_type);
	dw_attr(dw, DW_AT_byte_size, DW_FORM_data8);
	dw_u32(dw, 1);
	dw_die_end(dw);
	dw_die_end_unterminated(dw);
	dw_unit_end(dw);
}

// The bad unit begins at 0x4c.
TEST(a_malformed_unit_between_two_good_ones_costs_itself_alone)
{
	check_between(bad_version, "unit ?\n",
		      "problem .debug_info+0x4c: unsupported DWARF version 9\n");
	check_between(bad_addr_size, "unit ?\n",
		      "problem .debug_info+0x4c: unsupported address size: 3 bytes\n");
	check_between(bad_abbrev_off, "unit ?\n",
		      "problem .debug_abbrev+0x7777: offset is beyond the end of the section "
		      "(for .debug_info+0x4c)\n");
	check_between(no_root, "unit ?\n",
		      "problem .debug_info+0x57: unexpected end of data (for .debug_info+0x4c)\n");
}

TEST(what_was_read_before_a_fault_stays)
{
	check_between(no_abbrev, "unit b.c\nhost kept 0x2000-0x2010 at 0x2000\n",
		      "problem .debug_info+0x79: DIE with abbreviation 127: "
		      "no such abbreviation in .debug_abbrev\n");
	check_between(no_abbrev_at_first, "unit b.c\n",
		      "problem .debug_info+0x63: DIE with abbreviation 127: "
		      "no such abbreviation in .debug_abbrev\n");
	check_between(
		cut_off, "unit b.c\nhost kept 0x2000-0x2010 at 0x2000\n",
		"problem .debug_info+0x79: DIE with abbreviation 3: unexpected end of data\n");
}

TEST(a_value_of_unknown_form_ends_its_unit)
{
	check_between(unknown_form, "unit b.c\n",
		      "problem .debug_info+0x79: unknown attribute form in .debug_abbrev "
		      "(for .debug_info+0x63)\n");
}

// As if it were another file's. A linker's marks of discarded functions are not such a sign.
TEST(debug_information_of_which_nothing_is_in_the_code_is_reported)
{
	static const struct {
		uint64_t start, other;
		const char *problem;
	} cases[] = {
		{ CODE_END + 0x1000, 0,
		  "problem .debug_info+0x0: none of the code it describes is in a code section of "
		  "this file (for example 0xa000); is it for another file?\n"
		  "problem .debug_info+0x18: code at 0xa000 is beyond all code sections\n" },
		{ CODE_END + 0x1000, CODE_START,
		  "problem .debug_info+0x18: code at 0xa000 is beyond all code sections\n" },
		{ 0, 0, "" },
		{ 1, UINT64_MAX - 1, "" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct dwarf_builder *dw = scan_builder(5);
		struct scan scan;

		scan_unit_of(dw, "a.c", DW_LANG_C99);
		scan_host(dw, "f", cases[i].start, cases[i].start + 0x10);
		dw_die_end(dw);
		scan_host(dw, "g", cases[i].other, cases[i].other + 0x10);
		dw_die_end(dw);
		scan_unit_done(dw);
		scan_open(&scan, dw, NULL);
		const char *problem = strstr(scan_text(&scan), "problem");
		assert_string_equal(problem ? problem : "", cases[i].problem);
		scan_close(&scan);
	}
}

TEST(a_header_that_cannot_be_read_costs_what_comes_after_it)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	write_good(dw, "a.c", 0x1000);
	dw_unit_begin_with(dw,
			   (struct dw_unit){ .type = DW_UT_compile, .bad_length = DW_BAD(0x7777) });
	dw_die_begin(dw, DW_TAG_compile_unit);
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, GOOD_A
		    "problem .debug_info+0x50: length extends beyond the end of the section\n");
	scan_close(&scan);
}

// ---- Any number of threads

// Many units of all kinds: they refer to each other, share tables, and some are malformed.
static void write_many(struct dwarf_builder *dw)
{
	char name[32], next[32];

	for (uint32_t i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		snprintf(next, sizeof(next), "f%u", (i * 7 + 3) % 60);
		dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile,
							 .abbrevs = i % 3 ? "shared" : NULL });
		dw_die_begin(dw, DW_TAG_compile_unit);
		dw_string(dw, DW_AT_name, name);
		dw_data1(dw, DW_AT_language, i % 2 ? DW_LANG_C99 : DW_LANG_C_plus_plus);
		dw_die_begin(dw, DW_TAG_namespace);
		dw_string(dw, DW_AT_name, "ns");
		scan_abstract(dw, name);
		dw_die_end(dw);
		for (uint32_t j = 0; j <= i % 5; j++) {
			uint64_t start = CODE_START + i * 0x100 + j * 0x20;
			scan_host(dw, name, start, start + 0x20);
			dw_die_begin(dw, DW_TAG_inlined_subroutine);
			dw_ref_addr(dw, DW_AT_abstract_origin, next);
			dw_ranges(dw,
				  DW_RANGES({ start + 1, start + 4 }, { start + 8, start + 9 }));
			dw_die_end(dw);
			dw_die_end(dw);
		}
		if (i % 10 == 7)
			dw_u8(dw, 0x7f); // no such abbreviation
		if (i % 10 == 8) {
			dw_die_begin(dw, DW_TAG_inlined_subroutine);
			dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref_addr, 0x777777 + i);
			dw_low_high(dw, CODE_START, CODE_START + i);
			dw_die_end(dw);
		}
		scan_unit_done(dw);
	}
}

TEST(the_index_is_the_same_whatever_the_number_of_threads)
{
	char *wanted = NULL;

	for (uint32_t jobs = 1; jobs <= 8; jobs++) {
		const struct ic_index_options options = { .jobs = jobs,
							  .calls = true,
							  .declarations = true };
		struct dwarf_builder *dw = scan_builder(5);
		struct scan scan;

		write_many(dw);
		scan_open(&scan, dw, &options);
		const char *text = scan_everything(&scan);
		if (!wanted) {
			wanted = strdup(text);
			assert_non_null(strstr(wanted, "problem"));
		}
		if (strcmp(text, wanted) != 0)
			print_message("%s\n-- and with %u threads:\n%s\n", wanted, jobs, text);
		assert_true(!strcmp(text, wanted));
		scan_close(&scan);
	}
	free(wanted);
}

static void write_numbered(struct dwarf_builder *dw, uint32_t number)
{
	char name[16];

	snprintf(name, sizeof(name), "%u.c", number);
	write_good(dw, name, CODE_START);
}

// A stream must keep nothing of the unit that it read before.
TEST(a_problem_does_not_depend_on_the_unit_read_before)
{
	char *wanted = NULL;

	for (uint32_t jobs = 1; jobs <= 4; jobs++) {
		const struct ic_index_options options = { .jobs = jobs };
		struct dwarf_builder *dw = scan_builder(4);
		struct scan scan;

		for (uint32_t i = 0; i < 40; i++) {
			write_numbered(dw, i);
			no_abbrev_at_first(dw);
		}
		scan_open(&scan, dw, &options);
		const char *text = scan_text(&scan);
		if (!wanted)
			wanted = strdup(text);
		assert_string_equal(text, wanted);
		assert_null(strstr(text, "(for")); // the fault has its own place
		scan_close(&scan);
	}
	free(wanted);
}

static bool take_progress(void *context, unsigned long long done, unsigned long long total)
{
	uint64_t *last = context;

	assert_true(done > *last && done <= total);
	*last = done;
	return true;
}

TEST(progress_goes_up_to_the_whole)
{
	uint64_t last = 0;
	const struct ic_index_options options = { .jobs = 1,
						  .progress = take_progress,
						  .progress_context = &last };
	struct dwarf_builder *dw = scan_builder(4);
	struct scan scan;

	for (uint32_t i = 10; i < 30; i++)
		write_numbered(dw, i);
	scan_open(&scan, dw, &options);
	assert_int_equal(last, 20 * 0x4e);
	scan_close(&scan);
}

static bool stop_at_the_third(void *context, unsigned long long done, unsigned long long total)
{
	uint32_t *calls = context;
	(void)done;
	(void)total;

	return ++*calls < 3;
}

TEST(the_caller_may_stop_the_building)
{
	uint32_t calls = 0;
	const struct ic_index_options options = { .jobs = 1,
						  .progress = stop_at_the_third,
						  .progress_context = &calls };
	struct dwarf_builder *dw = scan_builder(4);
	struct ic_error err = { .message = "" };
	struct scan scan;

	for (uint32_t i = 10; i < 30; i++)
		write_numbered(dw, i);
	scan_open(&scan, dw, NULL);
	assert_null(ic_index_build(scan.image, &options, &err));
	assert_int_equal(err.code, IC_ERROR_STOPPED);
	assert_true(err.message[0]);
	assert_true(calls >= 3 && calls < 10); // calls that were under way finish
	struct ic_index *again = ic_index_build(scan.image, NULL, &err);
	assert_int_equal(again ? again->unit_count : 0, 20);
	ic_index_free(again);
	scan_close(&scan);
}

TEST(units_of_all_formats_are_scanned_together)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct scan scan;

	for (uint16_t version = 2; version <= 5; version++) {
		for (uint8_t offset_size = 4; offset_size <= 8; offset_size += 4) {
			for (uint8_t addr_size = 4; addr_size <= 8; addr_size += 4) {
				dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile,
									 .version = version,
									 .offset_size = offset_size,
									 .addr_size = addr_size });
				dw_die_begin(dw, DW_TAG_compile_unit);
				scan_host(dw, "main", 0x1000, 0x1010);
				dw_die_begin(dw, DW_TAG_inlined_subroutine);
				dw_ref_addr(dw, DW_AT_abstract_origin, "f");
				dw_ranges(dw, DW_RANGES({ 0x1001, 0x1002 }));
				dw_die_end(dw);
				dw_die_end(dw);
				scan_unit_done(dw);
			}
		}
	}
	scan_unit_of(dw, "f.c", DW_LANG_C99);
	scan_abstract(dw, "f");
	scan_unit_done(dw);
	scan_open(&scan, dw, NULL);
	struct ic_index_counts counts = ic_index_count(scan.index);
	assert_int_equal(counts.problems, 0);
	assert_int_equal(counts.units, 17);
	assert_int_equal(counts.inlined, 16);
	assert_int_equal(counts.hosts, 16);
	assert_int_equal(counts.ranges, 32);
	for (uint32_t i = 0; i < 32; i++)
		assert_string_equal(scan_function(&scan, i)->name, i % 2 ? "f" : "main");
	scan_close(&scan);
}

UNIT_TESTS(index_scan)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_malformed_unit_between_two_good_ones_costs_itself_alone),
		cmocka_unit_test(what_was_read_before_a_fault_stays),
		cmocka_unit_test(debug_information_of_which_nothing_is_in_the_code_is_reported),
		cmocka_unit_test(a_value_of_unknown_form_ends_its_unit),
		cmocka_unit_test(a_header_that_cannot_be_read_costs_what_comes_after_it),
		cmocka_unit_test(the_index_is_the_same_whatever_the_number_of_threads),
		cmocka_unit_test(a_problem_does_not_depend_on_the_unit_read_before),
		cmocka_unit_test(progress_goes_up_to_the_whole),
		cmocka_unit_test(the_caller_may_stop_the_building),
		cmocka_unit_test(units_of_all_formats_are_scanned_together),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
