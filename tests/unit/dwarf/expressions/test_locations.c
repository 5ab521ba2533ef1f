#include "dwarf/expressions/locations.h"

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "dwarf_constants.h"

// Entries of .debug_loc.dwo (GCC's "Fission").
enum { GNU_END, GNU_BASE_ADDRESS, GNU_START_END, GNU_START_LENGTH, GNU_OFFSET_PAIR };

struct of_unit { // the unit of a list
	struct ic_dwarf dwarf;
	struct ic_unit unit;
	struct ic_location_sections sections;
};

// The base is 0x1000; .debug_addr has 0xa0, 0xb0, 0xc0 and a linker's mark.
static void unit_of(struct of_unit *of, uint16_t version, bool is_split, struct ic_bytes lists)
{
	static const uint8_t addrs[] = { 0xa0, 0, 0, 0, 0xb0, 0,    0,    0,
					 0xc0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff };

	*of = (struct of_unit){
		.dwarf = { .is_split = is_split,
			   .swap = SWAP_LITTLE,
			   .addr = { addrs, sizeof(addrs) } },
		.unit = { .version = version,
			  .addr_size = 4,
			  .offset_size = 4,
			  .root.low_pc = 0x1000 },
	};
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

	const struct ic_location_lists lists = { &of->unit, &of->sections, base };

	return ic_locations_open(locations,
				 ic_cursor_at(attr, ".debug_info", 0, attr.size, SWAP_LITTLE),
				 &spec, &lists, err);
}

// How a location is written here: the operation that its expression begins with and the size of
// that, and what it is for.
static size_t write_entry(char *text, size_t size, const struct ic_location_entry *entry)
{
	const struct ic_cursor *expression = &entry->expression;
	uint64_t expression_size = (uint64_t)(expression->end - expression->pos);
	size_t length = (size_t)snprintf(text, size, "%02x/%u",
					 expression_size ? *expression->pos : 0,
					 (unsigned)expression_size);

	if (entry->has_range)
		length += (size_t)snprintf(text + length, size - length, "@%" PRIx64 "-%" PRIx64,
					   entry->range.start, entry->range.end);
	if (entry->has_views)
		length += (size_t)snprintf(text + length, size - length, "v%" PRIu64 "-%" PRIu64,
					   entry->start_view, entry->end_view);
	return length + (size_t)snprintf(text + length, size - length, "%s%s ",
					 entry->is_default ? ",default" : "",
					 entry->is_dead ? ",dead" : "");
}

// All entries, and an error's message.
static const char *read_all(struct ic_locations *locations)
{
	static char text[4096];
	struct ic_location_entry entry;
	struct ic_error err = { .message = "" };
	size_t length = 0;

	text[0] = 0;
	while (ic_locations_next(locations, &entry))
		length += write_entry(text + length, sizeof(text) - length, &entry);
	if (!ic_locations_ok(locations, &err))
		snprintf(text + length, sizeof(text) - length, "%s", err.message);
	return text;
}

#define HEADER 0xff, 0xff, 0xff, 0, 5, 0, 4, 0, 0, 0, 0, 0 // of 12 bytes

// The list behind the header of a table.
static const char *read_list(const struct of_unit *of)
{
	static const uint8_t at_12[] = { 12, 0, 0, 0 };
	struct ic_locations locations;
	static struct ic_error err;

	return open_attr(&locations, of, DW_FORM_sec_offset, (struct ic_bytes){ at_12, 4 }, 0, &err)
		       ? read_all(&locations)
		       : err.message;
}

#define CHECK_LIST(wanted, version, is_split, ...)                                          \
	do {                                                                                \
		struct of_unit of;                                                          \
		static const uint8_t bytes[] = { HEADER, __VA_ARGS__ };                     \
		unit_of(&of, version, is_split, (struct ic_bytes){ bytes, sizeof(bytes) }); \
		assert_string_equal(read_list(&of), wanted);                                \
	} while (false)

TEST(every_entry_of_dwarf_5_has_its_range)
{
	CHECK_LIST("50/1@b0-c0v257-2 51/1@b0-1b0 52/1@1001-1083 53/1,default "
		   "54/1@1-2 55/2@9090a0a-9090a0b 56/1@1-205 57/1@c1-c2 ", // clang-format off
		   5, false,
		   DW_LLE_GNU_view_pair, 0x81, 2, 2,
		   DW_LLE_startx_endx, 0x81, 0, 2, 1, 0x50,
		   DW_LLE_startx_length, 1, 0x80, 2, 1, 0x51,
		   DW_LLE_offset_pair, 1, 0x83, 1, 1, 0x52,
		   DW_LLE_default_location, 1, 0x53,
		   DW_LLE_base_address, 9, 10, 9, 9,
		   DW_LLE_start_end, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0x54,
		   DW_LLE_offset_pair, 1, 2, 2, 0x55, 7,
		   DW_LLE_start_length, 1, 0, 0, 0, 0x84, 4, 1, 0x56,
		   DW_LLE_base_addressx, 2,
		   DW_LLE_offset_pair, 1, 2, 1, 0x57,
		   DW_LLE_end_of_list, 0x77); // clang-format on
}

TEST(pairs_of_offsets_begin_the_entries_before)
{
	CHECK_LIST("50/1@1001-1002 51/3@10000-10002 00/0@10002-10002 ", 4,
		   false, // clang-format off
		   1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0x50,
		   0xff, 0xff, 0xff, 0xff, 0, 0, 1, 0, // a base
		   0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0x51, 1, 2,
		   2, 0, 0, 0, 2, 0, 0, 0, 0, 0,
		   0, 0, 0, 0, 0, 0, 0, 0, 0x77); // clang-format on
}

TEST(split_units_have_entries_of_their_own_before_dwarf_5)
{
	CHECK_LIST("50/1@b0-c0 51/1@a0-a9 52/2@1001-1002 53/1@b1-b2 ", 4, true, // clang-format off
		   GNU_START_END, 0x81, 0, 2, 1, 0, 0x50,
		   GNU_START_LENGTH, 0x80, 0, 9, 0, 0, 0, 1, 0, 0x51,
		   GNU_OFFSET_PAIR, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0x52, 7,
		   GNU_BASE_ADDRESS, 0x81, 0,
		   GNU_OFFSET_PAIR, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0x53,
		   GNU_END, 0x77); // clang-format on
}

TEST(a_negative_length_of_gccs_is_an_empty_range)
{
	const struct ic_location_query query = { .addr = 0xa8 };
	static const uint8_t bytes[] = { HEADER, GNU_START_LENGTH, 0, 0xff, 0xff, 0xff, 0xff, 1, 0,
					 0x50,   GNU_END };
	struct ic_locations locations;
	struct ic_location_entry entry;
	struct ic_error err;
	struct of_unit of;

	unit_of(&of, 4, true, (struct ic_bytes){ bytes, sizeof(bytes) });
	assert_string_equal(read_list(&of), "50/1@a0-9f ");
	assert_true(open_attr(&locations, &of, DW_FORM_sec_offset, BYTES(12, 0, 0, 0), 0, &err));
	assert_false(ic_locations_find(&locations, &query, &entry));
}

TEST(ranges_at_a_linkers_mark_are_dead)
{
	CHECK_LIST("50/1@fffffffe-ffffffff,dead 51/1@0-1,dead 52/1@fffffffd-fffffffe ", 5,
		   false, // clang-format off
		   DW_LLE_start_length, 0xfe, 0xff, 0xff, 0xff, 1, 1, 0x50,
		   DW_LLE_base_addressx, 3,
		   DW_LLE_offset_pair, 1, 2, 1, 0x51,
		   DW_LLE_start_length, 0xfd, 0xff, 0xff, 0xff, 1, 1, 0x52,
		   DW_LLE_end_of_list);                       // clang-format on
	CHECK_LIST("50/1@fffffffe-fffffffe,dead ", 4, false, // clang-format off
		   0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,
		   0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 1, 0, 0x50,
		   0, 0, 0, 0, 0, 0, 0, 0); // clang-format on
}

TEST(what_cannot_be_read_ends_the_list_with_a_message_of_its_section)
{
	CHECK_LIST(".debug_loclists+0xd: unknown location list entry kind", 5, false, 10);
	CHECK_LIST(".debug_loclists.dwo+0xd: unknown location list entry kind", 5, true, 10);
	CHECK_LIST(".debug_loc.dwo+0xd: unknown location list entry kind", 4, true, 5);
	CHECK_LIST("50/1,default .debug_loclists+0xf: unexpected end of data", 5, false,
		   DW_LLE_default_location, 1, 0x50);
	CHECK_LIST(".debug_loclists+0xe: unexpected end of data", 5, false, DW_LLE_default_location,
		   2, 0x50);
	CHECK_LIST(".debug_loc+0x10: unexpected end of data", 4, false, 1, 0, 0, 0, 2, 0, 0);
	CHECK_LIST(".debug_loclists+0xe: address index is beyond the end of .debug_addr", 5, false,
		   DW_LLE_base_addressx, 4);
	CHECK_LIST(".debug_loc.dwo+0xe: address index is beyond the end of .debug_addr", 4, true,
		   GNU_START_END, 4, 1, 1, 0, 0x50);
}

// What was overwritten with zeros would be lists without entries: values that were optimised out.
TEST(zeros_are_no_list)
{
	static uint8_t bytes[128] = { HEADER };
	struct of_unit of;

	for (uint16_t version = 4; version <= 5; version++) {
		size_t empty = version == 5 ? 1 : 8;
		const char *wanted = version == 5 ? ".debug_loclists+0xc: zeros instead of a "
						    "location list"
						  : ".debug_loc+0xc: zeros instead of a location "
						    "list";
		unit_of(&of, version, false, (struct ic_bytes){ bytes, sizeof(bytes) });
		assert_string_equal(read_list(&of), wanted);
		unit_of(&of, version, false, (struct ic_bytes){ bytes, 12 + 2 * empty + 1 });
		assert_string_equal(read_list(&of), wanted);
		unit_of(&of, version, false, (struct ic_bytes){ bytes, 12 + 2 * empty });
		assert_string_equal(read_list(&of), ""); // two empty ones
		bytes[12 + empty + 31] = 1;              // the next has an entry, behind its views
		unit_of(&of, version, false, (struct ic_bytes){ bytes, sizeof(bytes) });
		assert_string_equal(read_list(&of), "");
		bytes[12 + empty + 31] = 0;
	}
}

TEST(a_table_of_another_version_has_no_lists)
{
	static const uint8_t bytes[] = { 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 DW_LLE_default_location,
					 1,
					 0x50,
					 DW_LLE_end_of_list,
					 0,
					 0,
					 0,
					 0 };
	struct of_unit of;

	unit_of(&of, 5, false, (struct ic_bytes){ bytes, sizeof(bytes) });
	assert_string_equal(read_list(&of),
			    ".debug_loclists+0xc: location list is not in a version 5 table");
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
	// clang-format off
	0, 0, 0, 0, 30, 0, 0, 0, 5, 0, 4, 0, 2, 0, 0, 0, // of the section, and the header
	8, 0, 0, 0, 13, 0, 0, 0,                         // the offsets
	DW_LLE_default_location, 2, 0x91, 1, DW_LLE_end_of_list,
	DW_LLE_default_location, 1, 0x50, DW_LLE_end_of_list,
}; // clang-format on

TEST(a_list_by_its_number_is_found_from_the_base)
{
	struct ic_locations locations;
	struct of_unit of;
	struct ic_error err;

	unit_of(&of, 5, true, (struct ic_bytes){ package, sizeof(package) });
	assert_true(open_attr(&locations, &of, DW_FORM_loclistx, BYTES(0), 16, &err));
	assert_string_equal(read_all(&locations), "91/2,default ");
	assert_true(open_attr(&locations, &of, DW_FORM_loclistx, BYTES(1), 16, &err));
	assert_string_equal(read_all(&locations), "50/1,default ");
	assert_false(open_attr(&locations, &of, DW_FORM_loclistx, BYTES(6), 16, &err));
	assert_string_equal(err.message,
			    ".debug_loclists.dwo+0x28: offset is beyond the end of the section");
}

TEST(a_list_is_not_among_the_offsets)
{
	uint8_t damaged[sizeof(package)];
	struct ic_locations locations;
	struct of_unit of;
	struct ic_error err;

	memcpy(damaged, package, sizeof(package));
	damaged[20] = 7; // the second offset
	unit_of(&of, 5, true, (struct ic_bytes){ damaged, sizeof(damaged) });
	assert_true(open_attr(&locations, &of, DW_FORM_loclistx, BYTES(0), 16, &err));
	assert_false(open_attr(&locations, &of, DW_FORM_loclistx, BYTES(1), 16, &err));
	assert_string_equal(err.message,
			    ".debug_loclists.dwo+0x14: list offset points into the offset table");
}

TEST(an_offset_is_counted_from_the_units_part_of_a_package)
{
	struct ic_locations locations;
	struct of_unit of;
	struct ic_error err;

	unit_of(&of, 5, true, (struct ic_bytes){ package, sizeof(package) });
	of.unit.locations_part = 4;
	assert_true(open_attr(&locations, &of, DW_FORM_sec_offset, BYTES(20, 0, 0, 0), 0, &err));
	assert_string_equal(read_all(&locations), "91/2,default ");
	of.unit.offset_size = 8;
	assert_false(open_attr(&locations, &of, DW_FORM_sec_offset,
			       BYTES(255, 255, 255, 255, 255, 255, 255, 255), 0, &err));
	assert_false(open_attr(&locations, &of, DW_FORM_string, BYTES(0), 0, &err));
}

// ---- Views

// Pairs of views at offset 12, and from offset 21 on the list that they are for.
static const uint8_t viewed[] = {
	// clang-format off
	HEADER,
	0, 2, 2, 0, 0x81, 1, 1, 0, 4,
	DW_LLE_start_length, 0x10, 0, 0, 0, 0, 1, 0x50,
	DW_LLE_base_address, 0, 0, 0, 0,
	DW_LLE_offset_pair, 0x10, 0x18, 1, 0x51,
	DW_LLE_default_location, 1, 0x52,
	DW_LLE_startx_length, 0, 8, 1, 0x53,
	DW_LLE_offset_pair, 0x20, 0x28, 1, 0x54,
	DW_LLE_end_of_list,
}; // clang-format on

static void open_viewed(struct ic_locations *locations, const struct of_unit *of, uint8_t list,
			uint64_t views)
{
	const struct ic_value value = { .number = views,
					.form = DW_FORM_sec_offset,
					.class = IC_FORM_CLASS_OFFSET };
	struct ic_error err;

	assert_true(open_attr(locations, of, DW_FORM_sec_offset, BYTES(list, 0, 0, 0), 12, &err));
	assert_true(ic_locations_open_views(locations, &value, &err));
}

TEST(each_entry_with_a_range_has_a_pair_of_views)
{
	struct ic_locations locations;
	struct of_unit of;

	unit_of(&of, 5, false, (struct ic_bytes){ viewed, sizeof(viewed) });
	open_viewed(&locations, &of, 21, 12);
	const char *wanted = "50/1@10-10v0-2 51/1@10-18v2-0 52/1,default 53/1@a0-a8v129-1 "
			     "54/1@20-28v0-4 ";
	assert_string_equal(read_all(&locations), wanted);
	ic_locations_rewind(&locations);
	assert_string_equal(read_all(&locations), wanted);
}

TEST(views_of_split_units_are_counted_from_where_lists_are)
{
	struct ic_locations locations;
	struct of_unit of;

	unit_of(&of, 5, true, (struct ic_bytes){ viewed, sizeof(viewed) });
	open_viewed(&locations, &of, 21, 0);
	assert_memory_equal(read_all(&locations), "50/1@10-10v0-2 ", 15);
}

TEST(views_that_end_too_early_end_the_list)
{
	static const uint8_t bytes[] = { HEADER, DW_LLE_start_length, 0x10, 0, 0, 0, 1, 1,
					 0x50,   DW_LLE_end_of_list,  0x80 };
	struct ic_locations locations;
	struct ic_location_entry entry;
	struct ic_error err;
	struct of_unit of;

	unit_of(&of, 5, false, (struct ic_bytes){ bytes, sizeof(bytes) });
	open_viewed(&locations, &of, 12, 21);
	assert_false(ic_locations_next(&locations, &entry));
	assert_false(ic_locations_ok(&locations, &err));
	assert_fault(&err, ".debug_loclists", 22, ".debug_loclists+0x16: unexpected end of data");
	const struct ic_value value = { .number = 23,
					.form = DW_FORM_data4,
					.class = IC_FORM_CLASS_CONSTANT };
	assert_false(ic_locations_open_views(&locations, &value, &err));
}

// ---- Questions

// What holds at an address and in a view.
static const char *find(struct ic_locations *locations, uint64_t addr, uint64_t view,
			const struct ic_range_set *code)
{
	const struct ic_location_query query = { .addr = addr, .view = view, .code = code };
	struct ic_location_entry entry;
	static char text[128];

	if (!ic_locations_find(locations, &query, &entry))
		return "none";
	write_entry(text, sizeof(text), &entry);
	return text;
}

TEST(an_entry_holds_from_its_first_view_to_before_its_last)
{
	struct ic_locations locations;
	struct of_unit of;

	unit_of(&of, 5, false, (struct ic_bytes){ viewed, sizeof(viewed) });
	open_viewed(&locations, &of, 21, 12);
	assert_string_equal(find(&locations, 0xf, 9, NULL), "52/1,default ");
	assert_string_equal(find(&locations, 0x10, 0, NULL), "50/1@10-10v0-2 ");
	assert_string_equal(find(&locations, 0x10, 1, NULL), "50/1@10-10v0-2 ");
	assert_string_equal(find(&locations, 0x10, 2, NULL), "51/1@10-18v2-0 ");
	assert_string_equal(find(&locations, 0x17, 0, NULL), "51/1@10-18v2-0 ");
	assert_string_equal(find(&locations, 0x18, 0, NULL), "52/1,default ");
	assert_string_equal(find(&locations, 0xa0, 128, NULL), "52/1,default ");
	assert_string_equal(find(&locations, 0xa8, 0, NULL), "53/1@a0-a8v129-1 ");
	assert_string_equal(find(&locations, 0xa8, 1, NULL), "52/1,default ");
	assert_string_equal(find(&locations, 0x28, 3, NULL), "54/1@20-28v0-4 ");
}

// Overlapping entries, one for discarded code, one at a mark, and one without addresses.
static const uint8_t plain[] = {
	// clang-format off
	HEADER,
	DW_LLE_start_length, 0, 0, 0, 0, 0xff, 1, 1, 0x50, // [0, 0xff)
	DW_LLE_start_length, 0x20, 0, 0, 0, 0, 1, 0x51,
	DW_LLE_start_length, 0x20, 0, 0, 0, 0x10, 1, 0x52,
	DW_LLE_start_length, 0x28, 0, 0, 0, 0x18, 1, 0x53,
	DW_LLE_base_addressx, 3,
	DW_LLE_offset_pair, 0x61, 0x71, 1, 0x54, // [0x60, 0x70) from a mark
	DW_LLE_end_of_list,
}; // clang-format on

static void open_plain(struct ic_locations *locations, struct of_unit *of, size_t size)
{
	struct ic_error err;

	unit_of(of, 5, false, (struct ic_bytes){ plain, size });
	assert_true(open_attr(locations, of, DW_FORM_sec_offset, BYTES(12, 0, 0, 0), 0, &err));
}

TEST(the_first_entry_that_is_for_living_code_holds)
{
	struct ic_range range = { 0x10, 0x80 };
	const struct ic_range_set code = { &range, 1 };
	struct ic_locations locations;
	struct of_unit of;

	open_plain(&locations, &of, sizeof(plain));
	assert_string_equal(find(&locations, 0x28, 7, NULL), "50/1@0-ff ");
	assert_string_equal(find(&locations, 0x28, 7, &code), "52/1@20-30 ");
	assert_string_equal(find(&locations, 0x20, 0, &code), "52/1@20-30 ");
	assert_string_equal(find(&locations, 0x30, 0, &code), "53/1@28-40 ");
	assert_string_equal(find(&locations, 0x40, 0, &code), "none");
	assert_string_equal(find(&locations, 0x60, 0, &code), "none");
}

TEST(an_entry_that_cannot_be_read_is_not_replaced_by_the_default)
{
	static const uint8_t bytes[] = { HEADER, DW_LLE_default_location, 0, 0x60 };
	struct ic_locations locations;
	struct ic_error err;
	struct of_unit of;

	unit_of(&of, 5, false, (struct ic_bytes){ bytes, sizeof(bytes) });
	assert_true(open_attr(&locations, &of, DW_FORM_sec_offset, BYTES(12, 0, 0, 0), 0, &err));
	assert_string_equal(find(&locations, 0x28, 0, NULL), "none");
	assert_false(ic_locations_ok(&locations, &err));
}

static uint64_t find_later(struct ic_locations *locations, uint64_t addr,
			   const struct ic_range *ranges, uint32_t count)
{
	struct ic_range range = { 0x10, 0x100 };
	const struct ic_range_set code = { &range, 1 };
	const struct ic_location_query query = { .addr = addr, .code = &code };
	uint64_t later = 0;

	return ic_locations_find_later(locations, &query, ranges, count, &later) ? later
										 : UINT64_MAX;
}

TEST(the_next_address_with_a_location_is_in_the_ranges)
{
	const struct ic_range far = { 0x50, 0x80 }, near = { 0x38, 0x48 };
	const struct ic_range both[] = { { 0x50, 0x80 }, { 0x2c, 0x48 }, { 0x3c, 0x3e } };
	struct ic_locations locations;
	struct of_unit of;

	open_plain(&locations, &of, sizeof(plain));
	assert_int_equal(find_later(&locations, 0x10, &far, 1), UINT64_MAX);
	assert_int_equal(find_later(&locations, 0x10, &near, 1), 0x38);
	assert_int_equal(find_later(&locations, 0x10, both, 3), 0x2c);
	assert_int_equal(find_later(&locations, 0x3d, both, 3), 0x3d);
	assert_int_equal(find_later(&locations, 0x48, both, 3), 0x2c); // there is none after it
	unit_of(&of, 5, false, (struct ic_bytes){ viewed, sizeof(viewed) });
	open_viewed(&locations, &of, 21, 12);
	// The default is for all.
	assert_int_equal(find_later(&locations, 0x52, &far, 1), 0x52);
}

TEST(an_entry_for_some_views_only_is_at_its_address)
{
	static const uint8_t bytes[] = {
		HEADER, DW_LLE_GNU_view_pair, 1, 2, DW_LLE_start_length, 0x20, 0, 0, 0, 0, 1,
		0x50,   DW_LLE_end_of_list
	};
	const struct ic_range range = { 0x10, 0x30 };
	struct ic_locations locations;
	struct ic_error err;
	struct of_unit of;

	unit_of(&of, 5, false, (struct ic_bytes){ bytes, sizeof(bytes) });
	assert_true(open_attr(&locations, &of, DW_FORM_sec_offset, BYTES(12, 0, 0, 0), 0, &err));
	assert_int_equal(find_later(&locations, 0x10, &range, 1), 0x20);
	assert_string_equal(find(&locations, 0x20, 0, NULL), "none");
	assert_string_equal(find(&locations, 0x20, 1, NULL), "50/1@20-20v1-2 ");
}

TEST(an_entry_is_also_for_the_first_views_at_its_end)
{
	static const uint8_t bytes[] = {
		HEADER, DW_LLE_GNU_view_pair, 0, 2, DW_LLE_start_length, 0x10, 0, 0, 0, 0x10, 1,
		0x50,   DW_LLE_end_of_list
	};
	const struct ic_range at_end = { 0x20, 0x30 }, behind = { 0x21, 0x30 };
	struct ic_locations locations;
	struct ic_error err;
	struct of_unit of;

	unit_of(&of, 5, false, (struct ic_bytes){ bytes, sizeof(bytes) });
	assert_true(open_attr(&locations, &of, DW_FORM_sec_offset, BYTES(12, 0, 0, 0), 0, &err));
	assert_string_equal(find(&locations, 0x20, 1, NULL), "50/1@10-20v0-2 ");
	assert_string_equal(find(&locations, 0x20, 2, NULL), "none");
	assert_int_equal(find_later(&locations, 0x20, &at_end, 1), 0x20);
	assert_int_equal(find_later(&locations, 0x20, &behind, 1), UINT64_MAX);
}

UNIT_TESTS(dwarf_expressions_locations)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_of_dwarf_5_has_its_range),
		cmocka_unit_test(pairs_of_offsets_begin_the_entries_before),
		cmocka_unit_test(split_units_have_entries_of_their_own_before_dwarf_5),
		cmocka_unit_test(a_negative_length_of_gccs_is_an_empty_range),
		cmocka_unit_test(ranges_at_a_linkers_mark_are_dead),
		cmocka_unit_test(what_cannot_be_read_ends_the_list_with_a_message_of_its_section),
		cmocka_unit_test(zeros_are_no_list),
		cmocka_unit_test(a_table_of_another_version_has_no_lists),
		cmocka_unit_test(an_attribute_that_is_a_block_has_one_expression),
		cmocka_unit_test(a_list_by_its_number_is_found_from_the_base),
		cmocka_unit_test(a_list_is_not_among_the_offsets),
		cmocka_unit_test(an_offset_is_counted_from_the_units_part_of_a_package),
		cmocka_unit_test(each_entry_with_a_range_has_a_pair_of_views),
		cmocka_unit_test(views_of_split_units_are_counted_from_where_lists_are),
		cmocka_unit_test(views_that_end_too_early_end_the_list),
		cmocka_unit_test(an_entry_holds_from_its_first_view_to_before_its_last),
		cmocka_unit_test(the_first_entry_that_is_for_living_code_holds),
		cmocka_unit_test(an_entry_that_cannot_be_read_is_not_replaced_by_the_default),
		cmocka_unit_test(the_next_address_with_a_location_is_in_the_ranges),
		cmocka_unit_test(an_entry_for_some_views_only_is_at_its_address),
		cmocka_unit_test(an_entry_is_also_for_the_first_views_at_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
