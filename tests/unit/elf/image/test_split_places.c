#include "unit_test.h"

#include "elf/image/split_places.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fixtures/elf.h"

// All places that are not "", each on a line, with the temporary directory as "T".
static const char *list(const struct ic_split_places *places, bool of_package, const char *comp_dir,
			const char *name)
{
	static char text[4096];
	char path[PATH_MAX];
	size_t length = strlen(temp_dir);

	text[0] = 0;
	for (uint32_t i = 0;
	     of_package ? ic_split_places_dwp(places, i, path, sizeof(path))
			: ic_split_places_dwo(places, comp_dir, name, i, path, sizeof(path));
	     i++) {
		bool inside = strncmp(path, temp_dir, length) == 0;
		if (!path[0])
			continue;
		strcat(text, inside ? "T" : "");
		strcat(text, inside ? path + length : path);
		strcat(text, "\n");
	}
	return text;
}

static void open_image(struct ic_image **image, struct ic_split_places *places, const char *path,
		       const struct ic_image_options *options)
{
	struct ic_error err = { .message = "" };

	*image = ic_image_open(path, options, &err);
	if (!*image)
		fail_msg("%s", err.message);
	assert_true(ic_split_places_init(places, *image));
}

static const char *write_program(const char *name)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"", 1 } });
	return elf_end_at(elf, name);
}

TEST(a_dwo_file_is_where_the_skeleton_says_and_then_beside_the_program)
{
	struct ic_image *image;
	struct ic_split_places places;

	open_image(&image, &places, write_program("bin/program"), NULL);
	assert_string_equal(list(&places, false, "/build", "sub/a.dwo"), "/build/sub/a.dwo\n"
									 "T/bin/sub/a.dwo\n"
									 "T/bin/a.dwo\n"
									 "T/bin/program\n");
	assert_string_equal(list(&places, false, "/build", "/abs/a.dwo"), "/abs/a.dwo\n"
									  "T/bin/a.dwo\n"
									  "T/bin/program\n");
	assert_string_equal(list(&places, false, NULL, "a.dwo"), "a.dwo\n"
								 "T/bin/a.dwo\n"
								 "T/bin/program\n");
	ic_split_places_deinit(&places);
	ic_image_free(image);
}

TEST(directories_of_the_options_come_first)
{
	const char *const dirs[] = { "/one", "two/" };
	const struct ic_image_options options = { .dwo_dirs = dirs, .dwo_dir_count = 2 };
	struct ic_image *image;
	struct ic_split_places places;

	open_image(&image, &places, write_program("program"), &options);
	assert_string_equal(list(&places, false, "/build", "sub/a.dwo"), "/one/sub/a.dwo\n"
									 "/one/a.dwo\n"
									 "two//sub/a.dwo\n"
									 "two//a.dwo\n"
									 "/build/sub/a.dwo\n"
									 "T/sub/a.dwo\n"
									 "T/a.dwo\n"
									 "T/program\n");
	ic_split_places_deinit(&places);
	ic_image_free(image);
}

TEST(a_link_leads_to_the_directory_of_the_program_too)
{
	struct ic_image *image;
	struct ic_split_places places;
	const char *link = temp_path("links/program");

	assert_int_equal(symlink(write_program("real/program"), link), 0);
	open_image(&image, &places, link, NULL);
	assert_string_equal(list(&places, false, "/build", "a.dwo"), "/build/a.dwo\n"
								     "T/links/a.dwo\n"
								     "T/real/a.dwo\n"
								     "T/links/program\n");
	ic_split_places_deinit(&places);
	ic_image_free(image);
}

TEST(the_package_is_beside_the_program_unless_one_is_named)
{
	const struct ic_image_options options = { .dwp_path = "/some/package" };
	struct ic_image *image;
	struct ic_split_places places;
	const char *path = write_program("program");

	open_image(&image, &places, path, NULL);
	assert_string_equal(list(&places, true, NULL, NULL), "T/program.dwp\n");
	ic_split_places_deinit(&places);
	ic_image_free(image);
	open_image(&image, &places, path, &options);
	assert_string_equal(list(&places, true, NULL, NULL), "/some/package\n");
	ic_split_places_deinit(&places);
	ic_image_free(image);
}

TEST(a_path_that_is_too_long_is_no_place)
{
	struct ic_image *image;
	struct ic_split_places places;
	char name[PATH_MAX + 1];

	memset(name, 'a', PATH_MAX);
	name[PATH_MAX] = 0;
	open_image(&image, &places, write_program("program"), NULL);
	assert_string_equal(list(&places, false, "/build", name), "T/program\n");
	ic_split_places_deinit(&places);
	ic_image_free(image);
}

UNIT_TESTS(elf_image_split_places)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dwo_file_is_where_the_skeleton_says_and_then_beside_the_program),
		cmocka_unit_test(directories_of_the_options_come_first),
		cmocka_unit_test(a_link_leads_to_the_directory_of_the_program_too),
		cmocka_unit_test(the_package_is_beside_the_program_unless_one_is_named),
		cmocka_unit_test(a_path_that_is_too_long_is_no_place),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
