#include "unit_test.h"

#include <stdlib.h>

#include "btf/more.h"

#include "btf_builder.h"

enum { KIND_STRUCT = 4 };

static void check_text(const struct ic_btf *types, uint32_t id, const char *wanted)
{
	char text[64];

	ic_btf_type_text(types, id, text, sizeof(text));
	assert_string_equal(text, wanted);
}

static uint32_t add_reference(struct ic_btf_more *more, enum ic_btf_kind kind, uint32_t type)
{
	const struct ic_btf_new_type added = { .kind = kind, .size = type };

	return ic_btf_more_add(more, &added);
}

static uint32_t add_function(struct ic_btf_more *more, const char *name, uint32_t first,
			     uint32_t second)
{
	const uint32_t words[] = { 0, first, 0, second };
	const char *const names[] = { "a", "more" };
	struct ic_btf_new_type prototype = {
		.kind = IC_BTF_FUNC_PROTO, .words = words, .word_count = 4, .names = names
	};
	struct ic_btf_new_type function = { .kind = IC_BTF_FUNC, .name = name };

	function.size = ic_btf_more_add(more, &prototype);
	return ic_btf_more_add(more, &function);
}

// The types as they are with what was added.
static struct ic_btf *written(const struct ic_btf_more *more, void **bytes)
{
	struct ic_error err = { .message = "" };
	size_t size;

	*bytes = ic_btf_more_write(more, &size, &err);
	struct ic_btf *types = ic_btf_parse(*bytes, size, more->types->base, &err);
	assert_string_equal(err.message, "");
	return types;
}

static void check_added(bool big_endian, bool is_split, bool has_layout)
{
	struct ic_btf_more more = { .types = NULL };
	struct btf_builder base, btf;
	struct ic_error err = { .message = "" };
	struct ic_btf_function function;
	const char *name;
	void *bytes;
	uint32_t type;

	btf_builder_init(&base, NULL, big_endian);
	uint32_t number = btf_int(&base, "int", 4, true);
	btf_builder_init(&btf, is_split ? &base : NULL, big_endian);
	if (!is_split)
		number = btf_int(&btf, "int", 4, true);
	if (has_layout)
		byte_buffer_fill(&btf.layout, 0, 92);
	uint32_t pointer = btf_pointer(&btf, number);
	btf_type(&btf, "twice", KIND_STRUCT, 0, false, 8);
	btf_type(&btf, "twice", KIND_STRUCT, 0, false, 8);
	uint32_t once = btf_type(&btf, "once", KIND_STRUCT, 0, false, 8);
	uint32_t known = btf_function(&btf, "known", (const uint32_t[]){ number }, 1);
	struct bytes base_section = btf_section(&base), section = btf_section(&btf);
	struct ic_btf *on = ic_btf_parse(base_section.data, base_section.size, NULL, &err);
	struct ic_btf *types = ic_btf_parse(section.data, section.size, is_split ? on : NULL, &err);

	assert_true(ic_btf_more_begin(&more, types, &err));
	assert_int_equal(ic_btf_more_named(&more, IC_BTF_INT, "int", 4), number);
	assert_int_equal(ic_btf_more_named(&more, IC_BTF_INT, "int", 8), 0);
	assert_int_equal(ic_btf_more_named(&more, IC_BTF_STRUCT, "once", 8), once);
	assert_int_equal(ic_btf_more_named(&more, IC_BTF_STRUCT, "twice", 8), 0);
	assert_int_equal(add_reference(&more, IC_BTF_PTR, number), pointer);
	uint32_t first = ic_btf_count(types);
	uint32_t constant = add_reference(&more, IC_BTF_CONST, number);
	assert_int_equal(constant, first);
	assert_int_equal(add_reference(&more, IC_BTF_CONST, number), first);
	uint32_t added = add_function(&more, "known", constant, pointer);
	assert_int_equal(added, first + 2);
	assert_int_equal(add_function(&more, "known", constant, pointer), added);
	assert_int_equal(add_function(&more, "known", constant, constant), added + 2);
	assert_int_equal(more.function_count, 2);

	struct ic_btf *all = written(&more, &bytes);
	assert_int_equal(ic_btf_count(all), first + 5);
	assert_true(ic_btf_function(all, known, &function) && function.parameter_count == 1);
	assert_true(ic_btf_function(all, added, &function));
	assert_string_equal(function.name, "known");
	assert_int_equal(function.parameter_count, 2);
	assert_true(ic_btf_function_parameter(all, added, 1, &name, &type));
	assert_string_equal(name, "more");
	check_text(all, type, "int *");
	assert_true(ic_btf_function_parameter(all, added, 0, &name, &type));
	check_text(all, type, "const int");
	ic_btf_free(all);
	free(bytes);
	ic_btf_more_free(&more);
	ic_btf_free(types);
	ic_btf_free(on);
	btf_builder_deinit(&btf);
	btf_builder_deinit(&base);
}

TEST(what_is_there_or_was_added_is_not_added_again)
{
	for (int i = 0; i < 8; i++)
		check_added(i & 1, i & 2, i & 4);
}

TEST(a_type_without_a_name_has_none_though_the_strings_begin_with_one)
{
	struct ic_error err = { .message = "" };
	struct ic_btf_more more = { .types = NULL };
	struct btf_builder btf;
	void *bytes;

	btf_builder_init(&btf, NULL, false);
	uint32_t number = btf_int(&btf, "int", 4, true);
	btf.strings.data[0] = 'x';
	struct bytes section = btf_section(&btf);
	struct ic_btf *types = ic_btf_parse(section.data, section.size, NULL, &err);
	assert_string_equal(err.message, "");
	assert_true(ic_btf_more_begin(&more, types, &err));
	uint32_t pointer = add_reference(&more, IC_BTF_PTR, number);
	struct ic_btf *after = written(&more, &bytes);
	assert_null(ic_btf_name(after, pointer));
	assert_string_equal(ic_btf_name(after, number), "int");
	ic_btf_free(after);
	free(bytes);
	ic_btf_more_free(&more);
	ic_btf_free(types);
	btf_builder_deinit(&btf);
}

UNIT_TESTS(btf_more)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_there_or_was_added_is_not_added_again),
		cmocka_unit_test(a_type_without_a_name_has_none_though_the_strings_begin_with_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
