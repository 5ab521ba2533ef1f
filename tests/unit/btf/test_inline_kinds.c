#include "unit_test.h"

#include <stdlib.h>

#include "btf/inline_kinds.h"

#include "btf_builder.h"

enum { KIND_LOC_PARAM = 20, KIND_LOC_PROTO = 21, KIND_LOCSEC = 22 };

static void put_param(struct btf_builder *btf, uint32_t size, uint32_t flags, uint32_t count,
		      uint32_t first, uint32_t second)
{
	btf_type(btf, NULL, KIND_LOC_PARAM, count, false, size);
	btf_word(btf, flags);
	btf_word(btf, first);
	if (count == 2)
		btf_word(btf, second);
}

// What the test of bpftool prints; the texts below are its own, but for [4] and [12] to [14].
static void put_example(struct btf_builder *btf, bool big_endian)
{
	btf_builder_init(btf, NULL, big_endian);
	uint32_t number = btf_int(btf, "int", 4, true); // 1
	const uint32_t types[] = { number, number, number, number, number, number, number };
	btf_function(btf, "foo", types, 7); // 2 and 3
	put_param(btf, 4, 0x8, 1, 1, 0);
	put_param(btf, 8, 0x38, 2, 2, 0x10);
	put_param(btf, 8, 0x29, 2, UINT32_MAX, (uint32_t)-0x10);
	put_param(btf, 8, 0x6, 2, 0x9abcdef0, 0x12345678);
	put_param(btf, 8, 0x2, 2, 0xfeedface, 0xdeadbeef);
	put_param(btf, 8, 0x39, 2, UINT32_MAX, (uint32_t)-0x20);
	btf_type(btf, NULL, KIND_LOC_PROTO, 7, false, 0); // 10
	for (uint32_t id = 4; id <= 9; id++)
		btf_word(btf, id);
	btf_word(btf, 0);
	btf_type(btf, "inline.text", KIND_LOCSEC, 1, false, 0); // 11
	btf_word(btf, 3);
	btf_word(btf, 10);
	btf_word(btf, 64);
}

static const char example_raw[] =
	"[4] LOC_PARAM '(anon)' size=4 flags=0x8 vlen=1 values='reg1'\n"
	"[5] LOC_PARAM '(anon)' size=8 flags=0x38 vlen=2 values='*(reg2 + 0x10)'\n"
	"[6] LOC_PARAM '(anon)' size=8 flags=0x29 vlen=2 values='fbreg - 0x10'\n"
	"[7] LOC_PARAM '(anon)' size=8 flags=0x6 vlen=2 values='0x123456789abcdef0 (addr)'\n"
	"[8] LOC_PARAM '(anon)' size=8 flags=0x2 vlen=2 values='0xdeadbeeffeedface'\n"
	"[9] LOC_PARAM '(anon)' size=8 flags=0x39 vlen=2 values='*(fbreg - 0x20)'\n"
	"[10] LOC_PROTO '(anon)' vlen=7\n"
	"\ttype_id=4 value='reg1'\n"
	"\ttype_id=5 value='*(reg2 + 0x10)'\n"
	"\ttype_id=6 value='fbreg - 0x10'\n"
	"\ttype_id=7 value='0x123456789abcdef0 (addr)'\n"
	"\ttype_id=8 value='0xdeadbeeffeedface'\n"
	"\ttype_id=9 value='*(fbreg - 0x20)'\n"
	"\ttype_id=0\n"
	"[11] LOCSEC 'inline.text' vlen=1\n"
	"\tname='foo' func_type_id=3 loc_proto_type_id=10 offset=64\n";

static struct ic_btf_inline *parse(struct btf_builder *builder, const struct ic_btf *base)
{
	struct ic_error err = { .message = "" };
	struct bytes section = btf_section(builder);
	struct ic_btf_inline *table = ic_btf_inline_parse(section.data, section.size, base, &err);

	if (!table)
		assert_string_equal(err.message, "");
	return table;
}

static void check_raw(const struct ic_btf_inline *table, const char *wanted)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(ic_btf_inline_print_kinds(table, out));
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

static void check_parameter(const struct ic_btf_inline *table, uint32_t number, const char *wanted)
{
	struct ic_btf_inline_parameter parameter;
	char text[96];

	ic_btf_inline_parameter(table, 0, number, &parameter);
	const struct ic_location_text_options options = { .size = parameter.size,
							  .is_signed = parameter.is_signed,
							  .machine = 62 };
	ic_location_text(&parameter.location, &options, text, sizeof(text));
	assert_string_equal(text, wanted);
}

TEST(the_kinds_are_printed_as_bpftool_prints_them)
{
	for (int i = 0; i < 4; i++) {
		struct btf_builder builder;

		put_example(&builder, i & 1);
		if (i & 2) // also with a header of 32 bytes
			byte_buffer_fill(&builder.layout, 0, 92);
		struct ic_btf_inline *table = parse(&builder, NULL);
		assert_int_equal(ic_btf_inline_format(table), IC_BTF_INLINE_LOC);
		check_raw(table, example_raw);
		ic_btf_inline_free(table);
		btf_builder_deinit(&builder);
	}
}

TEST(a_site_has_its_function_and_locations)
{
	struct ic_btf_inline_site site;
	struct btf_builder builder;
	struct ic_btf_inline_parameter parameter;

	put_example(&builder, true);
	struct ic_btf_inline *table = parse(&builder, NULL);
	assert_int_equal(ic_btf_inline_count(table), 1);
	assert_false(ic_btf_inline_get(table, 1, &site));
	assert_true(ic_btf_inline_get(table, 0, &site));
	assert_string_equal(site.callee_name, "foo");
	assert_string_equal(site.section, "inline.text");
	assert_int_equal(site.callee, 3);
	assert_int_equal(site.caller, 0);
	assert_int_equal(site.offset, 64);
	assert_int_equal(site.parameter_count, 7);
	check_parameter(table, 0, "%rdx");
	check_parameter(table, 1, "*(s32 *)(%rcx+16)");
	check_parameter(table, 2, "computed");
	check_parameter(table, 3, "&0x123456789abcdef0");
	check_parameter(table, 4, "-17958194"); // the int of it
	check_parameter(table, 5, "computed");
	check_parameter(table, 6, "unavailable");
	ic_btf_inline_parameter(table, 0, 5, &parameter);
	assert_true(parameter.is_on_frame);
	assert_int_equal(parameter.location.offset, -0x20);
	ic_btf_inline_free(table);
	btf_builder_deinit(&builder);
}

TEST(two_registers_are_pieces_and_short_constants_have_a_sign)
{
	struct btf_builder builder;

	btf_builder_init(&builder, NULL, false);
	btf_function(&builder, "f", NULL, 0); // 1 and 2
	put_param(&builder, 16, 0x8, 2, 5, 4);
	put_param(&builder, 8, 0x3, 1, (uint32_t)-5, 0);
	put_param(&builder, 8, 0x2, 1, (uint32_t)-5, 0);
	put_param(&builder, 8, 0x18, 1, 5, 0);
	put_param(&builder, 8, 0x48, 1, 5, 0); // a flag that there is not
	btf_type(&builder, NULL, KIND_LOC_PROTO, 6, false, 0);
	for (uint32_t id = 3; id <= 8; id++)
		btf_word(&builder, id == 8 ? 99 : id);
	btf_type(&builder, "inline.text", KIND_LOCSEC, 1, false, 0);
	btf_word(&builder, 2);
	btf_word(&builder, 8);
	btf_word(&builder, 0);
	struct ic_btf_inline *table = parse(&builder, NULL);
	check_parameter(table, 0, "{%rdi:8, %rsi:8}");
	check_parameter(table, 1, "-5");
	check_parameter(table, 2, "0xfffffffb");
	check_parameter(table, 3, "*(u64 *)(%rdi)");
	check_parameter(table, 4, "unavailable (unreadable)");
	check_parameter(table, 5, "unavailable (unreadable)");
	ic_btf_inline_free(table);
	btf_builder_deinit(&builder);
}

TEST(split_kinds_refer_to_the_functions_of_their_base)
{
	struct btf_builder base_builder, builder;
	struct ic_btf_inline_site site;

	btf_example_types(&base_builder, false);
	struct bytes section = btf_section(&base_builder);
	struct ic_btf *base = ic_btf_parse(section.data, section.size, NULL, NULL);
	btf_builder_init(&builder, &base_builder, false);
	put_param(&builder, 4, 0x8, 1, 4, 0);                  // 10
	btf_type(&builder, NULL, KIND_LOC_PROTO, 1, false, 0); // 11
	btf_word(&builder, 10);
	btf_type(&builder, ".text", KIND_LOCSEC, 1, false, 0); // 12
	btf_word(&builder, 8);
	btf_word(&builder, 11);
	btf_word(&builder, 0x20);
	struct ic_btf_inline *table = parse(&builder, base);
	ic_btf_inline_get(table, 0, &site);
	assert_string_equal(site.callee_name, "leaf");
	check_parameter(table, 0, "%rsi");
	ic_btf_inline_free(table);
	ic_btf_free(base);
	btf_builder_deinit(&builder);
	btf_builder_deinit(&base_builder);
}

TEST(long_lists_that_calls_share_are_bounded)
{
	struct btf_builder builder;
	struct ic_error err;

	btf_builder_init(&builder, NULL, false);
	btf_type(&builder, NULL, KIND_LOC_PROTO, 1024, false, 0);
	for (unsigned i = 0; i < 1024; i++)
		btf_word(&builder, 0);
	btf_type(&builder, ".text", KIND_LOCSEC, 70, false, 0);
	for (unsigned i = 0; i < 70; i++) {
		btf_word(&builder, 0);
		btf_word(&builder, 1);
		btf_word(&builder, i);
	}
	struct ic_btf_inline *table = parse(&builder, NULL);
	assert_int_equal(ic_btf_inline_count(table), 70);
	ic_btf_inline_free(table);
	byte_buffer_patch(&builder.types, 12 + 4096 + 4, KIND_LOCSEC << 24 | 800, 4);
	for (unsigned i = 70; i < 800; i++) {
		btf_word(&builder, 0);
		btf_word(&builder, 1);
		btf_word(&builder, i);
	}
	struct bytes section = btf_section(&builder);
	assert_null(ic_btf_inline_parse(section.data, section.size, NULL, &err));
	assert_int_equal(err.code, IC_ERROR_LIMIT);
	btf_builder_deinit(&builder);
}

UNIT_TESTS(btf_inline_kinds)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kinds_are_printed_as_bpftool_prints_them),
		cmocka_unit_test(a_site_has_its_function_and_locations),
		cmocka_unit_test(two_registers_are_pieces_and_short_constants_have_a_sign),
		cmocka_unit_test(split_kinds_refer_to_the_functions_of_their_base),
		cmocka_unit_test(long_lists_that_calls_share_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
