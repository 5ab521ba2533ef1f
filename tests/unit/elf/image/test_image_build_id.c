#include "unit_test.h"

#include "elf/image/image_build_id.h"

#include "fixtures/elf.h"

static const uint8_t id[] = { 0xab, 0xcd, 0xef, 0x01 };

static void write_debug(const char *name, const uint8_t *its_id)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_build_id(elf, 0x2000, its_id, sizeof(id));
	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"info", 4 } });
	elf_end_at(elf, name);
}

static struct ic_image *open_with(const uint8_t *wanted, size_t size, struct ic_error *err)
{
	const char *dirs[] = { temp_path("nowhere"), temp_path("debug") };
	const struct ic_image_options options = { .debug_dirs = dirs, .debug_dir_count = 2 };

	return ic_image_open_build_id(wanted, size, &options, err);
}

TEST(a_debug_file_is_opened_by_its_build_id_alone)
{
	struct ic_error err;

	write_debug("debug/.build-id/ab/cdef01.debug", id);
	struct ic_image *image = open_with(id, sizeof(id), &err);
	if (!image)
		fail_msg("%s", err.message);
	assert_non_null(strstr(ic_image_path(image), "cdef01.debug"));
	ic_image_free(image);
}

TEST(one_of_another_build_id_is_none)
{
	static const uint8_t other[] = { 0xab, 0xcd, 0xef, 0x02 };
	struct ic_error err;

	write_debug("debug/.build-id/ab/cdef01.debug", other);
	assert_null(open_with(id, sizeof(id), &err));
	assert_int_equal(err.code, IC_ERROR_NOT_FOUND);
	assert_null(open_with(other, sizeof(other), NULL));
}

TEST(a_program_is_where_a_link_is_or_where_perf_keeps_it)
{
	static const uint8_t kept[] = { 0xab, 0x11, 0x22, 0x33 },
			     linked[] = { 0xab, 0x44, 0x55, 0x66 };
	const char *dirs[] = { temp_path("debug") };
	const struct ic_image_options options = { .debug_dirs = dirs, .debug_dir_count = 1 };
	struct ic_error err;

	write_debug("debug/.build-id/ab/112233/elf", kept);
	write_debug("debug/.build-id/ab/445566", linked);
	for (int i = 0; i < 2; i++) {
		const struct ic_bytes wanted = { i ? kept : linked, sizeof(kept) };
		struct ic_image *image = ic_image_open_program(wanted, &options, &err);
		if (!image)
			fail_msg("%s", err.message);
		assert_non_null(strstr(ic_image_path(image), i ? "112233/elf" : "ab/445566"));
		ic_image_free(image);
	}
	assert_null(ic_image_open_program((struct ic_bytes){ id, sizeof(id) }, &options, &err));
}

TEST(a_build_id_of_an_impossible_size_is_an_error)
{
	struct ic_error err;

	assert_null(open_with(id, 1, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_image_open_build_id(id, sizeof(id), NULL, NULL));
}

UNIT_TESTS(elf_image_image_build_id)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_debug_file_is_opened_by_its_build_id_alone),
		cmocka_unit_test(one_of_another_build_id_is_none),
		cmocka_unit_test(a_program_is_where_a_link_is_or_where_perf_keeps_it),
		cmocka_unit_test(a_build_id_of_an_impossible_size_is_an_error),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
