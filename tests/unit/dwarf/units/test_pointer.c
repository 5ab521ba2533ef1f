#include "dwarf/units/pointer.h"

#include "unit_test.h"

static const struct ic_pointer_bases bases = { .section_addr = 0x40000,
					       .text_addr = 0x1000,
					       .data_addr = 0x3000,
					       .function_addr = 0x2000,
					       .addr_size = 8 };

// Reads a pointer that begins 4 bytes behind the start of the section.
static struct ic_pointer read(uint8_t encoding, uint8_t addr_size, struct ic_bytes bytes,
			      uint64_t *size)
{
	struct ic_pointer_bases some = bases;
	struct ic_cursor cur = cursor_over(bytes);
	struct ic_error err = { .message = "" };

	some.addr_size = addr_size;
	ic_cursor_take(&cur, 4);
	struct ic_pointer pointer = ic_pointer_read(&cur, encoding, &some);
	if (!ic_cursor_ok(&cur, &err))
		fail_msg("%#x: %s", encoding, err.message);
	*size = ic_cursor_off(&cur) - 4;
	return pointer;
}

// The number of every format: its bytes are 0xf0, then ones.
static const struct format {
	uint8_t code, size;
	uint64_t number;
} formats[] = {
	{ DW_EH_PE_absptr, 8, 0xfffffffffffffff0 }, { DW_EH_PE_udata2, 2, 0xfff0 },
	{ DW_EH_PE_udata4, 4, 0xfffffff0 },         { DW_EH_PE_udata8, 8, 0xfffffffffffffff0 },
	{ DW_EH_PE_signed, 8, 0xfffffffffffffff0 }, { DW_EH_PE_sdata2, 2, 0xfffffffffffffff0 },
	{ DW_EH_PE_sdata4, 4, 0xfffffffffffffff0 }, { DW_EH_PE_sdata8, 8, 0xfffffffffffffff0 },
};

static const struct {
	uint8_t code;
	uint64_t addr;
} all_bases[] = {
	{ 0, 0 },
	{ DW_EH_PE_pcrel, 0x40004 },
	{ DW_EH_PE_textrel, 0x1000 },
	{ DW_EH_PE_datarel, 0x3000 },
	{ DW_EH_PE_funcrel, 0x2000 },
};

TEST(every_format_is_read_from_every_base)
{
	uint8_t data[16] = { 0, 0, 0, 0, 0xf0 };
	struct ic_bytes bytes = { data, sizeof(data) };
	uint64_t size;

	memset(data + 5, 0xff, sizeof(data) - 5);
	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		for (size_t j = 0; j < COUNT_OF(all_bases); j++) {
			uint8_t encoding = formats[i].code | all_bases[j].code;
			struct ic_pointer pointer = read(encoding, 8, bytes, &size);

			assert_true(ic_pointer_is_known(encoding));
			assert_int_equal(pointer.value, formats[i].number + all_bases[j].addr);
			assert_int_equal(size, formats[i].size);
			assert_false(pointer.is_null || pointer.is_indirect);
			pointer = read(encoding | DW_EH_PE_indirect, 8, bytes, &size);
			assert_true(ic_pointer_is_known(encoding | DW_EH_PE_indirect));
			assert_int_equal(pointer.value, formats[i].number + all_bases[j].addr);
			assert_true(pointer.is_indirect);
		}
	}
}

TEST(leb128_numbers_are_pointers_too)
{
	uint64_t size;

	assert_int_equal(read(DW_EH_PE_uleb128, 8, BYTES(0, 0, 0, 0, 0x80, 0x20), &size).value,
			 0x1000);
	assert_int_equal(size, 2);
	assert_int_equal(
		read(DW_EH_PE_sleb128 | DW_EH_PE_textrel, 8, BYTES(0, 0, 0, 0, 0x7f), &size).value,
		0xfff);
	assert_int_equal(size, 1);
}

TEST(addresses_of_4_bytes_wrap)
{
	const struct ic_bytes minus_8 = BYTES(0, 0, 0, 0, 0xf8, 0xff, 0xff, 0xff);
	uint64_t size;

	assert_int_equal(read(DW_EH_PE_absptr, 4, minus_8, &size).value, 0xfffffff8);
	assert_int_equal(size, 4);
	assert_int_equal(read(DW_EH_PE_signed, 4, minus_8, &size).value, 0xfffffff8);
	assert_int_equal(size, 4);
	assert_int_equal(read(DW_EH_PE_pcrel | DW_EH_PE_sdata4, 4, minus_8, &size).value, 0x3fffc);
	assert_int_equal(read(DW_EH_PE_pcrel | DW_EH_PE_absptr, 4, minus_8, &size).value, 0x3fffc);
}

TEST(a_number_without_its_base_keeps_its_sign)
{
	struct ic_cursor cur = cursor_over(BYTES(0xf8, 0xff, 0xff, 0xff));

	assert_int_equal(ic_pointer_read_number(&cur, DW_EH_PE_pcrel | DW_EH_PE_signed, 4),
			 UINT64_MAX - 7);
}

TEST(an_aligned_pointer_follows_padding)
{
	const struct ic_bytes bytes = BYTES(0, 0, 0, 0, 9, 9, 9, 9, 1, 0, 0, 0, 0, 0, 0, 0);
	uint64_t size;

	assert_int_equal(read(DW_EH_PE_aligned, 8, bytes, &size).value, 1);
	assert_int_equal(size, 4 + 8);
	assert_int_equal(read(DW_EH_PE_aligned, 4, bytes, &size).value, 0x09090909);
	assert_int_equal(size, 4);
}

TEST(a_zero_is_null_whatever_its_base)
{
	uint64_t size;

	for (size_t i = 0; i < COUNT_OF(all_bases); i++) {
		uint8_t encoding = all_bases[i].code | DW_EH_PE_sdata4;
		struct ic_pointer pointer = read(encoding, 8, BYTES(0, 0, 0, 0, 0, 0, 0, 0), &size);

		assert_true(pointer.is_null);
		assert_int_equal(pointer.value, all_bases[i].addr);
	}
}

TEST(an_omitted_pointer_has_no_bytes)
{
	uint64_t size;

	assert_true(ic_pointer_is_known(DW_EH_PE_omit));
	assert_true(read(DW_EH_PE_omit, 8, BYTES(0, 0, 0, 0, 1), &size).is_null);
	assert_int_equal(size, 0);
}

static void check_fault(uint8_t encoding, const char *message)
{
	struct ic_cursor cur = cursor_over(BYTES(1, 2, 3, 4, 5, 6, 7, 8));
	struct ic_error err;

	assert_false(ic_pointer_is_known(encoding));
	ic_pointer_read(&cur, encoding, &bases);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_fault(&err, ".test", 0, message);
}

TEST(unknown_encodings_are_faults)
{
	static const uint8_t unknown[] = { 5, 6, 7, 0xd, 0xe, 0xf };

	for (size_t i = 0; i < COUNT_OF(unknown); i++)
		check_fault(unknown[i], ".test+0x0: unknown pointer encoding");
	check_fault(0x60, ".test+0x0: unknown pointer base");
	check_fault(0x7b, ".test+0x0: unknown pointer base");
}

TEST(a_pointer_that_ends_too_early_is_a_fault)
{
	struct ic_cursor cur = cursor_over(BYTES(1, 2, 3));
	struct ic_error err;

	ic_pointer_read(&cur, DW_EH_PE_udata4, &bases);
	assert_false(ic_cursor_ok(&cur, &err));
	assert_fault(&err, ".test", 0, ".test+0x0: unexpected end of data");
}

UNIT_TESTS(dwarf_units_pointer)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_read_from_every_base),
		cmocka_unit_test(leb128_numbers_are_pointers_too),
		cmocka_unit_test(addresses_of_4_bytes_wrap),
		cmocka_unit_test(a_number_without_its_base_keeps_its_sign),
		cmocka_unit_test(an_aligned_pointer_follows_padding),
		cmocka_unit_test(a_zero_is_null_whatever_its_base),
		cmocka_unit_test(an_omitted_pointer_has_no_bytes),
		cmocka_unit_test(unknown_encodings_are_faults),
		cmocka_unit_test(a_pointer_that_ends_too_early_is_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
