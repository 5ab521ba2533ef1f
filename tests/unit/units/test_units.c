#include "unit_test.h"

#include "read/unit.h"
#include "units/units.h"

#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

struct fixture {
	struct ic_units units;
	struct ic_arena arena;
	struct ic_problems problems;
	struct ic_error err;
};

static void fixture_open(struct fixture *fixture)
{
	*fixture = (struct fixture){ .problems.arena = &fixture->arena };
}

static void fixture_close(struct fixture *fixture)
{
	ic_units_free(&fixture->units);
	IC_ARRAY_FREE(&fixture->problems.list);
	ic_arena_free(&fixture->arena);
}

static void add(struct fixture *fixture, struct ic_dwarf *dwarf)
{
	dwarf->source = &ic_unit_source_dies;
	ic_units_number(&fixture->units, dwarf);
	assert_true(ic_units_add(&fixture->units, dwarf, &fixture->problems, &fixture->err));
}

static void write_unit(struct dwarf_builder *dw, uint8_t type, uint64_t id)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = type,
						 .id = id,
						 .type_die = type == DW_UT_type ? "type" : NULL });
	dw_die_begin(dw, type == DW_UT_type ? DW_TAG_type_unit : DW_TAG_compile_unit);
	if (type == DW_UT_type)
		dw_label(dw, "type");
	dw_die_begin(dw, DW_TAG_class_type);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static struct dwarf_builder *builder(void)
{
	return dwarf_builder_new(
		(struct dwarf_format){ .version = 5, .offset_size = 4, .addr_size = 8 });
}

TEST(sections_are_numbered_one_behind_the_other)
{
	struct dwarf_builder *dw = builder();
	struct fixture fixture;

	write_unit(dw, DW_UT_compile, 0);
	struct ic_dwarf first = dwarf_of(dw, false), second = first, third = first;
	second.is_supplementary = true;
	fixture_open(&fixture);
	add(&fixture, &first);
	add(&fixture, &second);
	add(&fixture, &third);
	const struct ic_unit_list *list = &fixture.units.list;
	assert_int_equal(list->units.count, 3);
	assert_int_equal(first.info_base, 0);
	assert_int_equal(second.info_base, first.info.size + 1);
	assert_int_equal(third.info_base, 2 * (first.info.size + 1));
	for (uint32_t i = 0; i < 3; i++) {
		const struct ic_unit *unit = &list->units.items[i];
		assert_ptr_equal(ic_unit_list_find(list, ic_unit_global_off(unit, unit->die_off)),
				 unit);
		assert_int_equal(unit->is_passive, i == 1);
	}
	fixture_close(&fixture);
	dwarf_builder_free(dw);
}

TEST(a_type_is_found_by_its_signature)
{
	struct dwarf_builder *dw = builder();
	struct fixture fixture;
	uint64_t off;

	write_unit(dw, DW_UT_compile, 0);
	write_unit(dw, DW_UT_type, UINT64_MAX);
	struct ic_dwarf first = dwarf_of(dw, false), second = first;
	fixture_open(&fixture);
	add(&fixture, &first);
	add(&fixture, &second); // has it too: objects of one program have the same types
	assert_true(ic_units_finish(&fixture.units, &fixture.err));
	assert_true(ic_units_find_type(&fixture.units, UINT64_MAX, &off));
	assert_int_equal(off, dw_label_off(dw, "type"));
	assert_false(ic_units_find_type(&fixture.units, UINT64_MAX - 1, &off));
	assert_false(ic_units_find_type(&fixture.units, 0, &off));
	fixture_close(&fixture);
	dwarf_builder_free(dw);
}

TEST(split_units_are_known_by_their_ids_and_the_first_of_several_counts)
{
	struct dwarf_builder *dw = builder();
	struct ic_map by_id = { 0 };
	struct fixture fixture;

	write_unit(dw, DW_UT_split_compile, 7);
	write_unit(dw, DW_UT_split_compile, 8);
	write_unit(dw, DW_UT_split_compile, 7);
	write_unit(dw, DW_UT_type, 9);
	struct ic_dwarf program = dwarf_of(dw, false), split = program;
	split.is_split = true;
	fixture_open(&fixture);
	add(&fixture, &program); // whose units do not count
	add(&fixture, &split);
	assert_true(ic_units_map_ids(&by_id, &fixture.units.list, 0));
	assert_int_equal(*ic_map_find(&by_id, 7), 4);
	assert_int_equal(*ic_map_find(&by_id, 8), 5);
	assert_null(ic_map_find(&by_id, 9)); // a signature is no dwo_id
	ic_map_free(&by_id);
	assert_true(ic_units_map_ids(&by_id, &fixture.units.list, 5));
	assert_int_equal(*ic_map_find(&by_id, 7), 6);
	ic_map_free(&by_id);
	fixture_close(&fixture);
	dwarf_builder_free(dw);
}

TEST(what_cannot_be_read_is_a_problem_of_its_file)
{
	struct ic_dwarf dwarf = { .info = BYTES(3, 0, 0, 0, 5, 0, 1, 0xf0, 0xff, 0xff, 0xff),
				  .info_name = ".debug_info.dwo",
				  .file = "a.dwo",
				  .swap = SWAP_LITTLE };
	struct fixture fixture;

	fixture_open(&fixture);
	add(&fixture, &dwarf);
	assert_int_equal(fixture.problems.list.count, 2);
	for (uint32_t i = 0; i < 2; i++)
		assert_string_equal(fixture.problems.list.items[i].file, "a.dwo");
	assert_string_equal(fixture.problems.list.items[1].message,
			    ".debug_info.dwo+0x0: unit is shorter than its header, the first of 1");
	assert_null(fixture.problems.file); // what is added next is of another
	fixture_close(&fixture);
}

TEST(strings_end_with_the_last_that_has_an_end)
{
	struct ic_dwarf dwarf = { .str = BYTES('a', 0, 'b', 0, 'c', 'c'),
				  .line_str = BYTES('d', 'd'),
				  .info_name = ".debug_info" };
	struct fixture fixture;

	fixture_open(&fixture);
	add(&fixture, &dwarf);
	assert_int_equal(dwarf.str.size, 4);
	assert_int_equal(dwarf.line_str.size, 0);
	fixture_close(&fixture);
}

TEST(sections_that_several_share_are_counted_once)
{
	static const uint8_t lists[1000], lines[500], others[100];
	struct ic_dwarf dwarfs[3];
	struct fixture fixture;

	fixture_open(&fixture);
	for (uint32_t i = 0; i < 3; i++) {
		dwarfs[i] = (struct ic_dwarf){ .ranges = { lists, sizeof(lists) },
					       .line = { lines, sizeof(lines) },
					       .info_name = ".debug_info" };
		if (i == 2)
			dwarfs[i].rnglists = (struct ic_bytes){ others, sizeof(others) };
		add(&fixture, &dwarfs[i]);
	}
	assert_int_equal(fixture.units.list_bytes, sizeof(lists) + sizeof(others));
	assert_int_equal(fixture.units.line_bytes, sizeof(lines));
	fixture_close(&fixture);
}

UNIT_TESTS(units_units)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_are_numbered_one_behind_the_other),
		cmocka_unit_test(a_type_is_found_by_its_signature),
		cmocka_unit_test(
			split_units_are_known_by_their_ids_and_the_first_of_several_counts),
		cmocka_unit_test(what_cannot_be_read_is_a_problem_of_its_file),
		cmocka_unit_test(strings_end_with_the_last_that_has_an_end),
		cmocka_unit_test(sections_that_several_share_are_counted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
