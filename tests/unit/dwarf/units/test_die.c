#include "unit_test.h"

#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

// Keeps root DIEs and subprograms.
static bool wants_some(uint16_t tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_subprogram;
}

static uint8_t passed(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
		      const void *context)
{
	(void)abbrev, (void)specs, (void)context;
	return IC_KIND_PASSED;
}

static const struct ic_abbrev_reader keep_some = { wants_some, passed, NULL };

static const struct dwarf_format dwarf5 = { .version = 5, .offset_size = 4, .addr_size = 8 };

static struct dwarf_builder *entries(void)
{
	struct dwarf_builder *dw = dwarf_begin(dwarf5);

	dw_string(dw, DW_AT_name, "a.c");
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "f");
	dw_data2(dw, DW_AT_decl_line, 300);
	dw_label(dw, "v");
	dw_die_begin(dw, DW_TAG_variable);
	dw_string(dw, DW_AT_name, "v");
	dw_die_end(dw);
	dw_die_end(dw);
	dwarf_end(dw);
	return dw;
}

TEST(an_entry_gives_its_attributes_in_order)
{
	struct dwarf_fixture fixture;
	struct ic_value value = { 0 };
	struct ic_die die;
	struct ic_error err;

	dwarf_fixture_open(&fixture, entries(), false, &keep_some);
	uint64_t off = dw_label_off(fixture.dw, "f");
	assert_true(ic_die_open(&die, fixture.unit, &fixture.table, off, &err));
	assert_int_equal(die.tag, DW_TAG_subprogram);
	assert_int_equal(die.off, off);
	assert_true(die.has_children);
	assert_int_equal(ic_die_next(&die, &value), DW_AT_name);
	assert_string_equal(value.text, "f");
	assert_int_equal(ic_die_next(&die, &value), DW_AT_decl_line);
	assert_int_equal(value.number, 300);
	assert_int_equal(ic_die_next(&die, &value), 0);
	assert_int_equal(ic_die_next(&die, &value), 0);
	assert_true(ic_cursor_ok(&die.cur, &err));
	assert_int_equal(ic_cursor_off(&die.cur), dw_label_off(fixture.dw, "v"));
	dwarf_fixture_close(&fixture);
}

TEST(what_is_not_an_entry_that_was_asked_for_is_refused)
{
	struct dwarf_fixture fixture;
	struct ic_die die;
	struct ic_error err;

	dwarf_fixture_open(&fixture, entries(), false, &keep_some);
	uint64_t off = dw_label_off(fixture.dw, "v");
	assert_false(ic_die_open(&die, fixture.unit, &fixture.table, off, &err));
	assert_fault(&err, ".debug_info", off, ".debug_info+0x16: unexpected DIE tag");
	off = dw_label_off(fixture.dw, "f") + 1; // the 'f' of its name: no such code
	assert_false(ic_die_open(&die, fixture.unit, &fixture.table, off, &err));
	assert_error(&err, IC_ERROR_MALFORMED,
		     ".debug_info+0x12: DIE with abbreviation 102: no such abbreviation in "
		     ".debug_abbrev");
	off = fixture.unit->end_off - 1; // the null entry at the end
	assert_false(ic_die_open(&die, fixture.unit, &fixture.table, off, &err));
	assert_false(ic_die_open(&die, fixture.unit, &fixture.table, fixture.unit->end_off, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".debug_info+0x1b: unexpected end of data");
	assert_false(ic_die_open(&die, fixture.unit, &fixture.table, 0, &err));
	dwarf_fixture_close(&fixture);
}

TEST(an_attribute_that_is_cut_off_is_a_fault)
{
	struct dwarf_builder *dw = dwarf_begin(dwarf5);
	struct dwarf_fixture fixture;
	struct ic_value value;
	struct ic_die die;
	struct ic_error err;

	dw_data1(dw, DW_AT_language, 1);
	dw_attr(dw, DW_AT_decl_line, DW_FORM_data4);
	dw_u16(dw, 7);
	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &keep_some);
	assert_true(ic_die_open(&die, fixture.unit, &fixture.table, fixture.unit->die_off, &err));
	assert_int_equal(ic_die_next(&die, &value), DW_AT_language);
	assert_int_equal(ic_die_next(&die, &value), 0);
	assert_int_equal(ic_die_next(&die, &value), 0);
	assert_false(ic_cursor_ok(&die.cur, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".debug_info+0xe: unexpected end of data");
	dwarf_fixture_close(&fixture);
}

TEST(a_root_entry_says_what_its_unit_is)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = dwarf_begin(format);
		struct dwarf_fixture fixture;
		struct ic_error err;

		dw_strp(dw, DW_AT_name, "a.c");
		dw_string(dw, DW_AT_comp_dir, "/src");
		dw_data2(dw, DW_AT_language, DW_LANG_Mips_Assembler);
		dw_low_high(dw, 0x1000, 0x1100);
		dw_value(dw, DW_AT_stmt_list,
			 format.version < 4 ? DW_FORM_data4 : DW_FORM_sec_offset, 0x77);
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, format.big_endian, &keep_some);
		struct ic_unit *unit = fixture.unit;
		assert_true(ic_unit_read_root(unit, &fixture.table, &fixture.problems, &err));
		assert_string_equal(unit->root.name, "a.c");
		assert_string_equal(unit->root.comp_dir, "/src");
		assert_int_equal(unit->root.language, DW_LANG_Mips_Assembler);
		assert_int_equal(unit->root.low_pc, 0x1000);
		assert_true(unit->root.has_low_pc && unit->root.has_high_pc &&
			    unit->root.has_stmt_list);
		assert_int_equal(unit->root.line_off, 0x77);
		assert_true(unit->root.is_read);
		assert_int_equal(fixture.problems.list.count, 0);
		dwarf_fixture_close(&fixture);
	}
}

TEST(bases_hold_for_the_attributes_before_them)
{
	for (uint8_t offset_size = 4; offset_size <= 8; offset_size += 4) {
		struct dwarf_builder *dw = dwarf_builder_new((struct dwarf_format){
			.version = 5, .offset_size = offset_size, .addr_size = 8 });
		struct ic_abbrev_table table = { 0 };
		struct dwarf_fixture fixture;
		struct ic_error err;

		for (int i = 0; i < 2; i++) { // of two units, so that the second's bases are not 8
			dw_unit_begin(dw, DW_UT_compile);
			dw_die_begin(dw, DW_TAG_compile_unit);
			dw_strx(dw, DW_AT_name, i ? "b.c" : "a.c");
			dw_addrx(dw, DW_AT_low_pc, i ? 0x2000 : 0x1000);
			dw_rangesx(dw, DW_RANGES({ 1, 2 }));
			dw_rnglists_base(dw);
			dw_addr_base(dw);
			dw_str_offsets_base(dw);
			dwarf_end(dw);
		}
		dwarf_fixture_open(&fixture, dw, false, &keep_some);
		struct ic_unit *second = &fixture.unit[1];
		dwarf_fixture_table(&table, second, &keep_some);
		assert_true(ic_unit_read_root(second, &table, &fixture.problems, &err));
		assert_string_equal(second->root.name, "b.c");
		assert_int_equal(second->root.low_pc, 0x2000);
		assert_true(second->root.addr_base > 16 && second->root.rnglists_base > 20);
		assert_null(second->root.comp_dir);
		assert_false(second->root.has_stmt_list);
		ic_abbrev_table_free(&table);
		dwarf_fixture_close(&fixture);
	}
}

TEST(a_base_that_is_not_said_is_behind_the_first_header)
{
	for (uint8_t offset_size = 4; offset_size <= 8; offset_size += 4) {
		struct dwarf_builder *dw = dwarf_begin((struct dwarf_format){
			.version = 5, .offset_size = offset_size, .addr_size = 8 });
		struct dwarf_fixture fixture;
		struct ic_error err;

		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, false, &keep_some);
		struct ic_unit *unit = fixture.unit;
		assert_true(ic_unit_read_root(unit, &fixture.table, &fixture.problems, &err));
		assert_int_equal(unit->root.str_offsets_base, offset_size == 8 ? 16 : 8);
		assert_int_equal(unit->root.addr_base, offset_size == 8 ? 16 : 8);
		assert_int_equal(unit->root.rnglists_base, offset_size == 8 ? 20 : 12);
		assert_null(unit->root.name);
		assert_int_equal(unit->root.language, 0);
		dwarf_fixture_close(&fixture);
	}
}

TEST(before_dwarf_5_tables_have_no_header_to_be_behind_of)
{
	struct dwarf_builder *dw = dwarf_begin(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });
	struct dwarf_fixture fixture;
	struct ic_error err;

	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &keep_some);
	struct ic_unit *unit = fixture.unit;
	assert_true(ic_unit_read_root(unit, &fixture.table, &fixture.problems, &err));
	assert_int_equal(unit->root.str_offsets_base, 0);
	assert_int_equal(unit->root.addr_base, 0);
	assert_int_equal(unit->root.lists_base, 0);
	dwarf_fixture_close(&fixture);
}

TEST(what_a_root_entry_lacks_is_a_problem_and_the_rest_holds)
{
	struct dwarf_builder *dw = dwarf_begin(dwarf5);
	struct dwarf_fixture fixture;
	struct ic_error err;

	dw_value(dw, DW_AT_name, DW_FORM_strp, 0x7777);
	dw_value(dw, DW_AT_comp_dir, DW_FORM_strx, 3);
	dw_value(dw, DW_AT_low_pc, DW_FORM_addrx, 5);
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &keep_some);
	struct ic_unit *unit = fixture.unit;
	assert_true(ic_unit_read_root(unit, &fixture.table, &fixture.problems, &err));
	assert_int_equal(unit->root.language, DW_LANG_C99);
	assert_null(unit->root.name);
	assert_null(unit->root.comp_dir);
	assert_false(unit->root.has_low_pc);
	const char *const wanted[] = {
		(".debug_str+0x7777: string offset is beyond the end of the section (for "
		 ".debug_info+0xc)"),
		".debug_str_offsets+0x14: the section is missing or empty (for .debug_info+0xc)",
		".debug_addr+0x30: the section is missing or empty (for .debug_info+0xc)",
	};
	assert_int_equal(fixture.problems.list.count, COUNT_OF(wanted));
	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		assert_string_equal(fixture.problems.list.items[i].message, wanted[i]);
	dwarf_fixture_close(&fixture);
}

TEST(a_unit_without_a_root_entry_is_an_error)
{
	struct dwarf_builder *dw = dwarf_builder_new(dwarf5);
	struct ic_unit_list list = { 0 };
	struct ic_abbrev_table table = { 0 };
	struct ic_error err;

	dw_unit_begin(dw, DW_UT_compile);
	dw_unit_end(dw);
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	assert_true(ic_unit_list_parse(&list, &dwarf, &err));
	dwarf_fixture_table(&table, &list.units.items[0], &keep_some);
	assert_false(ic_unit_read_root(&list.units.items[0], &table, NULL, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".debug_info+0xc: unexpected end of data");
	assert_false(list.units.items[0].root.is_read);
	ic_abbrev_table_free(&table);
	IC_ARRAY_FREE(&list.units);
	dwarf_builder_free(dw);
}

TEST(a_split_unit_has_its_addresses_from_its_skeleton)
{
	for (uint16_t version = 4; version <= 5; version++) {
		struct dwarf_builder *dw = dwarf_begin((struct dwarf_format){
			.version = version, .offset_size = 4, .addr_size = 8 });
		struct ic_unit skeleton = { .root.has_low_pc = true,
					    .root.low_pc = 0x1000,
					    .root.addr_base = 0x30,
					    .root.gnu_ranges_base = 0x40,
					    .root.rnglists_base = 0x50 };
		struct dwarf_fixture fixture;
		struct ic_error err;

		dw_string(dw, version < 5 ? DW_AT_GNU_dwo_name : DW_AT_dwo_name, "again.dwo");
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, false, &dwarf_keep_all);
		struct ic_unit *unit = fixture.unit;
		fixture.dwarf.is_split = true;
		unit->skeleton = &skeleton;
		unit->str_offsets_part = 0x100;
		unit->rnglists_part = 0x200;
		assert_true(ic_unit_read_root(unit, &fixture.table, &fixture.problems, &err));
		assert_true(unit->root.has_low_pc);
		assert_int_equal(unit->root.low_pc, 0x1000);
		assert_int_equal(unit->root.addr_base, 0x30);
		// Lists of DWARF 5 are in the unit's own file, or its part of a package.
		assert_int_equal(unit->root.lists_base, version < 5 ? 0x40 : 0x200);
		assert_int_equal(unit->root.rnglists_base, 0x200 + 12);
		assert_int_equal(unit->root.str_offsets_base, version < 5 ? 0x100 : 0x108);
		assert_null(unit->root.dwo_name); // which its skeleton has
		dwarf_fixture_close(&fixture);
	}
}

TEST(a_skeleton_says_where_its_unit_is)
{
	struct dwarf_builder *dw = dwarf_begin(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });
	struct dwarf_fixture fixture;
	struct ic_error err;

	dw_string(dw, DW_AT_GNU_dwo_name, "a.dwo");
	dw_data8(dw, DW_AT_GNU_dwo_id, 0x1122334455667788);
	dw_value(dw, DW_AT_GNU_addr_base, DW_FORM_sec_offset, 0x30);
	dw_value(dw, DW_AT_GNU_ranges_base, DW_FORM_sec_offset, 0x40);
	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &dwarf_keep_all);
	struct ic_unit *unit = fixture.unit;
	assert_true(ic_unit_read_root(unit, &fixture.table, &fixture.problems, &err));
	assert_string_equal(unit->root.dwo_name, "a.dwo");
	assert_int_equal(unit->id, 0x1122334455667788);
	assert_int_equal(unit->root.addr_base, 0x30);
	assert_int_equal(unit->root.gnu_ranges_base, 0x40);
	assert_int_equal(unit->root.lists_base, 0); // its own lists are not counted from there
	dwarf_fixture_close(&fixture);
}

TEST(names_in_a_supplementary_file_that_is_missing_are_left_out)
{
	for (int is_said = 0; is_said < 2; is_said++) {
		struct dwarf_builder *dw = dwarf_begin(dwarf5);
		struct dwarf_fixture fixture;
		struct ic_error err;

		dw_value(dw, DW_AT_name, DW_FORM_strp_sup, 0);
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, false, &dwarf_keep_all);
		fixture.dwarf.supplementary_missing = is_said;
		assert_true(
			ic_unit_read_root(fixture.unit, &fixture.table, &fixture.problems, &err));
		assert_null(fixture.unit->root.name);
		assert_int_equal(fixture.problems.list.count, !is_said);
		dwarf_fixture_close(&fixture);
	}
}

UNIT_TESTS(dwarf_units_die)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_gives_its_attributes_in_order),
		cmocka_unit_test(what_is_not_an_entry_that_was_asked_for_is_refused),
		cmocka_unit_test(an_attribute_that_is_cut_off_is_a_fault),
		cmocka_unit_test(a_root_entry_says_what_its_unit_is),
		cmocka_unit_test(bases_hold_for_the_attributes_before_them),
		cmocka_unit_test(a_base_that_is_not_said_is_behind_the_first_header),
		cmocka_unit_test(before_dwarf_5_tables_have_no_header_to_be_behind_of),
		cmocka_unit_test(what_a_root_entry_lacks_is_a_problem_and_the_rest_holds),
		cmocka_unit_test(a_unit_without_a_root_entry_is_an_error),
		cmocka_unit_test(a_split_unit_has_its_addresses_from_its_skeleton),
		cmocka_unit_test(a_skeleton_says_where_its_unit_is),
		cmocka_unit_test(names_in_a_supplementary_file_that_is_missing_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
