#include "index/claims.h"

#include "unit_test.h"

#include <stdlib.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/split.h"

#include "dwarf_constants.h"

static void check_claim(const struct ic_claims *claims, uint32_t number, uint64_t start,
			uint64_t end, uint32_t unit)
{
	assert_true(number < claims->list.count);
	const struct ic_layer *claim = &claims->list.items[number];
	assert_int_equal(claim->range.start, start);
	assert_int_equal(claim->range.end, end);
	assert_int_equal(claim->owner, unit);
}

TEST(the_first_unit_of_several_is_in_front)
{
	struct ic_claims claims = { .list = { NULL, 0, 0, NULL } };

	assert_true(ic_claims_add(&claims, (struct ic_range){ 0x1000, 0x2000 }, 7, 70));
	assert_true(ic_claims_add(&claims, (struct ic_range){ 0x1000, 0x3000 }, 2, 20));
	assert_true(ic_claims_add(&claims, (struct ic_range){ 0x1800, 0x2800 }, 2, 20));
	assert_int_equal(claims.list.count, 3);
	assert_true(claims.list.items[1].rank < claims.list.items[0].rank);
	assert_true(claims.list.items[2].rank < claims.list.items[0].rank);
	ic_claims_free(&claims);
}

TEST(a_claim_to_nothing_is_none)
{
	struct ic_claims claims = { .list = { NULL, 0, 0, NULL } };

	assert_true(ic_claims_add(&claims, (struct ic_range){ 0x1000, 0x1000 }, 1, 1));
	assert_true(ic_claims_add(&claims, (struct ic_range){ 0x2000, 0x1000 }, 1, 1));
	assert_int_equal(claims.list.count, 0);
	ic_claims_free(&claims);
}

static int compare(const void *left, const void *right)
{
	const struct ic_layer *a = left, *b = right;

	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return (a->range.start > b->range.start) - (a->range.start < b->range.start);
}

// Reads the claims of all units, on several threads: sorted by unit and address.
static void read_claims(struct ic_claims *claims, struct unit_scan *scan)
{
	uint32_t count = scan->scan.context.units.units.count;
	uint32_t *numbers = calloc(count + 1, sizeof(*numbers));
	struct ic_error err;

	for (uint32_t i = 0; i < count; i++)
		numbers[i] = i;
	*claims = (struct ic_claims){ .list = { NULL, 0, 0, NULL } };
	assert_true(ic_claims_read(claims, &scan->scan, numbers, count, 0, &err));
	free(numbers);
	if (claims->list.count > 0)
		qsort(claims->list.items, claims->list.count, sizeof(*claims->list.items), compare);
}

TEST(units_claim_what_their_root_entries_say)
{
	for (uint16_t version = 3; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct ic_claims claims;
		struct unit_scan scan;

		program_put(dw, &(struct program_unit){ .name = "pair", .start = 0x1000 });
		program_put(dw, &(struct program_unit){ .name = "ranges",
							.start = 0x2000,
							.root = PROGRAM_RANGES });
		program_put(dw, &(struct program_unit){ .name = "silent",
							.start = 0x3000,
							.root = PROGRAM_SILENT });
		unit_scan_open(&scan, dw);
		read_claims(&claims, &scan);
		assert_int_equal(claims.list.count, 3);
		check_claim(&claims, 0, 0x1000, 0x1100, 0);
		check_claim(&claims, 1, 0x2000, 0x2040, 1);
		check_claim(&claims, 2, 0x2040, 0x2100, 1);
		ic_claims_free(&claims);
		assert_int_equal(scan.problems.list.count, 0);
		unit_scan_close(&scan);
	}
}

static void put_unit(struct dwarf_builder *dw, const struct dw_range *ranges, size_t count)
{
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_addr(dw, DW_AT_low_pc, 0);
	dw_ranges(dw, ranges, count);
	scan_unit_done(dw);
}

TEST(code_that_was_thrown_away_is_not_claimed)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_claims claims;
	struct unit_scan scan;

	put_unit(dw, DW_RANGES({ 0, 0x10 }, { 0x1000, 0x1010 }, { 0x20, 0x21 }, { 0x1020, 0x1020 },
			       { 0x1030, 0x1040 }));
	scan_unit_of(dw, "b.c", DW_LANG_C99);
	dw_low_high(dw, 0, 0x2000); // as a whole, though it reaches into code
	scan_unit_done(dw);
	unit_scan_open(&scan, dw);
	read_claims(&claims, &scan);
	assert_int_equal(claims.list.count, 2);
	check_claim(&claims, 0, 0x1000, 0x1010, 0);
	check_claim(&claims, 1, 0x1030, 0x1040, 0);
	ic_claims_free(&claims);
	unit_scan_close(&scan);
}

TEST(a_unit_that_may_have_more_code_than_it_claims_is_said_to_be_unsure)
{
	struct dwarf_builder *dw = scan_builder(2);
	struct ic_claims claims;
	struct unit_scan scan;

	program_put(dw, &(struct program_unit){ .name = "pair", .start = 0x1000 });
	program_put(dw, &(struct program_unit){
				.name = "silent", .start = 0x2000, .root = PROGRAM_SILENT });
	dw_range_list_begin(dw, "marked");
	dw_range_pair(dw, 0x3000, 0x3010);
	dw_range_base(dw, UINT64_MAX); // what a linker made of two marks
	dw_range_pair(dw, 0x3020, 0x3030);
	dw_range_pair(dw, 0, 0);
	dw_range_list_end(dw);
	scan_unit_of(dw, "marked.c", DW_LANG_C99);
	dw_addr(dw, DW_AT_low_pc, 0);
	dw_sec_offset(dw, DW_AT_ranges, "marked");
	scan_unit_done(dw);
	program_put(dw, &(struct program_unit){ .name = "behind", .start = 0x4000 });
	unit_scan_open(&scan, dw);
	read_claims(&claims, &scan);
	assert_int_equal(claims.list.count, 3);
	check_claim(&claims, 1, 0x3000, 0x3010, 2);
	assert_int_equal(claims.unsure.count, 2);
	assert_int_equal(claims.unsure.items[0] + claims.unsure.items[1], 1 + 2);
	ic_claims_free(&claims);
	unit_scan_close(&scan);
}

TEST(a_line_table_has_to_be_read_to_know_its_code)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });
	struct dw_line_header header = dw_line_header_default(dw);
	struct ic_claims claims;
	struct unit_scan scan;

	for (uint64_t i = 0; i < 2; i++) {
		dw_line_begin(dw, i ? "second" : "first", &header);
		dw_line_address(dw, 0x1000 + 0x1000 * i);
		dw_line_row(dw, 0, 1);
		dw_line_end_sequence(dw, 0x10);
		dw_line_end(dw);
	}
	unit_scan_open(&scan, dw);
	read_claims(&claims, &scan);
	assert_int_equal(claims.list.count, 0);
	assert_int_equal(claims.unsure.count, 2);
	assert_int_equal(scan.problems.list.count, 0);
	ic_claims_free(&claims);
	unit_scan_close(&scan);
}

// The threads decide which of them is read last.
TEST(of_the_code_that_is_in_no_section_the_lowest_is_named)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_claims claims;
	struct unit_scan scan;

	for (uint64_t i = 0; i < 3; i++) {
		scan_unit_of(dw, "a.c", DW_LANG_C99);
		dw_low_high(dw, CODE_END + 0x100 * (3 - i % 2), 0x10);
		scan_unit_done(dw);
	}
	unit_scan_open(&scan, dw);
	read_claims(&claims, &scan);
	assert_int_equal(claims.outside_addr, CODE_END + 0x200);
	ic_claims_free(&claims);
	unit_scan_close(&scan);
}

// Its faults are reported when the unit is decoded, so that they are reported once.
TEST(a_unit_whose_root_die_cannot_be_read_is_unsure)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_claims claims;
	struct unit_scan scan;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_value(dw, DW_AT_ranges, DW_FORM_sec_offset, 0x12345);
	scan_unit_done(dw);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .bad_version = DW_BAD(9) });
	dw_unit_end(dw);
	program_put(dw, &(struct program_unit){ .name = "good", .start = 0x2000 });
	unit_scan_open(&scan, dw);
	read_claims(&claims, &scan);
	assert_int_equal(claims.list.count, 1);
	check_claim(&claims, 0, 0x2000, 0x2100, 2);
	assert_int_equal(claims.unsure.count, 2);
	assert_int_equal(claims.unsure.items[0] + claims.unsure.items[1], 0 + 1);
	ic_claims_free(&claims);
	assert_int_equal(scan.problems.list.count, 0);
	unit_scan_read(&scan);
	assert_int_equal(scan.index.units[1].problem_count, 1);
	unit_scan_close(&scan);
}

// Its own root DIE does not say where it is.
TEST(a_split_unit_claims_what_its_skeleton_says)
{
	const struct split_unit units[] = {
		{ .id = 1, .name = "one", .dwo_name = "all.dwo", .start = 0x1000 },
		{ .id = 2,
		  .name = "two",
		  .dwo_name = "all.dwo",
		  .start = 0x2000,
		  .has_high_pc = true },
	};

	for (uint32_t i = 0; i < SPLIT_FORMAT_COUNT; i++) {
		struct dwarf_format format = split_format_number(i);
		struct ic_claims claims;
		struct unit_scan scan;

		unit_scan_open_path(&scan, split_write(format, units, 2, "program", "all.dwo"));
		assert_int_equal(scan.index.unit_count, 4); // the skeletons and the units
		read_claims(&claims, &scan);
		assert_int_equal(claims.list.count, 2);
		check_claim(&claims, 0, 0x2000, 0x2100, 1);
		check_claim(&claims, 1, 0x2000, 0x2100, 3);
		ic_claims_free(&claims);
		unit_scan_close(&scan);
	}
}

TEST(many_units_are_read_by_several_threads)
{
	enum { COUNT = 500 };
	struct dwarf_builder *dw = scan_builder(4);
	struct ic_claims claims;
	struct unit_scan scan;

	for (uint32_t i = 0; i < COUNT; i++) {
		scan_unit_of(dw, "a.c", DW_LANG_C99);
		dw_low_high(dw, CODE_START + i * 8, CODE_START + i * 8 + 4);
		scan_unit_done(dw);
	}
	unit_scan_open(&scan, dw);
	read_claims(&claims, &scan);
	assert_int_equal(claims.list.count, COUNT);
	for (uint32_t i = 0; i < COUNT; i++)
		check_claim(&claims, i, CODE_START + i * 8, CODE_START + i * 8 + 4, i);
	ic_claims_free(&claims);
	unit_scan_close(&scan);
}

UNIT_TESTS(index_claims)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_unit_of_several_is_in_front),
		cmocka_unit_test(a_claim_to_nothing_is_none),
		cmocka_unit_test(units_claim_what_their_root_entries_say),
		cmocka_unit_test(code_that_was_thrown_away_is_not_claimed),
		cmocka_unit_test(
			a_unit_that_may_have_more_code_than_it_claims_is_said_to_be_unsure),
		cmocka_unit_test(a_line_table_has_to_be_read_to_know_its_code),
		cmocka_unit_test(of_the_code_that_is_in_no_section_the_lowest_is_named),
		cmocka_unit_test(a_unit_whose_root_die_cannot_be_read_is_unsure),
		cmocka_unit_test(a_split_unit_claims_what_its_skeleton_says),
		cmocka_unit_test(many_units_are_read_by_several_threads),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
