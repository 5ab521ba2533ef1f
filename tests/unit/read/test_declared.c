#include "read/declared.h"

#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

static const char *const dirs[] = { "/src", NULL };
static const struct dw_line_file files[] = { { .path = "main.go" },
					     { .path = "main.go" },
					     { .path = "inner.go" },
					     { .path = "outer.go" },
					     { 0 } };

// A row of the open table, at its own address.
static void put_row(struct dwarf_builder *dw, uint64_t addr, uint8_t file)
{
	dw_line_address(dw, addr);
	dw_raw(dw, DW_BYTES(DW_LNS_set_file, file, DW_LNS_copy));
}

// main.go has main, into which outer is inlined at 0x1100, and into that inner, where it begins.
static void write_unit(struct dwarf_builder *dw, uint16_t language)
{
	struct dw_line_header header = dw_line_header_default(dw);

	header.version = 5;
	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, "lines", &header);
	put_row(dw, 0x1000, 1);
	put_row(dw, 0x1100, 2);
	put_row(dw, 0x1180, 3);
	put_row(dw, 0x1200, 1);
	dw_line_end_sequence(dw, 0x100);
	dw_line_end(dw);
	scan_unit_of(dw, "main", language);
	dw_stmt_list(dw, "lines");
	scan_abstract(dw, "inner");
	scan_abstract(dw, "outer");
	scan_abstract(dw, "hidden");
	scan_host(dw, "main", 0x1000, 0x1300);
	scan_inlined(dw, "outer", 0x1100, 0x1200);
	scan_inlined(dw, "inner", 0x1100, 0x1180);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_inlined(dw, "hidden", 0x1200, 0x1280); // all of it is another function
	scan_inlined(dw, "inner", 0x1200, 0x1280);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
}

static void assert_file(const struct scan *scan, uint32_t instance, const char *wanted)
{
	const char *found = scan_function(scan, instance)->decl_file;

	if (wanted)
		assert_string_equal(found ? found : "?", wanted);
	else
		assert_null(found);
}

TEST(functions_of_go_are_declared_where_their_own_code_is)
{
	struct scan scan;
	struct dwarf_builder *dw = scan_builder(5);

	write_unit(dw, DW_LANG_Go);
	scan_open(&scan, dw, NULL);
	assert_file(&scan, 0, "/src/main.go");
	assert_file(&scan, 1, "/src/outer.go");
	assert_file(&scan, 2, "/src/inner.go");
	assert_file(&scan, 3, NULL);
	scan_close(&scan);
}

TEST(functions_of_other_languages_are_not_looked_up)
{
	struct scan scan;
	struct dwarf_builder *dw = scan_builder(5);

	write_unit(dw, DW_LANG_C99);
	scan_open(&scan, dw, NULL);
	for (uint32_t i = 0; i < 4; i++)
		assert_file(&scan, i, NULL);
	scan_close(&scan);
}

UNIT_TESTS(read_declared)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_go_are_declared_where_their_own_code_is),
		cmocka_unit_test(functions_of_other_languages_are_not_looked_up),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
