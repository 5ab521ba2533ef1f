#include "unit_test.h"

#include "dwarf/lines/header.h"
#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

static const char *const old_dirs[] = { "/usr/include", "include", NULL };
static const struct dw_line_file old_files[] = { { .path = "a.c", .mtime = 300, .size = 70000 },
						 { .path = "b.h", .dir = 2 },
						 { .path = "c.h", .dir = 1 },
						 { .path = "/abs/d.h", .dir = 1 },
						 { .path = "e.h", .dir = 9 },
						 { .path = NULL } };
static const char *const new_dirs[] = { "/src", "/usr/include", "include", NULL };
static const struct dw_line_file new_files[] = {
	{ .path = "a.c" },           { .path = "b.h", .dir = 2 },
	{ .path = "c.h", .dir = 1 }, { .path = "/abs/d.h", .dir = 1 },
	{ .path = "e.h", .dir = 9 }, { .path = NULL }
};

// A builder with one line table, made of the tables above.
static struct dwarf_builder *table(struct dwarf_format format, const struct dw_line_content *dirs,
				   const struct dw_line_content *files)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct dw_line_header header = dw_line_header_default(dw);

	header.dirs = format.version < 5 ? old_dirs : new_dirs;
	header.files = format.version < 5 ? old_files : new_files;
	if (dirs)
		header.dir_contents = dirs;
	if (files)
		header.file_contents = files;
	dw_line_begin(dw, "lines", &header);
	dw_line_row(dw, 1, 1);
	dw_line_end(dw);
	return dw;
}

static void check_path(const struct ic_line_header *header, const struct ic_unit *unit,
		       uint64_t file, const char *wanted)
{
	char path[64] = "";

	assert_int_equal(ic_line_file_path(header, unit, file, path, sizeof(path)), strlen(wanted));
	assert_string_equal(path, wanted);
}

static void check_paths(const struct ic_line_header *header, const struct ic_unit *unit)
{
	uint64_t first = header->version < 5 ? 1 : 0;

	if (header->version < 5)
		check_path(header, unit, 0, "");
	check_path(header, unit, first, "/src/a.c");
	check_path(header, unit, first + 1, "/src/include/b.h");
	check_path(header, unit, first + 2, "/usr/include/c.h");
	check_path(header, unit, first + 3, "/abs/d.h");
	check_path(header, unit, first + 4, "/src/e.h"); // a directory that does not exist
	check_path(header, unit, first + 5, "");
	check_path(header, unit, UINT64_MAX, "");
}

static struct ic_unit unit_of(const struct ic_dwarf *dwarf, struct dwarf_format format)
{
	return (struct ic_unit){ .dwarf = dwarf,
				 .version = format.version,
				 .addr_size = format.addr_size,
				 .offset_size = format.offset_size,
				 .root.str_offsets_base = format.offset_size == 8 ? 16 : 8,
				 .root.comp_dir = "/src",
				 .root.has_stmt_list = true };
}

TEST(paths_are_put_together_in_all_versions_and_formats)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = table(format, NULL, NULL);
		struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
		struct ic_unit unit = unit_of(&dwarf, format);
		struct ic_line_header header = { 0 };
		struct ic_error err = { .message = "" };

		if (!ic_line_header_parse(&header, &unit, UINT64_MAX, &err))
			fail_msg("%s", err.message);
		assert_int_equal(header.version, format.version);
		assert_int_equal(header.offset_size, format.offset_size);
		check_paths(&header, &unit);
		ic_line_header_free(&header);
		dwarf_builder_free(dw);
	}
}

TEST(a_table_may_have_another_format_than_its_unit)
{
	struct dwarf_format format = { .version = 5, .offset_size = 8, .addr_size = 8 };
	struct dwarf_builder *dw = table(format, NULL, NULL);
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	struct ic_unit unit = unit_of(&dwarf, format);
	struct ic_line_header header = { 0 };
	struct ic_error err;

	unit.version = 4;
	unit.offset_size = 4;
	assert_true(ic_line_header_parse(&header, &unit, UINT64_MAX, &err));
	check_paths(&header, &unit);
	ic_line_header_free(&header);
	dwarf_builder_free(dw);
}

TEST(entries_of_dwarf_5_may_be_made_of_anything)
{
	const struct dw_line_content dirs[] = { { 0x2002, DW_FORM_block },
						{ DW_LNCT_path, DW_FORM_string },
						{ 0, 0 } };
	const struct dw_line_content files[][7] = {
		{ { DW_LNCT_MD5, DW_FORM_data16 },
		  { DW_LNCT_path, DW_FORM_strp },
		  { DW_LNCT_directory_index, DW_FORM_data1 } },
		{ { DW_LNCT_directory_index, DW_FORM_data2 },
		  { DW_LNCT_timestamp, DW_FORM_data8 },
		  { DW_LNCT_size, DW_FORM_udata },
		  { DW_LNCT_LLVM_source, DW_FORM_line_strp },
		  { DW_LNCT_path, DW_FORM_line_strp } },
		{ { DW_LNCT_timestamp, DW_FORM_block },
		  { DW_LNCT_path, DW_FORM_strx },
		  { 0x3fff, DW_FORM_block1 },
		  { DW_LNCT_directory_index, DW_FORM_udata } },
	};

	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT * COUNT_OF(files); i++) {
		struct dwarf_format format = dwarf_format_number(i / COUNT_OF(files));
		if (format.version < 5)
			continue;
		struct dwarf_builder *dw = table(format, dirs, files[i % COUNT_OF(files)]);
		dw_unit_begin(dw, DW_UT_compile); // with whose end the string offsets come
		dw_unit_end(dw);
		struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
		struct ic_unit unit = unit_of(&dwarf, format);
		struct ic_line_header header = { 0 };
		struct ic_error err = { .message = "" };
		if (!ic_line_header_parse(&header, &unit, UINT64_MAX, &err))
			fail_msg("%s", err.message);
		check_paths(&header, &unit);
		ic_line_header_free(&header);
		dwarf_builder_free(dw);
	}
}

TEST(a_relative_directory_is_the_units_when_it_is_its_own)
{
	const char *directories[] = { "build", "include" };
	struct ic_line_file files[] = { { .name = "a.c" }, { .name = "b.h", .directory = 1 } };
	const struct ic_line_header header = { .version = 5,
					       .directories = { directories, 2, 2, NULL },
					       .files = { files, 2, 2, NULL } };
	struct ic_unit unit = { .root.comp_dir = "build" };

	check_path(&header, &unit, 0, "build/a.c"); // and not build/build/a.c
	check_path(&header, &unit, 1, "build/include/b.h");
	unit.root.comp_dir = NULL;
	check_path(&header, &unit, 0, "build/a.c");
	check_path(&header, &unit, 1, "include/b.h");
	unit.root.comp_dir = "/src";
	check_path(&header, &unit, 0, "/src/build/a.c");
	unit.root.comp_dir = "";
	check_path(&header, &unit, 1, "include/b.h");
}

TEST(a_path_too_long_is_cut_and_that_is_told)
{
	const char *directories[] = { "/src" };
	struct ic_line_file files[] = { { .name = "longname.c" } };
	const struct ic_line_header header = { .version = 5,
					       .directories = { directories, 1, 1, NULL },
					       .files = { files, 1, 1, NULL } };
	const struct ic_unit unit = { .root.comp_dir = "/src" };
	char path[17];

	for (size_t size = 1; size <= 16; size++) {
		memset(path, '#', sizeof(path));
		size_t length = ic_line_file_path(&header, &unit, 0, path, size);
		assert_true(size > 15 ? length == 15 : length >= size);
		assert_int_equal(strlen(path), size - 1);
		assert_memory_equal(path, "/src/longname.c", size - 1);
		assert_int_equal(path[size], '#');
	}
}

// ---- Faults

static void check_error(struct dwarf_format format, const struct dw_line_header *header,
			enum ic_error_code code, const char *wanted)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct ic_line_header parsed = { 0 };
	struct ic_error err = { .message = "" };

	dw_line_begin(dw, "lines", header);
	dw_line_end(dw);
	struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
	struct ic_unit unit = unit_of(&dwarf, format);
	assert_false(ic_line_header_parse(&parsed, &unit, UINT64_MAX, &err));
	assert_error(&err, code, wanted);
	ic_line_header_free(&parsed);
	dwarf_builder_free(dw);
}

static struct dw_line_header plain(struct dwarf_format format)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct dw_line_header header = dw_line_header_default(dw);

	dwarf_builder_free(dw);
	return header;
}

TEST(a_header_that_cannot_be_says_why)
{
	const struct dwarf_format dwarf4 = { .version = 4, .offset_size = 4, .addr_size = 8 };
	struct dw_line_header header = plain(dwarf4);

	header.bad_version = (struct dw_bad)DW_BAD(7);
	check_error(dwarf4, &header, IC_ERROR_UNSUPPORTED,
		    ".debug_line+0x0: unsupported line table version 7");
	header.bad_version = (struct dw_bad)DW_BAD(1);
	check_error(dwarf4, &header, IC_ERROR_UNSUPPORTED,
		    ".debug_line+0x0: unsupported line table version 1");
	header = plain(dwarf4);
	header.bad_length = (struct dw_bad)DW_BAD(0x7777);
	check_error(dwarf4, &header, IC_ERROR_MALFORMED,
		    ".debug_line+0x4: length extends beyond the end of the section");
	header = plain(dwarf4);
	header.bad_header_length = (struct dw_bad)DW_BAD(0x7777);
	check_error(dwarf4, &header, IC_ERROR_MALFORMED,
		    ".debug_line+0xa: header extends beyond the end of its table");
	header.bad_header_length = (struct dw_bad)DW_BAD(3);
	check_error(dwarf4, &header, IC_ERROR_MALFORMED, ".debug_line+0xa: unexpected end of data");
	header.bad_header_length = (struct dw_bad)DW_BAD(18);
	check_error(dwarf4, &header, IC_ERROR_MALFORMED, ".debug_line+0x1c: unterminated string");
}

TEST(a_line_table_that_is_not_there_is_an_error)
{
	const struct ic_dwarf dwarf = { .line = BYTES(1, 2, 3) };
	struct ic_unit unit = { .dwarf = &dwarf, .root.line_off = 3, .offset_size = 4 };
	struct ic_line_header header = { 0 };
	struct ic_error err;

	assert_false(ic_line_header_parse(&header, &unit, UINT64_MAX, &err));
	assert_error(&err, IC_ERROR_MALFORMED,
		     ".debug_line+0x3: offset is beyond the end of the section");
	unit.root.line_off = UINT64_MAX;
	assert_false(ic_line_header_parse(&header, &unit, UINT64_MAX, &err));
	const struct ic_dwarf none = { .swap = false };
	unit.dwarf = &none;
	assert_false(ic_line_header_parse(&header, &unit, UINT64_MAX, &err));
	assert_error(&err, IC_ERROR_MALFORMED,
		     ".debug_line+0xffffffffffffffff: the section is missing or empty");
	ic_line_header_free(&header);
}

// A header of DWARF 5 whose tables are these bytes.
static bool parse_tables(const char *tables, size_t size, struct ic_line_header *header,
			 uint8_t addr_size, struct ic_error *err)
{
	const uint8_t start[18] = { 0, 0, 0, 0, 5, 0, addr_size, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1 };
	static uint8_t bytes[600]; // the header's names are in them

	assert_true(size + sizeof(start) <= sizeof(bytes));
	memcpy(bytes, start, sizeof(start));
	memcpy(bytes + 18, tables, size);
	memset(bytes + 18 + size, 0, sizeof(bytes) - 18 - size);
	uint16_t length = (uint16_t)(size + 14), header_size = (uint16_t)(size + 6);
	for (int i = 0; i < 2; i++) {
		bytes[i] = (uint8_t)(length >> 8 * i);
		bytes[8 + i] = (uint8_t)(header_size >> 8 * i);
	}
	const struct ic_dwarf dwarf = { .line = { bytes, size + 18 }, .swap = SWAP_LITTLE };
	const struct ic_unit unit = {
		.dwarf = &dwarf, .version = 5, .addr_size = 8, .offset_size = 4
	};
	return ic_line_header_parse(header, &unit, UINT64_MAX, err);
}

TEST(entries_without_bytes_do_not_become_many)
{
	struct ic_line_header header = { 0 };
	struct ic_error err;

	// No formats, but 2^35 directories by count: there are none.
	assert_true(parse_tables("\0\xff\xff\xff\xff\x7f\0\0", 8, &header, 8, &err));
	assert_int_equal(header.directories.count, 0);
	// A format of no bytes, as often.
	assert_false(parse_tables("\1\1\x19\xff\xff\xff\xff\x7f\0\0", 10, &header, 8, &err));
	assert_false(parse_tables("\1\2\x19\xff\xff\xff\xff\x7f\0\0", 10, &header, 8, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".debug_line+0x1a: entries have a size of 0");
	// More items than bytes.
	assert_false(parse_tables("\1\2\x0b\xff\xff\xff\xff\x7f\1\2", 10, &header, 8, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".debug_line+0x1c: unexpected end of data");
	ic_line_header_free(&header);
}

TEST(a_name_that_is_no_string_is_a_fault_and_the_names_before_it_stay)
{
	struct ic_line_header header = { 0 };
	struct ic_error err;

	assert_false(parse_tables("\1\1\x08\2/a\0/b\0\1\1\x0b\1\5", 15, &header, 8, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".debug_line+0x21: name is not a valid string");
	assert_int_equal(header.directories.count, 2);
	assert_string_equal(header.directories.items[1], "/b");
	assert_false(parse_tables("\1\1\x0e\1\x77\0\0\0\0\0", 10, &header, 8, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".debug_line+0x1a: name is not a valid string");
	assert_false(parse_tables("\1\1\x7f\1\x77\0\0\0\0\0", 10, &header, 8, &err));
	assert_error(&err, IC_ERROR_MALFORMED, ".debug_line+0x16: unknown attribute form");
	ic_line_header_free(&header);
}

// The size of addresses is the table's own, and nothing limits it.
TEST(an_address_size_that_cannot_be_does_no_harm)
{
	struct ic_line_header header = { 0 };
	char tables[400] = "\1\x40\1\1";
	struct ic_error err;

	for (int addr_size = 0; addr_size < 256; addr_size++)
		(void)!parse_tables(tables, sizeof(tables), &header, (uint8_t)addr_size, &err);
	ic_line_header_free(&header);
}

TEST(where_four_bytes_are_left_they_say_where_names_are)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		for (size_t size = 3; size <= 5; size++) {
			struct dwarf_builder *dw = dwarf_builder_new(format);
			struct dw_line_header lines = dw_line_header_default(dw);
			lines.extra = (struct bytes){ (const uint8_t *)"\7\0\0\7\0", size };
			dw_line_begin(dw, "lines", &lines);
			dw_line_row(dw, 1, 1);
			dw_line_end(dw);
			struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
			struct ic_unit unit = unit_of(&dwarf, format);
			struct ic_line_header header = { .names_off = 1 };
			struct ic_error err;
			assert_true(ic_line_header_parse(&header, &unit, UINT64_MAX, &err));
			assert_int_equal(header.names_off, size == 4 ? 0x07000007 : 0);
			ic_line_header_free(&header);
			dwarf_builder_free(dw);
		}
	}
}

// Padding is shorter.
TEST(rows_of_zeros_are_a_fault_and_the_names_stay)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		for (uint32_t size = 15; size <= 16; size++) {
			struct dwarf_builder *dw = dwarf_builder_new(format);
			struct dw_line_header lines = dw_line_header_default(dw);
			lines.files = old_files;
			dw_line_begin(dw, "lines", &lines);
			for (uint32_t j = 0; j < size; j++)
				dw_u8(dw, 0);
			dw_line_end(dw);
			struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
			struct ic_unit unit = unit_of(&dwarf, format);
			struct ic_line_header header = { 0 };
			struct ic_error err = { .message = "" };
			bool ok = ic_line_header_parse(&header, &unit, UINT64_MAX, &err);
			assert_true(ok == (size == 15));
			assert_true(ok || strstr(err.message, ": zeros instead of rows"));
			assert_string_equal(header.files.items[header.files.count - 1].name, "e.h");
			ic_line_header_free(&header);
			dwarf_builder_free(dw);
		}
	}
}

UNIT_TESTS(dwarf_lines_header)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_put_together_in_all_versions_and_formats),
		cmocka_unit_test(a_table_may_have_another_format_than_its_unit),
		cmocka_unit_test(entries_of_dwarf_5_may_be_made_of_anything),
		cmocka_unit_test(a_relative_directory_is_the_units_when_it_is_its_own),
		cmocka_unit_test(a_path_too_long_is_cut_and_that_is_told),
		cmocka_unit_test(a_header_that_cannot_be_says_why),
		cmocka_unit_test(a_line_table_that_is_not_there_is_an_error),
		cmocka_unit_test(entries_without_bytes_do_not_become_many),
		cmocka_unit_test(a_name_that_is_no_string_is_a_fault_and_the_names_before_it_stay),
		cmocka_unit_test(an_address_size_that_cannot_be_does_no_harm),
		cmocka_unit_test(where_four_bytes_are_left_they_say_where_names_are),
		cmocka_unit_test(rows_of_zeros_are_a_fault_and_the_names_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
