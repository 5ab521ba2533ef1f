#include "unit_test.h"

#include <stdlib.h>

#include <inlinecall/extra/image.h>

#include "fixtures/elf.h"

enum { TABLE = 0x1000, SIZE = 0x20 };

static const uint8_t table[SIZE] = { 0x30, 0x20, 0, 0, 0, 0, 0, 0, 0x10, 0x20 };

static void add_mark(struct elf_builder *elf, const char *name, uint64_t addr)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".init.data",
						 .value = addr,
						 .type = STT_OBJECT,
						 .bind = STB_GLOBAL });
}

// How many functions the table between two addresses names; -1 if it is refused, with the reason.
static int count_between(uint64_t start, uint64_t end, uint64_t **addrs, struct ic_error *err)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });
	size_t count;

	elf_add_section(elf, (struct elf_section){ .name = ".init.data",
						   .flags = SHF_ALLOC | SHF_WRITE,
						   .addr = TABLE,
						   .bytes = { table, SIZE } });
	if (start != UINT64_MAX)
		add_mark(elf, "__start_mcount_loc", start);
	if (end != UINT64_MAX)
		add_mark(elf, "__stop_mcount_loc", end);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "vmlinux"), &options, err);
	assert_non_null(image);
	bool ok = ic_image_traced_functions(image, addrs, &count, err);
	assert_true(ok || (!*addrs && count == 0));
	ic_image_free(image);
	return ok ? (int)count : -1;
}

TEST(traced_functions_are_those_of_the_kernels_table_in_order)
{
	struct ic_error err;
	uint64_t *addrs;

	assert_int_equal(count_between(TABLE, TABLE + 16, &addrs, &err), 2);
	assert_int_equal(addrs[0], 0x2010);
	assert_int_equal(addrs[1], 0x2030);
	free(addrs);
	assert_int_equal(count_between(TABLE + 8, TABLE + 8, &addrs, &err), 0);
	free(addrs);
}

TEST(a_table_that_is_not_there_is_not_found)
{
	struct ic_error err;
	uint64_t *addrs;

	assert_int_equal(count_between(UINT64_MAX, UINT64_MAX, &addrs, &err), -1);
	assert_int_equal(err.code, IC_ERROR_NOT_FOUND);
	assert_int_equal(count_between(TABLE, UINT64_MAX, &addrs, &err), -1);
	assert_int_equal(err.code, IC_ERROR_NOT_FOUND);
}

TEST(a_table_that_cannot_be_is_malformed)
{
	static const uint64_t marks[][2] = {
		{ TABLE + 16, TABLE },                 // ends before it begins
		{ TABLE, TABLE + 12 },                 // ends within an address
		{ TABLE, UINT64_MAX - 7 },             // goes beyond the end of the file
		{ TABLE + 0x1000000, UINT64_MAX - 7 }, // is nowhere in it
		{ 0, TABLE },                          // begins where nothing is loaded
	};
	struct ic_error err;
	uint64_t *addrs;

	for (size_t i = 0; i < COUNT_OF(marks); i++) {
		assert_int_equal(count_between(marks[i][0], marks[i][1], &addrs, &err), -1);
		assert_int_equal(err.code, IC_ERROR_MALFORMED);
	}
}

UNIT_TESTS(elf_image_traced_functions)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(traced_functions_are_those_of_the_kernels_table_in_order),
		cmocka_unit_test(a_table_that_is_not_there_is_not_found),
		cmocka_unit_test(a_table_that_cannot_be_is_malformed),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
