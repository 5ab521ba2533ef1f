#include "unit_test.h"

#include <stdio.h>

#include "elf/image.h"
#include "elf_fixture.h"

static void add_info(struct elf_builder *elf, size_t size)
{
	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"info", size } });
}

TEST(a_file_with_dwarf_of_its_own_needs_no_other)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	add_info(elf, 4);
	elf_add_debug_link(elf, "nothing", 0);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "own"), NULL, NULL);
	assert_non_null(image);
	assert_string_equal(ic_image_path(image), temp_path("own"));
	assert_string_equal(ic_image_debug_path(image), temp_path("own"));
	assert_ptr_equal(ic_image_dwarf_file(image), &image->file);
	assert_ptr_equal(ic_image_symbol_file(image), &image->file);
	ic_image_close(image);
}

// Returns the image of a program whose DWARF is in a debug file beside it.
static struct ic_image *open_pair(bool stripped, size_t info_size, struct ic_error *err)
{
	struct elf_builder *debug = elf_begin(ET_EXEC), *elf = elf_begin(ET_EXEC);
	const struct elf_symbol symbol = { .name = "f", .section = "*ABS*", .bind = STB_GLOBAL };

	add_info(debug, info_size);
	elf_add_symbol(debug, symbol);
	elf_add_debug_link(elf, "prog.debug", elf_crc(elf_build(debug)));
	elf_end_at(debug, "prog.debug");
	if (!stripped)
		elf_add_symbol(elf, symbol);
	return ic_image_open(elf_end_at(elf, "prog"), NULL, err);
}

TEST(symbols_come_from_the_program_unless_it_was_stripped_of_them)
{
	struct ic_error err;

	struct ic_image *image = open_pair(true, 4, &err);
	assert_non_null(image);
	assert_true(image->has_debug_file);
	assert_ptr_equal(ic_image_dwarf_file(image), &image->debug_file);
	assert_ptr_equal(ic_image_symbol_file(image), &image->debug_file);
	ic_image_close(image);

	image = open_pair(false, 4, &err);
	assert_non_null(image);
	assert_ptr_equal(ic_image_dwarf_file(image), &image->debug_file);
	assert_ptr_equal(ic_image_symbol_file(image), &image->file);
	ic_image_close(image);
}

TEST(a_debug_file_without_dwarf_is_no_use_and_named)
{
	struct ic_error err;
	char wanted[1024];

	assert_null(open_pair(true, 0, &err));
	snprintf(wanted, sizeof(wanted), "%s: no .debug_info in it, nor in its debug file %s",
		 temp_path("prog"), temp_path("prog.debug"));
	assert_error(&err, IC_ERROR_NO_DEBUG, wanted);
}

TEST(an_image_that_was_never_opened_can_be_closed)
{
	ic_image_close(NULL);
	assert_null(ic_image_open(temp_path("nothing"), NULL, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_with_dwarf_of_its_own_needs_no_other),
		cmocka_unit_test(symbols_come_from_the_program_unless_it_was_stripped_of_them),
		cmocka_unit_test(a_debug_file_without_dwarf_is_no_use_and_named),
		cmocka_unit_test(an_image_that_was_never_opened_can_be_closed),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
