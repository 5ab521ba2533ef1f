#include "unit_test.h"

#include "base/cursor.h"

#define HOST_IS_LITTLE (!IC_HOST_IS_BIG_ENDIAN)

static struct ic_cursor little(struct ic_bytes bytes)
{
	return ic_cursor_at(bytes, ".test", 0, bytes.size, !HOST_IS_LITTLE);
}

static struct ic_cursor big(struct ic_bytes bytes)
{
	return ic_cursor_at(bytes, ".test", 0, bytes.size, HOST_IS_LITTLE);
}

TEST(a_read_past_the_end_faults_once_and_names_the_first_place)
{
	struct ic_cursor cur = cursor_over(BYTES(1, 2, 3));
	struct ic_error err;

	assert_int_equal(ic_cursor_u8(&cur), 1);
	assert_int_equal(ic_cursor_u32(&cur), 0);
	assert_int_equal(ic_cursor_u8(&cur), 0); // though a byte was left before the fault
	assert_false(ic_cursor_more(&cur));
	assert_false(ic_cursor_ok(&cur, &err));
	assert_fault(&err, ".test", 1, ".test+0x1: unexpected end of data");
}

TEST(numbers_of_every_size_are_read_in_both_byte_orders)
{
	const struct ic_bytes bytes = BYTES(1, 2, 3, 4, 5, 6, 7, 8);
	const uint64_t in_little[] = {
		0x01,         0x0201,         0x030201,         0x04030201,
		0x0504030201, 0x060504030201, 0x07060504030201, 0x0807060504030201
	};
	const uint64_t in_big[] = {
		0x01,         0x0102,         0x010203,         0x01020304,
		0x0102030405, 0x010203040506, 0x01020304050607, 0x0102030405060708
	};

	for (unsigned size = 1; size <= 8; size++) {
		struct ic_cursor cur = little(bytes);
		assert_int_equal(ic_cursor_uint(&cur, size), in_little[size - 1]);
		assert_int_equal(ic_cursor_off(&cur), size);
		cur = big(bytes);
		assert_int_equal(ic_cursor_uint(&cur, size), in_big[size - 1]);
		assert_int_equal(ic_cursor_off(&cur), size);
	}
	struct ic_cursor cur = big(bytes);
	assert_int_equal(ic_cursor_u16(&cur), 0x0102);
	cur = big(bytes);
	assert_int_equal(ic_cursor_u32(&cur), 0x01020304);
	cur = little(bytes);
	assert_int_equal(ic_cursor_u64(&cur), 0x0807060504030201);
}

TEST(a_number_that_does_not_fit_faults_at_its_first_byte)
{
	for (unsigned size = 1; size <= 8; size++) {
		struct ic_cursor cur = cursor_over(BYTES(9, 1, 2, 3, 4, 5, 6, 7));
		struct ic_error err;

		ic_cursor_u8(&cur);
		cur.end = cur.pos + size - 1;
		assert_int_equal(ic_cursor_uint(&cur, size), 0);
		assert_false(ic_cursor_ok(&cur, &err));
		assert_int_equal(err.offset, 1);
	}
}

TEST(taking_bytes_cannot_be_fooled_by_a_huge_size)
{
	struct ic_cursor cur = cursor_over(BYTES(1, 2, 3));

	assert_non_null(ic_cursor_take(&cur, 3));
	assert_null(cur.fault);
	cur = cursor_over(BYTES(1, 2, 3));
	assert_null(ic_cursor_take(&cur, UINT64_MAX));
	assert_non_null(cur.fault);
}

TEST(a_cursor_outside_of_its_section_is_faulted_from_the_start)
{
	const struct ic_bytes bytes = BYTES(1, 2, 3, 4);
	struct ic_error err;

	struct ic_cursor cur = ic_cursor_at(bytes, ".test", 4, 0, false);
	assert_true(ic_cursor_ok(&cur, &err)); // the end is within
	cur = ic_cursor_at(bytes, ".test", 5, 0, false);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_fault(&err, ".test", 5, ".test+0x5: offset is beyond the end of the section");
	cur = ic_cursor_at(bytes, ".test", 2, 3, false);
	assert_false(ic_cursor_ok(&cur, &err));
	cur = ic_cursor_at(bytes, ".test", UINT64_MAX, 8, false);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_int_equal(ic_cursor_u8(&cur), 0);
	cur = ic_cursor_at((struct ic_bytes){ NULL, 0 }, ".test", 1, 1, false);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_fault(&err, ".test", 1, ".test+0x1: the section is missing or empty");
}

TEST(the_first_fault_stays)
{
	struct ic_cursor cur = cursor_over(BYTES(1, 2));
	struct ic_error err;

	ic_cursor_u8(&cur);
	ic_cursor_fault(&cur, "something is wrong");
	ic_cursor_fault(&cur, "something else is wrong");
	assert_int_equal(ic_cursor_uleb(&cur), 0);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_fault(&err, ".test", 1, ".test+0x1: something is wrong");
}

TEST(a_uleb128_number_may_be_padded_but_must_end)
{
	struct ic_cursor cur = cursor_over(BYTES(0x80, 0x80, 0x00, 0x85, 0x80, 0x80, 0x80, 0x80,
						 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 9));
	struct ic_error err;

	assert_int_equal(ic_cursor_uleb(&cur), 0);
	assert_int_equal(ic_cursor_uleb(&cur), 5); // in twelve bytes
	assert_int_equal(ic_cursor_uleb(&cur), 9);
	assert_true(ic_cursor_ok(&cur, &err));

	cur = cursor_over(BYTES(0xff, 0xff, 0xff));
	assert_int_equal(ic_cursor_uleb(&cur), 0);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_string_equal(err.message, ".test+0x3: unexpected end of data");
	cur = cursor_over(BYTES(0xff));
	cur.pos = cur.end;
	assert_int_equal(ic_cursor_uleb(&cur), 0);
	assert_non_null(cur.fault);
}

TEST(a_uleb128_number_has_64_bits_at_the_most)
{
	struct ic_error err;

	struct ic_cursor cur =
		cursor_over(BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01));
	assert_int_equal(ic_cursor_uleb(&cur), UINT64_MAX);
	assert_true(ic_cursor_ok(&cur, &err));
	cur = cursor_over(BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02));
	assert_int_equal(ic_cursor_uleb(&cur), 0);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_string_equal(err.message, ".test+0x9: number does not fit in 64 bits");
	cur = cursor_over(BYTES(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01));
	assert_int_equal(ic_cursor_uleb(&cur), 0);
	assert_non_null(cur.fault);
}

TEST(a_number_for_16_or_32_bits_must_fit)
{
	struct ic_error err;

	struct ic_cursor cur = cursor_over(BYTES(0xff, 0xff, 0x03, 0x80, 0x80, 0x04));
	assert_int_equal(ic_cursor_uleb16(&cur), 0xffff);
	assert_int_equal(ic_cursor_uleb16(&cur), 0);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);

	cur = cursor_over(BYTES(0xff, 0xff, 0xff, 0xff, 0x0f, 0x80, 0x80, 0x80, 0x80, 0x10));
	assert_int_equal(ic_cursor_uleb32(&cur), UINT32_MAX);
	assert_int_equal(ic_cursor_uleb32(&cur), 0);
	assert_false(ic_cursor_ok(&cur, &err));
}

TEST(a_sleb128_number_has_its_sign_from_its_last_byte)
{
	struct ic_cursor cur =
		cursor_over(BYTES(0x02, 0x7e, 0xff, 0x00, 0x81, 0x7f, 0x80, 0x01, 0x80, 0x7f, 0xff,
				  0xff, 0xff, 0x7f, 0x80, 0x80, 0x00));
	const int64_t wanted[] = { 2, -2, 127, -127, 128, -128, -1, 0 };
	struct ic_error err;

	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		assert_int_equal(ic_cursor_sleb(&cur), wanted[i]);
	assert_true(ic_cursor_ok(&cur, &err));
	assert_false(ic_cursor_more(&cur));
	cur = cursor_over(BYTES(0xff, 0xff));
	assert_int_equal(ic_cursor_sleb(&cur), 0);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_string_equal(err.message, ".test+0x2: unexpected end of data");
}

TEST(a_sleb128_number_reaches_both_ends_of_64_bits)
{
	struct ic_cursor cur = cursor_over(
		BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, //
		      0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, //
		      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f));
	struct ic_error err;

	assert_true(ic_cursor_sleb(&cur) == INT64_MAX);
	assert_true(ic_cursor_sleb(&cur) == INT64_MIN);
	assert_true(ic_cursor_sleb(&cur) == -1); // padded
	assert_true(ic_cursor_ok(&cur, &err));
}

TEST(a_number_of_hundreds_of_bytes_is_none)
{
	uint8_t bytes[300];
	struct ic_error err;

	memset(bytes, 0x80, sizeof(bytes));
	for (size_t length = 250; length < 260; length++) {
		bytes[length - 1] = 0;
		const struct ic_bytes section = { bytes, sizeof(bytes) };
		struct ic_cursor uleb = ic_cursor_at(section, ".test", 0, sizeof(bytes), false);
		struct ic_cursor sleb = uleb;
		assert_int_equal(ic_cursor_uleb(&uleb), 0);
		assert_int_equal(ic_cursor_sleb(&sleb), 0);
		assert_int_equal(ic_cursor_ok(&uleb, &err), length <= 256);
		assert_int_equal(ic_cursor_ok(&sleb, &err), length <= 256);
		if (length > 256)
			assert_string_equal(err.message, ".test+0x100: unterminated LEB128 number");
		bytes[length - 1] = 0x80;
	}
}

TEST(a_string_must_end_within_the_bounds)
{
	struct ic_cursor cur = cursor_over(BYTES('a', 'b', 0, 0, 'c', 'd', 0));
	struct ic_error err;

	assert_string_equal(ic_cursor_string(&cur), "ab");
	assert_string_equal(ic_cursor_string(&cur), "");
	cur.end--; // its NUL is outside now
	assert_string_equal(ic_cursor_string(&cur), "");
	assert_false(ic_cursor_ok(&cur, &err));
	assert_fault(&err, ".test", 4, ".test+0x4: unterminated string");
	assert_string_equal(ic_cursor_string(&cur), "");
}

TEST(an_initial_length_says_the_end_and_the_offset_size)
{
	struct ic_cursor cur = little(BYTES(2, 0, 0, 0, 7, 8, 9));
	assert_int_equal(ic_cursor_initial_length(&cur), 4);
	assert_int_equal(cur.end - cur.pos, 2);
	assert_null(cur.fault);

	cur = big(BYTES(0, 0, 0, 3, 7, 8, 9));
	assert_int_equal(ic_cursor_initial_length(&cur), 4);
	assert_int_equal(cur.end - cur.pos, 3);

	cur = little(BYTES(0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 0, 7, 8));
	assert_int_equal(ic_cursor_initial_length(&cur), 8);
	assert_int_equal(cur.end - cur.pos, 1);

	cur = big(BYTES(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 2, 7, 8));
	assert_int_equal(ic_cursor_initial_length(&cur), 8);
	assert_int_equal(cur.end - cur.pos, 2);
	assert_null(cur.fault);
}

TEST(an_initial_length_that_cannot_be_is_a_fault)
{
	struct ic_error err;

	struct ic_cursor cur = little(BYTES(4, 0, 0, 0, 7, 8, 9));
	ic_cursor_initial_length(&cur);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_string_equal(err.message, ".test+0x4: length extends beyond the end of the section");

	cur = little(BYTES(0xf0, 0xff, 0xff, 0xff, 0));
	ic_cursor_initial_length(&cur);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_string_equal(err.message, ".test+0x4: reserved initial length");

	cur = little(BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff));
	ic_cursor_initial_length(&cur);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_int_equal(err.offset, 12);

	cur = little(BYTES(0xff, 0xff, 0xff, 0xff, 1, 0));
	ic_cursor_initial_length(&cur);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_string_equal(err.message, ".test+0x4: unexpected end of data");
}

TEST(a_sleb128_number_that_does_not_fit_in_64_bits_is_a_fault)
{
	static const uint8_t numbers[][12] = {
		{ 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 }, // 2^63
		{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7e }, // -2^63 - 1
		{ 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 },
		{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00 },
	};

	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		struct ic_cursor cur =
			cursor_over((struct ic_bytes){ numbers[i], sizeof(numbers[i]) });
		assert_int_equal(ic_cursor_sleb(&cur), 0);
		assert_non_null(cur.fault);
		assert_string_equal(cur.fault, "number does not fit in 64 bits");
	}
}

UNIT_TESTS(base_cursor)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_past_the_end_faults_once_and_names_the_first_place),
		cmocka_unit_test(numbers_of_every_size_are_read_in_both_byte_orders),
		cmocka_unit_test(a_number_that_does_not_fit_faults_at_its_first_byte),
		cmocka_unit_test(taking_bytes_cannot_be_fooled_by_a_huge_size),
		cmocka_unit_test(a_cursor_outside_of_its_section_is_faulted_from_the_start),
		cmocka_unit_test(the_first_fault_stays),
		cmocka_unit_test(a_uleb128_number_may_be_padded_but_must_end),
		cmocka_unit_test(a_uleb128_number_has_64_bits_at_the_most),
		cmocka_unit_test(a_number_for_16_or_32_bits_must_fit),
		cmocka_unit_test(a_sleb128_number_has_its_sign_from_its_last_byte),
		cmocka_unit_test(a_sleb128_number_reaches_both_ends_of_64_bits),
		cmocka_unit_test(a_number_of_hundreds_of_bytes_is_none),
		cmocka_unit_test(a_string_must_end_within_the_bounds),
		cmocka_unit_test(an_initial_length_says_the_end_and_the_offset_size),
		cmocka_unit_test(an_initial_length_that_cannot_be_is_a_fault),
		cmocka_unit_test(a_sleb128_number_that_does_not_fit_in_64_bits_is_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
