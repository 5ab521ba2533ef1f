#include "unit_test.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include <inlinecall/extra/image.h>
#include <inlinecall/extra/symbolizer.h>

#include "fixtures/elf.h"

static const uint8_t id[] = { 0xab, 0xcd, 0xef, 0x01 };

// A stripped program; without a build ID if `id_size` is 0, without a link if that is NULL.
static const char *write_program(const char *name, size_t id_size, const char *link, uint32_t crc)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", 0x1000, 0x100);
	if (id_size > 0)
		elf_add_build_id(elf, 0x2000, id, id_size);
	if (link)
		elf_add_debug_link(elf, link, crc);
	return elf_end_at(elf, name);
}

// A debug file; returns the CRC of its bytes.
static uint32_t write_debug(const char *name, const uint8_t *its_id, size_t id_size)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	if (id_size > 0)
		elf_add_build_id(elf, 0x2000, its_id, id_size);
	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"info", 4 } });
	uint32_t crc = elf_crc(elf_build(elf));
	elf_end_at(elf, name);
	return crc;
}

static struct ic_image *open_with(const char *path, const char *dir, struct ic_error *err)
{
	const struct ic_image_options options = { .debug_dirs = &dir, .debug_dir_count = 1 };

	err->message[0] = 0;
	return ic_image_open(path, &options, err);
}

static void check_found(const char *program, const char *dir, const char *debug)
{
	struct ic_error err;
	struct ic_image *image = open_with(program, dir, &err);

	if (!image)
		fail_msg("%s", err.message);
	assert_string_equal(ic_image_path(image), program);
	assert_string_equal(ic_image_debug_path(image), debug);
	ic_image_free(image);
}

// A debug file that is there and is none costs more than one that is not there.
static void check_not_found(const char *program, const char *dir, bool is_there, const char *wanted)
{
	const struct ic_image_options options = { .debug_dirs = &dir,
						  .debug_dir_count = 1,
						  .allow_no_debug = true };
	struct ic_index_problem problem;
	struct ic_error err;

	assert_null(open_with(program, dir, &err));
	assert_error(&err, is_there ? IC_ERROR_MALFORMED : IC_ERROR_NO_DEBUG, wanted);
	if (!is_there)
		return;
	struct ic_image *image = ic_image_open(program, &options, &err);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, NULL, &err);
	assert_non_null(symbolizer);
	struct ic_frame frame;
	(void)ic_symbolizer_frames_at(symbolizer, 0x1000, &frame, 1);
	assert_true(ic_symbolizer_problem_get(symbolizer, 0, &problem));
	assert_string_equal(problem.message, wanted + strlen(program) + 2);
	assert_false(ic_symbolizer_problem_get(symbolizer, 1, &problem));
	ic_symbolizer_free(symbolizer);
	ic_image_free(image);
}

TEST(a_debug_file_is_found_by_its_build_id)
{
	const char *program = write_program("a/prog", sizeof(id), NULL, 0);

	write_debug("a/dbg/.build-id/ab/cdef01.debug", id, sizeof(id));
	check_found(program, temp_path("a/dbg"), temp_path("a/dbg/.build-id/ab/cdef01.debug"));
}

TEST(a_debug_file_is_found_by_its_link_in_three_places)
{
	uint32_t crc = write_debug("b/prog.debug", NULL, 0);
	const char *program = write_program("b/prog", 0, "prog.debug", crc);
	char under[2 * PATH_MAX];

	check_found(program, "/nowhere", temp_path("b/prog.debug"));
	unlink(temp_path("b/prog.debug"));
	assert_int_equal(write_debug("b/.debug/prog.debug", NULL, 0), crc);
	check_found(program, "/nowhere", temp_path("b/.debug/prog.debug"));
	unlink(temp_path("b/.debug/prog.debug"));
	snprintf(under, sizeof(under), "dbg%s/b/prog.debug", temp_dir);
	assert_int_equal(write_debug(under, NULL, 0), crc);
	check_found(program, temp_path("dbg"), temp_path(under));
}

TEST(a_link_is_beside_the_file_that_a_symbolic_link_leads_to)
{
	uint32_t crc = write_debug("c/real/prog.debug", NULL, 0);

	write_program("c/real/prog", 0, "prog.debug", crc);
	assert_int_equal(symlink("real/prog", temp_path("c/link")), 0);
	check_found(temp_path("c/link"), "/nowhere", temp_path("c/real/prog.debug"));
}

#define USUAL "  /usr/lib/debug" // where every search ends

static void check_reason(const char *program, const char *dir, const char *debug,
			 const char *reason)
{
	char wanted[1024];

	snprintf(wanted, sizeof(wanted),
		 "%s: no .debug_info; searched for its debug file (by build ID):\n  %s: %s\n" USUAL
		 "/.build-id/ab/cdef01.debug: No such file or directory",
		 program, debug, reason);
	check_not_found(program, dir, strcmp(reason, "No such file or directory") != 0, wanted);
}

TEST(a_file_of_another_build_is_not_taken)
{
	const uint8_t other[] = { 1, 2, 3, 4 };
	const char *program = write_program("d/prog", sizeof(id), NULL, 0);
	const char *dir = temp_path("d/dbg"), *debug = temp_path("d/dbg/.build-id/ab/cdef01.debug");

	check_reason(program, dir, debug, "No such file or directory");
	write_debug("d/dbg/.build-id/ab/cdef01.debug", other, sizeof(other));
	check_reason(program, dir, debug, "has another build ID");
	write_debug("d/dbg/.build-id/ab/cdef01.debug", NULL, 0);
	check_reason(program, dir, debug, "has no build ID");
	temp_write(debug, "text", 4);
	check_reason(program, dir, debug, "not an ELF file");
}

TEST(every_file_that_was_tried_is_told_with_the_reason)
{
	uint32_t crc = write_debug("e/prog.debug", NULL, 0);
	const char *program = write_program("e/prog", sizeof(id), "prog.debug", crc + 1);
	char wanted[2048];

	snprintf(wanted, sizeof(wanted),
		 "%s: no .debug_info; searched for its debug file (by build ID and "
		 ".gnu_debuglink):\n  /no/.build-id/ab/cdef01.debug: No such file or "
		 "directory\n" USUAL
		 "/.build-id/ab/cdef01.debug: No such file or directory\n  %s/e/prog.debug: its "
		 "checksum differs from .gnu_debuglink\n  %s/e/.debug/prog.debug: No such file or "
		 "directory\n  /no%s/e/prog.debug: No such file or directory\n" USUAL
		 "%s/e/prog.debug: No such file or directory\n"
		 "  /no/prog.debug: No such file or directory",
		 program, temp_dir, temp_dir, temp_dir, temp_dir);
	check_not_found(program, "/no", true, wanted);
}

TEST(the_linked_file_may_be_in_a_directory_that_was_named)
{
	uint32_t crc = write_debug("h/debug/prog.debug", NULL, 0);
	const char *program = write_program("h/prog", 0, "prog.debug", crc);

	check_found(program, temp_path("h/debug"), temp_path("h/debug/prog.debug"));
}

TEST(an_object_for_link_time_optimisation_says_so)
{
	struct elf_builder *elf = elf_begin(ET_REL);

	elf_add_section(elf, (struct elf_section){ .name = ".gnu.lto_.opts" });
	elf_add_section(elf, (struct elf_section){ .name = ".gnu.debuglto_.debug_info" });
	const char *path = elf_end_at(elf, "lto.o");
	char wanted[1024];

	snprintf(wanted, sizeof(wanted),
		 "%s: compiled only for link-time optimization (-flto): inlining is decided in the "
		 "linked program",
		 path);
	struct ic_error err;
	assert_null(open_with(path, "/no", &err));
	assert_int_equal(err.code, IC_ERROR_NO_CODE);
	assert_string_equal(err.message, wanted);
}

TEST(a_file_that_names_no_other_says_so)
{
	const char *program = write_program("f/prog", 0, NULL, 0);
	char wanted[1024];

	snprintf(wanted, sizeof(wanted),
		 "%s: no .debug_info (was it compiled with -g?), and no build ID or .gnu_debuglink "
		 "to "
		 "find a debug file",
		 program);
	check_not_found(program, "/no", false, wanted);
	program = write_program("f/short", 1, NULL, 0); // one byte is no path under .build-id
	snprintf(wanted, sizeof(wanted), "%s: no .debug_info; searched", program);
	struct ic_error err;
	assert_null(open_with(program, "/no", &err));
	assert_memory_equal(err.message, wanted, strlen(wanted));
}

TEST(a_list_too_long_for_the_message_ends_with_a_whole_line)
{
	const char *program = write_program("g/prog", sizeof(id), NULL, 0);
	const char *dirs[40];
	const struct ic_image_options options = { .debug_dirs = dirs, .debug_dir_count = 40 };
	struct ic_error err;

	for (size_t i = 0; i < COUNT_OF(dirs); i++)
		dirs[i] = "/a/directory/of/some/length/that/does/not/exist";
	assert_null(ic_image_open(program, &options, &err));
	size_t length = strlen(err.message);
	assert_true(length > 700 && length < sizeof(err.message));
	assert_string_equal(err.message + length - 25, "No such file or directory");
}

TEST(a_link_that_is_malformed_is_said)
{
	const char *const links[] = { "", "\0\0\0\0\0\0\0\0", "prog.debug", "abc\0\1\2\3",
				      "../abc\0\1\2\3\4" };
	const size_t sizes[] = { 0, 8, 10, 7, 12 };

	for (size_t i = 0; i < COUNT_OF(links); i++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		struct ic_error err;
		elf_add_section(elf, (struct elf_section){
					     .name = ".gnu_debuglink",
					     .bytes = { (const uint8_t *)links[i], sizes[i] } });
		assert_null(open_with(elf_end_at(elf, "h/prog"), "/no", &err));
		assert_non_null(strstr(
			err.message, i == 0 ? "no build ID or .gnu_debuglink"
					    : "\n  .gnu_debuglink: no file name with a checksum"));
		assert_int_equal(err.code, i == 0 ? IC_ERROR_NO_CODE : IC_ERROR_MALFORMED);
	}
}

UNIT_TESTS(elf_finding_debug_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_debug_file_is_found_by_its_build_id),
		cmocka_unit_test(a_debug_file_is_found_by_its_link_in_three_places),
		cmocka_unit_test(a_link_is_beside_the_file_that_a_symbolic_link_leads_to),
		cmocka_unit_test(a_file_of_another_build_is_not_taken),
		cmocka_unit_test(every_file_that_was_tried_is_told_with_the_reason),
		cmocka_unit_test(the_linked_file_may_be_in_a_directory_that_was_named),
		cmocka_unit_test(an_object_for_link_time_optimisation_says_so),
		cmocka_unit_test(a_file_that_names_no_other_says_so),
		cmocka_unit_test(a_list_too_long_for_the_message_ends_with_a_whole_line),
		cmocka_unit_test(a_link_that_is_malformed_is_said),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
