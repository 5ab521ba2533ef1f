#include "unit_test.h"

#include "dwarf/units/form.h"
#include "dwarf/units/package.h"
#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

static void write_unit(struct dwarf_builder *dw, struct dw_unit unit)
{
	dw_unit_begin_with(dw, unit);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_string(dw, DW_AT_name, "unit");
	dw_die_end(dw);
	dw_unit_end(dw);
}

TEST(headers_of_all_formats_are_read)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = dwarf_builder_new(format);
		struct ic_unit_list list = { 0 };
		struct ic_error err;

		write_unit(dw, (struct dw_unit){ .type = DW_UT_compile, .label = "first" });
		write_unit(dw, (struct dw_unit){ .type = DW_UT_partial, .label = "second" });
		struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
		assert_true(ic_unit_list_parse(&list, &dwarf, &err));
		assert_int_equal(list.units.count, 2);
		const struct ic_unit *first = &list.units.items[0], *second = first + 1;
		uint64_t length_size = format.offset_size == 8 ? 12 : 4;
		uint64_t size = length_size + 2 + 1 + format.offset_size + (format.version >= 5);
		assert_int_equal(first->off, 0);
		assert_int_equal(first->die_off, size);
		assert_int_equal(first->end_off, size + 6);
		assert_int_equal(second->off, first->end_off);
		assert_int_equal(second->end_off, dwarf.info.size);
		assert_int_equal(second->version, format.version);
		assert_int_equal(second->addr_size, format.addr_size);
		assert_int_equal(second->offset_size, format.offset_size);
		assert_int_equal(second->type, format.version >= 5 ? DW_UT_partial : DW_UT_compile);
		assert_true(second->abbrev_off > first->abbrev_off);
		assert_true(ic_unit_check(first, &err));
		IC_ARRAY_FREE(&list.units);
		dwarf_builder_free(dw);
	}
}

TEST(the_types_of_units_have_headers_of_their_own_sizes)
{
	const struct {
		uint8_t type, more; // bytes beyond a compile unit's
	} types[] = { { DW_UT_compile, 0 },  { DW_UT_type, 12 },         { DW_UT_partial, 0 },
		      { DW_UT_skeleton, 8 }, { DW_UT_split_compile, 8 }, { DW_UT_split_type, 12 } };
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 5, .offset_size = 4, .addr_size = 8 });
	struct ic_unit_list list = { 0 };
	struct ic_error err;

	for (size_t i = 0; i < COUNT_OF(types); i++)
		write_unit(dw, (struct dw_unit){ .type = types[i].type, .id = 0x1122 });
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	assert_true(ic_unit_list_parse(&list, &dwarf, &err));
	assert_int_equal(list.units.count, COUNT_OF(types));
	for (uint32_t i = 0; i < list.units.count; i++) {
		const struct ic_unit *unit = &list.units.items[i];
		assert_int_equal(unit->type, types[i].type);
		assert_int_equal(unit->die_off - unit->off, 12 + types[i].more);
		assert_int_equal(unit->end_off - unit->die_off, 6);
	}
	IC_ARRAY_FREE(&list.units);
	dwarf_builder_free(dw);
}

TEST(units_of_different_formats_may_follow_each_other)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 5, .offset_size = 4, .addr_size = 8 });
	struct ic_unit_list list = { 0 };
	struct ic_error err;

	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i += 2) {
		struct dwarf_format format = dwarf_format_number(i);
		write_unit(dw, (struct dw_unit){ .type = DW_UT_compile,
						 .version = format.version,
						 .offset_size = format.offset_size,
						 .addr_size = format.addr_size });
	}
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	assert_true(ic_unit_list_parse(&list, &dwarf, &err));
	assert_int_equal(list.units.count, DWARF_FORMAT_COUNT / 2);
	for (uint32_t i = 0; i < list.units.count; i++) {
		struct dwarf_format format = dwarf_format_number(i * 2);
		assert_int_equal(list.units.items[i].version, format.version);
		assert_int_equal(list.units.items[i].offset_size, format.offset_size);
		assert_int_equal(list.units.items[i].addr_size, format.addr_size);
	}
	IC_ARRAY_FREE(&list.units);
	dwarf_builder_free(dw);
}

// Two units, the second with a fault in its header: the first stays.
static void check_bad_second(struct dw_unit unit, uint8_t offset_size, const char *wanted)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = offset_size, .addr_size = 8 });
	struct ic_unit_list list = { 0 };
	struct ic_error err = { .message = "" };

	write_unit(dw, (struct dw_unit){ .type = DW_UT_compile });
	unit.type = DW_UT_compile;
	write_unit(dw, unit);
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	assert_false(ic_unit_list_parse(&list, &dwarf, &err));
	assert_error(&err, IC_ERROR_MALFORMED, wanted);
	assert_int_equal(list.units.count, 1);
	assert_int_equal(list.units.items[0].version, 4);
	IC_ARRAY_FREE(&list.units);
	dwarf_builder_free(dw);
}

TEST(a_length_that_cannot_be_ends_the_list_and_keeps_the_units_before_it)
{
	check_bad_second((struct dw_unit){ .bad_length = DW_BAD(1000) }, 4,
			 ".debug_info+0x15: length extends beyond the end of the section");
	check_bad_second((struct dw_unit){ .bad_length = DW_BAD(UINT64_MAX) }, 8,
			 ".debug_info+0x29: length extends beyond the end of the section");
	check_bad_second((struct dw_unit){ .bad_length = DW_BAD(0xfffffff5) }, 4,
			 ".debug_info+0x15: reserved initial length");
}

// The start of the next unit is known, even if it lies within this one.
TEST(a_unit_shorter_than_its_header_is_left_out_alone)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });
	struct ic_unit_list list = { 0 };
	struct ic_error err;

	write_unit(dw, (struct dw_unit){ .type = DW_UT_compile });
	dw_section_begin(dw, ".debug_info");
	for (int i = 0; i < 3; i++)
		dw_u32(dw, 0); // padding
	dw_u32(dw, 2);
	dw_u16(dw, 4); // a version, and no more
	dw_section_end(dw);
	write_unit(dw, (struct dw_unit){ .type = DW_UT_compile });
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	assert_true(ic_unit_list_parse(&list, &dwarf, &err));
	assert_int_equal(list.units.count, 2);
	assert_int_equal(list.cut_count, 4);
	assert_int_equal(list.first_cut_off, list.units.items[0].end_off);
	IC_ARRAY_FREE(&list.units);
	dwarf_builder_free(dw);
}

TEST(a_section_that_ends_within_a_header_says_so)
{
	struct ic_dwarf dwarf = { .info = BYTES(8, 0, 0), .info_name = ".debug_info" };
	struct ic_unit_list list = { 0 };
	struct ic_error err;

	assert_false(ic_unit_list_parse(&list, &dwarf, &err));
	assert_fault(&err, ".debug_info", 0, ".debug_info+0x0: unexpected end of data");
	assert_int_equal(list.units.count, 0);
	dwarf.info = (struct ic_bytes){ NULL, 0 };
	assert_true(ic_unit_list_parse(&list, &dwarf, &err));
	assert_int_equal(list.units.count, 0);
	IC_ARRAY_FREE(&list.units);
}

TEST(a_unit_that_we_do_not_read_says_why)
{
	const struct ic_dwarf dwarf = { .info_name = ".debug_info" };
	struct ic_unit unit = {
		.dwarf = &dwarf, .off = 0x40, .end_off = 0x80, .addr_size = 8, .offset_size = 4
	};
	struct ic_error err;

	for (uint16_t version = 2; version <= 5; version++) {
		unit.version = version;
		assert_true(ic_unit_check(&unit, &err));
	}
	unit.version = 1;
	assert_false(ic_unit_check(&unit, &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED, ".debug_info+0x40: unsupported DWARF version 1");
	unit.version = 6;
	assert_false(ic_unit_check(&unit, &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED, ".debug_info+0x40: unsupported DWARF version 6");
	unit.version = 5;
	unit.addr_size = 4;
	assert_true(ic_unit_check(&unit, &err));
	unit.addr_size = 2;
	assert_false(ic_unit_check(&unit, &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED,
		     ".debug_info+0x40: unsupported address size: 2 bytes");
	unit.addr_size = 8;
	unit.end_off = unit.off + UINT32_MAX + 1ull;
	assert_false(ic_unit_check(&unit, &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED, ".debug_info+0x40: unit is larger than 4 GiB");
}

TEST(the_unit_of_an_entry_is_found_and_that_of_a_header_is_not)
{
	const struct ic_dwarf first = { 0 }, second = { .info_base = 50 };
	struct ic_unit units[] = { { .dwarf = &first, .off = 0, .die_off = 11, .end_off = 20 },
				   { .dwarf = &first, .off = 20, .die_off = 32, .end_off = 50 },
				   { .dwarf = &second, .off = 0, .die_off = 11, .end_off = 12 } };
	const struct ic_unit_list list = { .units = { units, 3, 3, NULL } };

	for (uint64_t off = 0; off < 70; off++) {
		const struct ic_unit *wanted = NULL;
		for (int i = 0; i < 3; i++)
			if (off >= units[i].dwarf->info_base + units[i].die_off &&
			    off < units[i].dwarf->info_base + units[i].end_off)
				wanted = &units[i];
		assert_ptr_equal(ic_unit_list_find(&list, off), wanted);
	}
	assert_null(ic_unit_list_find(&list, UINT64_MAX));
	assert_null(ic_unit_list_find(&(struct ic_unit_list){ 0 }, 0));
}

TEST(a_cursor_of_a_unit_stays_within_it)
{
	const struct ic_dwarf dwarf = { .info = BYTES(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
					.info_name = ".debug_info" };
	const struct ic_unit unit = { .dwarf = &dwarf, .off = 2, .die_off = 4, .end_off = 7 };
	struct ic_error err;

	struct ic_cursor cur = ic_unit_cursor(&unit, 5);
	assert_int_equal(ic_cursor_u8(&cur), 5);
	assert_int_equal(ic_cursor_u8(&cur), 6);
	assert_false(ic_cursor_more(&cur));
	const uint64_t outside[] = { 0, 2, 3, 7, 8, UINT64_MAX };
	for (size_t i = 0; i < COUNT_OF(outside); i++) {
		cur = ic_unit_cursor(&unit, outside[i]);
		assert_int_equal(ic_cursor_u8(&cur), 0);
		assert_false(ic_cursor_ok(&cur, &err));
		assert_error(&err, IC_ERROR_MALFORMED, ".debug_info+0x7: unexpected end of data");
	}
}

TEST(units_of_debug_types_are_type_units)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 8, .addr_size = 8 });
	struct ic_unit_list list = { 0 };
	struct ic_error err;

	dw_unit_begin_with(
		dw,
		(struct dw_unit){ .type = DW_UT_type, .id = 0x1122334455667788, .type_die = "t" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_label(dw, "t");
	dw_die_begin(dw, DW_TAG_class_type);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	struct bytes types = dw_section(dw, ".debug_types");
	dwarf.info = (struct ic_bytes){ types.data, types.size };
	dwarf.is_types = true;
	assert_true(ic_unit_list_parse(&list, &dwarf, &err));
	const struct ic_unit *unit = &list.units.items[0];
	assert_int_equal(unit->type, DW_UT_type);
	assert_int_equal(unit->id, 0x1122334455667788);
	assert_int_equal(unit->type_off, dw_label_off(dw, "t"));
	assert_true(unit->is_passive);
	assert_int_equal(unit->die_off, 12 + 2 + 8 + 1 + 8 + 8);
	IC_ARRAY_FREE(&list.units);
	dwarf_builder_free(dw);
}

TEST(a_unit_of_a_package_takes_what_its_row_says)
{
	struct ic_package_row rows[] = {
		{ .id = 5, .abbrev_off = 0x100, .str_offsets_off = 0x200, .rnglists_off = 0x300 }
	};
	const struct ic_package package = { .in_info = { rows, 1, 1, NULL } };

	for (uint16_t version = 4; version <= 5; version++) {
		struct dwarf_builder *dw = dwarf_builder_new((struct dwarf_format){
			.version = version, .offset_size = 4, .addr_size = 8 });
		struct ic_unit_list list = { 0 };
		struct ic_error err;

		write_unit(dw, (struct dw_unit){ .type = DW_UT_split_compile, .id = 77 });
		write_unit(dw, (struct dw_unit){
				       .type = DW_UT_split_compile, .id = 78, .label = "outside" });
		struct ic_dwarf dwarf = dwarf_of(dw, false);
		dwarf.package = &package;
		rows[0].info_size = (uint32_t)dw_label_off(dw, "outside");
		assert_true(ic_unit_list_parse(&list, &dwarf, &err));
		const struct ic_unit *unit = &list.units.items[0];
		assert_int_equal(unit->abbrev_off, 0x100);
		assert_int_equal(unit->str_offsets_part, 0x200);
		assert_int_equal(unit->rnglists_part, 0x300);
		assert_int_equal(unit->id, version < 5 ? 5 : 77); // its header's comes first
		assert_int_equal(unit[1].str_offsets_part, 0);
		assert_int_equal(unit[1].id, version < 5 ? 0 : 78);
		list.units.count = 0;
		rows[0].info_size = (uint32_t)dwarf.info.size; // of both
		assert_true(ic_unit_list_parse(&list, &dwarf, &err));
		unit = list.units.items;
		assert_int_equal(unit[1].str_offsets_part, 0x200);
		assert_int_equal(unit[0].id, version < 5 ? 5 : 77);
		assert_int_equal(unit[1].id, version < 5 ? 0 : 78);
		IC_ARRAY_FREE(&list.units);
		dwarf_builder_free(dw);
	}
}

TEST(what_is_referred_to_is_numbered_among_the_entries_of_all_files)
{
	static const uint8_t entries[0x40], strings[] = "first\0second";
	const struct ic_dwarf other = { .info = { entries, sizeof(entries) },
					.info_base = 0x5000,
					.info_name = ".debug_info",
					.str = { strings, sizeof(strings) },
					.is_supplementary = true };
	const struct ic_dwarf own = { .info = { entries, sizeof(entries) },
				      .info_base = 0x1000,
				      .info_name = ".debug_info",
				      .supplementary = &other };
	const struct ic_unit unit = {
		.dwarf = &own, .off = 0x10, .die_off = 0x1b, .end_off = 0x40
	};
	const struct {
		uint16_t form;
		uint64_t wanted;
	} cases[] = { { DW_FORM_ref4, 0x1030 },
		      { DW_FORM_ref_addr, 0x1020 },
		      { DW_FORM_GNU_ref_alt, 0x5020 },
		      { DW_FORM_ref_sup4, 0x5020 },
		      { DW_FORM_ref_sup8, 0x5020 } };
	struct ic_error err = { .message = "" };
	const char *text;
	uint64_t off;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct ic_value value = { .form = cases[i].form,
						.class = ic_form_info(cases[i].form)->class,
						.number = 0x20 };
		assert_true(ic_value_reference(&value, &unit, &off, &err));
		assert_int_equal(off, cases[i].wanted);
	}
	struct ic_value value = { .form = DW_FORM_GNU_ref_alt, .number = 0x40 };
	assert_false(ic_value_reference(&value, &unit, &off, &err));
	assert_string_equal(err.message,
			    ".debug_info (supplementary)+0x40: reference points outside all units");
	for (int i = 0; i < 2; i++) {
		value.form = i ? DW_FORM_strp_sup : DW_FORM_GNU_strp_alt;
		value.number = 6;
		assert_true(ic_value_string(&value, &unit, &text, &err));
		assert_string_equal(text, "second");
		value.number = sizeof(strings);
		assert_false(ic_value_string(&value, &unit, &text, &err));
		assert_non_null(
			strstr(err.message, ".debug_str (supplementary)+0xd: string offset"));
	}
}

TEST(a_type_unit_refers_to_no_other_unit)
{
	const struct ic_dwarf types = { .info = BYTES(0, 1, 2, 3), .is_types = true };
	const struct ic_unit unit = { .dwarf = &types, .end_off = 4 };
	const struct ic_value value = { .form = DW_FORM_ref_addr,
					.class = IC_FORM_CLASS_REFERENCE };
	struct ic_error err;
	uint64_t off;

	assert_false(ic_value_reference(&value, &unit, &off, &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED,
		     "a unit in .debug_types refers to a DIE in another section");
}

TEST(one_unit_is_listed_by_the_offset_of_its_header)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = dwarf_builder_new(format);
		struct ic_unit_list all = { 0 }, one = { 0 };
		struct ic_error err;

		for (int j = 0; j < 3; j++)
			write_unit(dw, (struct dw_unit){ .type = DW_UT_compile });
		struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
		assert_true(ic_unit_list_parse(&all, &dwarf, &err));
		assert_true(ic_unit_list_parse_one(&one, &dwarf, all.units.items[1].off, &err));
		assert_int_equal(one.units.count, 1);
		assert_memory_equal(one.units.items, &all.units.items[1], sizeof(struct ic_unit));
		assert_true(ic_unit_list_parse_one(&one, &dwarf, all.units.items[0].off, &err));
		assert_int_equal(one.units.count, 2); // after the others
		assert_int_equal(one.units.items[1].off, 0);
		IC_ARRAY_FREE(&all.units);
		IC_ARRAY_FREE(&one.units);
		dwarf_builder_free(dw);
	}
}

TEST(where_there_is_nothing_else_line_tables_are_units)
{
	static const uint8_t bytes[] = { 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1 };
	const struct ic_dwarf dwarf = { .info = { bytes, sizeof(bytes) },
					.info_name = ".debug_line",
					.is_32_bit = true,
					.swap = SWAP_LITTLE };
	struct ic_unit_list list = { .cut_count = 0 };
	struct ic_error err;

	assert_false(ic_unit_list_parse_lines(&list, &dwarf, &err));
	assert_fault(&err, ".debug_line", 14,
		     ".debug_line+0xe: length extends beyond the end of the section");
	assert_int_equal(list.units.count, 2); // and the one of no bytes
	const struct ic_unit *units = list.units.items;
	assert_int_equal(units[0].root.line_off, 0);
	assert_int_equal(units[1].root.line_off, 6);
	assert_int_equal(units[0].end_off, 6);
	assert_int_equal(units[0].addr_size, 4);
	assert_true(units[1].root.has_stmt_list);
	assert_int_equal(units[1].die_off, units[1].end_off); // it has no DIEs
	assert_true(ic_unit_check(&units[1], &err));
	IC_ARRAY_FREE(&list.units);
}

static void check_none(const struct ic_dwarf *dwarf, uint64_t off, const char *message)
{
	struct ic_unit_list list = { 0 };
	struct ic_error err = { .message = "" };

	assert_false(ic_unit_list_parse_one(&list, dwarf, off, &err));
	assert_string_equal(err.message, message);
	assert_int_equal(list.units.count, 0);
	IC_ARRAY_FREE(&list.units);
}

TEST(where_there_is_no_unit_none_is_listed)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });

	write_unit(dw, (struct dw_unit){ .type = DW_UT_compile });
	dw_section_begin(dw, ".debug_info");
	dw_u32(dw, 3); // shorter than a header
	dw_fill(dw, 0, 3);
	dw_u32(dw, 0x1000);
	dw_section_end(dw);
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	uint64_t size = dwarf.info.size;
	check_none(&dwarf, size - 11, ".debug_info+0x11: unit is shorter than its header");
	check_none(&dwarf, size - 4,
		   ".debug_info+0x1c: length extends beyond the end of the section");
	check_none(&dwarf, size - 2, ".debug_info+0x1a: unexpected end of data");
	check_none(&dwarf, size, ".debug_info+0x1c: offset is beyond the end of the section");
	check_none(&dwarf, UINT64_MAX,
		   ".debug_info+0xffffffffffffffff: offset is beyond the end of the section");
	dwarf.info = (struct ic_bytes){ NULL, 0 };
	check_none(&dwarf, 0, ".debug_info+0x0: the section is missing or empty");
	dwarf_builder_free(dw);
}

// Units with only a header, or of an unknown version or address size.
TEST(a_section_ends_after_too_many_units_that_cannot_be_read)
{
	static const uint8_t units[][12] = {
		{ 7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8 },    { 8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 0 },
		{ 8, 0, 0, 0, 9, 0, 0, 0, 0, 0, 8, 1 }, { 8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 3, 1 },
		{ 8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1 }, // which can be read, for all we know
	};

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		enum { COUNT = IC_UNIT_MOST_UNREADABLE + 1 };
		struct ic_unit_list list = { 0 };
		struct ic_error err = { .message = "" };
		uint8_t bytes[12 * COUNT];
		size_t size = 4u + units[i][0];
		bool is_readable = i + 1 == COUNT_OF(units);

		for (size_t j = 0; j < COUNT; j++)
			memcpy(bytes + j * size, units[i], size);
		const struct ic_dwarf dwarf = { .info = { bytes, COUNT * size },
						.info_name = ".debug_info",
						.swap = IC_HOST_IS_BIG_ENDIAN };
		assert_int_equal(ic_unit_list_parse(&list, &dwarf, &err), is_readable);
		assert_int_equal(list.units.count, COUNT - !is_readable);
		if (!is_readable)
			assert_non_null(
				strstr(err.message, ": gave up after 1024 unreadable units"));
		IC_ARRAY_FREE(&list.units);
	}
}

UNIT_TESTS(dwarf_units_unit)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_of_all_formats_are_read),
		cmocka_unit_test(the_types_of_units_have_headers_of_their_own_sizes),
		cmocka_unit_test(units_of_different_formats_may_follow_each_other),
		cmocka_unit_test(
			a_length_that_cannot_be_ends_the_list_and_keeps_the_units_before_it),
		cmocka_unit_test(a_unit_shorter_than_its_header_is_left_out_alone),
		cmocka_unit_test(a_section_that_ends_within_a_header_says_so),
		cmocka_unit_test(a_unit_that_we_do_not_read_says_why),
		cmocka_unit_test(the_unit_of_an_entry_is_found_and_that_of_a_header_is_not),
		cmocka_unit_test(a_cursor_of_a_unit_stays_within_it),
		cmocka_unit_test(units_of_debug_types_are_type_units),
		cmocka_unit_test(a_unit_of_a_package_takes_what_its_row_says),
		cmocka_unit_test(what_is_referred_to_is_numbered_among_the_entries_of_all_files),
		cmocka_unit_test(a_type_unit_refers_to_no_other_unit),
		cmocka_unit_test(one_unit_is_listed_by_the_offset_of_its_header),
		cmocka_unit_test(where_there_is_nothing_else_line_tables_are_units),
		cmocka_unit_test(where_there_is_no_unit_none_is_listed),
		cmocka_unit_test(a_section_ends_after_too_many_units_that_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
