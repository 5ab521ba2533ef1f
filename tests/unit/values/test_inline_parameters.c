#include "values/inline_parameters.h"

#include "btf/inline_table.h"
#include "btf_builder.h"
#include "unit_test.h"

struct example {
	struct btf_builder types;
	struct byte_buffer bytes;
	struct ic_btf *btf;
	struct ic_btf_inline *table;
	struct ic_inline_texts texts;
	struct ic_arena arena;
};

static void open(struct example *example)
{
	struct ic_error err;

	*example = (struct example){ .btf = NULL };
	btf_example_types(&example->types, false);
	btf_example_write(&example->bytes, false);
	struct bytes types = btf_section(&example->types);
	example->btf = ic_btf_parse(types.data, types.size, NULL, &err);
	example->table =
		ic_btf_inline_parse(example->bytes.data, example->bytes.size, example->btf, &err);
	assert_non_null(example->table);
}

static void close_all(struct example *example)
{
	ic_inline_texts_free(&example->texts);
	ic_arena_free(&example->arena);
	ic_btf_inline_free(example->table);
	ic_btf_free(example->btf);
	btf_builder_deinit(&example->types);
	byte_buffer_deinit(&example->bytes);
}

static void get(struct example *example, const struct ic_inline_arguments *arguments,
		uint32_t number, struct ic_parameter *parameter)
{
	struct ic_parameter list[4];

	assert_in_range(arguments->count, number + 1, COUNT_OF(list));
	assert_true(ic_inline_arguments_fill(arguments, &example->texts, &example->arena, list));
	*parameter = list[number];
}

TEST(parameters_are_those_of_the_call_by_its_number)
{
	struct ic_inline_arguments arguments;
	struct ic_parameter parameter;
	struct example example;

	open(&example);
	arguments = ic_inline_arguments_open(example.table, 8, 7, 0);
	assert_int_equal(arguments.count, 2);
	assert_false(arguments.is_variadic);
	get(&example, &arguments, 0, &parameter);
	assert_string_equal(parameter.name, "value");
	assert_string_equal(parameter.type, "int");
	assert_int_equal(parameter.size, 4);
	assert_int_equal(parameter.encoding, IC_TYPE_INTEGER);
	assert_true(parameter.is_signed);
	assert_int_equal(parameter.location.kind, IC_LOCATION_REGISTER);
	assert_int_equal(parameter.location.reg, 5);
	assert_int_equal(parameter.known_from, IC_NO_ADDR);
	const char *type = parameter.type;
	get(&example, &arguments, 1, &parameter);
	assert_int_equal(parameter.location.kind, IC_LOCATION_CONSTANT);
	assert_ptr_equal(parameter.type, type); // made once
	arguments = ic_inline_arguments_open(example.table, 8, 8, 2);
	assert_int_equal(arguments.count, 1);
	get(&example, &arguments, 0, &parameter);
	assert_int_equal(parameter.location.kind, IC_LOCATION_MEMORY);
	close_all(&example);
}

TEST(of_a_copy_that_is_not_in_the_table_only_the_declaration_is_known)
{
	struct ic_inline_arguments arguments;
	struct ic_parameter parameter;
	struct example example;

	open(&example);
	arguments = ic_inline_arguments_open(example.table, 8, 8, 3);
	assert_int_equal(arguments.count, 1);
	get(&example, &arguments, 0, &parameter);
	assert_string_equal(parameter.name, "count");
	assert_string_equal(parameter.type, "unsigned int");
	assert_int_equal(parameter.location.kind, IC_LOCATION_UNAVAILABLE);
	assert_int_equal(parameter.location.why, IC_LOCATION_WHY_KNOWN);
	arguments = ic_inline_arguments_open(example.table, 8, UINT64_MAX, 3);
	assert_int_equal(arguments.count, 0);
	close_all(&example);
}

TEST(a_pointer_is_as_large_as_an_address_and_variadic_functions_say_so)
{
	struct ic_inline_arguments arguments;
	struct ic_parameter parameter;
	struct example example;
	struct ic_error err;

	open(&example);
	uint32_t function = btf_function(&example.types, "printk", (const uint32_t[]){ 6, 0 }, 2);
	struct bytes types = btf_section(&example.types);
	ic_btf_inline_free(example.table);
	ic_btf_free(example.btf);
	example.btf = ic_btf_parse(types.data, types.size, NULL, &err);
	example.table =
		ic_btf_inline_parse(example.bytes.data, example.bytes.size, example.btf, &err);
	arguments = ic_inline_arguments_open(example.table, 4, function, 3);
	assert_int_equal(arguments.count, 1);
	assert_true(arguments.is_variadic);
	get(&example, &arguments, 0, &parameter);
	assert_string_equal(parameter.type, "int *");
	assert_int_equal(parameter.encoding, IC_TYPE_POINTER);
	assert_int_equal(parameter.size, 4);
	close_all(&example);
}

UNIT_TESTS(values_inline_parameters)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_those_of_the_call_by_its_number),
		cmocka_unit_test(of_a_copy_that_is_not_in_the_table_only_the_declaration_is_known),
		cmocka_unit_test(a_pointer_is_as_large_as_an_address_and_variadic_functions_say_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
