#include "dwarf/frames/index.h"

#include "unit_test.h"

#include "cfi_builder.h"
#include "dwarf/units/pointer.h"

enum { INDEX_ADDR = 0x30000 };

static const struct cfi_pair three[] = { { 0x1000, 0x40010 },
					 { 0x2000, 0x40030 },
					 { 0x38000, 0x40050 } };

// Builds and reads an index of the three; what it has is the buffer's.
static bool read_index(struct ic_cfi_index *index, struct byte_buffer *buf, struct cfi_index format)
{
	format.addr = INDEX_ADDR;
	*buf = cfi_index_build(format, three, COUNT_OF(three));
	return ic_cfi_index_read(index, (struct ic_bytes){ buf->data, buf->size }, INDEX_ADDR,
				 format.addr_size ? format.addr_size : 8,
				 format.big_endian != IC_HOST_IS_BIG_ENDIAN);
}

// Which of the three is found for an address; -1 if none is.
static int found(const struct ic_cfi_index *index, uint64_t addr)
{
	struct ic_cfi_index_entry entry;

	if (!ic_cfi_index_find(index, addr, &entry))
		return -1;
	for (size_t i = 0; i < COUNT_OF(three); i++)
		if (entry.start == three[i].start && entry.fde_addr == three[i].fde_addr)
			return (int)i;
	fail_msg("0x%llx at 0x%llx", (unsigned long long)entry.start,
		 (unsigned long long)entry.fde_addr);
	return -1;
}

static void check_index(const struct ic_cfi_index *index)
{
	assert_int_equal(found(index, 0), -1);
	assert_int_equal(found(index, 0xfff), -1);
	assert_int_equal(found(index, 0x1000), 0);
	assert_int_equal(found(index, 0x1fff), 0);
	assert_int_equal(found(index, 0x2000), 1);
	assert_int_equal(found(index, 0x37fff), 1);
	assert_int_equal(found(index, 0x38000), 2);
	assert_int_equal(found(index, UINT64_MAX), 2);
}

TEST(the_entry_is_the_last_that_does_not_begin_after_the_address)
{
	struct ic_cfi_index index;
	struct byte_buffer buf;

	assert_true(read_index(&index, &buf, (struct cfi_index){ .addr_size = 8 }));
	assert_int_equal(index.count, COUNT_OF(three));
	check_index(&index);
	byte_buffer_deinit(&buf);
}

// Code may be before the index or after it: numbers without a sign wrap if they have all bits.
TEST(numbers_may_have_any_size_that_is_the_same_for_all)
{
	static const struct cfi_index formats[] = {
		{ .encoding = DW_EH_PE_datarel | DW_EH_PE_sdata8 },
		{ .encoding = DW_EH_PE_datarel | DW_EH_PE_udata8 },
		{ .encoding = DW_EH_PE_datarel | DW_EH_PE_absptr },
		{ .encoding = DW_EH_PE_datarel | DW_EH_PE_signed },
		{ .encoding = DW_EH_PE_udata4 },
		{ .encoding = DW_EH_PE_sdata4 },
		{ .encoding = DW_EH_PE_udata8 },
		{ .encoding = DW_EH_PE_signed },
		{ .encoding = DW_EH_PE_datarel | DW_EH_PE_udata4, .addr_size = 4 },
		{ .encoding = DW_EH_PE_datarel | DW_EH_PE_absptr, .addr_size = 4 },
		{ .big_endian = true },
		{ .addr_size = 4, .big_endian = true },
	};

	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		struct ic_cfi_index index;
		struct byte_buffer buf;

		assert_true(read_index(&index, &buf, formats[i]));
		check_index(&index);
		byte_buffer_deinit(&buf);
	}
}

TEST(numbers_of_two_bytes_have_a_sign_or_none)
{
	struct ic_cfi_index index;
	struct ic_cfi_index_entry entry;
	struct ic_bytes bytes =
		BYTES(1, DW_EH_PE_omit, DW_EH_PE_udata2, DW_EH_PE_udata2, 1, 0, 0, 0x80, 0, 0x90);
	uint8_t with_sign[10];

	assert_true(ic_cfi_index_read(&index, bytes, INDEX_ADDR, 8, SWAP_LITTLE));
	assert_true(ic_cfi_index_find(&index, 0x8000, &entry));
	assert_int_equal(entry.fde_addr, 0x9000);
	memcpy(with_sign, bytes.data, sizeof(with_sign));
	with_sign[3] = DW_EH_PE_datarel | DW_EH_PE_sdata2;
	assert_true(ic_cfi_index_read(&index, (struct ic_bytes){ with_sign, sizeof(with_sign) },
				      INDEX_ADDR, 8, SWAP_LITTLE));
	assert_true(ic_cfi_index_find(&index, INDEX_ADDR, &entry));
	assert_int_equal(entry.start, INDEX_ADDR - 0x8000);
	assert_int_equal(entry.fde_addr, INDEX_ADDR - 0x7000);
}

TEST(where_two_fdes_begin_the_index_does_not_choose)
{
	static const struct cfi_pair pairs[] = { { 0x1000, 0x40010 },
						 { 0x1000, 0x40030 },
						 { 0x2000, 0x40050 } };
	const struct cfi_index format = { .addr = INDEX_ADDR };
	struct byte_buffer buf = cfi_index_build(format, pairs, COUNT_OF(pairs));
	struct ic_cfi_index index;
	struct ic_cfi_index_entry entry;

	assert_true(ic_cfi_index_read(&index, (struct ic_bytes){ buf.data, buf.size }, INDEX_ADDR,
				      8, SWAP_LITTLE));
	assert_false(ic_cfi_index_find(&index, 0x1000, &entry));
	assert_true(ic_cfi_index_find(&index, 0x2000, &entry));
	byte_buffer_deinit(&buf);
}

// ---- What is not searched

static void check_refused(struct ic_bytes bytes)
{
	struct ic_cfi_index index;
	struct ic_cfi_index_entry entry;

	assert_false(ic_cfi_index_read(&index, bytes, INDEX_ADDR, 8, SWAP_LITTLE));
	assert_int_equal(index.count, 0);
	assert_false(ic_cfi_index_find(&index, UINT64_MAX, &entry));
}

TEST(what_cannot_be_searched_is_refused)
{
	static const struct {
		size_t off;
		uint8_t byte;
	} changes[] = {
		{ 0, 2 },                                   // the version
		{ 1, 0x60 },                                // an unknown base of the first address
		{ 2, 0x07 },                                // an unknown size of the count
		{ 2, DW_EH_PE_omit },                       // no count
		{ 3, DW_EH_PE_omit },                       // no pairs
		{ 3, DW_EH_PE_datarel | DW_EH_PE_uleb128 }, // of various sizes
		{ 3, DW_EH_PE_datarel | 0x05 },             // an unknown one
		{ 3, DW_EH_PE_pcrel | DW_EH_PE_sdata4 },    // of various bases
		{ 3, DW_EH_PE_aligned },
		{ 3, DW_EH_PE_indirect | DW_EH_PE_udata4 },
		{ 8, 0 },                   // the count: there are none
		{ 8, COUNT_OF(three) + 1 }, // there are not so many
		{ 11, 0x80 },
	};
	struct ic_cfi_index index;

	for (size_t i = 0; i < COUNT_OF(changes); i++) {
		struct byte_buffer buf;

		assert_true(read_index(&index, &buf, (struct cfi_index){ .addr_size = 8 }));
		buf.data[changes[i].off] = changes[i].byte;
		check_refused((struct ic_bytes){ buf.data, buf.size });
		byte_buffer_deinit(&buf);
	}
}

TEST(an_index_that_ends_too_early_is_refused)
{
	struct ic_cfi_index index;
	struct byte_buffer buf;

	assert_true(read_index(&index, &buf, (struct cfi_index){ .addr_size = 8 }));
	for (size_t size = 0; size < buf.size; size++)
		check_refused((struct ic_bytes){ buf.data, size });
	byte_buffer_deinit(&buf);
}

UNIT_TESTS(dwarf_frames_index)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_entry_is_the_last_that_does_not_begin_after_the_address),
		cmocka_unit_test(numbers_may_have_any_size_that_is_the_same_for_all),
		cmocka_unit_test(numbers_of_two_bytes_have_a_sign_or_none),
		cmocka_unit_test(where_two_fdes_begin_the_index_does_not_choose),
		cmocka_unit_test(what_cannot_be_searched_is_refused),
		cmocka_unit_test(an_index_that_ends_too_early_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
