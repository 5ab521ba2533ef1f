// Where addresses of a space are, and whose files are asked.
#include "unit_test.h"

#include <fcntl.h>

#include <inlinecall/extra/space.h>

#include "fixtures/elf.h"
#include "fixtures/space.h"

TEST(an_address_is_located_in_a_file_without_opening_more)
{
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_new(modules);
	const char *path = space_file_write("located");
	struct ic_space_place place, again;

	space_file_add(space, path, 0x500000, SPACE_CODE_SIZE);
	assert_false(ic_space_locate(space, 0x4fffff, &place));
	assert_true(ic_space_locate(space, 0x500010, &place));
	assert_int_equal(ic_modules_memory(modules), 0); // nothing is open
	assert_string_equal(place.path, path);
	assert_int_equal(place.offset, space_code_offset(path) + 0x10);
	assert_false(place.is_addr);
	assert_int_equal(place.build_id_size, sizeof(space_build_id));
	assert_memory_equal(place.build_id, space_build_id, sizeof(space_build_id));
	assert_string_equal(space_text_at(space, 0x500010), "located.c.leaf located.c.main");
	assert_true(ic_space_locate(space, 0x500018, &again)); // now that it is open
	ic_space_free(space); // what was found lives as long as the modules
	assert_ptr_equal(again.path, place.path);
	assert_string_equal(place.path, path);
	assert_memory_equal(again.build_id, space_build_id, sizeof(space_build_id));
	ic_modules_free(modules);
}

TEST(a_mapping_says_its_build_id_whether_or_not_there_is_a_file)
{
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_new(modules);
	struct ic_space_mapping mapping = { .start = 0x1000,
					    .end = 0x2000,
					    .path = "/no/such/file",
					    .build_id = space_build_id,
					    .build_id_size = sizeof(space_build_id) };
	struct ic_space_place place;

	assert_true(ic_space_add(space, &mapping, NULL));
	mapping = (struct ic_space_mapping){ .start = 0x2000, .end = 0x3000, .path = "/nor/this" };
	assert_true(ic_space_add(space, &mapping, NULL));
	assert_true(ic_space_locate(space, 0x1800, &place) && place.offset == 0x800);
	assert_memory_equal(place.build_id, space_build_id, sizeof(space_build_id));
	assert_true(ic_space_locate(space, 0x2004, &place) && place.offset == 4);
	assert_string_equal(place.path, "/nor/this");
	assert_null(place.build_id);
	assert_int_equal(place.build_id_size, 0);
	ic_space_free(space);
	ic_modules_free(modules);
}

static int open_elsewhere(void *context, const char *path, const uint8_t *id, size_t id_size)
{
	const char *const *file = context;

	assert_int_equal(id ? sizeof(space_build_id) : 0, id_size);
	return strcmp(path, "/on/another/machine") == 0 ? open(*file, O_RDONLY | O_CLOEXEC) : -1;
}

TEST(a_caller_may_have_the_files_elsewhere)
{
	static const uint8_t other[4] = { 1 };
	const char *path = space_file_write("elsewhere");
	const struct ic_modules_options options = { .image.allow_no_debug = true,
						    .open_file = open_elsewhere,
						    .open_context = &path };
	struct ic_modules *modules = ic_modules_new(&options, NULL);
	struct ic_space *space = space_new(modules);
	struct ic_space_mapping mapping = { .start = 0x500000,
					    .end = 0x501000,
					    .offset = space_code_offset(path),
					    .path = "/on/another/machine",
					    .build_id = space_build_id,
					    .build_id_size = sizeof(space_build_id) };
	struct ic_space_place place;

	assert_true(ic_space_add(space, &mapping, NULL));
	assert_string_equal(space_text_at(space, 0x500010), "elsewhere.c.leaf elsewhere.c.main");
	mapping.start = 0x600000;
	mapping.end = 0x601000;
	mapping.build_id = NULL;
	mapping.build_id_size = 0;
	assert_true(ic_space_add(space, &mapping, NULL));
	assert_true(ic_space_locate(space, 0x600000, &place));
	assert_memory_equal(place.build_id, space_build_id, sizeof(space_build_id));
	space_file_add(space, path, 0x700000, SPACE_CODE_SIZE); // one that he does not have
	assert_string_equal(space_text_at(space, 0x700010), "elsewhere.c.leaf elsewhere.c.main");
	ic_space_free(space);
	ic_modules_free(modules);

	modules = ic_modules_new(&options, NULL);
	space = space_new(modules);
	mapping.build_id = other;
	mapping.build_id_size = sizeof(other);
	assert_true(ic_space_add(space, &mapping, NULL));
	assert_non_null(strstr(space_text_at(space, 0x600010), "build ID is abcdef01, but "));
	ic_space_free(space);
	ic_modules_free(modules);
}

TEST(addresses_of_the_kernel_may_be_among_those_of_a_program)
{
	struct ic_modules *modules = space_modules_new(0);
	struct ic_space *space = space_new(modules), *kernel = space_new(modules);
	const uint64_t addrs[] = { 0x500010, 0xffff000000000010, 0x600010 };
	static const char *const wanted[] = { "user.c.leaf", "kernel.c.leaf", NULL };
	struct ic_space_answer answer;

	space_file_add(space, space_file_write("user"), 0x500000, SPACE_CODE_SIZE);
	space_file_add(kernel, space_file_write("kernel"), 0xffff000000000000, SPACE_CODE_SIZE);
	assert_string_equal(space_text_at(space, addrs[1]), "none: ");
	ic_space_set_kernel(space, kernel);
	struct ic_space_answers *answers = ic_space_find(space, addrs, COUNT_OF(addrs), NULL);
	assert_non_null(answers);
	for (size_t i = 0; i < COUNT_OF(addrs); i++) {
		assert_true(ic_space_answers_get(answers, i, &answer));
		assert_int_equal(answer.frame_count > 0, wanted[i] != NULL);
		if (wanted[i])
			assert_string_equal(answer.frames[0].function, wanted[i]);
	}
	assert_false(ic_space_answers_get(answers, COUNT_OF(addrs), &answer));
	ic_space_answers_free(answers);
	ic_space_set_kernel(space, NULL);
	assert_string_equal(space_text_at(space, addrs[1]), "none: ");
	ic_space_free(space);
	ic_space_free(kernel);
	ic_modules_free(modules);
}

UNIT_TESTS(process_answers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_located_in_a_file_without_opening_more),
		cmocka_unit_test(a_mapping_says_its_build_id_whether_or_not_there_is_a_file),
		cmocka_unit_test(a_caller_may_have_the_files_elsewhere),
		cmocka_unit_test(addresses_of_the_kernel_may_be_among_those_of_a_program),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
