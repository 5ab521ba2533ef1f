#include "unit_test.h"

#include <stdlib.h>

#include "btf/inline_table.h"

#include "btf_builder.h"

enum { X86_64 = 62 };

// All calls as text, a line each.
static void check_calls(const struct ic_btf_inline *table, const char *wanted)
{
	char *all = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&all, &size);
	struct ic_btf_inline_site site;
	size_t i;

	for (i = 0; ic_btf_inline_get(table, i, &site); i++) {
		fprintf(out, "%s+0x%llx %s", site.caller_name ? site.caller_name : "?",
			(unsigned long long)site.offset, site.callee_name ? site.callee_name : "?");
		for (uint32_t j = 0; j < site.parameter_count; j++) {
			struct ic_btf_inline_parameter parameter;
			char text[64];
			ic_btf_inline_parameter(table, i, j, &parameter);
			const struct ic_location_text_options options = { .size = parameter.size,
									  .machine = X86_64 };
			ic_location_text(&parameter.location, &options, text, sizeof(text));
			fprintf(out, " %s=%s", parameter.name ? parameter.name : "?", text);
		}
		fprintf(out, "\n");
	}
	fclose(out);
	assert_int_equal(i, ic_btf_inline_count(table));
	assert_string_equal(all, wanted);
	free(all);
}

static const char example[] = "top+0x30 mid value=%rdi factor=0x3\n"
			      "top+0x12 mid value=%rdi factor=unavailable\n"
			      "top+0x41 leaf count=*(u32 *)(%rdi+12)\n";

TEST(a_table_is_read_in_both_byte_orders)
{
	for (int big_endian = 0; big_endian < 2; big_endian++) {
		struct byte_buffer out = { .data = NULL };
		struct btf_builder types;
		struct ic_error err = { .message = "" };

		btf_example_types(&types, big_endian);
		btf_example_write(&out, big_endian);
		struct bytes section = btf_section(&types);
		struct ic_btf *btf = ic_btf_parse(section.data, section.size, NULL, &err);
		struct ic_btf_inline *table = ic_btf_inline_parse(out.data, out.size, btf, &err);
		assert_string_equal(err.message, "");
		assert_int_equal(ic_btf_inline_format(table), IC_BTF_INLINE_RFC);
		assert_int_equal(out.size, 106);
		check_calls(table, example);
		ic_btf_inline_free(table);
		ic_btf_free(btf);
		btf_builder_deinit(&types);
		byte_buffer_deinit(&out);
	}
}

TEST(a_table_is_read_at_any_alignment_and_without_types)
{
	struct byte_buffer out = { .data = NULL };
	uint8_t bytes[128];

	btf_example_write(&out, false);
	memcpy(bytes + 1, out.data, out.size);
	struct ic_btf_inline *table = ic_btf_inline_parse(bytes + 1, out.size, NULL, NULL);
	check_calls(table, "?+0x30 ? ?=%rdi ?=0x3\n"
			   "?+0x12 ? ?=%rdi ?=unavailable\n"
			   "?+0x41 ? ?=*(u32 *)(%rdi+12)\n");
	ic_btf_inline_free(table);
	byte_buffer_deinit(&out);
}

TEST(a_table_without_calls_is_sound)
{
	const uint8_t bytes[] = { 0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0,
				  0,    0,    0, 0, 0,  0, 0, 1, 0, 0, 0, 0 };
	struct ic_btf_inline *table = ic_btf_inline_parse(bytes, sizeof(bytes), NULL, NULL);

	assert_non_null(table);
	assert_int_equal(ic_btf_inline_count(table), 0);
	ic_btf_inline_free(table);
}

TEST(a_table_that_is_cut_short_is_refused)
{
	struct byte_buffer out = { .data = NULL };
	struct ic_error err;

	btf_example_write(&out, false);
	for (size_t size = 0; size < out.size; size++) {
		err.message[0] = 0;
		assert_null(ic_btf_inline_parse(out.data, size, NULL, &err));
		assert_true(err.message[0] != 0);
	}
	byte_buffer_deinit(&out);
}

TEST(what_breaks_the_format_is_an_error_with_its_offset)
{
	static const struct {
		size_t off;
		uint64_t value;
		uint64_t fault_off;
		const char *message;
	} faults[] = {
		{ 0, 0x99, 0, ".BTF.inline+0x0: no BTF magic number" },
		{ 2, 2, 2, ".BTF.inline+0x2: unsupported version 2" },
		{ 3, 1, 3, ".BTF.inline+0x3: unknown flags 0x1" },
		{ 4, 23, 4, ".BTF.inline+0x4: invalid header size: 23 bytes" },
		{ 12, 83, 8, ".BTF.inline+0x8: calls extend past the end of the section" },
		{ 20, 21, 16, ".BTF.inline+0x10: locations extend past the end of the section" },
	};
	for (size_t i = 0; i < COUNT_OF(faults); i++) {
		struct byte_buffer out = { .data = NULL };
		struct ic_error err;

		btf_example_write(&out, false);
		byte_buffer_patch(&out, faults[i].off, faults[i].value, 1);
		assert_null(ic_btf_inline_parse(out.data, out.size, NULL, &err));
		assert_fault(&err, ".BTF.inline", faults[i].fault_off, faults[i].message);
		byte_buffer_deinit(&out);
	}
}

TEST(a_wrong_location_costs_its_parameter_alone)
{
	struct byte_buffer out = { .data = NULL };

	btf_example_write(&out, false);
	byte_buffer_patch(&out, 24 + 14, 99, 4);         // beyond the locations
	byte_buffer_patch(&out, out.size - 13, 0x7f, 1); // an operator that there is not
	struct ic_btf_inline *table = ic_btf_inline_parse(out.data, out.size, NULL, NULL);
	check_calls(table, "?+0x30 ? ?=unavailable (unreadable) ?=0x3\n"
			   "?+0x12 ? ?=%rdi ?=unavailable\n"
			   "?+0x41 ? ?=unavailable (unreadable)\n");
	ic_btf_inline_free(table);
	byte_buffer_deinit(&out);
}

UNIT_TESTS(btf_inline_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_read_in_both_byte_orders),
		cmocka_unit_test(a_table_is_read_at_any_alignment_and_without_types),
		cmocka_unit_test(a_table_without_calls_is_sound),
		cmocka_unit_test(a_table_that_is_cut_short_is_refused),
		cmocka_unit_test(what_breaks_the_format_is_an_error_with_its_offset),
		cmocka_unit_test(a_wrong_location_costs_its_parameter_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
