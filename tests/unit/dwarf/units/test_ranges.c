#include "unit_test.h"

#include "dwarf/units/ranges.h"
#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

// A list of a unit with low_pc 0x1000, which the test writes entry by entry.
static struct dwarf_builder *list_begin(struct dwarf_format format)
{
	struct dwarf_builder *dw = dwarf_begin(format);

	dw_addr(dw, DW_AT_low_pc, 0x1000);
	if (format.version >= 5) {
		dw_addr_base(dw);
		dw_addr_index(dw, 0x5000); // index 0
		dw_addr_index(dw, 0x6000); // index 1
	}
	dw_range_list_begin(dw, "another");
	dw_fill(dw, 0, 2u * format.addr_size);
	dw_range_list_end(dw);
	dw_range_list_begin(dw, "list");
	return dw;
}

// Reads the list up to its end or a fault; returns how many ranges there were.
static uint32_t read_list(struct dwarf_fixture *fixture, const struct ic_value *value,
			  struct ic_range *ranges, struct ic_error *err)
{
	struct ic_range_list list;
	uint32_t count = 0;

	err->message[0] = 0;
	assert_true(ic_unit_read_root(fixture->unit, &fixture->table, &fixture->problems, err));
	if (!ic_range_list_open(&list, value, fixture->unit, err))
		return 0;
	while (count < 16 && ic_range_list_next(&list, &ranges[count]))
		count++;
	(void)!ic_range_list_ok(&list, err);
	return count;
}

static void check_list(struct dwarf_builder *dw, struct dwarf_format format,
		       const struct ic_range *wanted, uint32_t wanted_count, const char *message)
{
	struct ic_range ranges[16];
	struct dwarf_fixture fixture;
	struct ic_error err;

	dw_range_list_end(dw);
	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, format.big_endian, &dwarf_keep_all);
	const struct ic_value value = { .form = DW_FORM_sec_offset,
					.class = IC_FORM_CLASS_OFFSET,
					.number = dw_label_off(dw, "list") };
	uint32_t count = read_list(&fixture, &value, ranges, &err);
	assert_string_equal(err.message, message);
	assert_int_equal(count, wanted_count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(ranges[i].start, wanted[i].start);
		assert_int_equal(ranges[i].end, wanted[i].end);
	}
	dwarf_fixture_close(&fixture);
}

TEST(pairs_count_from_the_unit_or_from_the_base_selected_last)
{
	const struct ic_range wanted[] = {
		{ 0x1010, 0x1020 }, { 0x1030, 0x1030 }, { 0x8001, 0x8002 }, { 0x40, 0x50 }
	};

	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		if (format.version >= 5)
			continue;
		struct dwarf_builder *dw = list_begin(format);
		dw_range_pair(dw, 0x10, 0x20);
		dw_range_pair(dw, 0x30, 0x30); // an empty range is no end
		dw_range_base(dw, 0x8000);
		dw_range_pair(dw, 1, 2);
		dw_range_base(dw, 0);
		dw_range_pair(dw, 0x40, 0x50);
		dw_range_pair(dw, 0, 0);
		dw_range_pair(dw, 7, 8); // no longer the list's
		check_list(dw, format, wanted, COUNT_OF(wanted), "");
	}
}

TEST(every_kind_of_entry_of_dwarf_5_is_read)
{
	const struct ic_range wanted[] = { { 0x1010, 0x1020 }, { 0x5000, 0x6000 },
					   { 0x6000, 0x6080 }, { 0x6001, 0x6100 },
					   { 0x7001, 0x7002 }, { 0x111, 0x222 },
					   { 0x333, 0x433 },   { 0x444, 0x444 } };

	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		if (format.version < 5)
			continue;
		struct dwarf_builder *dw = list_begin(format);
		dw_rle(dw, DW_RLE_offset_pair, 0x10, 0x20);
		dw_rle(dw, DW_RLE_startx_endx, 0, 1);
		dw_rle(dw, DW_RLE_startx_length, 1, 0x80);
		dw_rle(dw, DW_RLE_base_addressx, 1, 0);
		dw_rle(dw, DW_RLE_offset_pair, 1, 0x100);
		dw_rle(dw, DW_RLE_base_address, 0x7000, 0);
		dw_rle(dw, DW_RLE_offset_pair, 1, 2);
		dw_rle(dw, DW_RLE_start_end, 0x111, 0x222);
		dw_rle(dw, DW_RLE_start_length, 0x333, 0x100);
		dw_rle(dw, DW_RLE_start_length, 0x444, 0);
		dw_rle(dw, DW_RLE_end_of_list, 0, 0);
		dw_rle(dw, DW_RLE_offset_pair, 1, 2);
		check_list(dw, format, wanted, COUNT_OF(wanted), "");
	}
}

TEST(addresses_of_4_bytes_wrap)
{
	const struct dwarf_format old = { .version = 4, .offset_size = 4, .addr_size = 4 };
	const struct dwarf_format new = { .version = 5, .offset_size = 4, .addr_size = 4 };
	const struct ic_range wanted[] = { { 0x10, 0x20 }, { 0xfffffff8, 4 } };
	struct dwarf_builder *dw = list_begin(old);

	dw_range_base(dw, 0xfffffff0);
	dw_range_pair(dw, 0x20, 0x30);
	dw_range_pair(dw, 8, 0x14);
	dw_range_pair(dw, 0, 0);
	check_list(dw, old, wanted, COUNT_OF(wanted), "");

	dw = list_begin(new);
	dw_rle(dw, DW_RLE_base_address, 0xfffffff0, 0);
	dw_rle(dw, DW_RLE_offset_pair, 0x20, 0x30);
	dw_rle(dw, DW_RLE_start_length, 0xfffffff8, 0xc);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	check_list(dw, new, wanted, COUNT_OF(wanted), "");
}

TEST(of_long_addresses_in_a_file_of_32_bits_the_low_half_counts)
{
	const struct ic_range wanted[] = { { 0x1030, 0x1040 },
					   { 0x80000010, 0x80000020 },
					   { 0x80001001, 0x80001002 },
					   { 0x80002000, 0x80002004 } };

	for (uint16_t version = 4; version <= 5; version++) {
		const struct dwarf_format format = { version, 4, 8, false, DWARF_RELOCS_NONE };
		struct dwarf_builder *dw = list_begin(format);
		struct dwarf_fixture fixture;
		struct ic_range ranges[16];
		struct ic_error err;
		uint32_t count = version == 4 ? 2 : 4;

		if (version == 4) {
			dw_range_pair(dw, 0x30, 0x40);
			dw_range_base(dw, 0xffffffff80000000);
			dw_range_pair(dw, 0x10, 0x20);
			dw_range_pair(dw, 0, 0);
		} else {
			dw_rle(dw, DW_RLE_offset_pair, 0x30, 0x40);
			dw_rle(dw, DW_RLE_base_address, 0xffffffff80000000, 0);
			dw_rle(dw, DW_RLE_offset_pair, 0x10, 0x20);
			dw_rle(dw, DW_RLE_start_end, 0xffffffff80001001, 0xffffffff80001002);
			dw_rle(dw, DW_RLE_start_length, 0xffffffff80002000, 4);
			dw_rle(dw, DW_RLE_end_of_list, 0, 0);
		}
		dw_range_list_end(dw);
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, false, &dwarf_keep_all);
		fixture.dwarf.is_32_bit = true;
		const struct ic_value value = { .form = DW_FORM_sec_offset,
						.class = IC_FORM_CLASS_OFFSET,
						.number = dw_label_off(dw, "list") };
		assert_int_equal(read_list(&fixture, &value, ranges, &err), count);
		assert_memory_equal(ranges, wanted, count * sizeof(*wanted));
		dwarf_fixture_close(&fixture);
	}
}

TEST(a_list_by_number_is_found_through_the_table_of_offsets)
{
	for (int i = 0; i < 4; i++) {
		struct dwarf_builder *dw =
			dwarf_begin((struct dwarf_format){ .version = 5,
							   .offset_size = i & 2 ? 8 : 4,
							   .addr_size = 8,
							   .big_endian = i & 1 });
		struct dwarf_fixture fixture;
		struct ic_range ranges[16];
		struct ic_value value = { .form = DW_FORM_rnglistx,
					  .class = IC_FORM_CLASS_INDEX,
					  .number = 1 };
		struct ic_error err;

		dw_rangesx(dw, DW_RANGES({ 0x10, 0x20 }));
		dw_rangesx(dw, DW_RANGES({ 0x30, 0x40 }, { 0x50, 0x60 }));
		if (i & 1)
			dw_rnglists_base(dw); // without it, it is after the first header
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, i & 1, &dwarf_keep_all);
		assert_int_equal(read_list(&fixture, &value, ranges, &err), 2);
		assert_string_equal(err.message, "");
		assert_int_equal(ranges[1].start, 0x50);
		value.number = UINT64_MAX / 4;
		assert_int_equal(read_list(&fixture, &value, ranges, &err), 0);
		assert_string_equal(
			err.message,
			".debug_rnglists+0xffffffffffffffff: offset is beyond the end of "
			"the section");
		uint64_t at = fixture.unit->root.rnglists_base + fixture.unit->offset_size;
		memset((uint8_t *)fixture.dwarf.rnglists.data + at, 0, fixture.unit->offset_size);
		value.number = 1;
		assert_int_equal(read_list(&fixture, &value, ranges, &err), 0);
		assert_non_null(strstr(err.message, "points into the offset table"));
		dwarf_fixture_close(&fixture);
	}
}

TEST(a_base_that_an_entry_selected_is_told_from_the_units)
{
	const struct dwarf_format format = { .version = 4, .offset_size = 4, .addr_size = 8 };
	struct dwarf_builder *dw = list_begin(format);
	struct dwarf_fixture fixture;
	struct ic_range_list list;
	struct ic_range range;
	struct ic_error err;

	dw_range_pair(dw, 1, 2);
	dw_range_base(dw, UINT64_MAX);
	dw_range_pair(dw, 1, 2);
	dw_range_pair(dw, 0, 0);
	dw_range_list_end(dw);
	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &dwarf_keep_all);
	const struct ic_value value = { .form = DW_FORM_data4,
					.class = IC_FORM_CLASS_CONSTANT,
					.number = dw_label_off(dw, "list") };
	assert_true(ic_unit_read_root(fixture.unit, &fixture.table, &fixture.problems, &err));
	assert_true(ic_range_list_open(&list, &value, fixture.unit, &err));
	assert_true(ic_range_list_next(&list, &range));
	assert_false(list.base_selected);
	assert_true(ic_range_list_next(&list, &range));
	assert_true(list.base_selected);
	assert_true(list.base == UINT64_MAX);
	assert_false(ic_range_list_next(&list, &range));
	assert_true(ic_range_list_ok(&list, &err));
	dwarf_fixture_close(&fixture);
}

TEST(a_list_without_an_end_is_a_fault_and_keeps_what_came_before)
{
	const struct dwarf_format old = { .version = 4, .offset_size = 4, .addr_size = 8 };
	const struct dwarf_format new = { .version = 5, .offset_size = 4, .addr_size = 8 };
	const struct ic_range wanted[] = { { 0x1001, 0x1002 } };
	struct dwarf_builder *dw = list_begin(old);

	dw_range_pair(dw, 1, 2);
	check_list(dw, old, wanted, 1, ".debug_ranges+0x20: unexpected end of data");
	dw = list_begin(old);
	dw_range_pair(dw, 1, 2);
	dw_uint(dw, 3, 8);
	check_list(dw, old, wanted, 1, ".debug_ranges+0x28: unexpected end of data");
	dw = list_begin(new);
	dw_rle(dw, DW_RLE_offset_pair, 1, 2);
	check_list(dw, new, wanted, 1, ".debug_rnglists+0x1f: unexpected end of data");
	dw = list_begin(new);
	dw_rle(dw, DW_RLE_offset_pair, 1, 2);
	dw_u8(dw, DW_RLE_start_end);
	dw_u32(dw, 0);
	check_list(dw, new, wanted, 1, ".debug_rnglists+0x20: unexpected end of data");
}

TEST(an_entry_that_cannot_be_is_a_fault)
{
	const struct dwarf_format format = { .version = 5, .offset_size = 4, .addr_size = 8 };
	struct dwarf_builder *dw = list_begin(format);

	dw_rle(dw, 8, 0, 0);
	check_list(dw, format, NULL, 0, ".debug_rnglists+0x1d: unknown range list entry kind");
	dw = list_begin(format);
	dw_rle(dw, DW_RLE_startx_length, 2, 1);
	check_list(dw, format, NULL, 0,
		   ".debug_rnglists+0x1e: address index is beyond the end of .debug_addr");
	dw = list_begin(format);
	dw_rle(dw, DW_RLE_base_addressx, UINT64_MAX, 1);
	dw_rle(dw, DW_RLE_offset_pair, 1, 2);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	check_list(dw, format, NULL, 0,
		   ".debug_rnglists+0x27: address index is beyond the end of .debug_addr");
}

TEST(a_list_that_is_not_there_is_an_error)
{
	const struct dwarf_format format = { .version = 4, .offset_size = 4, .addr_size = 8 };
	struct dwarf_builder *dw = list_begin(format);
	struct dwarf_fixture fixture;
	struct ic_range ranges[16];
	struct ic_error err;
	struct ic_value value = { .form = DW_FORM_sec_offset,
				  .class = IC_FORM_CLASS_OFFSET,
				  .number = 0x7777 };

	dw_range_pair(dw, 0, 0);
	dw_range_list_end(dw);
	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &dwarf_keep_all);
	assert_int_equal(read_list(&fixture, &value, ranges, &err), 0);
	assert_string_equal(err.message,
			    ".debug_ranges+0x7777: offset is beyond the end of the section");
	value.class = IC_FORM_CLASS_BLOCK;
	value.form = DW_FORM_block1;
	assert_int_equal(read_list(&fixture, &value, ranges, &err), 0);
	assert_string_equal(err.message, "unexpected form 0xa for a section offset");
	dwarf_fixture_close(&fixture);
}

TEST(lists_of_a_split_unit_count_from_its_base)
{
	for (uint16_t version = 4; version <= 5; version++) {
		const struct dwarf_format format = { .version = version,
						     .offset_size = 4,
						     .addr_size = 8 };
		struct dwarf_builder *dw = list_begin(format);
		struct ic_range ranges[16];
		struct dwarf_fixture fixture;
		struct ic_error err;

		if (version >= 5) {
			dw_rle(dw, DW_RLE_offset_pair, 0x10, 0x20);
			dw_rle(dw, DW_RLE_end_of_list, 0, 0);
		} else {
			dw_range_pair(dw, 0x10, 0x20);
			dw_range_pair(dw, 0, 0);
		}
		dw_range_list_end(dw);
		dwarf_end(dw);
		dwarf_fixture_open(&fixture, dw, false, &dwarf_keep_all);
		assert_true(
			ic_unit_read_root(fixture.unit, &fixture.table, &fixture.problems, &err));
		fixture.unit->root.lists_base = dw_label_off(dw, "list") - 3;
		struct ic_value value = { .form = DW_FORM_sec_offset,
					  .class = IC_FORM_CLASS_OFFSET,
					  .number = 3 };
		assert_int_equal(read_list(&fixture, &value, ranges, &err), 1);
		assert_int_equal(ranges[0].start, 0x1010);
		value.number = UINT64_MAX; // which must not wrap
		assert_int_equal(read_list(&fixture, &value, ranges, &err), 0);
		assert_non_null(strstr(err.message, "offset is beyond the end of the section"));
		dwarf_fixture_close(&fixture);
	}
}

UNIT_TESTS(dwarf_units_ranges)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_count_from_the_unit_or_from_the_base_selected_last),
		cmocka_unit_test(every_kind_of_entry_of_dwarf_5_is_read),
		cmocka_unit_test(addresses_of_4_bytes_wrap),
		cmocka_unit_test(of_long_addresses_in_a_file_of_32_bits_the_low_half_counts),
		cmocka_unit_test(a_list_by_number_is_found_through_the_table_of_offsets),
		cmocka_unit_test(a_base_that_an_entry_selected_is_told_from_the_units),
		cmocka_unit_test(a_list_without_an_end_is_a_fault_and_keeps_what_came_before),
		cmocka_unit_test(an_entry_that_cannot_be_is_a_fault),
		cmocka_unit_test(a_list_that_is_not_there_is_an_error),
		cmocka_unit_test(lists_of_a_split_unit_count_from_its_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
