#include "dwarf/locations.h"

#include "unit_test.h"

#include <stdio.h>

#include "dwarf_constants.h"

// Entries of .debug_loc.dwo (GCC's "Fission").
enum { GNU_END, GNU_BASE_ADDRESS, GNU_START_END, GNU_START_LENGTH, GNU_OFFSET_PAIR };

struct of_unit { // the unit of a list
	struct ic_dwarf dwarf;
	struct ic_unit unit;
	struct ic_location_sections sections;
};

static void unit_of(struct of_unit *of, uint16_t version, bool is_split, struct ic_bytes lists)
{
	*of = (struct of_unit){ .dwarf = { .is_split = is_split, .swap = SWAP_LITTLE },
				.unit = { .version = version, .addr_size = 4, .offset_size = 4 } };
	of->unit.dwarf = &of->dwarf;
	if (version >= 5)
		of->sections.loclists = lists;
	else
		of->sections.loc = lists;
}

// Opens the list of an attribute with that form and these bytes.
static bool open_attr(struct ic_locations *locations, const struct of_unit *of, uint16_t form,
		      struct ic_bytes attr, uint64_t base, struct ic_error *err)
{
	const struct ic_attr_spec spec =
		ic_attr_spec_make(DW_AT_location, form, ic_form_size(form, &of->unit), 0);

	return ic_locations_open(locations,
				 ic_cursor_at(attr, ".debug_info", 0, attr.size, SWAP_LITTLE),
				 &spec, &of->unit, &of->sections, base, err);
}

// The operations that the expressions begin with, and an error's message.
static const char *read_all(struct ic_locations *locations)
{
	static char text[4096];
	struct ic_cursor expression;
	struct ic_error err = { .message = "" };
	size_t length = 0;

	text[0] = 0;
	while (ic_locations_next(locations, &expression)) {
		uint64_t size = (uint64_t)(expression.end - expression.pos);
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%02x/%u ",
					   size ? *expression.pos : 0, (unsigned)size);
	}
	if (!ic_locations_ok(locations, &err))
		snprintf(text + length, sizeof(text) - length, "%s", err.message);
	return text;
}

// The list at offset 2.
static const char *read_list(const struct of_unit *of)
{
	static const uint8_t at_2[] = { 2, 0, 0, 0 };
	struct ic_locations locations;
	static struct ic_error err;

	return open_attr(&locations, of, DW_FORM_sec_offset, (struct ic_bytes){ at_2, 4 }, 0, &err)
		       ? read_all(&locations)
		       : err.message;
}

#define CHECK_LIST(wanted, version, is_split, ...)                                          \
	do {                                                                                \
		struct of_unit of;                                                          \
		static const uint8_t bytes[] = { 0xff, 0xff, __VA_ARGS__ };                 \
		unit_of(&of, version, is_split, (struct ic_bytes){ bytes, sizeof(bytes) }); \
		assert_string_equal(read_list(&of), wanted);                                \
	} while (false)

TEST(every_entry_of_dwarf_5_is_passed_over)
{
	CHECK_LIST("50/1 51/1 52/1 53/1 54/1 55/2 ", 5, false, // clang-format off
		   DW_LLE_GNU_view_pair, 0x81, 1, 2,
		   DW_LLE_base_addressx, 0x85, 1,
		   DW_LLE_startx_endx, 0x81, 1, 0x82, 1, 1, 0x50,
		   DW_LLE_startx_length, 1, 0x82, 1, 1, 0x51,
		   DW_LLE_offset_pair, 1, 0x83, 1, 1, 0x52,
		   DW_LLE_default_location, 1, 0x53,
		   DW_LLE_base_address, 9, 9, 9, 9,
		   DW_LLE_start_end, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0x54,
		   DW_LLE_start_length, 1, 0, 0, 0, 0x84, 1, 2, 0x55, 7,
		   DW_LLE_end_of_list, 0x77); // clang-format on
}

TEST(pairs_of_addresses_begin_the_entries_before)
{
	CHECK_LIST("50/1 51/3 ", 4, false, // clang-format off
		   1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0x50,
		   0xff, 0xff, 0xff, 0xff, 0, 0, 1, 0, // a base
		   0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0x51, 1, 2,
		   0, 0, 0, 0, 0, 0, 0, 0, 0x77); // clang-format on
}

TEST(split_units_have_entries_of_their_own_before_dwarf_5)
{
	CHECK_LIST("50/1 51/1 52/2 ", 4, true, // clang-format off
		   GNU_BASE_ADDRESS, 0x81, 1,
		   GNU_START_END, 0x81, 1, 2, 1, 0, 0x50,
		   GNU_START_LENGTH, 0x81, 1, 9, 0, 0, 0, 1, 0, 0x51,
		   GNU_OFFSET_PAIR, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0x52, 7,
		   GNU_END, 0x77); // clang-format on
}

TEST(what_cannot_be_read_ends_the_list_with_a_message_of_its_section)
{
	CHECK_LIST(".debug_loclists+0x3: unknown entry of a location list", 5, false, 10);
	CHECK_LIST(".debug_loclists.dwo+0x3: unknown entry of a location list", 5, true, 10);
	CHECK_LIST(".debug_loc.dwo+0x3: unknown entry of a location list", 4, true, 5);
	CHECK_LIST("50/1 .debug_loclists+0x5: data ends too early", 5, false,
		   DW_LLE_default_location, 1, 0x50);
	CHECK_LIST(".debug_loclists+0x4: data ends too early", 5, false, DW_LLE_default_location, 2,
		   0x50);
	CHECK_LIST(".debug_loc+0x6: data ends too early", 4, false, 1, 0, 0, 0, 2, 0, 0);
}

TEST(an_attribute_that_is_a_block_has_one_expression)
{
	static const struct {
		uint16_t form;
		struct {
			uint8_t data[8];
			size_t size;
		} bytes;
	} attrs[] = {
		{ DW_FORM_exprloc, { { 2, 0x91, 0x10, 0xff }, 4 } },
		{ DW_FORM_block, { { 2, 0x91, 0x10, 0xff }, 4 } },
		{ DW_FORM_block1, { { 2, 0x91, 0x10, 0xff }, 4 } },
		{ DW_FORM_block2, { { 2, 0, 0x91, 0x10, 0xff }, 5 } },
		{ DW_FORM_block4, { { 2, 0, 0, 0, 0x91, 0x10, 0xff }, 7 } },
	};
	struct ic_locations locations;
	struct of_unit of;
	struct ic_error err;

	unit_of(&of, 5, false, (struct ic_bytes){ NULL, 0 });
	for (size_t i = 0; i < COUNT_OF(attrs); i++) {
		struct ic_bytes attr = { attrs[i].bytes.data, attrs[i].bytes.size };
		assert_true(open_attr(&locations, &of, attrs[i].form, attr, 0, &err));
		assert_string_equal(read_all(&locations), "91/2 ");
		attr.size -= 2; // the block has more
		assert_false(open_attr(&locations, &of, attrs[i].form, attr, 0, &err));
	}
}

// The unit's part of a package begins at offset 4: a header, and two offsets from the base at 16.
static const uint8_t package[] = {
	0,
	0,
	0,
	0,
	30,
	0,
	0,
	0,
	5,
	0,
	4,
	0,
	2,
	0,
	0,
	0, // of the section, and the header
	8,
	0,
	0,
	0,
	13,
	0,
	0,
	0, // the offsets
	DW_LLE_default_location,
	2,
	0x91,
	1,
	DW_LLE_end_of_list, //
	DW_LLE_default_location,
	1,
	0x50,
	DW_LLE_end_of_list,
};

TEST(a_list_by_its_number_is_found_from_the_base)
{
	struct ic_locations locations;
	struct of_unit of;
	struct ic_error err;

	unit_of(&of, 5, true, (struct ic_bytes){ package, sizeof(package) });
	assert_true(open_attr(&locations, &of, DW_FORM_loclistx, BYTES(0), 16, &err));
	assert_string_equal(read_all(&locations), "91/2 ");
	assert_true(open_attr(&locations, &of, DW_FORM_loclistx, BYTES(1), 16, &err));
	assert_string_equal(read_all(&locations), "50/1 ");
	assert_false(open_attr(&locations, &of, DW_FORM_loclistx, BYTES(6), 16, &err));
	assert_string_equal(err.message,
			    ".debug_loclists.dwo+0x28: offset is beyond the end of the section");
}

TEST(an_offset_is_counted_from_the_units_part_of_a_package)
{
	struct ic_locations locations;
	struct of_unit of;
	struct ic_error err;

	unit_of(&of, 5, true, (struct ic_bytes){ package, sizeof(package) });
	of.unit.locations_part = 4;
	assert_true(open_attr(&locations, &of, DW_FORM_sec_offset, BYTES(20, 0, 0, 0), 0, &err));
	assert_string_equal(read_all(&locations), "91/2 ");
	of.unit.offset_size = 8;
	assert_false(open_attr(&locations, &of, DW_FORM_sec_offset,
			       BYTES(255, 255, 255, 255, 255, 255, 255, 255), 0, &err));
	assert_false(open_attr(&locations, &of, DW_FORM_string, BYTES(0), 0, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_of_dwarf_5_is_passed_over),
		cmocka_unit_test(pairs_of_addresses_begin_the_entries_before),
		cmocka_unit_test(split_units_have_entries_of_their_own_before_dwarf_5),
		cmocka_unit_test(what_cannot_be_read_ends_the_list_with_a_message_of_its_section),
		cmocka_unit_test(an_attribute_that_is_a_block_has_one_expression),
		cmocka_unit_test(a_list_by_its_number_is_found_from_the_base),
		cmocka_unit_test(an_offset_is_counted_from_the_units_part_of_a_package),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
