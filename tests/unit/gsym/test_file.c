// The header of GSYM files, and the tables that all functions share.
#include "unit_test.h"

#include "gsym/file.h"
#include "gsym_builder.h"

// Parses a file after one of its bytes has been changed.
static void check_fault(unsigned version, size_t off, uint8_t byte, const char *wanted)
{
	struct byte_buffer built = gsym_build(version, false);
	struct ic_gsym gsym;
	struct ic_error err;

	built.data[off] = byte;
	assert_false(ic_gsym_parse(&gsym, (struct ic_bytes){ built.data, built.size }, &err));
	assert_string_equal(err.message, wanted);
	byte_buffer_deinit(&built);
}

TEST(both_versions_are_read_in_both_byte_orders)
{
	for (unsigned i = 0; i < 4; i++) {
		struct byte_buffer built = gsym_build(1 + i / 2, i % 2);
		struct ic_gsym gsym;
		struct ic_error err;
		const char *directory, *name;
		assert_true(
			ic_gsym_parse(&gsym, (struct ic_bytes){ built.data, built.size }, &err));
		assert_int_equal(gsym.version, 1 + i / 2);
		assert_int_equal(gsym.count, 2);
		assert_int_equal(ic_gsym_addr(&gsym, 0), GSYM_BASE);
		assert_int_equal(ic_gsym_addr(&gsym, 1), GSYM_BASE + GSYM_SECOND);
		assert_int_equal(gsym.id.size, i / 2 == 0 ? 4 : 0);
		assert_string_equal(ic_gsym_string(&gsym, 6), "leaf");
		assert_null(ic_gsym_string(&gsym, gsym.strings.size));
		assert_true(ic_gsym_file(&gsym, 1, &directory, &name));
		assert_string_equal(directory, "dir");
		assert_string_equal(name, "a.c");
		assert_false(ic_gsym_file(&gsym, 3, &directory, &name));
		byte_buffer_deinit(&built);
	}
}

TEST(a_damaged_header_is_an_error)
{
	check_fault(1, 0, 'x', ".gsym+0x0: not GSYM");
	check_fault(1, 4, 3, ".gsym+0x4: unsupported GSYM version 3, encoding 0");
	check_fault(2, 7, 1, ".gsym+0x4: unsupported GSYM version 2, encoding 1");
	check_fault(1, 6, 3, ".gsym+0x6: addresses of 3 bytes");
	check_fault(1, 7, 21, ".gsym+0x7: a build ID of 21 bytes does not fit");
	check_fault(1, 23, 1, ".gsym+0x14: the strings are beyond the end of the file");
	check_fault(1, 19, 1, ".gsym+0x500003c: offset is beyond the end of the section");
	check_fault(1, 88, 'x', ".gsym+0x58: the strings do not begin with an empty one");
	check_fault(1, 63, 1, ".gsym+0x40: the table of 16777219 files is truncated");
}

TEST(a_damaged_list_of_tables_is_an_error)
{
	check_fault(2, 20, 2, ".gsym+0x28: there are two tables 2");
	check_fault(2, 20, 9, ".gsym+0x14: there is no table 1");
	check_fault(2, 30, 1, ".gsym+0x14: table 1 is beyond the end of the file");
}

UNIT_TESTS(gsym_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_versions_are_read_in_both_byte_orders),
		cmocka_unit_test(a_damaged_header_is_an_error),
		cmocka_unit_test(a_damaged_list_of_tables_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
