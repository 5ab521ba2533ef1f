// A copy of a program that names its debug file.
#include "unit_test.h"

#include <stdlib.h>

#include <inlinecall/extra/image.h>

#include "fixtures/elf.h"

static struct ic_image *open_program(bool big_endian, uint8_t bits)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = bits,
						     .big_endian = big_endian,
						     .machine = big_endian ? EM_MIPS : EM_386,
						     .type = ET_EXEC });
	struct ic_error err;

	elf_add_code(elf, ".text", 0x1000, 0x100);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "program"), &options, &err);
	if (!image)
		fail_msg("%s", err.message);
	return image;
}

static const char debug_file[] = "what a debug file has";

// Writes the copy, and returns where it is.
static const char *write_copy(const struct ic_image *image, const char *name)
{
	const char *path = temp_path("copy");
	FILE *out = fopen(path, "wb");
	struct ic_error err;

	assert_non_null(out);
	if (!ic_image_write_link(image, name, debug_file, sizeof(debug_file), out, &err))
		fail_msg("%s", err.message);
	assert_int_equal(fclose(out), 0);
	return path;
}

// The section as GDB's manual has it: the name, zeros up to four bytes, and the checksum.
static void check_link(const char *path, const char *name, bool big_endian)
{
	const struct bytes bytes = { (const uint8_t *)debug_file, sizeof(debug_file) };
	struct ic_elf_file file;
	struct ic_error err;

	assert_true(ic_elf_file_open(&file, path, &err));
	const struct ic_section *link = ic_elf_file_section(&file, ".gnu_debuglink");
	assert_non_null(link);
	size_t length = strlen(name), crc_off = (length + 1 + 3) / 4 * 4;
	assert_int_equal(link->raw.size, crc_off + 4);
	assert_memory_equal(link->raw.data, name, length);
	for (size_t i = length; i < crc_off; i++)
		assert_int_equal(link->raw.data[i], 0);
	assert_int_equal(ic_load32(link->raw.data + crc_off, big_endian != IC_HOST_IS_BIG_ENDIAN),
			 elf_crc(bytes));
	assert_non_null(ic_elf_file_section(&file, ".text"));
	ic_elf_file_close(&file);
}

TEST(a_link_is_a_name_and_a_checksum_in_the_order_of_the_file)
{
	static const char *const names[] = { "a", "ab", "abc", "abcd", "program.debug" };

	for (unsigned format = 0; format < 4; format++) {
		for (size_t i = 0; i < COUNT_OF(names); i++) {
			struct ic_image *image = open_program(format & 1, format & 2 ? 64 : 32);
			check_link(write_copy(image, names[i]), names[i], format & 1);
			ic_image_free(image);
		}
	}
}

TEST(the_copy_leads_to_the_debug_file)
{
	struct elf_builder *debug = elf_begin(ET_EXEC);
	struct ic_image *image = open_program(false, 64);
	const char *path = temp_path("linked"), *debug_path = temp_path("its.debug");
	struct ic_error err;

	elf_add_section(debug, (struct elf_section){ .name = ".debug_info",
						     .bytes = { (const uint8_t *)"info", 4 } });
	struct bytes bytes = elf_build(debug);
	temp_write(debug_path, bytes.data, bytes.size);
	FILE *out = fopen(path, "wb");
	assert_true(ic_image_write_link(image, "its.debug", bytes.data, bytes.size, out, &err));
	assert_int_equal(fclose(out), 0);
	elf_builder_free(debug);
	ic_image_free(image);
	image = ic_image_open(path, NULL, &err);
	assert_non_null(image);
	assert_string_equal(ic_image_debug_path(image), debug_path);
	ic_image_free(image);
}

TEST(a_link_has_no_directory)
{
	static const char *const names[] = { NULL, "", "/a.debug", "dir/a.debug", "a/" };
	struct ic_image *image = open_program(false, 64);
	char *written = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&written, &size);
	struct ic_error err;

	assert_non_null(out);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_false(ic_image_write_link(image, names[i], debug_file, sizeof(debug_file),
						 out, &err));
		assert_error(&err, IC_ERROR_ARGUMENT,
			     ".gnu_debuglink has a file name without a directory");
	}
	assert_false(ic_image_write_link(image, "a/", debug_file, 1, out, NULL));
	assert_int_equal(fclose(out), 0);
	assert_int_equal(size, 0);
	free(written);
	ic_image_free(image);
}

UNIT_TESTS(elf_copies_debug_link)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_is_a_name_and_a_checksum_in_the_order_of_the_file),
		cmocka_unit_test(the_copy_leads_to_the_debug_file),
		cmocka_unit_test(a_link_has_no_directory),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
