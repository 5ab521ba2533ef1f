#include "unit_test.h"

#include "encode/function_names.h"

#include "btf_builder.h"

static void check(struct ic_function_names *names, const char *name,
		  const struct ic_parameter *list, size_t count, enum ic_function_match wanted,
		  uint32_t wanted_id)
{
	uint32_t id = 0;

	assert_int_equal(ic_function_names_find(names, name, list, count, &id), wanted);
	if (wanted == IC_FUNCTION_FOUND)
		assert_int_equal(id, wanted_id);
}

TEST(a_function_has_a_name_and_parameters_and_of_several_the_types_count)
{
	static const struct ic_parameter list[] = {
		{ .name = "a", .type = "int" },
		{ .name = "b", .type = "int *" },
		{ .name = "c", .type = "int", .is_undeclared = true },
	};
	static const struct ic_parameter others[] = { { .name = "a", .type = "long" },
						      { .name = "x", .type = "int *" } };
	struct ic_function_names names = { .types = NULL };
	struct btf_builder btf;
	struct ic_error err;

	btf_builder_init(&btf, NULL, false);
	uint32_t number = btf_int(&btf, "int", 4, true), wide = btf_int(&btf, "long", 8, true);
	uint32_t pointer = btf_pointer(&btf, number);
	uint32_t one = btf_function(&btf, "one", (const uint32_t[]){ number, pointer }, 2);
	uint32_t two = btf_function(&btf, "two", (const uint32_t[]){ number, pointer }, 2);
	btf_function(&btf, "two", (const uint32_t[]){ wide, pointer }, 2);
	btf_function(&btf, "same", (const uint32_t[]){ number, pointer }, 2);
	btf_function(&btf, "same", (const uint32_t[]){ number, pointer }, 2);
	uint32_t none = btf_function(&btf, "none", NULL, 0);
	struct bytes section = btf_section(&btf);
	struct ic_btf *types = ic_btf_parse(section.data, section.size, NULL, &err);

	assert_true(ic_function_names_build(&names, types, &err));
	check(&names, "one", list, 3, IC_FUNCTION_FOUND, one);
	check(&names, "one", list, 1, IC_FUNCTION_OTHER, 0);
	check(&names, "one", others, 2, IC_FUNCTION_OTHER, 0);
	check(&names, "two", list, 3, IC_FUNCTION_FOUND, two);
	check(&names, "same", list, 3, IC_FUNCTION_SEVERAL, 0);
	check(&names, "none", list, 0, IC_FUNCTION_FOUND, none);
	check(&names, "on", list, 0, IC_FUNCTION_NONE, 0);
	ic_function_names_free(&names);
	ic_btf_free(types);
	btf_builder_deinit(&btf);
}

UNIT_TESTS(encode_function_names)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_function_has_a_name_and_parameters_and_of_several_the_types_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
