#include "unit_test.h"

#include "elf/finding/supplementary.h"

#include <stdio.h>
#include <unistd.h>

#include "fixtures/elf.h"

static const uint8_t id[] = { 0xab, 0xcd, 0xef }, other_id[] = { 1, 2, 3 };

// DWARF 5, 7.3.6; in the byte order of the file.
static void add_debug_sup(struct elf_builder *elf, uint8_t is_supplementary, const char *name,
			  const uint8_t *checksum, uint8_t size)
{
	struct byte_buffer out = { .data = NULL };

	byte_buffer_put(&out, 5, 2);
	byte_buffer_put(&out, is_supplementary, 1);
	byte_buffer_string(&out, name);
	byte_buffer_put(&out, size, 1);
	byte_buffer_append(&out, checksum, size);
	elf_add_section(elf, (struct elf_section){ .name = ".debug_sup",
						   .align = 1,
						   .bytes = byte_buffer_view(&out) });
	byte_buffer_deinit(&out);
}

static void open_at(struct ic_elf_file *file, struct elf_builder *elf, const char *name)
{
	struct ic_error err = { .message = "" };

	if (!ic_elf_file_open(file, elf_end_at(elf, name), &err))
		fail_msg("%s", err.message);
}

static void open_linked(struct ic_elf_file *file, const char *link)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_alt_link(elf, link, id, sizeof(id));
	open_at(file, elf, "bin/program");
}

static void open_linked_5(struct ic_elf_file *file, const char *link)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	add_debug_sup(elf, 0, link, id, sizeof(id));
	open_at(file, elf, "bin/program");
}

static const char *write_supplementary(const char *name, const uint8_t *build_id)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	if (build_id)
		elf_add_build_id(elf, 0, build_id, 3);
	return elf_end_at(elf, name);
}

static void check_found(const struct ic_elf_file *file, const struct ic_image_options *options,
			const char *path)
{
	static const struct ic_image_options none = { .debug_dirs = NULL };
	struct ic_elf_file found;
	struct ic_error err = { .message = "" };

	assert_true(ic_supplementary_wanted(file));
	if (!ic_supplementary_open(&found, file, options ? options : &none, &err))
		fail_msg("%s", err.message);
	assert_string_equal(found.path, path);
	ic_elf_file_close(&found);
	assert_int_equal(unlink(path), 0);
}

TEST(an_absolute_path_is_taken_as_it_is)
{
	struct ic_elf_file file;
	const char *path = write_supplementary("elsewhere/common", id);

	open_linked(&file, path);
	check_found(&file, NULL, path);
	ic_elf_file_close(&file);
}

TEST(a_relative_path_is_from_the_real_directory_of_the_file)
{
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };

	open_linked(&file, "../common/file");
	ic_elf_file_close(&file);
	const char *link = temp_path("links/program");
	assert_int_equal(symlink(temp_path("bin/program"), link), 0);
	assert_true(ic_elf_file_open(&file, link, &err));
	char wanted[4096];
	snprintf(wanted, sizeof(wanted), "%s/bin/../common/file", temp_dir);
	write_supplementary("common/file", id);
	check_found(&file, NULL, wanted);
	ic_elf_file_close(&file);
}

TEST(the_file_may_have_moved_beside_or_to_dwz_or_a_debug_directory)
{
	const char *const dirs[] = { temp_path("debug") };
	const struct ic_image_options options = { .debug_dirs = dirs, .debug_dir_count = 1 };
	struct ic_elf_file file;

	open_linked(&file, "/nonexistent/common.debug");
	check_found(&file, NULL, write_supplementary("bin/.dwz/common.debug", id));
	check_found(&file, NULL, write_supplementary("bin/common.debug", id));
	check_found(&file, &options, write_supplementary("debug/.build-id/ab/cdef.debug", id));
	check_found(&file, &options, write_supplementary("debug/.dwz/common.debug", id));
	ic_elf_file_close(&file);
}

TEST(only_the_file_with_the_build_id_is_taken)
{
	const struct ic_image_options options = { .debug_dirs = NULL };
	struct ic_elf_file file, found = { 0 };
	struct ic_error err = { .message = "" };
	char text[4096];

	open_linked(&file, "common");
	write_supplementary("bin/common", other_id);
	write_supplementary("bin/.dwz/common", NULL);
	assert_false(ic_supplementary_open(&found, &file, &options, &err));
	assert_int_equal(err.code, IC_ERROR_NO_DEBUG);
	snprintf(text, sizeof(text),
		 ".gnu_debugaltlink: its supplementary file common was not found, so functions in "
		 "it have no names; searched:\n  %s/bin/common: has another build ID\n  "
		 "%s/bin/.dwz/common: has no build ID\n",
		 temp_dir, temp_dir);
	assert_memory_equal(err.message, text, strlen(text));
	assert_non_null(strstr(err.message, "/usr/lib/debug/.build-id/ab/cdef.debug: No such file "
					    "or directory"));
	temp_write(temp_path("bin/common"), "no ELF", 6);
	assert_false(ic_supplementary_open(&found, &file, &options, &err));
	assert_non_null(strstr(err.message, "/bin/common: not an ELF file\n"));
	assert_non_null(strstr(err.message, "its supplementary file common cannot be read, so"));
	unlink(temp_path("bin/common"));
	unlink(temp_path("bin/.dwz/common"));
	ic_elf_file_close(&file);
}

TEST(debug_sup_names_a_file_that_says_the_same_of_itself)
{
	const struct ic_image_options options = { .debug_dirs = NULL };
	struct ic_elf_file file, found = { 0 };
	struct ic_error err = { .message = "" };
	const struct {
		uint8_t is_supplementary;
		const uint8_t *checksum;
		const char *objection;
	} cases[] = { { 1, id, NULL },
		      { 0, id, "/bin/common: is not a supplementary file" },
		      { 1, other_id, "/bin/common: has another checksum" } };

	open_linked_5(&file, "common");
	assert_true(ic_supplementary_wanted(&file));
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		add_debug_sup(elf, cases[i].is_supplementary, "", cases[i].checksum, sizeof(id));
		const char *path = elf_end_at(elf, "bin/common");
		if (!cases[i].objection) {
			check_found(&file, NULL, path);
			continue;
		}
		assert_false(ic_supplementary_open(&found, &file, &options, &err));
		assert_non_null(strstr(err.message, cases[i].objection));
	}
	// If the other file has no .debug_sup, its build ID is compared.
	check_found(&file, NULL, write_supplementary("bin/common", id));
	ic_elf_file_close(&file);
}

TEST(a_link_that_is_damaged_is_reported_and_one_that_leads_the_other_way_is_none)
{
	const struct ic_image_options options = { .debug_dirs = NULL };
	const struct {
		const char *section;
		struct ic_bytes bytes;
	} cases[] = {
		{ ".gnu_debugaltlink", BYTES('a') },                     // without an end
		{ ".gnu_debugaltlink", BYTES(0, 1, 2, 3) },              // without a name
		{ ".gnu_debugaltlink", BYTES('a', 0) },                  // without a build ID
		{ ".debug_sup", BYTES(5, 0, 0, 'a', 0, 3, 1, 2) },       // cut short
		{ ".debug_sup", BYTES(5, 0, 0, 'a', 0, 0) },             // without a checksum
		{ ".debug_sup", BYTES(1, 0, 0, 'a', 0, 3, 1, 2, 3) },    // of no version
		{ ".debug_sup", BYTES(5, 0, 0, 'a', 0, 0xff, 0xff, 3) }, // longer than all
		{ ".debug_sup", BYTES(5, 0, 1, 'a', 0, 3, 1, 2, 3) },    // of the file itself
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		struct ic_elf_file file, found = { 0 };
		struct ic_error err = { .message = "" };
		char wanted[64];
		bool is_damaged = i + 1 < COUNT_OF(cases);
		elf_add_section(elf, (struct elf_section){ .name = cases[i].section,
							   .align = 1,
							   .bytes = { cases[i].bytes.data,
								      cases[i].bytes.size } });
		elf_end_and_open(&file, elf);
		assert_int_equal(ic_supplementary_wanted(&file), is_damaged);
		if (is_damaged) {
			assert_false(ic_supplementary_open(&found, &file, &options, &err));
			snprintf(wanted, sizeof(wanted), "%s: does not name a supplementary file",
				 cases[i].section);
			assert_error(&err, IC_ERROR_MALFORMED, wanted);
		}
		ic_elf_file_close(&file);
	}
}

UNIT_TESTS(elf_finding_supplementary)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_absolute_path_is_taken_as_it_is),
		cmocka_unit_test(a_relative_path_is_from_the_real_directory_of_the_file),
		cmocka_unit_test(the_file_may_have_moved_beside_or_to_dwz_or_a_debug_directory),
		cmocka_unit_test(only_the_file_with_the_build_id_is_taken),
		cmocka_unit_test(debug_sup_names_a_file_that_says_the_same_of_itself),
		cmocka_unit_test(
			a_link_that_is_damaged_is_reported_and_one_that_leads_the_other_way_is_none),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
