// Functions of Go's table by name.
#include "unit_test.h"

#include "fixtures/go.h"
#include "tables/go_names.h"

static const struct go_function named[] = {
	{ .entry = 0, .name = "main.f", .files = go_files, .lines = go_lines },
	{ .entry = 64, .name = "main.g[...]", .files = go_files, .lines = go_lines },
	{ .entry = 128, .name = "main.g[...]", .files = go_files, .lines = go_lines },
};

struct opened {
	struct byte_buffer bytes, calls;
	struct ic_go_table go;
};

static void open_table(struct opened *opened)
{
	struct go_table table = go_table_of(20, 8, false);
	struct ic_error err;

	table.functions = named;
	table.count = COUNT_OF(named);
	table.end = 192;
	*opened = (struct opened){ .bytes = { .size = 0 } };
	go_table_write(&table, &opened->bytes, &opened->calls);
	struct ic_bytes bytes = { opened->bytes.data, opened->bytes.size };
	assert_true(ic_go_pclntab_open(&opened->go.table, bytes, GO_TABLE, IC_HOST_IS_BIG_ENDIAN,
				       "pclntab", &err));
	opened->go.table.text = GO_TEXT;
	opened->go.dwarf = (struct ic_dwarf){ .info = bytes, .info_name = "pclntab" };
}

static void close_table(struct opened *opened)
{
	byte_buffer_deinit(&opened->bytes);
	byte_buffer_deinit(&opened->calls);
}

TEST(functions_are_found_by_name)
{
	struct ic_go_names names = { .count = 0 };
	struct opened opened;
	struct ic_symbol found;
	struct ic_error err;

	open_table(&opened);
	assert_true(ic_go_names_build(&names, &opened.go, &err));
	assert_true(ic_go_names_find(&names, &opened.go, "main.f", 0, &found));
	assert_int_equal(found.start, GO_TEXT);
	assert_int_equal(found.end, GO_TEXT + 64);
	assert_string_equal(found.name, "main.f");
	assert_false(ic_go_names_find(&names, &opened.go, "main.f", 1, &found));
	for (uint32_t i = 0; i < 2; i++) {
		assert_true(ic_go_names_find(&names, &opened.go, "main.g[...]", i, &found));
		assert_int_equal(found.start, GO_TEXT + 64 * (i + 1));
	}
	assert_false(ic_go_names_find(&names, &opened.go, "main.g[...]", 2, &found));
	assert_false(ic_go_names_find(&names, &opened.go, "main", 0, &found));
	ic_go_names_free(&names);
	close_table(&opened);
}

TEST(names_that_overlap_are_refused)
{
	struct ic_go_names names = { .count = 0 };
	struct opened opened;
	struct ic_error err;

	open_table(&opened);
	opened.go.dwarf.info.size = 4; // as if a table this small had all these names
	assert_false(ic_go_names_build(&names, &opened.go, &err));
	assert_non_null(strstr(err.message, "function names overlap"));
	ic_go_names_free(&names);
	close_table(&opened);
}

UNIT_TESTS(tables_go_names)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_by_name),
		cmocka_unit_test(names_that_overlap_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
