#include <inlinecall/location.h>

#include "unit_test.h"

#include <stdio.h>

static const char *symbol_at(void *context, uint64_t addr, uint64_t *offset)
{
	(void)context;
	*offset = addr - 0x1000;
	return addr >= 0x1000 && addr < 0x2000 ? "table" : NULL;
}

enum { MACHINE_AMD64 = 62, MACHINE_AARCH64 = 183 };

// As a value of a type on an x86-64, with names of symbols.
static const char *text_of(const struct ic_location *location, const char *type, uint64_t size,
			   bool is_signed)
{
	static char text[512];
	const struct ic_location_text_options options = { .type = type,
							  .size = size,
							  .is_signed = is_signed,
							  .expression = "DW_OP_lit1",
							  .machine = MACHINE_AMD64,
							  .symbol_at = symbol_at };

	size_t length = ic_location_text(location, &options, text, sizeof(text));
	assert_int_equal(length, strlen(text));
	return text;
}

#define CHECK(wanted, type, size, is_signed, ...)                                       \
	do {                                                                            \
		const struct ic_location location = { __VA_ARGS__ };                    \
		assert_string_equal(text_of(&location, type, size, is_signed), wanted); \
	} while (false)

TEST(each_kind_has_its_text)
{
	static const uint8_t bytes[] = { 1, 2, 0xff };
	static const struct ic_location_piece pieces[] = {
		{ 64, 0, { .kind = IC_LOCATION_REGISTER, .reg = 1 } },
		{ 32, 0, { .kind = IC_LOCATION_MEMORY, .reg = 1, .offset = 8 } },
		{ 3, 5, { .kind = IC_LOCATION_COMPUTED } },
		{ 8, 0, { .why = IC_LOCATION_WHY_OPTIMISED_OUT } },
	};

	CHECK("0x20", NULL, 4, false, .kind = IC_LOCATION_CONSTANT, .constant = 0x20);
	CHECK("%rax", "long", 8, true, .kind = IC_LOCATION_REGISTER);
	CHECK("reg999", "long", 8, true, .kind = IC_LOCATION_REGISTER, .reg = 999);
	CHECK("%rdx+8", "long", 8, true, .kind = IC_LOCATION_REGISTER, .reg = 1, .offset = 8);
	CHECK("&table", "void *", 8, false, .kind = IC_LOCATION_ADDRESS, .constant = 0x1000);
	CHECK("&table+0x10", "void *", 8, false, .kind = IC_LOCATION_ADDRESS, .constant = 0x1010);
	CHECK("&0x3000", "void *", 8, false, .kind = IC_LOCATION_ADDRESS, .constant = 0x3000);
	CHECK("*(int *)(CFA-24)", "int", 4, true, .kind = IC_LOCATION_MEMORY, .base = IC_BASE_CFA,
	      .offset = -24);
	CHECK("*(int *)(&table+0x8)", "int", 4, true, .kind = IC_LOCATION_MEMORY,
	      .base = IC_BASE_ADDRESS, .constant = 0x1008);
	CHECK("*(int *)(0x1008)", "int", 4, true, .kind = IC_LOCATION_MEMORY,
	      .base = IC_BASE_CONSTANT, .constant = 0x1008);
	CHECK("entry(%rdx)", "int", 4, true, .kind = IC_LOCATION_ENTRY_VALUE, .reg = 1);
	CHECK("*(int *)(entry(%rdx)+4)", "int", 4, true, .kind = IC_LOCATION_MEMORY,
	      .base = IC_BASE_ENTRY_REGISTER, .reg = 1, .offset = 4);
	CHECK("CFA+8", "int *", 8, false, .kind = IC_LOCATION_VALUE, .base = IC_BASE_CFA,
	      .offset = 8);
	CHECK("{01 02 ff}", "struct s", 3, false, .kind = IC_LOCATION_BYTES, .bytes = bytes,
	      .size = 3);
	CHECK("{%rdx:8, *(u32 *)(%rdx+8):4, computed:3b@5, unavailable:1}", "struct s", 13, false,
	      .kind = IC_LOCATION_PIECES, .pieces = pieces, .piece_count = COUNT_OF(pieces));
	CHECK("computed: DW_OP_lit1", "int", 4, true, .kind = IC_LOCATION_COMPUTED);
	CHECK("unavailable", "int", 4, true, .kind = IC_LOCATION_UNAVAILABLE);
	CHECK("unavailable (optimised out)", "int", 4, true, .why = IC_LOCATION_WHY_OPTIMISED_OUT);
	CHECK("unavailable (not here)", "int", 4, true, .why = IC_LOCATION_WHY_NOT_HERE);
	CHECK("unavailable (unreadable)", "int", 4, true, .why = IC_LOCATION_WHY_UNREADABLE);
	CHECK("unavailable (not stored yet)", "int", 4, true, .why = IC_LOCATION_WHY_NOT_STORED);
	CHECK("unavailable (no address)", "int", 4, true, .why = IC_LOCATION_WHY_NO_ADDRESS);
}

TEST(numbers_are_those_of_their_type)
{
	CHECK("-1", "int", 4, true, .kind = IC_LOCATION_CONSTANT, .constant = 0xffffffff);
	CHECK("4294967295", "long", 8, true, .kind = IC_LOCATION_CONSTANT, .constant = 0xffffffff);
	CHECK("0xff", "u8", 1, false, .kind = IC_LOCATION_CONSTANT, .constant = UINT64_MAX);
	CHECK("0xffffffffffffffff", NULL, 0, false, .kind = IC_LOCATION_CONSTANT,
	      .constant = UINT64_MAX);
	CHECK("-1", NULL, 0, true, .kind = IC_LOCATION_CONSTANT, .constant = UINT64_MAX);
}

TEST(bytes_that_are_a_number_are_written_so)
{
	static const uint8_t bytes[40] = { 1, 2 };

	CHECK("0x201", "u16", 2, false, .kind = IC_LOCATION_BYTES, .bytes = bytes, .size = 2,
	      .constant = 0x201);
	CHECK("-2", "short", 2, true, .kind = IC_LOCATION_BYTES, .bytes = bytes, .size = 2,
	      .constant = 0xfffe);
	CHECK("{01 02}", "int", 4, true, .kind = IC_LOCATION_BYTES, .bytes = bytes, .size = 2,
	      .constant = 0x201);
	CHECK("{01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
	      "00 00 00 00 00 ...}",
	      "struct s", 40, false, .kind = IC_LOCATION_BYTES, .bytes = bytes, .size = 40);
}

TEST(bytes_that_are_a_string_are_written_so)
{
	static const char text[] = "a \"b\"\\\n"
				   "7\xff",
			  empty[] = "";
	char long_text[70] = "", wanted[80];

	CHECK("\"a \\\"b\\\"\\\\\\0127\\377\"", "char *", 8, false, .kind = IC_LOCATION_BYTES,
	      .is_string = true, .bytes = (const uint8_t *)text, .size = sizeof(text));
	CHECK("\"\"", "char", 1, false, .kind = IC_LOCATION_BYTES, .is_string = true,
	      .bytes = (const uint8_t *)empty, .size = 1);
	memset(long_text, 'x', sizeof(long_text) - 1);
	snprintf(wanted, sizeof(wanted), "\"%.64s\"...", long_text);
	CHECK(wanted, "char *", 8, false, .kind = IC_LOCATION_BYTES, .is_string = true,
	      .bytes = (const uint8_t *)long_text, .size = sizeof(long_text));
}

TEST(loads_are_written_one_in_the_other)
{
	CHECK("*(long *)(*(u32 *)(*(u64 *)(%rdx+16)+8)-1)", "long", 8, true,
	      .kind = IC_LOCATION_MEMORY, .reg = 1, .offset = 16, .load_count = 2,
	      .loads = { { 8, 8 }, { 4, -1 } });
	CHECK("*(u64 *)(%rdx)+8", "long", 8, true, .kind = IC_LOCATION_VALUE, .reg = 1,
	      .load_count = 1, .loads = { { 8, 8 } });
}

TEST(a_pointer_to_the_type_is_spelled_as_in_c)
{
	static const struct {
		const char *wanted, *type;
		uint64_t size;
		bool is_signed;
	} rows[] = {
		{ "*(char **)(%rax)", "char *", 8, false },
		{ "*(int (**)(void))(%rax)", "int (*)(void)", 8, false },
		{ "*(int (*)[4][2])(%rax)", "int [4][2]", 32, false },
		{ "*(const struct s *)(%rax)", "const struct s", 32, false },
		{ "*(pair<int (*)(int), int[2]> *)(%rax)", "pair<int (*)(int), int[2]>", 16,
		  false },
		{ "*([u8; 4] *)(%rax)", "[u8; 4]", 4, false },
		{ "*(&mut [u8] *)(%rax)", "&mut [u8]", 16, false },
		{ "*([]int *)(%rax)", "[]int", 24, false },
		{ "*(map[string]int *)(%rax)", "map[string]int", 24, false },
		{ "*(decltype(nullptr) *)(%rax)", "decltype(nullptr)", 24, false },
		{ "*(s16 *)(%rax)", NULL, 2, true },
		{ "*(u8 (*)[12])(%rax)", NULL, 12, false },
		{ "*(%rax)", NULL, 0, false },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(rows[i].wanted, rows[i].type, rows[i].size, rows[i].is_signed,
		      .kind = IC_LOCATION_MEMORY);
}

TEST(offsets_are_decimal_while_they_are_small)
{
	CHECK("%rax+65535", NULL, 8, false, .kind = IC_LOCATION_REGISTER, .offset = 65535);
	CHECK("%rax-0x10000", NULL, 8, false, .kind = IC_LOCATION_REGISTER, .offset = -65536);
	CHECK("%rax-0x8000000000000000", NULL, 8, false, .kind = IC_LOCATION_REGISTER,
	      .offset = INT64_MIN);
}

TEST(registers_are_spelled_as_assemblers_do)
{
	const struct ic_location location = { .kind = IC_LOCATION_REGISTER, .reg = 1 };
	struct ic_location_text_options options = { .machine = MACHINE_AARCH64 };
	char text[8];

	ic_location_text(&location, &options, text, sizeof(text));
	assert_string_equal(text, "x1");
	options.machine = MACHINE_AMD64;
	ic_location_text(&location, &options, text, sizeof(text));
	assert_string_equal(text, "%rdx");
	options.machine = 0;
	ic_location_text(&location, &options, text, sizeof(text));
	assert_string_equal(text, "reg1");
}

TEST(a_text_is_cut_where_there_is_no_more_room)
{
	const struct ic_location location = { .kind = IC_LOCATION_MEMORY, .offset = 8 };
	char text[8] = "xxxxxxx";

	assert_int_equal(ic_location_text(&location, NULL, NULL, 0), strlen("*(reg0+8)"));
	assert_int_equal(ic_location_text(&location, NULL, text, 5), strlen("*(reg0+8)"));
	assert_string_equal(text, "*(re");
	assert_int_equal(text[5], 'x');
}

UNIT_TESTS(values_location_text)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_has_its_text),
		cmocka_unit_test(numbers_are_those_of_their_type),
		cmocka_unit_test(bytes_that_are_a_number_are_written_so),
		cmocka_unit_test(bytes_that_are_a_string_are_written_so),
		cmocka_unit_test(loads_are_written_one_in_the_other),
		cmocka_unit_test(a_pointer_to_the_type_is_spelled_as_in_c),
		cmocka_unit_test(offsets_are_decimal_while_they_are_small),
		cmocka_unit_test(registers_are_spelled_as_assemblers_do),
		cmocka_unit_test(a_text_is_cut_where_there_is_no_more_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
