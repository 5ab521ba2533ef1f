#include "symbolize/unit_table.h"

#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/split.h"

#include "dwarf_constants.h"

struct fixture {
	struct unit_scan scan;
	struct ic_unit_table table;
};

static void fixture_open_path(struct fixture *fixture, const char *path)
{
	struct unit_scan *scan = &fixture->scan;
	struct ic_bytes aranges = { NULL, 0 };
	struct ic_error err = { .message = "" };

	unit_scan_open_path(scan, path);
	fixture->table = (struct ic_unit_table){ .is_incomplete = false };
	assert_true(ic_dwarf_file_section(&aranges, ic_image_dwarf_file(scan->image),
					  ".debug_aranges", &err));
	if (!ic_unit_table_build(&fixture->table, &scan->scan, aranges, &scan->problems, &err))
		fail_msg("%s", err.message);
	assert_int_equal(fixture->table.count, scan->index.unit_count);
}

static void fixture_open(struct fixture *fixture, struct dwarf_builder *dw)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	fixture_open_path(fixture, elf_end_at(elf, "a.out"));
}

// Says which unit claims each address: the first of several.
static void check_unit(const struct fixture *fixture, uint64_t addr, uint32_t wanted)
{
	const struct ic_unit_map *map = &fixture->table.map;
	uint32_t claim = ic_unit_map_find(map, addr, IC_NONE);

	assert_int_equal(claim == IC_NONE ? IC_NONE : map->claims[claim].owner, wanted);
}

static bool is_read(const struct fixture *fixture, uint32_t unit)
{
	return atomic_load(&fixture->table.models[unit]) != NULL;
}

static void put(struct dwarf_builder *dw, const char *name, uint64_t start, enum program_root root)
{
	program_put(dw, &(struct program_unit){ .name = name, .start = start, .root = root });
}

TEST(units_that_are_listed_claim_what_the_list_says_and_others_what_they_say)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct fixture fixture;

		put(dw, "a.c", 0x1000, PROGRAM_PAIR);
		put(dw, "b.c", 0x2000, PROGRAM_PAIR);
		put(dw, "c.c", 0x3000, version < 3 ? PROGRAM_PAIR : PROGRAM_RANGES);
		dw_aranges(dw, "b.c", DW_RANGES({ 0x2000, 0x2100 }, { 0x4000, 0x4010 }));
		fixture_open(&fixture, dw);
		check_unit(&fixture, 0xfff, IC_NONE);
		check_unit(&fixture, 0x1000, 0);
		check_unit(&fixture, 0x10ff, 0);
		check_unit(&fixture, 0x1100, IC_NONE);
		check_unit(&fixture, 0x2080, 1);
		check_unit(&fixture, 0x400f, 1); // which its root DIE does not have
		check_unit(&fixture, 0x30ff, 2);
		for (uint32_t i = 0; i < 3; i++)
			assert_false(is_read(&fixture, i)); // that was not needed
		assert_int_equal(fixture.scan.problems.list.count, 0);
		unit_scan_close(&fixture.scan);
	}
}

TEST(a_list_that_names_no_unit_is_of_nobody)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct fixture fixture;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	dw_aranges(dw, "a.c.main.label", DW_RANGES({ 0x5000, 0x5010 })); // within the unit
	dw_section_begin(dw, ".debug_info");
	dw_label(dw, "a.c.main.label");
	dw_section_end(dw);
	fixture_open(&fixture, dw);
	check_unit(&fixture, 0x5000, IC_NONE);
	check_unit(&fixture, 0x1000, 0);
	unit_scan_close(&fixture.scan);
}

// gcc writes a set for each unit, even if all of its code was discarded.
TEST(a_unit_whose_list_has_no_code_is_asked_itself)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct fixture fixture;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	put(dw, "b.c", 0x2000, PROGRAM_PAIR);
	dw_aranges(dw, "a.c", NULL, 0);
	dw_aranges(dw, "b.c", DW_RANGES({ 0, 0x1000 }, { 0xfffffff0, 0xfffffff8 }));
	fixture_open(&fixture, dw);
	check_unit(&fixture, 0x1000, 0);
	check_unit(&fixture, 0x2000, 1);
	unit_scan_close(&fixture.scan);
}

TEST(a_list_that_is_damaged_counts_as_far_as_it_goes)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct fixture fixture;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	put(dw, "b.c", 0x2000, PROGRAM_PAIR);
	dw_aranges(dw, "a.c", DW_RANGES({ 0x5000, 0x5010 }));
	dw_section_begin(dw, ".debug_aranges");
	dw_raw(dw, DW_BYTES(8, 0, 0, 0, 9, 9));
	dw_section_end(dw);
	fixture_open(&fixture, dw);
	check_unit(&fixture, 0x5000, 0);
	check_unit(&fixture, 0x1000, IC_NONE); // it is listed
	check_unit(&fixture, 0x2000, 1);
	assert_int_equal(fixture.scan.problems.list.count, 1);
	assert_string_equal(fixture.scan.problems.list.items[0].message,
			    ".debug_aranges+0x34: length extends beyond the end of the section");
	unit_scan_close(&fixture.scan);
}

TEST(units_of_dwarf_2_that_say_nothing_are_read_to_see)
{
	struct dwarf_builder *dw = scan_builder(2);
	struct fixture fixture;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	put(dw, "b.c", 0x2000, PROGRAM_SILENT);
	put(dw, "c.c", 0x3000, PROGRAM_SILENT);
	program_put(dw, &(struct program_unit){ .name = "d.c",
						.start = 0x4000,
						.root = PROGRAM_SILENT,
						.no_lines = true });
	dw_aranges(dw, "c.c", DW_RANGES({ 0x3000, 0x3100 }));
	fixture_open(&fixture, dw);
	check_unit(&fixture, 0x1000, 0);
	check_unit(&fixture, 0x2000, 1);
	check_unit(&fixture, 0x20ff, 1);
	check_unit(&fixture, 0x2100, IC_NONE);
	check_unit(&fixture, 0x3000, 2);
	check_unit(&fixture, 0x4000, 3);
	check_unit(&fixture, 0x4018, 3);
	check_unit(&fixture, 0x40ff, 3);
	assert_false(is_read(&fixture, 0));
	assert_true(is_read(&fixture, 1));
	assert_false(is_read(&fixture, 2)); // it is listed
	assert_true(is_read(&fixture, 3));
	unit_scan_close(&fixture.scan);
}

TEST(a_split_unit_answers_for_its_skeleton)
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
		struct fixture fixture;

		fixture_open_path(&fixture, split_write(split_format_number(i), units, 2, "program",
							"all.dwo"));
		assert_int_equal(fixture.table.count, 4);
		check_unit(&fixture, 0x1000, IC_NONE);
		check_unit(&fixture, 0x2000, 3); // which has all of it
		uint32_t claim = ic_unit_map_find(&fixture.table.map, 0x2000, IC_NONE);
		assert_int_equal(ic_unit_map_find(&fixture.table.map, 0x2000, claim), IC_NONE);
		unit_scan_close(&fixture.scan);
	}
}

// gcc lists skeletons.
TEST(what_is_listed_for_a_skeleton_is_its_split_units)
{
	const struct dwarf_format format = split_format_number(7);
	const struct split_unit unit = {
		.id = 1, .name = "one", .dwo_name = "one.dwo", .start = 0x1000
	};
	struct elf_builder *program = split_elf(format, false), *dwo = split_elf(format, true);
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct fixture fixture;

	dw_section_begin(dw, ".debug_info");
	dw_label(dw, "skeleton");
	dw_section_end(dw);
	split_write_units(dw, &unit, 1);
	dw_aranges(dw, "skeleton", DW_RANGES({ 0x1000, 0x1100 }));
	elf_add_dwarf_part(program, dw, false);
	elf_add_dwarf_part(dwo, dw, true);
	dwarf_builder_free(dw);
	elf_end_at(dwo, "one.dwo");
	fixture_open_path(&fixture, elf_end_at(program, "program"));
	check_unit(&fixture, 0x1000, 1);
	unit_scan_close(&fixture.scan);
}

// ---- Only .debug_aranges

TEST(the_units_that_are_listed_with_an_address_are_found_one_by_one)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct ic_aranges aranges;
	uint64_t off;

	put(dw, "a.c", 0x1000, PROGRAM_PAIR);
	put(dw, "b.c", 0x2000, PROGRAM_PAIR);
	put(dw, "c.c", 0x3000, PROGRAM_PAIR);
	dw_aranges(dw, "b.c", DW_RANGES({ 0x1000, 0x1010 }, { 0x2000, 0x2010 }));
	dw_aranges(dw, "a.c", DW_RANGES({ 0x1008, 0x1018 }));
	dw_aranges(dw, "c.c", DW_RANGES({ 0x1000, 0x1009 }));
	struct bytes bytes = dw_section(dw, ".debug_aranges");
	const struct ic_bytes section = { bytes.data, bytes.size };
	ic_aranges_open(&aranges, section, IC_HOST_IS_BIG_ENDIAN);
	assert_true(ic_aranges_find(&aranges, 0x1008, &off));
	assert_int_equal(off, dw_label_off(dw, "b.c"));
	assert_true(ic_aranges_find(&aranges, 0x1008, &off));
	assert_int_equal(off, dw_label_off(dw, "a.c"));
	assert_true(ic_aranges_find(&aranges, 0x1008, &off));
	assert_int_equal(off, dw_label_off(dw, "c.c"));
	assert_false(ic_aranges_find(&aranges, 0x1008, &off));
	ic_aranges_open(&aranges, section, IC_HOST_IS_BIG_ENDIAN);
	assert_true(ic_aranges_find(&aranges, 0x1017, &off));
	assert_int_equal(off, dw_label_off(dw, "a.c"));
	assert_false(ic_aranges_find(&aranges, 0x1017, &off));
	ic_aranges_open(&aranges, section, IC_HOST_IS_BIG_ENDIAN);
	assert_false(ic_aranges_find(&aranges, 0x1018, &off));
	dwarf_builder_free(dw);
}

UNIT_TESTS(symbolize_unit_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			units_that_are_listed_claim_what_the_list_says_and_others_what_they_say),
		cmocka_unit_test(a_list_that_names_no_unit_is_of_nobody),
		cmocka_unit_test(a_unit_whose_list_has_no_code_is_asked_itself),
		cmocka_unit_test(a_list_that_is_damaged_counts_as_far_as_it_goes),
		cmocka_unit_test(units_of_dwarf_2_that_say_nothing_are_read_to_see),
		cmocka_unit_test(a_split_unit_answers_for_its_skeleton),
		cmocka_unit_test(what_is_listed_for_a_skeleton_is_its_split_units),
		cmocka_unit_test(the_units_that_are_listed_with_an_address_are_found_one_by_one),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
