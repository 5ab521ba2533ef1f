#include "unit_test.h"

#include "btf/types.h"

#include "btf_builder.h"

enum {
	KIND_ARRAY = 3,
	KIND_STRUCT = 4,
	KIND_CONST = 10,
	KIND_FUNC_PROTO = 13,
	KIND_LOC_PARAM = 20,
};

static struct ic_btf *parse(struct btf_builder *builder, const struct ic_btf *base,
			    struct ic_error *err)
{
	struct bytes section = btf_section(builder);

	return ic_btf_parse(section.data, section.size, base, err);
}

static void check_text(const struct ic_btf *btf, uint32_t id, const char *wanted)
{
	char text[128];

	assert_int_equal(ic_btf_type_text(btf, id, text, sizeof(text)), strlen(wanted));
	assert_string_equal(text, wanted);
}

TEST(functions_have_their_parameters_in_both_byte_orders)
{
	for (int big_endian = 0; big_endian < 2; big_endian++) {
		struct btf_builder builder;
		struct ic_btf_function function;
		struct ic_error err = { .message = "" };
		const char *name;
		uint32_t type;
		bool is_signed;

		btf_example_types(&builder, big_endian);
		struct ic_btf *btf = parse(&builder, NULL, &err);
		assert_string_equal(err.message, "");
		assert_int_equal(ic_btf_count(btf), 10);
		assert_string_equal(ic_btf_name(btf, 7), "mid");
		assert_null(ic_btf_name(btf, 3));
		assert_null(ic_btf_name(btf, 10));
		assert_true(ic_btf_function(btf, 7, &function));
		assert_string_equal(function.name, "mid");
		assert_int_equal(function.parameter_count, 2);
		assert_false(function.is_variadic);
		assert_true(ic_btf_function_parameter(btf, 7, 1, &name, &type));
		assert_string_equal(name, "factor");
		check_text(btf, type, "int");
		assert_int_equal(ic_btf_type_size(btf, type, &is_signed), 4);
		assert_true(is_signed);
		assert_false(ic_btf_function_parameter(btf, 7, 2, &name, &type));
		assert_false(ic_btf_function(btf, 1, &function));
		assert_false(ic_btf_function(btf, 3, &function)); // a FUNC_PROTO
		assert_false(ic_btf_function(btf, 10, &function));
		ic_btf_free(btf);
		btf_builder_deinit(&builder);
	}
}

TEST(the_dots_of_a_variadic_function_are_no_parameter)
{
	struct btf_builder builder;
	struct ic_btf_function function;
	struct ic_error err;

	btf_builder_init(&builder, NULL, false);
	uint32_t number = btf_int(&builder, "int", 4, true);
	uint32_t id = btf_function(&builder, "printf", (const uint32_t[]){ number, 0 }, 2);
	struct ic_btf *btf = parse(&builder, NULL, &err);
	assert_true(ic_btf_function(btf, id, &function));
	assert_int_equal(function.parameter_count, 1);
	assert_true(function.is_variadic);
	ic_btf_free(btf);
	btf_builder_deinit(&builder);
}

TEST(types_are_spelt_as_in_c)
{
	struct btf_builder builder;
	struct ic_error err;

	btf_builder_init(&builder, NULL, false);
	btf_int(&builder, "char", 1, false);                   // 1
	btf_type(&builder, NULL, KIND_CONST, 0, false, 1);     // 2
	btf_pointer(&builder, 2);                              // 3
	btf_type(&builder, NULL, KIND_CONST, 0, false, 3);     // 4
	btf_type(&builder, "page", KIND_STRUCT, 0, false, 64); // 5
	btf_type(&builder, NULL, KIND_STRUCT, 0, false, 8);    // 6
	btf_type(&builder, NULL, KIND_ARRAY, 0, false, 0);     // 7
	btf_word(&builder, 3);
	btf_word(&builder, 1);
	btf_word(&builder, 4);
	btf_pointer(&builder, 7);                               // 8
	btf_pointer(&builder, 5);                               // 9
	btf_type(&builder, NULL, KIND_FUNC_PROTO, 2, false, 1); // 10
	btf_word(&builder, 0);
	btf_word(&builder, 9);
	btf_word(&builder, 0);
	btf_word(&builder, 0);
	btf_pointer(&builder, 10); // 11
	btf_pointer(&builder, 12); // 12: to itself
	struct ic_btf *btf = parse(&builder, NULL, &err);
	assert_non_null(btf);
	check_text(btf, 0, "void");
	check_text(btf, 3, "const char *");
	check_text(btf, 4, "const char *const");
	check_text(btf, 5, "struct page");
	check_text(btf, 6, "struct {...}");
	check_text(btf, 7, "const char *[4]");
	check_text(btf, 8, "const char *(*)[4]");
	check_text(btf, 11, "char (*)(struct page *, ...)");
	check_text(btf, 12, "...");
	check_text(btf, 99, "??");
	ic_btf_free(btf);
	btf_builder_deinit(&builder);
}

TEST(split_types_continue_those_of_their_base)
{
	struct btf_builder base_builder, builder;
	struct ic_error err = { .message = "" };

	btf_example_types(&base_builder, true);
	btf_builder_init(&builder, &base_builder, false); // the byte order is each one's own
	uint32_t pointer = btf_pointer(&builder, 1);
	uint32_t id = btf_function(&builder, "more", &pointer, 1);
	struct ic_btf *base = parse(&base_builder, NULL, &err);
	struct ic_btf *btf = parse(&builder, base, &err);
	assert_string_equal(err.message, "");
	assert_int_equal(pointer, 10);
	assert_string_equal(ic_btf_name(btf, id), "more");
	assert_string_equal(ic_btf_name(btf, 7), "mid");
	check_text(btf, pointer, "int *");
	assert_null(ic_btf_name(base, id));
	ic_btf_free(btf);
	ic_btf_free(base);
	btf_builder_deinit(&builder);
	btf_builder_deinit(&base_builder);
}

TEST(a_layout_says_how_large_unknown_kinds_are)
{
	struct btf_builder builder;
	struct ic_error err;

	btf_builder_init(&builder, NULL, false);
	btf_type(&builder, "new", 23, 2, false, 0);
	btf_word(&builder, 1);
	btf_word(&builder, 2);
	btf_int(&builder, "int", 4, true);
	assert_null(parse(&builder, NULL, &err));
	assert_fault(&err, ".BTF", 24,
		     ".BTF+0x18: type 1 is of kind 23, which has an unknown size");
	for (unsigned kind = 0; kind <= 23; kind++)
		byte_buffer_put(&builder.layout, kind == 23 ? 0x0400 : 0, 4); // 0 and 4 an item
	struct ic_btf *btf = parse(&builder, NULL, &err);
	assert_non_null(btf);
	assert_string_equal(ic_btf_name(btf, 2), "int");
	ic_btf_free(btf);
	btf_builder_deinit(&builder);
}

TEST(a_loc_param_without_values_is_an_error)
{
	struct btf_builder builder;
	struct ic_error err;

	btf_builder_init(&builder, NULL, false);
	btf_type(&builder, NULL, KIND_LOC_PARAM, 0, false, 8);
	btf_word(&builder, 5);
	btf_word(&builder, 16);
	assert_null(parse(&builder, NULL, &err));
	assert_fault(&err, ".BTF", 24,
		     ".BTF+0x18: LOC_PARAM without values: the first layout of the location kinds "
		     "is not supported");
	btf_builder_deinit(&builder);
}

TEST(what_breaks_the_format_is_an_error)
{
	struct btf_builder builder;
	struct ic_error err;

	btf_example_types(&builder, false);
	struct bytes section = btf_section(&builder);
	assert_null(ic_btf_parse("BTF", 3, NULL, &err));
	assert_fault(&err, ".BTF", 0, ".BTF+0x0: no BTF magic number");
	for (size_t size = 0; size < section.size; size++)
		assert_null(ic_btf_parse(section.data, size, NULL, &err));
	builder.strings.size--; // the last NUL
	assert_null(parse(&builder, NULL, &err));
	assert_non_null(strstr(err.message, "the strings do not end with a NUL"));
	btf_builder_deinit(&builder);
}

UNIT_TESTS(btf_types)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_have_their_parameters_in_both_byte_orders),
		cmocka_unit_test(the_dots_of_a_variadic_function_are_no_parameter),
		cmocka_unit_test(types_are_spelt_as_in_c),
		cmocka_unit_test(split_types_continue_those_of_their_base),
		cmocka_unit_test(a_layout_says_how_large_unknown_kinds_are),
		cmocka_unit_test(a_loc_param_without_values_is_an_error),
		cmocka_unit_test(what_breaks_the_format_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
