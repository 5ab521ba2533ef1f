#include "trace/bpf/fetch.h"

#include "unit_test.h"

#include <stdio.h>

#include "base/machine.h"

static struct ic_trace_place place_of(void)
{
	return (struct ic_trace_place){ .layout = ic_thread_layout(IC_MACHINE_X86_64, false),
					.addr_size = 8,
					.has_cfa = true,
					.cfa_reg = 7,
					.cfa_offset = 16 };
}

// How a number is fetched, or why it is not, as text.
static const char *text_of(const struct ic_parameter *parameter)
{
	static const char *const bases[] = { "nothing", "number", "register", "file" };
	static char text[256];
	const struct ic_trace_place place = place_of();
	struct ic_trace_fetch fetch;
	const char *why = ic_trace_fetch_make(parameter, &place, &fetch);

	if (why) {
		assert_int_equal(fetch.base, IC_TRACE_NOTHING);
		return why;
	}
	int length = snprintf(text, sizeof(text), "%s %llx word %u%+lld", bases[fetch.base],
			      (unsigned long long)fetch.number, fetch.word,
			      (long long)fetch.offsets[0]);
	for (unsigned i = 0; i < fetch.load_count; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " load %u%+lld",
				   fetch.load_sizes[i], (long long)fetch.offsets[i + 1]);
	snprintf(text + length, sizeof(text) - (size_t)length, "%s%s%s unused %u, %u in memory",
		 fetch.is_signed ? " signed" : "", fetch.is_string ? " string" : "",
		 fetch.is_address ? " address" : "", fetch.unused_bits, fetch.memory_size);
	return text;
}

#define CHECK(wanted, parameter_size, parameter_encoding, ...)                                 \
	do {                                                                                   \
		const struct ic_parameter parameter = { .size = parameter_size,                \
							.encoding = parameter_encoding,        \
							.location = { .kind = __VA_ARGS__ } }; \
		assert_string_equal(text_of(&parameter), wanted);                              \
	} while (false)

TEST(registers_are_words_of_the_kernels)
{
	CHECK("register 0 word 14+0 unused 32, 0 in memory", 4, IC_TYPE_INTEGER,
	      IC_LOCATION_REGISTER, .reg = 5); // %rdi
	CHECK("register 0 word 19+8 unused 0, 0 in memory", 8, IC_TYPE_POINTER,
	      IC_LOCATION_REGISTER, .reg = 7, .offset = 8);
	CHECK("in a register that is not recorded, such as a floating-point register", 8,
	      IC_TYPE_FLOAT, IC_LOCATION_REGISTER, .reg = 17);
	CHECK("in a register that is not recorded, such as a floating-point register", 8,
	      IC_TYPE_FLOAT, IC_LOCATION_REGISTER, .reg = UINT32_MAX);
}

// GCC 14 and 16 leave more than the bit in the register of a bool.
TEST(of_a_boolean_that_is_not_in_memory_only_a_bit_counts)
{
	CHECK("register 0 word 14+0 unused 63, 0 in memory", 1, IC_TYPE_BOOLEAN,
	      IC_LOCATION_REGISTER, .reg = 5);
	CHECK("register 0 word 14+3 unused 63, 0 in memory", 1, IC_TYPE_BOOLEAN, IC_LOCATION_VALUE,
	      .reg = 5, .offset = 3);
	CHECK("register 0 word 14+0 unused 56, 1 in memory", 1, IC_TYPE_BOOLEAN, IC_LOCATION_MEMORY,
	      .reg = 5);
	CHECK("register 0 word 14+0 unused 32, 0 in memory", 4, IC_TYPE_BOOLEAN,
	      IC_LOCATION_REGISTER, .reg = 5); // Fortran's
}

TEST(constants_and_addresses_are_numbers)
{
	CHECK("number 7 word 0+0 unused 56, 0 in memory", 1, IC_TYPE_CHARACTER,
	      IC_LOCATION_CONSTANT, .constant = 7);
	CHECK("file 4010 word 0+0 unused 0, 0 in memory", 8, IC_TYPE_POINTER, IC_LOCATION_ADDRESS,
	      .constant = 0x4010);
	CHECK("number 7 word 0+0 unused 0, 0 in memory", 8, IC_TYPE_INTEGER, IC_LOCATION_BYTES,
	      .constant = 7, .size = 8);
	CHECK("a constant of more than 8 bytes", 16, IC_TYPE_INTEGER, IC_LOCATION_BYTES,
	      .size = 16);
}

TEST(memory_is_where_loads_lead_to)
{
	CHECK("register 0 word 5-8 unused 32, 4 in memory", 4, IC_TYPE_INTEGER, IC_LOCATION_MEMORY,
	      .reg = 3, .offset = -8);
	CHECK("register 0 word 19+12 unused 32, 4 in memory", 4, IC_TYPE_INTEGER,
	      IC_LOCATION_MEMORY, .base = IC_BASE_CFA, .offset = -4);
	CHECK("file 4010 word 0+0 load 8+24 unused 48, 2 in memory", 2, IC_TYPE_INTEGER,
	      IC_LOCATION_MEMORY, .base = IC_BASE_ADDRESS, .constant = 0x4010, .load_count = 1,
	      .loads = { { 8, 24 } });
	CHECK("register 0 word 5+0 unused 0, 16 in memory", 16, IC_TYPE_INTEGER, IC_LOCATION_MEMORY,
	      .reg = 3);
	CHECK("register 0 word 5+1 load 4+2 unused 0, 0 in memory", 8, IC_TYPE_INTEGER,
	      IC_LOCATION_VALUE, .reg = 3, .offset = 1, .load_count = 1, .loads = { { 4, 2 } });
	CHECK("behind a pointer of unsupported size", 4, IC_TYPE_INTEGER, IC_LOCATION_MEMORY,
	      .load_count = 1, .loads = { { 9, 0 } });
	CHECK("behind too many pointers", 4, IC_TYPE_INTEGER, IC_LOCATION_MEMORY,
	      .load_count = IC_LOCATION_MOST_LOADS + 1);
}

TEST(of_structures_there_is_the_address)
{
	CHECK("register 0 word 5+0 address unused 0, 0 in memory", 4, IC_TYPE_STRUCTURE,
	      IC_LOCATION_MEMORY, .reg = 3);
	CHECK("register 0 word 5+0 address unused 0, 0 in memory", 17, IC_TYPE_INTEGER,
	      IC_LOCATION_MEMORY, .reg = 3);
	CHECK("larger than a register", 16, IC_TYPE_STRUCTURE, IC_LOCATION_REGISTER, .reg = 3);
}

// Of bits of a number, which are cut off: from above, and then from below.
static const char *bits_of(struct ic_parameter parameter, bool is_big_endian)
{
	static char text[64];
	struct ic_trace_place place = place_of();
	struct ic_trace_fetch fetch;

	place.is_big_endian = is_big_endian;
	const char *why = ic_trace_fetch_make(&parameter, &place, &fetch);
	snprintf(text, sizeof(text), "unused %u low %u", fetch.unused_bits, fetch.low_bits);
	return why ? why : text;
}

TEST(of_bit_fields_only_their_bits_count)
{
	struct ic_parameter field = { .size = 4,
				      .encoding = IC_TYPE_INTEGER,
				      .bit_size = 3,
				      .bit_offset = 5,
				      .location = { .kind = IC_LOCATION_REGISTER } };

	assert_string_equal(bits_of(field, false), "unused 56 low 5");
	assert_string_equal(bits_of(field, true), "a bit-field on a big-endian machine");
	field.location.kind = IC_LOCATION_MEMORY;
	assert_string_equal(bits_of(field, false), "unused 56 low 5");
	field.bit_offset = 61;
	assert_string_equal(bits_of(field, false), "unused 0 low 61");
	field.bit_offset = 62;
	assert_string_equal(bits_of(field, false), "a bit-field that does not fit in 64 bits");
	field.bit_offset = 0;
	field.size = 16;
	assert_string_equal(bits_of(field, false), "a bit-field that does not fit in 64 bits");
}

TEST(arrays_of_characters_are_strings_up_to_their_end)
{
	struct ic_parameter array = { .size = 16,
				      .encoding = IC_TYPE_ARRAY,
				      .type = "const char[16]",
				      .item_size = 1,
				      .item_encoding = IC_TYPE_CHARACTER,
				      .location = { .kind = IC_LOCATION_MEMORY } };
	const struct ic_trace_place place = place_of();
	struct ic_trace_fetch fetch;

	assert_null(ic_trace_fetch_make(&array, &place, &fetch));
	assert_true(fetch.is_string && fetch.is_address);
	assert_int_equal(fetch.string_size, 17);
	array.size = 1 << 20;
	assert_null(ic_trace_fetch_make(&array, &place, &fetch));
	assert_int_equal(fetch.string_size, 0);
	array.item_size = 0; // of several dimensions
	assert_null(ic_trace_fetch_make(&array, &place, &fetch));
	assert_false(fetch.is_string);
}

TEST(what_is_missing_has_a_reason)
{
	static const char *const whys[] = { [IC_LOCATION_WHY_KNOWN] = "unavailable",
					    [IC_LOCATION_WHY_OPTIMISED_OUT] = "optimised out",
					    [IC_LOCATION_WHY_NOT_HERE] = "not here",
					    [IC_LOCATION_WHY_NOT_STORED] = "not stored yet",
					    [IC_LOCATION_WHY_NO_ADDRESS] = "no address",
					    [IC_LOCATION_WHY_NOT_READ] = "not read",
					    [IC_LOCATION_WHY_UNREADABLE] = "unreadable" };

	for (size_t i = 0; i < COUNT_OF(whys); i++)
		CHECK(whys[i], 4, IC_TYPE_INTEGER, IC_LOCATION_UNAVAILABLE,
		      .why = (enum ic_location_why)i);
	const struct ic_location_piece pieces[] = {
		{ .bit_size = 16, .location.kind = IC_LOCATION_REGISTER },
		{ .bit_size = 16, .location.kind = IC_LOCATION_UNAVAILABLE },
	};
	CHECK("split into pieces", 2, IC_TYPE_INTEGER, IC_LOCATION_PIECES, .pieces = pieces,
	      .piece_count = 1);
	CHECK("partly optimised out", 4, IC_TYPE_INTEGER, IC_LOCATION_PIECES, .pieces = pieces,
	      .piece_count = 2);
	CHECK("computed", 4, IC_TYPE_INTEGER, IC_LOCATION_COMPUTED);
	CHECK("the entry value of a register", 4, IC_TYPE_INTEGER, IC_LOCATION_ENTRY_VALUE);
	CHECK("relative to the entry value of a register", 4, IC_TYPE_INTEGER, IC_LOCATION_MEMORY,
	      .base = IC_BASE_ENTRY_REGISTER);
	CHECK("its size is unknown", 0, IC_TYPE_INTEGER, IC_LOCATION_CONSTANT);
	CHECK("possibly uninitialised", 4, IC_TYPE_INTEGER, IC_LOCATION_CONSTANT,
	      .is_uninitialised = true);
}

TEST(a_frame_that_is_not_known_has_no_arguments)
{
	struct ic_trace_place place = place_of();
	const struct ic_parameter parameter = {
		.size = 4, .location = { .kind = IC_LOCATION_MEMORY, .base = IC_BASE_CFA }
	};
	struct ic_trace_fetch fetch;

	place.has_cfa = false;
	assert_string_equal(ic_trace_fetch_make(&parameter, &place, &fetch),
			    "in a stack frame whose CFA is unknown there");
}

TEST(pointers_to_characters_are_strings)
{
	struct ic_parameter parameter = { .size = 8,
					  .encoding = IC_TYPE_POINTER,
					  .item_size = 1,
					  .item_encoding = IC_TYPE_CHARACTER,
					  .location = { .kind = IC_LOCATION_REGISTER, .reg = 5 } };

	assert_string_equal(text_of(&parameter),
			    "register 0 word 14+0 string unused 0, 0 in memory");
	parameter.item_size = 2;
	assert_string_equal(text_of(&parameter), "register 0 word 14+0 unused 0, 0 in memory");
}

UNIT_TESTS(trace_bpf_fetch)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_words_of_the_kernels),
		cmocka_unit_test(of_a_boolean_that_is_not_in_memory_only_a_bit_counts),
		cmocka_unit_test(constants_and_addresses_are_numbers),
		cmocka_unit_test(memory_is_where_loads_lead_to),
		cmocka_unit_test(of_structures_there_is_the_address),
		cmocka_unit_test(of_bit_fields_only_their_bits_count),
		cmocka_unit_test(arrays_of_characters_are_strings_up_to_their_end),
		cmocka_unit_test(what_is_missing_has_a_reason),
		cmocka_unit_test(a_frame_that_is_not_known_has_no_arguments),
		cmocka_unit_test(pointers_to_characters_are_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
