#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/image.h>

#include "elf_builder.h"

static const uint8_t first[] = { 1, 2, 3, 4, 5 }, second[] = { 9, 8, 7 };

static const struct ic_image_addition additions[] = { { ".one", first, sizeof(first) },
						      { ".two", second, sizeof(second) } };

static const struct ic_image_options no_debug = { .allow_no_debug = true };

static struct ic_image *open_bytes(const void *bytes, size_t size)
{
	struct ic_error err;

	return ic_image_open_memory(bytes, size, "a", &no_debug, &err);
}

// The copy, to be freed; NULL if there is none.
static char *copy_of(const struct ic_image *image, size_t count, size_t *size, struct ic_error *err)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, size);
	bool ok = ic_image_write(image, additions, count, out, err);

	fclose(out);
	if (ok)
		return bytes;
	free(bytes);
	return NULL;
}

static void check_section(struct ic_image *image, const char *name, const void *wanted,
			  size_t wanted_size)
{
	struct ic_error err = { .message = "" };
	const void *bytes;
	size_t size;

	assert_true(ic_image_section(image, name, &bytes, &size, &err));
	assert_int_equal(size, wanted_size);
	assert_memory_equal(bytes, wanted, size);
}

static struct elf_builder *program(unsigned bits, bool big_endian, bool segments)
{
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = (uint8_t)bits,
						     .big_endian = big_endian,
						     .machine = bits == 64 ? EM_PPC64 : EM_PPC,
						     .type = ET_EXEC,
						     .segments = segments });

	elf_add_code(elf, ".text", 0x1000, 0x40);
	elf_add_section(elf, (struct elf_section){ .name = ".data",
						   .flags = SHF_ALLOC,
						   .addr = 0x2000,
						   .bytes = { (const uint8_t *)"data", 4 } });
	elf_add_section(elf, (struct elf_section){ .name = ".comment",
						   .bytes = { (const uint8_t *)"text", 4 } });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "main",
						 .section = ".text",
						 .value = 0x1000,
						 .size = 4,
						 .type = STT_FUNC });
	return elf;
}

TEST(a_copy_has_the_new_sections_and_all_others)
{
	for (unsigned i = 0; i < 8; i++) {
		struct elf_builder *elf = program(i & 1 ? 64 : 32, i & 2, i & 4);
		struct bytes file = elf_build(elf);
		struct ic_error err = { .message = "" };
		size_t size, again_size;

		struct ic_image *image = open_bytes(file.data, file.size);
		char *copy = copy_of(image, 2, &size, &err);
		assert_string_equal(err.message, "");
		struct ic_image *copied = open_bytes(copy, size);
		check_section(copied, ".one", first, sizeof(first));
		check_section(copied, ".two", second, sizeof(second));
		check_section(copied, ".comment", "text", 4);
		check_section(copied, ".data", "data", 4);
		// Replacing them changes nothing, not even the size.
		char *again = copy_of(copied, 2, &again_size, &err);
		assert_int_equal(again_size, size);
		assert_memory_equal(again, copy, size);
		ic_image_free(copied);
		ic_image_free(image);
		elf_builder_free(elf);
		free(again);
		free(copy);
	}
}

TEST(what_follows_a_section_that_is_replaced_closes_up)
{
	static const uint8_t old[200] = { 1 };
	struct elf_builder *elf = program(64, false, true);
	struct ic_error err = { .message = "" };
	size_t size;

	elf_add_section(elf, (struct elf_section){ .name = ".one", .bytes = { old, sizeof(old) } });
	elf_add_section(elf, (struct elf_section){ .name = ".after",
						   .align = 8,
						   .bytes = { (const uint8_t *)"after", 5 } });
	struct bytes file = elf_build(elf);
	struct ic_image *image = open_bytes(file.data, file.size);
	char *copy = copy_of(image, 1, &size, &err);
	assert_string_equal(err.message, "");
	assert_in_range(size, file.size - sizeof(old) - 32, file.size - sizeof(old) + 32);
	struct ic_image *copied = open_bytes(copy, size);
	check_section(copied, ".one", first, sizeof(first));
	check_section(copied, ".after", "after", 5);
	check_section(copied, ".comment", "text", 4);
	ic_image_free(copied);
	ic_image_free(image);
	elf_builder_free(elf);
	free(copy);
}

TEST(what_follows_the_tables_is_kept)
{
	struct elf_builder *elf = program(64, false, false);
	struct bytes file = elf_build(elf);
	size_t size, tail = 300;
	struct ic_error err;
	char *longer = calloc(1, file.size + tail);

	memcpy(longer, file.data, file.size);
	memset(longer + file.size, 'x', tail); // as a signature of a kernel's module
	struct ic_image *image = open_bytes(longer, file.size + tail);
	char *copy = copy_of(image, 1, &size, &err);
	assert_true(size > file.size + tail);
	assert_memory_equal(copy + 64, longer + 64, file.size + tail - 64);
	struct ic_image *copied = open_bytes(copy, size);
	check_section(copied, ".one", first, sizeof(first));
	ic_image_free(copied);
	ic_image_free(image);
	elf_builder_free(elf);
	free(longer);
	free(copy);
}

TEST(what_is_loaded_into_memory_is_not_replaced)
{
	struct elf_builder *elf = program(64, false, false);
	struct ic_error err;
	size_t size;

	elf_add_section(elf, (struct elf_section){ .name = ".one",
						   .flags = SHF_ALLOC,
						   .addr = 0x3000,
						   .bytes = { (const uint8_t *)"data", 4 } });
	struct bytes file = elf_build(elf);
	struct ic_image *image = open_bytes(file.data, file.size);
	assert_null(copy_of(image, 1, &size, &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED,
		     "a: cannot replace section .one, which is allocated or has the section names");
	ic_image_free(image);
	elf_builder_free(elf);
}

TEST(the_names_of_sections_are_not_replaced)
{
	static const struct ic_image_addition names = { ".shstrtab", "x", 1 };
	struct elf_builder *elf = program(64, false, false);
	struct bytes file = elf_build(elf);
	struct ic_image *image = open_bytes(file.data, file.size);
	struct ic_error err;
	FILE *out = tmpfile();

	assert_non_null(out);
	assert_false(ic_image_write(image, &names, 1, out, &err));
	assert_int_equal(err.code, IC_ERROR_UNSUPPORTED);
	fclose(out);
	ic_image_free(image);
	elf_builder_free(elf);
}

TEST(of_several_sections_of_one_name_the_first_is_replaced_and_the_others_are_kept)
{
	struct elf_builder *elf = program(64, false, false);
	struct ic_error err = { .message = "" };
	size_t size, count = 0;

	for (unsigned i = 0; i < 3; i++)
		elf_add_section(elf, (struct elf_section){ .name = ".one",
							   .bytes = { second, sizeof(second) } });
	struct bytes file = elf_build(elf);
	struct ic_image *image = open_bytes(file.data, file.size);
	char *copy = copy_of(image, 1, &size, &err);
	struct ic_image *copied = copy ? open_bytes(copy, size) : NULL;
	assert_non_null(copied);
	check_section(copied, ".one", first, sizeof(first));
	for (size_t at = 0; at + sizeof(second) <= size; at++)
		count += memcmp(copy + at, second, sizeof(second)) == 0;
	assert_int_equal(count, 2);
	ic_image_free(copied);
	free(copy);
	ic_image_free(image);
	elf_builder_free(elf);
}

// Its name would be one of those that are added.
TEST(a_section_whose_name_is_beyond_all_names_is_none_of_the_new_ones)
{
	struct elf_builder *elf = program(64, false, false);
	struct bytes file = elf_build(elf);
	struct ic_error err = { .message = "" };
	uint64_t table = ic_load64(file.data + 0x28, IC_HOST_IS_BIG_ENDIAN); // e_shoff
	size_t size;

	memset((uint8_t *)file.data + table, 0x7f, 3); // sh_name of section 0, which nobody reads
	struct ic_image *image = open_bytes(file.data, file.size);
	assert_null(copy_of(image, 1, &size, &err));
	assert_error(&err, IC_ERROR_MALFORMED, "a: section names are beyond the end of the file");
	ic_image_free(image);
	elf_builder_free(elf);
}

// Whatever can be opened can be copied, or there is a reason; a copy has the section.
TEST(damaged_files_are_copied_or_refused)
{
	uint64_t seed = 1;
	unsigned copies = 0;

	for (unsigned round = 0; round < 20000; round++) {
		static struct bytes file;
		static struct elf_builder *elf;
		static uint8_t *bytes;
		struct ic_error err = { .message = "" };
		size_t size;

		if (round % 5000 == 0) {
			elf = program(round % 10000 ? 64 : 32, round > 9999, true);
			if (round % 10000) { // what follows a section can close up
				elf_add_section(elf, (struct elf_section){ .name = ".one",
									   .bytes = { first, 5 } });
				elf_add_section(elf,
						(struct elf_section){ .name = ".after",
								      .bytes = { second, 3 } });
			}
			file = elf_build(elf);
			bytes = malloc(file.size);
		}
		memcpy(bytes, file.data, file.size);
		for (unsigned i = 0; i < 1 + round % 3; i++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			size_t table = file.size - 6 * 64;
			size_t at = seed >> 40 & 1 ? (seed >> 33) % 64
						   : table + (seed >> 33) % (file.size - table);
			bytes[at] = (uint8_t)(seed >> 50);
		}
		struct ic_image *image = open_bytes(bytes, file.size);
		if (image) {
			char *copy = copy_of(image, 1, &size, &err);
			struct ic_image *copied = copy ? open_bytes(copy, size) : NULL;
			assert_true(copy || err.message[0]);
			copies += copied != NULL;
			if (copied)
				check_section(copied, ".one", first, sizeof(first));
			ic_image_free(copied);
			free(copy);
		}
		ic_image_free(image);
		if (round % 5000 == 4999) {
			free(bytes);
			elf_builder_free(elf);
		}
	}
	assert_true(copies > 5000);
}

UNIT_TESTS(elf_copies_add_sections)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_the_new_sections_and_all_others),
		cmocka_unit_test(what_follows_a_section_that_is_replaced_closes_up),
		cmocka_unit_test(what_follows_the_tables_is_kept),
		cmocka_unit_test(what_is_loaded_into_memory_is_not_replaced),
		cmocka_unit_test(the_names_of_sections_are_not_replaced),
		cmocka_unit_test(
			of_several_sections_of_one_name_the_first_is_replaced_and_the_others_are_kept),
		cmocka_unit_test(a_section_whose_name_is_beyond_all_names_is_none_of_the_new_ones),
		cmocka_unit_test(damaged_files_are_copied_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
