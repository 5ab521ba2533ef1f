#include "emit/out.h"

#include "unit_test.h"

static void check(const struct ic_out *out, const char *wanted, size_t size)
{
	assert_false(out->failed);
	assert_int_equal(out->bytes.count, size);
	assert_memory_equal(out->bytes.items, wanted, size);
}

TEST(numbers_have_the_byte_order)
{
	struct ic_out little = { .swap = IC_HOST_IS_BIG_ENDIAN };
	struct ic_out big = { .swap = !IC_HOST_IS_BIG_ENDIAN };

	ic_out_uint(&little, 0x1234, 2);
	ic_out_uint(&little, 0x11223344aabbccdd, 8);
	check(&little, "\x34\x12\xdd\xcc\xbb\xaa\x44\x33\x22\x11", 10);
	ic_out_uint(&big, 0x1234, 2);
	ic_out_uint(&big, 0x123456, 3);
	check(&big, "\x12\x34\x12\x34\x56", 5);
	ic_out_free(&little);
	ic_out_free(&big);
}

// The examples of DWARF 5, 7.6, and the largest numbers.
TEST(leb128)
{
	struct ic_out out = { .swap = false };

	ic_out_uleb(&out, 2);
	ic_out_uleb(&out, 127);
	ic_out_uleb(&out, 128);
	ic_out_uleb(&out, 12857);
	ic_out_uleb(&out, UINT64_MAX);
	check(&out, "\x02\x7f\x80\x01\xb9\x64\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 16);
	out.bytes.count = 0;
	ic_out_sleb(&out, 2);
	ic_out_sleb(&out, -2);
	ic_out_sleb(&out, 127);
	ic_out_sleb(&out, -127);
	ic_out_sleb(&out, 128);
	ic_out_sleb(&out, -128);
	ic_out_sleb(&out, INT64_MIN);
	check(&out,
	      "\x02\x7e\xff\x00\x81\x7f\x80\x01\x80\x7f\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f",
	      20);
	ic_out_free(&out);
}

TEST(lengths_are_of_what_follows)
{
	struct ic_out out = { .swap = IC_HOST_IS_BIG_ENDIAN };

	ic_out_string(&out, "a");
	uint32_t off = ic_out_length_begin(&out);
	ic_out_bytes(&out, "xyz", 3);
	ic_out_length_end(&out, off);
	check(&out, "a\0\3\0\0\0xyz", 9);
	ic_out_free(&out);
}

TEST(memory_that_is_out_is_remembered)
{
	struct ic_memory memory = { .fixed = 4096 };
	struct ic_out out = { .bytes.memory = &memory };

	for (unsigned i = 0; i < 100000; i++)
		ic_out_uint(&out, i, 4);
	uint32_t off = ic_out_length_begin(&out);
	ic_out_length_end(&out, off);
	assert_true(out.failed);
	assert_false(out.too_large);
	assert_in_range(out.bytes.count, 0, 4096);
	ic_out_free(&out);
}

TEST(a_section_of_4_gib_is_not_a_lack_of_memory)
{
	struct ic_out out = { .swap = false };

	ic_out_uint(&out, 1, 1);
	ic_out_bytes(&out, "not read", UINT32_MAX);
	ic_out_uint(&out, 2, 1);
	assert_true(out.failed && out.too_large);
	assert_int_equal(out.bytes.count, 1);
	ic_out_free(&out);
}

UNIT_TESTS(emit_out)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_the_byte_order),
		cmocka_unit_test(leb128),
		cmocka_unit_test(lengths_are_of_what_follows),
		cmocka_unit_test(memory_that_is_out_is_remembered),
		cmocka_unit_test(a_section_of_4_gib_is_not_a_lack_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
