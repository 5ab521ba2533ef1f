#include "unit_test.h"

#include <stdio.h>

#include <inlinecall/extra/btf_inline.h>

#include "btf_builder.h"

enum { KIND_LOC_PARAM = 20, KIND_LOC_PROTO = 21, KIND_LOCSEC = 22 };

struct faults {
	char text[1024];
};

static void take(void *context, enum ic_btf_inline_fault fault, uint64_t off)
{
	struct faults *faults = context;
	size_t length = strlen(faults->text);

	snprintf(faults->text + length, sizeof(faults->text) - length, "0x%llx: %s\n",
		 (unsigned long long)off, ic_btf_inline_fault_text(fault));
}

static void check(struct bytes bytes, const struct ic_btf *types, const char *wanted)
{
	struct faults faults = { .text = "" };
	struct ic_btf_inline *table = ic_btf_inline_parse(bytes.data, bytes.size, types, NULL);

	assert_non_null(table);
	assert_true(ic_btf_inline_check(table, take, &faults, NULL));
	assert_string_equal(faults.text, wanted);
	ic_btf_inline_free(table);
}

// The example with a byte changed.
static void check_changed(size_t off, uint8_t value, const char *wanted)
{
	struct byte_buffer out = { .data = NULL };
	struct btf_builder builder;

	btf_example_types(&builder, false);
	btf_example_write(&out, false);
	byte_buffer_patch(&out, off, value, 1);
	struct bytes section = btf_section(&builder);
	struct ic_btf *types = ic_btf_parse(section.data, section.size, NULL, NULL);
	check(byte_buffer_view(&out), types, wanted);
	ic_btf_free(types);
	btf_builder_deinit(&builder);
	byte_buffer_deinit(&out);
}

TEST(the_example_is_sound_in_both_byte_orders)
{
	for (int big_endian = 0; big_endian < 2; big_endian++) {
		struct byte_buffer out = { .data = NULL };
		struct btf_builder builder;

		btf_example_types(&builder, big_endian);
		btf_example_write(&out, big_endian);
		struct bytes section = btf_section(&builder);
		struct ic_btf *types = ic_btf_parse(section.data, section.size, NULL, NULL);
		check(byte_buffer_view(&out), types, "");
		check(byte_buffer_view(&out), NULL, "");
		ic_btf_free(types);
		btf_builder_deinit(&builder);
		byte_buffer_deinit(&out);
	}
}

TEST(each_fault_of_a_table_is_found_where_it_is)
{
	check_changed(24, 1, "0x18: the callee is not a function\n");
	check_changed(24, 99, "0x18: the callee is not a function\n");
	check_changed(24, 0, ""); // void stands for what is not in BTF
	check_changed(28, 2, "0x18: the caller is not a function\n");
	check_changed(24, 8, "0x18: the function has a different number of parameters\n");
	check_changed(38, 99, "0x18: a location does not exist\n");
	check_changed(38, 2, "0x18: a location begins in the middle of an operator\n");
	check_changed(38, 3,
		      ""); // the end of an expression, which is empty: suffixes may be shared
	check_changed(86, 9,
		      "0x56: locations do not begin with an empty expression\n"
		      "0x18: a location begins in the middle of an operator\n"
		      "0x2e: a location begins in the middle of an operator\n");
	check_changed(104, 3, "0x44: a location cannot be read\n"); // loads three bytes
	check_changed(16, 0, // what is then read as expressions are the calls
		      "0x8: calls and locations overlap\n"
		      "0x18: locations do not begin with an empty expression\n"
		      "0x18: a location begins in the middle of an operator\n"
		      "0x18: a location begins in the middle of an operator\n"
		      "0x2e: a location begins in the middle of an operator\n");
}

TEST(a_table_with_nothing_in_it_is_sound)
{
	struct btf_builder types, kinds;

	btf_example_types(&types, false);
	btf_builder_init(&kinds, &types, false);
	check(btf_section(&kinds), NULL, "");
	btf_builder_deinit(&kinds);
	btf_builder_deinit(&types);
}

TEST(each_fault_of_the_kinds_is_found_where_it_is)
{
	struct btf_builder builder;

	btf_example_types(&builder, false);
	size_t start = builder.types.size + 24;
	btf_type(&builder, NULL, KIND_LOC_PARAM, 1, false, 4); // 10
	btf_word(&builder, 0x48);                              // no such flag
	btf_word(&builder, 5);
	btf_type(&builder, NULL, KIND_LOC_PROTO, 2, false, 0); // 11
	btf_word(&builder, 10);
	btf_word(&builder, 1);
	btf_type(&builder, NULL, KIND_LOCSEC, 4, false, 0); // 12
	const uint32_t calls[] = { 7, 11, 0, 8, 11, 0, 1, 11, 0, 9, 1, 0 };
	for (size_t i = 0; i < COUNT_OF(calls); i++)
		btf_word(&builder, calls[i]);
	char wanted[512];
	snprintf(wanted, sizeof(wanted),
		 "0x%zx: a location cannot be read\n"
		 "0x%zx: a location does not exist\n"
		 "0x%zx: a LOCSEC has no name\n"
		 "0x%zx: the function has a different number of parameters\n"
		 "0x%zx: the callee is not a function\n"
		 "0x%zx: the location list is not a LOC_PROTO\n",
		 start + 20, start + 20, start + 40, start + 64, start + 76, start + 88);
	check(btf_section(&builder), NULL, wanted);
	btf_builder_deinit(&builder);
}

TEST(every_fault_has_a_text)
{
	for (int i = 0; i < IC_BTF_FAULT_COUNT_OF; i++)
		assert_non_null(ic_btf_inline_fault_text((enum ic_btf_inline_fault)i));
	assert_null(ic_btf_inline_fault_text((enum ic_btf_inline_fault)IC_BTF_FAULT_COUNT_OF));
}

UNIT_TESTS(btf_inline_check)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_is_sound_in_both_byte_orders),
		cmocka_unit_test(each_fault_of_a_table_is_found_where_it_is),
		cmocka_unit_test(a_table_with_nothing_in_it_is_sound),
		cmocka_unit_test(each_fault_of_the_kinds_is_found_where_it_is),
		cmocka_unit_test(every_fault_has_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
