#include "dwarf/units/aranges.h"

#include "unit_test.h"

#include <stdlib.h>

#include "byte_buffer.h"

struct set { // as a test writes one
	uint8_t offset_size, addr_size, segment_size;
	uint64_t info_off;
	const struct ic_range *tuples; // start and, as `end`, size
	uint32_t count;
	uint16_t version; // 0: 2
};

static void put_set(struct byte_buffer *buf, const struct set *set)
{
	size_t start = buf->size, length_at = start;

	if (set->offset_size == 8) {
		byte_buffer_put(buf, UINT32_MAX, 4);
		length_at += 4;
	}
	byte_buffer_put(buf, 0, set->offset_size);
	size_t body = buf->size;
	byte_buffer_put(buf, set->version ? set->version : 2, 2);
	byte_buffer_put(buf, set->info_off, set->offset_size);
	byte_buffer_put(buf, set->addr_size, 1);
	byte_buffer_put(buf, set->segment_size, 1);
	size_t tuple = 2 * set->addr_size + set->segment_size;
	while (tuple > 0 && (buf->size - start) % tuple > 0)
		byte_buffer_put(buf, 0xee, 1);       // whatever is in there is not read
	for (uint32_t i = 0; i <= set->count; i++) { // the last one of zeros
		struct ic_range of = i < set->count ? set->tuples[i] : (struct ic_range){ 0, 0 };
		if (set->segment_size > 0)
			byte_buffer_put(buf, 0x55, set->segment_size);
		byte_buffer_put(buf, of.start, set->addr_size);
		byte_buffer_put(buf, of.end, set->addr_size);
	}
	byte_buffer_patch(buf, length_at, buf->size - body, set->offset_size);
}

static void open_at(struct ic_aranges *aranges, const struct byte_buffer *buf)
{
	ic_aranges_open(aranges, (struct ic_bytes){ buf->data, buf->size },
			buf->big_endian != IC_HOST_IS_BIG_ENDIAN);
}

static void check_next(struct ic_aranges *aranges, uint64_t start, uint64_t end)
{
	struct ic_range range;

	assert_true(ic_aranges_next(aranges, &range));
	assert_int_equal(range.start, start);
	assert_int_equal(range.end, end);
}

static void check_end_of_set(struct ic_aranges *aranges)
{
	struct ic_range range;

	assert_false(ic_aranges_next(aranges, &range));
	assert_false(ic_aranges_next(aranges, &range));
}

static const struct ic_range two[] = { { 0x1000, 0x20 }, { 0xfffff000, 0x40 } };

TEST(sets_of_all_sizes_and_byte_orders_are_read)
{
	for (uint32_t i = 0; i < 2 * 2 * 2 * 3; i++) {
		const struct set set = { .offset_size = i & 1 ? 8 : 4,
					 .addr_size = i & 2 ? 8 : 4,
					 .segment_size = (uint8_t)(i / 8 * 4),
					 .info_off = 0x1234,
					 .tuples = two,
					 .count = 2 };
		struct byte_buffer buf = { .big_endian = i & 4 };
		struct ic_aranges aranges;
		struct ic_error err;
		struct set second = set;

		second.info_off = 0x5678;
		put_set(&buf, &set);
		put_set(&buf, &second);
		open_at(&aranges, &buf);
		assert_true(ic_aranges_next_set(&aranges));
		assert_int_equal(aranges.info_off, 0x1234);
		check_next(&aranges, 0x1000, 0x1020);
		check_next(&aranges, 0xfffff000, 0xfffff040);
		check_next(&aranges, 0, 0);
		check_end_of_set(&aranges);
		assert_true(ic_aranges_next_set(&aranges));
		assert_int_equal(aranges.info_off, 0x5678);
		check_next(&aranges, 0x1000, 0x1020);
		assert_false(ic_aranges_next_set(&aranges)); // the rest of one is skipped
		check_end_of_set(&aranges);
		assert_true(ic_aranges_ok(&aranges, &err));
		byte_buffer_deinit(&buf);
	}
}

TEST(the_padding_is_counted_from_the_start_of_the_set)
{
	const struct ic_range one = { 0x4000, 8 };
	const struct set small = { 4, 4, 0, 0, &one, 1, 0 }, large = { 4, 8, 0, 1, &one, 1, 0 };
	struct byte_buffer buf = { .data = NULL };
	struct ic_aranges aranges;
	struct ic_error err;

	put_set(&buf, &small); // 32 bytes
	byte_buffer_put(&buf, 0, 0);
	put_set(&buf, &small);
	byte_buffer_fill(&buf, 0, 4);
	byte_buffer_patch(&buf, 32, 32, 4); // 36: what follows is at no multiple of 16
	put_set(&buf, &large);
	open_at(&aranges, &buf);
	assert_true(ic_aranges_next_set(&aranges) && ic_aranges_next_set(&aranges));
	assert_true(ic_aranges_next_set(&aranges));
	check_next(&aranges, 0x4000, 0x4008);
	check_next(&aranges, 0, 0);
	check_end_of_set(&aranges);
	assert_true(ic_aranges_ok(&aranges, &err));
	byte_buffer_deinit(&buf);
}

// From an empty section of a relocatable file, before its relocations.
TEST(tuples_of_zeros_end_nothing)
{
	const struct ic_range tuples[] = { { 0, 0 }, { 0x10, 4 }, { 0, 0 }, { 0, 0 }, { 0x20, 4 } };
	const struct set set = { 4, 8, 0, 0, tuples, COUNT_OF(tuples), 0 };
	struct byte_buffer buf = { .data = NULL };
	struct ic_aranges aranges;

	put_set(&buf, &set);
	open_at(&aranges, &buf);
	assert_true(ic_aranges_next_set(&aranges));
	for (uint32_t i = 0; i < COUNT_OF(tuples); i++)
		check_next(&aranges, tuples[i].start, tuples[i].start + tuples[i].end);
	check_next(&aranges, 0, 0);
	check_end_of_set(&aranges);
	byte_buffer_deinit(&buf);
}

TEST(a_range_may_end_beyond_all_addresses)
{
	const struct ic_range over = { UINT64_MAX - 1, 4 };
	const struct set set = { 4, 8, 0, 0, &over, 1, 0 };
	struct byte_buffer buf = { .data = NULL };
	struct ic_aranges aranges;

	put_set(&buf, &set);
	open_at(&aranges, &buf);
	assert_true(ic_aranges_next_set(&aranges));
	check_next(&aranges, UINT64_MAX - 1, 2); // inverted, and so nothing
	byte_buffer_deinit(&buf);
}

static void check_bad_set(const struct set *bad, const char *message)
{
	const struct set good = { 4, 8, 0, 0, two, 1, 0 };
	struct byte_buffer buf = { .data = NULL };
	struct ic_aranges aranges;
	struct ic_range range;
	struct ic_error err;

	put_set(&buf, &good);
	put_set(&buf, bad);
	put_set(&buf, &good);
	open_at(&aranges, &buf);
	assert_true(ic_aranges_next_set(&aranges));
	check_next(&aranges, 0x1000, 0x1020);
	assert_true(ic_aranges_ok(&aranges, &err));
	assert_false(ic_aranges_next_set(&aranges)); // and nothing after it
	assert_false(ic_aranges_next_set(&aranges));
	assert_false(ic_aranges_next(&aranges, &range));
	assert_false(ic_aranges_ok(&aranges, &err));
	assert_fault(&err, ".debug_aranges", buf.size > 48 + 12 ? 48 + 12 : 0, message);
	byte_buffer_deinit(&buf);
}

TEST(what_is_not_known_of_sets_is_said)
{
	const struct set version = { 4, 8, 0, 0, two, 1, 5 };
	const struct set address = { 4, 2, 0, 0, two, 1, 0 };
	const struct set no_address = { 4, 0, 0, 0, two, 1, 0 };
	const struct set segment = { 4, 8, 2, 0, two, 1, 0 };

	check_bad_set(&version, ".debug_aranges+0x3c: unknown version of an address range set");
	check_bad_set(
		&address,
		".debug_aranges+0x3c: address range set has an address size other than 4 or 8");
	check_bad_set(
		&no_address,
		".debug_aranges+0x3c: address range set has an address size other than 4 or 8");
	check_bad_set(
		&segment,
		".debug_aranges+0x3c: address range set has an invalid segment selector size");
}

// Reads the first bytes of a section; returns how many ranges that were.
static uint32_t read_cut(const struct byte_buffer *buf, size_t size, struct ic_error *err)
{
	uint8_t *copy = malloc(size ? size : 1); // of this size, so that a read beyond it is caught
	struct ic_aranges aranges;
	struct ic_range range;
	uint32_t count = 0;

	memcpy(copy, buf->data, size);
	ic_aranges_open(&aranges, (struct ic_bytes){ copy, size }, SWAP_LITTLE);
	while (ic_aranges_next_set(&aranges))
		while (ic_aranges_next(&aranges, &range))
			count++;
	if (ic_aranges_ok(&aranges, err))
		err->message[0] = 0;
	free(copy);
	return count;
}

TEST(a_set_that_is_cut_is_a_fault)
{
	const struct set set = { 4, 8, 0, 0, two, 2, 0 };
	struct byte_buffer buf = { .data = NULL };
	struct ic_error err;

	put_set(&buf, &set);
	size_t first = buf.size;
	put_set(&buf, &set);
	for (size_t size = 0; size <= buf.size; size++) {
		uint32_t count = read_cut(&buf, size, &err);
		assert_int_equal(count, size == buf.size ? 6 : size >= first ? 3 : 0);
		if (size == 0 || size == first || size == buf.size)
			assert_string_equal(err.message, "");
		else
			assert_non_null(strstr(err.message, ".debug_aranges+0x"));
	}
	byte_buffer_deinit(&buf);
}

TEST(a_set_that_ends_within_a_tuple_is_a_fault_and_the_ranges_before_it_hold)
{
	const struct set set = { 4, 8, 0, 0, two, 2, 0 };
	struct byte_buffer buf = { .data = NULL };
	struct ic_error err;

	put_set(&buf, &set);
	byte_buffer_patch(&buf, 0, buf.size - 4 - 5, 4);
	assert_int_equal(read_cut(&buf, buf.size, &err), 2);
	assert_fault(&err, ".debug_aranges", 0x38, ".debug_aranges+0x38: unexpected end of data");
	byte_buffer_deinit(&buf);
}

TEST(a_length_beyond_the_section_is_a_fault)
{
	const struct set set = { 4, 8, 0, 0, two, 2, 0 };
	struct byte_buffer buf = { .data = NULL };
	struct ic_error err;

	put_set(&buf, &set);
	byte_buffer_patch(&buf, 0, buf.size - 3, 4);
	assert_int_equal(read_cut(&buf, buf.size, &err), 0);
	assert_fault(&err, ".debug_aranges", 4,
		     ".debug_aranges+0x4: length extends beyond the end of the section");
	byte_buffer_deinit(&buf);
}

UNIT_TESTS(dwarf_units_aranges)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_of_all_sizes_and_byte_orders_are_read),
		cmocka_unit_test(the_padding_is_counted_from_the_start_of_the_set),
		cmocka_unit_test(tuples_of_zeros_end_nothing),
		cmocka_unit_test(a_range_may_end_beyond_all_addresses),
		cmocka_unit_test(what_is_not_known_of_sets_is_said),
		cmocka_unit_test(a_set_that_is_cut_is_a_fault),
		cmocka_unit_test(
			a_set_that_ends_within_a_tuple_is_a_fault_and_the_ranges_before_it_hold),
		cmocka_unit_test(a_length_beyond_the_section_is_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
