#include "unit_test.h"

#include <stdio.h>
#include <unistd.h>

#include <inlinecall/extra/archive.h>

#include "archive_builder.h"
#include "elf/image/image.h"
#include "elf/sections/load.h"
#include "fixtures/elf.h"

// The bytes of an ELF file with a .debug_info that identifies it.
static void put_elf(struct byte_buffer *buf, const char *text, bool has_code)
{
	struct elf_builder *elf = elf_begin(ET_REL);

	if (has_code)
		elf_add_code(elf, ".text", 0, 0x10);
	if (text)
		elf_add_section(elf, (struct elf_section){
					     .name = ".debug_info",
					     .bytes = { (const uint8_t *)text, strlen(text) } });
	const struct bytes bytes = elf_build(elf);
	byte_buffer_append(buf, bytes.data, bytes.size);
	elf_builder_free(elf);
}

static void add_elf(struct byte_buffer *archive, const char *name, const char *text)
{
	struct byte_buffer elf = { 0 };

	put_elf(&elf, text, true);
	archive_add(archive, name, byte_buffer_view(&elf));
	byte_buffer_deinit(&elf);
}

static const char *end_archive(struct byte_buffer *archive, const char *name)
{
	const char *path = temp_path(name);

	temp_write(path, archive->data, archive->size);
	byte_buffer_deinit(archive);
	return path;
}

// Checks the member's name and text.
static void check_member(const struct ic_archive *archive, size_t number, const char *name,
			 const char *text)
{
	char path[1024];
	struct ic_error err = { .message = "" };
	struct ic_image *image = ic_archive_image_open(archive, number, NULL, &err);

	if (!image)
		fail_msg("%s", err.message);
	snprintf(path, sizeof(path), "%s(%s)", ic_archive_path(archive), name);
	assert_string_equal(ic_archive_member(archive, number), name);
	assert_string_equal(ic_image_path(image), path);
	const struct ic_section *section =
		ic_elf_file_debug_section(ic_image_dwarf_file(image), ".debug_info");
	assert_int_equal(section->raw.size, strlen(text));
	assert_memory_equal(section->raw.data, text, strlen(text));
	ic_image_free(image);
}

static void check_refused(const struct ic_archive *archive, size_t number, enum ic_error_code code,
			  const char *name, const char *what)
{
	char wanted[1024];
	struct ic_error err = { .message = "" };

	assert_null(ic_archive_image_open(archive, number, NULL, &err));
	snprintf(wanted, sizeof(wanted), "%s%s: %s", ic_archive_path(archive), name, what);
	assert_error(&err, code, wanted);
}

static struct ic_archive *open_sound(const char *path, size_t count)
{
	struct ic_error err = { .message = "" };
	struct ic_archive *archive = ic_archive_open(path, &err);

	if (!archive)
		fail_msg("%s", err.message);
	assert_true(ic_archive_is_whole(archive, &err));
	assert_int_equal(ic_archive_count(archive), count);
	assert_null(ic_archive_member(archive, count));
	return archive;
}

TEST(members_are_opened_by_their_number)
{
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, false);
	add_elf(&buf, "a.o/", "first");
	add_elf(&buf, "b.o/", "second!");
	add_elf(&buf, "a.o/", "third");
	struct ic_archive *archive = open_sound(end_archive(&buf, "lib.a"), 3);
	check_member(archive, 0, "a.o", "first");
	check_member(archive, 1, "b.o", "second!");
	check_member(archive, 2, "a.o", "third");
	check_refused(archive, 3, IC_ERROR_ARGUMENT, "", "no member 3");
	assert_null(ic_archive_image_open(archive, 3, NULL, NULL));
	ic_archive_free(archive);
}

TEST(an_image_may_outlive_its_archive_and_share_nothing)
{
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, false);
	add_elf(&buf, "a.o/", "text");
	struct ic_archive *archive = open_sound(end_archive(&buf, "lib.a"), 1);
	struct ic_image *one = ic_archive_image_open(archive, 0, NULL, NULL);
	struct ic_image *two = ic_archive_image_open(archive, 0, NULL, NULL);
	ic_archive_free(archive);
	assert_true(one && two);
	struct ic_section *section = ic_elf_file_section(&one->file, ".debug_info");
	struct ic_error err;
	section->has_relocs = true; // so that it is made writable
	assert_true(ic_sections_load(&one->file, &section, 1, 1, &err));
	((uint8_t *)section->bytes.data)[0] = 'T';
	section = ic_elf_file_section(&two->file, ".debug_info");
	assert_memory_equal(section->raw.data, "text", 4);
	ic_image_free(one);
	ic_image_free(two);
}

TEST(what_is_no_elf_file_is_said_to_be_none)
{
	struct byte_buffer buf = { 0 }, elf = { 0 };

	archive_begin(&buf, false);
	archive_add(&buf, "x.txt/", (struct bytes){ (const uint8_t *)"text", 4 });
	archive_add(&buf, "ir.o/", (struct bytes){ (const uint8_t *)"BC\xc0\xde", 4 });
	archive_add(&buf, "in.a/", (struct bytes){ (const uint8_t *)"!<arch>\n", 8 });
	archive_add(&buf, "none/", (struct bytes){ NULL, 0 });
	put_elf(&elf, NULL, false);
	archive_add(&buf, "data.o/", byte_buffer_view(&elf));
	byte_buffer_deinit(&elf);
	add_elf(&buf, "code.o/", NULL);
	struct ic_archive *archive = open_sound(end_archive(&buf, "lib.a"), 6);
	const char *no_debug = "no .debug_info (was it compiled with -g?), and no build ID "
			       "or .gnu_debuglink to find a debug file";
	check_refused(archive, 0, IC_ERROR_NOT_ELF, "(x.txt)", "not an ELF file");
	check_refused(archive, 1, IC_ERROR_NOT_ELF, "(ir.o)", "is LLVM bitcode, not an ELF file");
	check_refused(archive, 2, IC_ERROR_ARCHIVE, "(in.a)", "is an archive, not an ELF file");
	check_refused(archive, 3, IC_ERROR_NOT_ELF, "(none)", "the file is empty");
	check_refused(archive, 4, IC_ERROR_NO_CODE, "(data.o)", no_debug);
	check_refused(archive, 5, IC_ERROR_NO_DEBUG, "(code.o)", no_debug);
	ic_archive_free(archive);
}

TEST(a_fault_costs_what_is_behind_it)
{
	struct byte_buffer buf = { 0 };
	struct ic_error err = { .message = "" };
	char wanted[1024];

	archive_begin(&buf, false);
	add_elf(&buf, "a.o/", "text");
	size_t off = buf.size;
	archive_header(&buf, "b.o/", "4");
	const char *path = end_archive(&buf, "cut.a");
	struct ic_archive *archive = ic_archive_open(path, &err);
	assert_non_null(archive);
	assert_false(ic_archive_is_whole(archive, &err));
	assert_false(ic_archive_is_whole(archive, NULL));
	snprintf(wanted, sizeof(wanted),
		 "%s: invalid member header at 0x%zx: the member extends beyond the end: truncated "
		 "archive",
		 path, off);
	assert_error(&err, IC_ERROR_MALFORMED, wanted);
	check_member(archive, 0, "a.o", "text");
	ic_archive_free(archive);
}

static struct byte_buffer begin_thin(const char *names)
{
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, true);
	archive_add(&buf, "//", (struct bytes){ (const uint8_t *)names, strlen(names) });
	return buf;
}

TEST(members_of_a_thin_archive_are_files_beside_it_or_anywhere)
{
	struct byte_buffer elf = { 0 };
	char names[1024];

	put_elf(&elf, "beside", true);
	temp_write(temp_path("thin/sub/a.o"), elf.data, elf.size);
	byte_buffer_deinit(&elf);
	put_elf(&elf, "elsewhere", true);
	temp_write(temp_path("other/b.o"), elf.data, elf.size);
	byte_buffer_deinit(&elf);
	snprintf(names, sizeof(names), "sub/a.o/\ngone.o/\n%s/\n", temp_path("other/b.o"));
	struct byte_buffer buf = begin_thin(names);
	archive_header(&buf, "/0", "1");
	archive_header(&buf, "/9", "1");
	archive_header(&buf, "/17", "1");
	struct ic_archive *archive = open_sound(end_archive(&buf, "thin/lib.a"), 3);
	check_member(archive, 0, "sub/a.o", "beside");
	snprintf(names, sizeof(names), "cannot open %s: No such file or directory",
		 temp_path("thin/gone.o"));
	check_refused(archive, 1, IC_ERROR_SYSTEM, "(gone.o)", names);
	check_member(archive, 2, temp_path("other/b.o"), "elsewhere");
	ic_archive_free(archive);
	assert_int_equal(chdir(temp_path("thin")), 0); // and beside one whose path has no directory
	archive = open_sound("lib.a", 3);
	check_member(archive, 0, "sub/a.o", "beside");
	ic_archive_free(archive);
}

TEST(a_thin_archive_may_have_members_of_other_archives)
{
	struct byte_buffer inner = { 0 }, buf = begin_thin("inner.a/\ngone.a/\n");
	char header[32], wanted[1024];

	archive_begin(&inner, false);
	add_elf(&inner, "a.o/", "first");
	snprintf(header, sizeof(header), "/0:%zu", inner.size);
	add_elf(&inner, "b.o/", "second");
	end_archive(&inner, "inner.a");
	archive_header(&buf, "/0:8", "1");
	archive_header(&buf, header, "1");
	archive_header(&buf, "/9:8", "1");
	archive_header(&buf, "/0:10", "1");
	struct ic_archive *archive = open_sound(end_archive(&buf, "outer.a"), 4);
	check_member(archive, 0, "a.o", "first");
	check_member(archive, 1, "b.o", "second");
	snprintf(wanted, sizeof(wanted), "cannot open %s: No such file or directory",
		 temp_path("gone.a"));
	check_refused(archive, 2, IC_ERROR_SYSTEM, "", wanted);
	struct ic_error err;
	assert_null(ic_archive_image_open(archive, 3, NULL, &err));
	assert_non_null(strstr(err.message, "inner.a: invalid member header at 0xa: "));
	ic_archive_free(archive);
}

TEST(a_file_that_is_no_archive_says_so)
{
	struct ic_error err;
	char wanted[1024];
	const char *path = elf_end_at(elf_begin(ET_REL), "a.o");

	assert_null(ic_archive_open(path, &err));
	snprintf(wanted, sizeof(wanted), "%s: not an archive", path);
	assert_error(&err, IC_ERROR_NOT_ELF, wanted);
	assert_null(ic_archive_open("/no/lib.a", &err));
	assert_error(&err, IC_ERROR_SYSTEM, "/no/lib.a: cannot open: No such file or directory");
	assert_null(ic_archive_open("/no/lib.a", NULL));
	ic_archive_free(NULL);
}

UNIT_TESTS(elf_archives_archive)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_opened_by_their_number),
		cmocka_unit_test(an_image_may_outlive_its_archive_and_share_nothing),
		cmocka_unit_test(what_is_no_elf_file_is_said_to_be_none),
		cmocka_unit_test(a_fault_costs_what_is_behind_it),
		cmocka_unit_test(members_of_a_thin_archive_are_files_beside_it_or_anywhere),
		cmocka_unit_test(a_thin_archive_may_have_members_of_other_archives),
		cmocka_unit_test(a_file_that_is_no_archive_says_so),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
