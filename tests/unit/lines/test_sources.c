#include "lines/sources.h"

#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

static void put_table(struct dwarf_builder *dw, const char *label, const char *file, bool bad)
{
	const char *const dirs[] = { "/src", NULL };
	const struct dw_line_file files[] = { { .path = "all.h" }, { .path = file }, { 0 } };
	struct dw_line_header header = dw_line_header_default(dw);
	bool is_old = dw_format(dw).version < 5;

	header.dirs = is_old ? dirs + 1 : dirs;
	header.files = files;
	if (bad)
		header.bad_version = (struct dw_bad)DW_BAD(99);
	dw_line_begin(dw, label, &header);
	dw_line_end(dw);
}

static void put_unit(struct dwarf_builder *dw, uint16_t tag, const char *lines, bool has_code)
{
	dw_unit_begin(dw, tag == DW_TAG_partial_unit ? DW_UT_partial : DW_UT_compile);
	dw_die_begin(dw, tag);
	if (lines)
		dw_stmt_list(dw, lines);
	if (has_code)
		dw_low_high(dw, CODE_START, CODE_END);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void open_sources(struct ic_line_sources *sources, struct unit_scan *scan,
			 struct dwarf_builder *dw)
{
	struct ic_error err;

	*sources = (struct ic_line_sources){ .count = 0 };
	unit_scan_open(scan, dw);
	assert_true(ic_line_sources_read(sources, &scan->scan, &scan->problems, &err));
}

static void close_sources(struct ic_line_sources *sources, struct unit_scan *scan)
{
	ic_line_sources_free(sources);
	unit_scan_close(scan);
}

TEST(tables_are_asked_for_the_last_parts_of_their_files)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		struct ic_line_sources sources;
		struct unit_scan scan;

		put_table(dw, "one", "sub/a.c", false);
		put_table(dw, "two", "/b.c", false);
		put_unit(dw, DW_TAG_compile_unit, "one", true);
		put_unit(dw, DW_TAG_compile_unit, NULL, true);
		put_unit(dw, DW_TAG_compile_unit, "two", false);
		open_sources(&sources, &scan, dw);
		assert_int_equal(sources.count, 2);
		assert_int_equal(sources.tables[0].unit, 0);
		assert_int_equal(sources.tables[1].unit, 2);
		for (uint32_t i = 0; i < 2; i++) {
			const struct ic_line_source *table = &sources.tables[i];
			assert_int_equal(ic_line_source_may_have(table, "a.c"), i == 0);
			assert_int_equal(ic_line_source_may_have(table, "/any/a.c"), i == 0);
			assert_int_equal(ic_line_source_may_have(table, "b.c"), i == 1);
			assert_true(ic_line_source_may_have(table, "all.h"));
			assert_false(ic_line_source_may_have(table, "c.c"));
			assert_false(ic_line_source_may_have(table, "sub"));
		}
		assert_int_equal(scan.problems.list.count, 0);
		close_sources(&sources, &scan);
	}
}

TEST(a_table_of_several_units_is_that_of_the_first_with_code)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_line_sources sources;
	struct unit_scan scan;

	put_table(dw, "one", "a.c", false);
	put_table(dw, "two", "b.c", false);
	put_unit(dw, DW_TAG_partial_unit, "one", false);
	put_unit(dw, DW_TAG_compile_unit, "two", false);
	put_unit(dw, DW_TAG_compile_unit, "one", true);
	put_unit(dw, DW_TAG_compile_unit, "two", false);
	put_unit(dw, DW_TAG_compile_unit, "one", true);
	open_sources(&sources, &scan, dw);
	assert_int_equal(sources.count, 2);
	assert_int_equal(sources.tables[0].unit, 2);
	assert_int_equal(sources.tables[1].unit, 1);
	close_sources(&sources, &scan);
}

TEST(the_table_of_a_type_unit_is_not_read_for_it)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_line_sources sources;
	struct unit_scan scan;

	put_table(dw, "one", "a.c", false);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_type, .type_die = "type" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_stmt_list(dw, "one");
	dw_label(dw, "type");
	dw_die_begin(dw, DW_TAG_structure_type);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	open_sources(&sources, &scan, dw);
	assert_int_equal(sources.count, 0);
	close_sources(&sources, &scan);
}

TEST(a_table_that_cannot_be_read_is_a_problem_and_the_others_are_there)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_line_sources sources;
	struct unit_scan scan;

	put_table(dw, "one", "a.c", true);
	put_table(dw, "two", "b.c", false);
	put_unit(dw, DW_TAG_compile_unit, "one", true);
	put_unit(dw, DW_TAG_compile_unit, "two", true);
	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_value(dw, DW_AT_stmt_list, DW_FORM_sec_offset, 0x10000);
	dw_die_end(dw);
	dw_unit_end(dw);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .bad_version = DW_BAD(9) });
	dw_unit_end(dw);
	open_sources(&sources, &scan, dw);
	assert_int_equal(sources.count, 2);
	assert_false(ic_line_source_may_have(&sources.tables[0], "a.c"));
	assert_true(ic_line_source_may_have(&sources.tables[1], "b.c"));
	assert_int_equal(scan.problems.list.count, 3);
	assert_non_null(strstr(scan.problems.list.items[0].message, ".debug_line+0x"));
	assert_non_null(strstr(scan.problems.list.items[1].message, ".debug_line+0x10000"));
	assert_non_null(strstr(scan.problems.list.items[2].message, "version"));
	close_sources(&sources, &scan);
}

UNIT_TESTS(lines_sources)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_asked_for_the_last_parts_of_their_files),
		cmocka_unit_test(a_table_of_several_units_is_that_of_the_first_with_code),
		cmocka_unit_test(the_table_of_a_type_unit_is_not_read_for_it),
		cmocka_unit_test(a_table_that_cannot_be_read_is_a_problem_and_the_others_are_there),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
