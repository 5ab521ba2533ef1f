#include "values/value_text.h"

#include "unit_test.h"

#include <string.h>

struct wanted {
	enum ic_type_encoding encoding;
	bool is_signed;
	uint8_t size;
	uint64_t low, high; // the number
	const char *text;   // NULL if there is none to print
};

// The bytes of a number in memory.
static void put(struct ic_value_bytes *value, const struct wanted *wanted, bool is_big_endian)
{
	unsigned size = wanted->size < IC_VALUE_MOST ? wanted->size : IC_VALUE_MOST;

	for (unsigned i = 0; i < size; i++) {
		uint64_t half = i < 8 ? wanted->low : wanted->high;
		value->bytes[is_big_endian ? size - 1 - i : i] = (uint8_t)(half >> 8 * (i % 8));
	}
	value->has_bytes = true;
}

static void check(const struct wanted *wanted, const struct ic_enumeration *enumeration)
{
	const struct ic_parameter parameter = { .encoding = wanted->encoding,
						.is_signed = wanted->is_signed,
						.size = wanted->size };
	const struct ic_enumeration none = { .scope = "" };

	for (int i = 0; i < 2; i++) {
		const struct ic_value_memory memory = { .is_big_endian = i == 1 };
		struct ic_value_bytes value = { .addr = 0 };
		char text[64] = "";

		put(&value, wanted, memory.is_big_endian);
		assert_int_equal(ic_value_text(&memory, &parameter,
					       enumeration ? enumeration : &none, &value, text,
					       sizeof(text)),
				 wanted->text != NULL);
		if (wanted->text)
			assert_string_equal(text, wanted->text);
	}
}

TEST(numbers_are_written_as_gdb_writes_them)
{
	static const struct wanted all[] = {
		{ IC_TYPE_INTEGER, true, 1, 0xff, 0, "-1" },
		{ IC_TYPE_INTEGER, false, 1, 0xff, 0, "255" },
		{ IC_TYPE_INTEGER, true, 8, UINT64_MAX, 0, "-1" },
		{ IC_TYPE_INTEGER, false, 16, 0, 0, "0" },
		{ IC_TYPE_INTEGER, false, 16, UINT64_MAX, 0, "18446744073709551615" },
		{ IC_TYPE_INTEGER, false, 16, 0, 1, "18446744073709551616" },
		{ IC_TYPE_INTEGER, true, 16, 0, UINT64_MAX, "-18446744073709551616" },
		{ IC_TYPE_INTEGER, false, 16, UINT64_MAX, UINT64_MAX,
		  "340282366920938463463374607431768211455" },
		{ IC_TYPE_INTEGER, true, 16, 0, 1ull << 63,
		  "-170141183460469231731687303715884105728" },
		{ IC_TYPE_INTEGER, true, 9, 5, 0xff, "-18446744073709551611" },
		{ IC_TYPE_INTEGER, false, 17, 5, 0, NULL },
		{ IC_TYPE_BOOLEAN, false, 1, 1, 0, "true" },
		{ IC_TYPE_BOOLEAN, false, 1, 2, 0, "2" },
		{ IC_TYPE_CHARACTER, true, 1, '\n', 0, "10 '\\n'" },
		{ IC_TYPE_CHARACTER, true, 1, '\\', 0, "92 '\\\\'" },
		{ IC_TYPE_CHARACTER, true, 1, 0x80, 0, "-128 '\\200'" },
		{ IC_TYPE_CHARACTER, false, 1, 'x', 0, "120 'x'" },
		{ IC_TYPE_CHARACTER, false, 4, 'x', 0, "120 'x'" },
		{ IC_TYPE_CHARACTER, false, 4, '\n', 0, "10" },
		{ IC_TYPE_FLOAT, true, 4, 0x3dcccccd, 0, "0.100000001" },
		{ IC_TYPE_FLOAT, true, 4, 0x7fc00000, 0, "nan(0x400000)" },
		{ IC_TYPE_FLOAT, true, 8, 0xfff8000000000000, 0, "-nan(0x8000000000000)" },
		{ IC_TYPE_FLOAT, true, 8, 0xfff0000000000000, 0, "-inf" },
		{ IC_TYPE_FLOAT, true, 16, 1, 0, NULL }, // of several formats
		{ IC_TYPE_OTHER, true, 8, 1, 0, NULL },
		{ IC_TYPE_POINTER, false, 8, 0x1234, 0, "0x1234" },
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		check(&all[i], NULL);
}

enum { MEMORY = 0x1000, MEMORY_SIZE = 8 };

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	if (addr < MEMORY || addr - MEMORY + size > MEMORY_SIZE)
		return false;
	memcpy(bytes, (const char *)context + (addr - MEMORY), size);
	return true;
}

static const char *text_in(char *bytes, enum ic_type_encoding encoding,
			   enum ic_type_encoding item_encoding, uint64_t size, uint64_t addr)
{
	static char text[64];
	const struct ic_value_memory memory = { .read = read_memory, .context = bytes };
	const struct ic_parameter parameter = { .encoding = encoding,
						.size = size,
						.item_size = item_encoding == IC_TYPE_INTEGER ? 4
											      : 1,
						.item_encoding = item_encoding };
	const struct ic_enumeration none = { .scope = "" };
	struct ic_value_bytes value = { .addr = addr, .has_addr = encoding == IC_TYPE_ARRAY };

	value.has_bytes = !value.has_addr;
	for (unsigned i = 0; value.has_bytes && i < 8; i++)
		value.bytes[i] = (uint8_t)(addr >> 8 * i);
	assert_true(ic_value_text(&memory, &parameter, &none, &value, text, sizeof(text)));
	return text;
}

TEST(pointers_to_characters_have_their_string)
{
	char bytes[MEMORY_SIZE] = "a\"b\n";

	assert_string_equal(text_in(bytes, IC_TYPE_POINTER, IC_TYPE_CHARACTER, 8, MEMORY),
			    "0x1000 \"a\\\"b\\012\"");
	assert_string_equal(text_in(bytes, IC_TYPE_POINTER, IC_TYPE_INTEGER, 8, MEMORY), "0x1000");
	assert_string_equal(text_in(bytes, IC_TYPE_POINTER, IC_TYPE_VOID, 8, MEMORY), "0x1000");
	assert_string_equal(text_in(bytes, IC_TYPE_POINTER, IC_TYPE_CHARACTER, 8, 0x2000),
			    "0x2000");
	memset(bytes, 'x', sizeof(bytes));
	assert_string_equal(text_in(bytes, IC_TYPE_POINTER, IC_TYPE_CHARACTER, 8, MEMORY + 5),
			    "0x1005 \"xxx\"...");
}

TEST(arrays_of_characters_are_text)
{
	char bytes[MEMORY_SIZE] = "abc\0def";

	assert_string_equal(text_in(bytes, IC_TYPE_ARRAY, IC_TYPE_CHARACTER, 8, MEMORY), "\"abc\"");
	assert_string_equal(text_in(bytes, IC_TYPE_ARRAY, IC_TYPE_CHARACTER, 2, MEMORY + 4),
			    "\"de\"");
	assert_string_equal(text_in(bytes, IC_TYPE_ARRAY, IC_TYPE_CHARACTER, 4, 0x2000),
			    "{...} at 0x2000");
	assert_string_equal(text_in(bytes, IC_TYPE_ARRAY, IC_TYPE_UNKNOWN, 4, MEMORY),
			    "{...} at 0x1000");
	assert_string_equal(text_in(bytes, IC_TYPE_ARRAY, IC_TYPE_INTEGER, 8, MEMORY),
			    "{...} at 0x1000");
}

TEST(arrays_have_their_first_items)
{
	const struct ic_value_memory memory = { .is_big_endian = false };
	const struct ic_enumeration none = { .scope = "" };
	struct ic_value_bytes value = { .bytes = { 1, 0, 0xfe, 0xff, 3 }, .has_bytes = true };
	struct ic_parameter array = { .encoding = IC_TYPE_ARRAY,
				      .type = "short[3]",
				      .size = 6,
				      .item_size = 2,
				      .item_encoding = IC_TYPE_INTEGER,
				      .item_is_signed = true };
	char text[64];

	assert_true(ic_value_text(&memory, &array, &none, &value, text, sizeof(text)));
	assert_string_equal(text, "{1, -2, 3}");
	array.size = 18;
	assert_true(ic_value_text(&memory, &array, &none, &value, text, sizeof(text)));
	assert_string_equal(text, "{1, -2, 3, 0, 0, 0, 0, 0...}");
	array.item_is_signed = false;
	array.item_size = 8;
	array.size = 8;
	assert_true(ic_value_text(&memory, &array, &none, &value, text, sizeof(text)));
	assert_string_equal(text, "{17179738113}");
	array.item_size = 3;
	assert_false(ic_value_has_items(&array));
	array.item_size = 8;
	array.item_encoding = IC_TYPE_STRUCTURE;
	assert_false(ic_value_has_items(&array));
	array.item_encoding = IC_TYPE_INTEGER;
	array.size = 4; // less than an item
	assert_false(ic_value_has_items(&array));
}

TEST(values_of_enumerations_have_their_names)
{
	static const struct ic_enumerator colors[] = { { 0, "RED" },
						       { 7, "BLUE" },
						       { UINT64_MAX, "MINUS" } };
	static const struct ic_enumeration color = { "ns::", colors, 3, false };
	static const struct wanted all[] = {
		{ IC_TYPE_ENUMERATION, false, 4, 0, 0, "ns::RED" },
		{ IC_TYPE_ENUMERATION, false, 4, 7, 0, "ns::BLUE" },
		{ IC_TYPE_ENUMERATION, true, 4, 6, 0, "6" },
		{ IC_TYPE_ENUMERATION, true, 4, UINT32_MAX, 0, "ns::MINUS" },
		{ IC_TYPE_ENUMERATION, false, 4, UINT32_MAX, 0, "ns::MINUS" },
		{ IC_TYPE_ENUMERATION, false, 8, UINT64_MAX, 0, "ns::MINUS" },
		{ IC_TYPE_ENUMERATION, true, 1, 0xfe, 0, "-2" },
		{ IC_TYPE_ENUMERATION, true, 16, 0, 0, NULL },
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		check(&all[i], &color);
}

TEST(flags_are_taken_apart)
{
	static const struct ic_enumerator flags[] = {
		{ 1, "A" }, { 1, "AGAIN" }, { 4, "C" }, { 1ull << 63, "TOP" }
	};
	static const struct ic_enumeration flag = { "", flags, 4, true };
	static const struct wanted all[] = {
		{ IC_TYPE_ENUMERATION, false, 8, 0, 0, "0" },
		{ IC_TYPE_ENUMERATION, false, 8, 1, 0, "A" },
		{ IC_TYPE_ENUMERATION, false, 8, 5, 0, "(A | C)" },
		{ IC_TYPE_ENUMERATION, false, 8, 2, 0, "(unknown: 0x2)" },
		{ IC_TYPE_ENUMERATION, false, 8, 1ull << 63 | 0x16, 0,
		  "(C | TOP | unknown: 0x12)" },
	};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		check(&all[i], &flag);
}

TEST(a_name_that_is_too_long_is_not_cut)
{
	char name[100];
	const struct ic_enumerator enumerators[] = { { 1, name }, { 2, "B" } };
	const struct ic_enumeration enumeration = { "", enumerators, 2, true };

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	check(&(struct wanted){ IC_TYPE_ENUMERATION, false, 4, 1, 0, "1" }, &enumeration);
	check(&(struct wanted){ IC_TYPE_ENUMERATION, false, 4, 3, 0, "3" }, &enumeration);
	check(&(struct wanted){ IC_TYPE_ENUMERATION, false, 4, 2, 0, "B" }, &enumeration);
}

UNIT_TESTS(values_value_text)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_written_as_gdb_writes_them),
		cmocka_unit_test(pointers_to_characters_have_their_string),
		cmocka_unit_test(arrays_of_characters_are_text),
		cmocka_unit_test(arrays_have_their_first_items),
		cmocka_unit_test(values_of_enumerations_have_their_names),
		cmocka_unit_test(flags_are_taken_apart),
		cmocka_unit_test(a_name_that_is_too_long_is_not_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
