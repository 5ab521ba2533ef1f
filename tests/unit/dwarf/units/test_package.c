#include "unit_test.h"

#include "dwarf/units/package.h"

#include "split_builder.h"

static const struct package_row two_rows[] = {
	{ .id = 0x1122334455667788,
	  .offs = { 0x40, 0x10, 0x20, 0x30 },
	  .sizes = { 0x20, 8, 8, 8 } },
	{ .id = 0x99, .offs = { 0, 1, 2, 3 }, .sizes = { 0x30, 8, 8, 8 } },
};

static bool add(struct ic_package *package, const struct package_index *index, bool big_endian,
		struct ic_error *err)
{
	struct byte_buffer out = { .big_endian = big_endian };

	package_index_write(&out, index);
	bool ok = ic_package_add(package, (struct ic_bytes){ out.data, out.size },
				 ".debug_cu_index", big_endian != IC_HOST_IS_BIG_ENDIAN, err);
	byte_buffer_deinit(&out);
	return ok;
}

static void check_row(const struct ic_package_row *row, uint64_t id, uint32_t off, uint32_t size)
{
	assert_non_null(row);
	assert_int_equal(row->id, id);
	assert_int_equal(row->info_off, off);
	assert_int_equal(row->info_size, size);
}

TEST(a_row_says_where_the_parts_of_a_unit_begin)
{
	for (int i = 0; i < 4; i++) {
		const bool big_endian = i & 1, is_old = i & 2;
		struct ic_package package = { 0 };
		struct ic_error err = { .message = "" };
		const struct package_index index = { .version = is_old ? 2 : 5,
						     .columns = 4,
						     .sections = { 1, 3, 6, 8 },
						     .rows = two_rows,
						     .row_count = 2 };

		assert_true(add(&package, &index, big_endian, &err));
		const struct ic_package_row *row = ic_package_find(&package, false, 0x40);
		check_row(row, 0x1122334455667788, 0x40, 0x20);
		assert_int_equal(row->abbrev_off, 0x10);
		assert_int_equal(row->str_offsets_off, 0x20);
		// Before DWARF 5 the number of .debug_rnglists.dwo was .debug_macro.dwo's.
		assert_int_equal(row->rnglists_off, is_old ? 0 : 0x30);
		check_row(ic_package_find(&package, false, 0), 0x99, 0, 0x30);
		ic_package_free(&package);
	}
}

TEST(an_offset_belongs_to_the_row_around_it)
{
	struct ic_package package = { 0 };
	struct ic_error err = { .message = "" };
	const struct package_index index = {
		.version = 5, .columns = 1, .sections = { 1 }, .rows = two_rows, .row_count = 2
	};

	assert_null(ic_package_find(&package, false, 0)); // of nothing
	assert_true(add(&package, &index, false, &err));
	check_row(ic_package_find(&package, false, 0x2f), 0x99, 0, 0x30);
	assert_null(ic_package_find(&package, false, 0x30));
	assert_null(ic_package_find(&package, false, 0x3f));
	check_row(ic_package_find(&package, false, 0x5f), 0x1122334455667788, 0x40, 0x20);
	assert_null(ic_package_find(&package, false, 0x60));
	assert_null(ic_package_find(&package, false, UINT64_MAX));
	assert_null(ic_package_find(&package, true, 0x40));
	ic_package_free(&package);
}

TEST(before_dwarf_5_type_units_are_in_a_section_of_their_own)
{
	struct ic_package package = { 0 };
	struct ic_error err = { .message = "" };
	const struct package_index index = {
		.version = 2, .columns = 1, .sections = { 2 }, .rows = two_rows, .row_count = 2
	};
	const struct package_index newer = {
		.version = 5, .columns = 2, .sections = { 2, 1 }, .rows = two_rows, .row_count = 2
	};

	assert_true(add(&package, &index, false, &err));
	check_row(ic_package_find(&package, true, 0x40), 0x1122334455667788, 0x40, 0x20);
	assert_null(ic_package_find(&package, false, 0x40));
	ic_package_free(&package);
	assert_true(add(&package, &newer, false, &err)); // the number means nothing any more
	assert_int_equal(package.in_types.count, 0);
	assert_int_equal(package.in_info.count, 2);
	ic_package_free(&package);
}

TEST(rows_of_both_indexes_are_found)
{
	struct ic_package package = { 0 };
	struct ic_error err = { .message = "" };
	struct package_index index = {
		.version = 5, .columns = 1, .sections = { 1 }, .rows = two_rows, .row_count = 1
	};

	assert_true(add(&package, &index, false, &err));
	index.rows = two_rows + 1; // which lies before
	assert_true(add(&package, &index, false, &err));
	check_row(ic_package_find(&package, false, 0x40), 0x1122334455667788, 0x40, 0x20);
	check_row(ic_package_find(&package, false, 0), 0x99, 0, 0x30);
	ic_package_free(&package);
}

TEST(a_section_that_is_absent_or_has_no_units_is_an_index_of_none)
{
	struct ic_package package = { 0 };
	struct ic_error err = { .message = "" };
	const struct package_index none = { .version = 5, .columns = 1, .sections = { 1 } };

	assert_true(ic_package_add(&package, (struct ic_bytes){ NULL, 0 }, ".debug_cu_index", false,
				   &err));
	assert_true(add(&package, &none, false, &err));
	assert_null(ic_package_find(&package, false, 0));
	ic_package_free(&package);
}

static void check_refused(struct package_index index, const char *message)
{
	struct ic_package package = { 0 };
	struct ic_error err = { .message = "" };

	index.columns = index.columns ? index.columns : 1;
	index.sections[0] = 1;
	index.rows = index.rows ? index.rows : two_rows;
	index.row_count = 2;
	index.version = index.version ? index.version : 5;
	assert_false(add(&package, &index, false, &err));
	assert_string_equal(err.message, message);
	assert_string_equal(err.section, ".debug_cu_index");
	ic_package_free(&package);
}

static const struct package_row empty_rows[] = {
	{ .id = 1, .offs = { 0 } },
	{ .id = 2, .offs = { 1 } },
};

TEST(a_damaged_index_says_what_is_wrong_with_it)
{
	check_refused((struct package_index){ .version = 2, .bad_version = DW_BAD(3) },
		      ".debug_cu_index+0x0: unsupported package index version 3");
	check_refused((struct package_index){ .bad_columns = DW_BAD(17) },
		      ".debug_cu_index+0x10: package index has too many columns");
	check_refused((struct package_index){ .bad_units = DW_BAD(0x40000000) },
		      ".debug_cu_index+0x44: package index is too small for its rows");
	check_refused((struct package_index){ .bad_units = DW_BAD(4) },
		      ".debug_cu_index+0x54: unexpected end of data");
	check_refused((struct package_index){ .bad_slots = DW_BAD(0x20000000) },
		      ".debug_cu_index+0x10: unexpected end of data");
	check_refused((struct package_index){ .bad_row = DW_BAD(3) },
		      ".debug_cu_index+0x3c: package index has no row 3");
	check_refused((struct package_index){ .columns = 2 },
		      ".debug_cu_index+0x48: package index has a column with section identifier 0");
	check_refused((struct package_index){ .rows = empty_rows },
		      ".debug_cu_index+0x0: package index has an empty unit in row 1");
}

TEST(an_index_that_is_cut_short_anywhere_is_refused)
{
	struct byte_buffer out = { .data = NULL };

	package_index_write(&out, &(struct package_index){ .version = 5,
							   .columns = 2,
							   .sections = { 1, 3 },
							   .rows = two_rows,
							   .row_count = 2 });
	for (size_t size = 1; size < out.size; size++) {
		struct ic_package package = { 0 };
		struct ic_error err = { .message = "" };
		assert_false(ic_package_add(&package, (struct ic_bytes){ out.data, size },
					    ".debug_tu_index", false, &err));
		assert_true(err.message[0]);
		ic_package_free(&package);
	}
	byte_buffer_deinit(&out);
}

UNIT_TESTS(dwarf_units_package)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_says_where_the_parts_of_a_unit_begin),
		cmocka_unit_test(an_offset_belongs_to_the_row_around_it),
		cmocka_unit_test(before_dwarf_5_type_units_are_in_a_section_of_their_own),
		cmocka_unit_test(rows_of_both_indexes_are_found),
		cmocka_unit_test(a_section_that_is_absent_or_has_no_units_is_an_index_of_none),
		cmocka_unit_test(a_damaged_index_says_what_is_wrong_with_it),
		cmocka_unit_test(an_index_that_is_cut_short_anywhere_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
