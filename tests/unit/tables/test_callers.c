#include "tables/callers.h"

#include <elf.h>

#include <inlinecall/image.h>

#include "fixtures/elf.h"
#include "unit_test.h"

static void add(struct elf_builder *elf, const char *name, uint64_t value, uint64_t size,
		uint8_t type)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".text",
						 .value = value,
						 .size = size,
						 .type = type });
}

static struct elf_builder *begin(void)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x1000);
	return elf;
}

// The start of a caller; 0 if there is not one.
static uint64_t start_of(const struct ic_callers *callers, uint32_t caller)
{
	uint32_t start = callers->list.items[caller].start;

	return start == IC_NONE ? 0 : callers->code.items[start].range.start;
}

static struct ic_image *find(struct ic_callers *callers, struct elf_builder *elf)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct ic_error err;
	struct ic_image *image = ic_image_open(elf_end_at(elf, "callers"), &options, &err);

	assert_non_null(image);
	assert_true(ic_callers_find(callers, image, &err));
	return image;
}

static void free_all(struct ic_callers *callers, struct ic_image *image)
{
	ic_callers_free(callers);
	ic_image_free(image);
}

TEST(a_name_has_one_number)
{
	struct ic_callers callers = { .out_of_memory = false };

	assert_int_equal(ic_callers_add(&callers, "f"), 0);
	assert_int_equal(ic_callers_add(&callers, "g"), 1);
	assert_int_equal(ic_callers_add(&callers, "f"), 0);
	ic_callers_free(&callers);
}

TEST(a_function_of_a_file_without_symbols_begins_nowhere)
{
	struct ic_callers callers = { .out_of_memory = false };

	ic_callers_add(&callers, "f");
	struct ic_image *image = find(&callers, begin());
	assert_int_equal(start_of(&callers, 0), 0);
	free_all(&callers, image);
}

TEST(a_function_begins_at_the_only_symbol_of_its_name)
{
	static const char *const names[] = { "one", "alias", "two", "variable", "none", "cloned" };
	static const uint64_t starts[] = { 0x1100, 0x1200, 0, 0, 0, 0x1600 };
	struct ic_callers callers = { .out_of_memory = false };
	struct elf_builder *elf = begin();

	add(elf, "one", 0x1100, 0x10, STT_FUNC);
	add(elf, "one.cold", 0x1180, 0x10, STT_FUNC);
	add(elf, "cloned", 0x1600, 0x10, STT_FUNC);
	add(elf, "cloned.constprop.0", 0x1680, 0x10, STT_FUNC);
	add(elf, "alias", 0x1200, 0, STT_FUNC);
	add(elf, "alias@@V2", 0x1200, 0x10, STT_FUNC);
	add(elf, "two", 0x1300, 0x10, STT_FUNC);
	add(elf, "two", 0x1400, 0x10, STT_FUNC);
	add(elf, "variable", 0x1500, 0x10, STT_OBJECT);
	for (uint32_t i = 0; i < COUNT_OF(names); i++)
		ic_callers_add(&callers, names[i]);
	struct ic_image *image = find(&callers, elf);
	for (uint32_t i = 0; i < COUNT_OF(names); i++)
		assert_int_equal(start_of(&callers, i), starts[i]);
	assert_int_equal(callers.list.items[1].count, 1);
	assert_int_equal(callers.list.items[2].count, 2);
	free_all(&callers, image);
}

TEST(without_such_a_symbol_it_begins_at_its_only_clone)
{
	static const char *const names[] = { "clone", "clones", "part", "main.coldStart" };
	static const uint64_t starts[] = { 0x1100, 0, 0x1400, 0x1700 };
	struct ic_callers callers = { .out_of_memory = false };
	struct elf_builder *elf = begin();

	add(elf, "clone.isra.0", 0x1100, 0x10, STT_FUNC);
	add(elf, "clone.isra.0.cold", 0x1180, 0x10, STT_FUNC);
	add(elf, "clones.isra.0", 0x1200, 0x10, STT_FUNC);
	add(elf, "clones.constprop.1", 0x1300, 0x10, STT_FUNC);
	add(elf, "part.part.0", 0x1400, 0x10, STT_FUNC);
	add(elf, "main.coldStart", 0x1700, 0x10, STT_FUNC);
	for (uint32_t i = 0; i < COUNT_OF(names); i++)
		ic_callers_add(&callers, names[i]);
	struct ic_image *image = find(&callers, elf);
	for (uint32_t i = 0; i < COUNT_OF(names); i++)
		assert_int_equal(start_of(&callers, i), starts[i]);
	free_all(&callers, image);
}

TEST(code_is_that_of_the_symbol_around_it)
{
	struct ic_callers callers = { .out_of_memory = false };
	struct elf_builder *elf = begin();
	const struct ic_caller_code *code;

	add(elf, "f", 0x1100, 0x10, STT_FUNC);
	add(elf, "f.cold", 0x1080, 8, STT_FUNC);
	add(elf, "g", 0x1110, 0x10, STT_FUNC);
	ic_callers_add(&callers, "f");
	struct ic_image *image = find(&callers, elf);
	assert_int_equal(callers.code.count, 2);
	code = ic_callers_at(&callers, 0, 0x1087);
	assert_non_null(code);
	assert_int_equal(code->part, CALLER_COLD);
	code = ic_callers_at(&callers, 0, 0x110f);
	assert_non_null(code);
	assert_int_equal(code->part, CALLER_ITSELF);
	assert_null(ic_callers_at(&callers, 0, 0x1088));
	assert_null(ic_callers_at(&callers, 0, 0x1110));
	free_all(&callers, image);
}

UNIT_TESTS(tables_callers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_has_one_number),
		cmocka_unit_test(a_function_of_a_file_without_symbols_begins_nowhere),
		cmocka_unit_test(a_function_begins_at_the_only_symbol_of_its_name),
		cmocka_unit_test(without_such_a_symbol_it_begins_at_its_only_clone),
		cmocka_unit_test(code_is_that_of_the_symbol_around_it),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
