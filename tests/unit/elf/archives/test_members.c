// The members of an archive, one after another.
#include "unit_test.h"

#include <stdio.h>

#include <inlinecall/extra/archive.h>

#include "archive_builder.h"
#include "fixtures/elf.h"

static void add(struct byte_buffer *archive, const char *name, bool has_code, bool has_debug)
{
	struct elf_builder *elf = elf_begin(ET_REL);

	if (has_code)
		elf_add_code(elf, ".text", 0, 0x10);
	if (has_debug)
		elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
							   .bytes = { (const uint8_t *)name, 1 } });
	archive_add(archive, name, elf_build(elf));
	elf_builder_free(elf);
}

// Two members with debug information, and between them one that is no ELF file and one that has
// none.
static const char *write_archive(const char *name)
{
	struct byte_buffer buf = { 0 };
	const char *path = temp_path(name);

	archive_begin(&buf, false);
	add(&buf, "a.o/", true, true);
	add(&buf, "data.o/", false, false);
	add(&buf, "plain.o/", true, false);
	archive_add(&buf, "notes/", (struct bytes){ (const uint8_t *)"text", 4 });
	add(&buf, "b.o/", true, true);
	add(&buf, "a.o/", true, true);
	temp_write(path, buf.data, buf.size);
	byte_buffer_deinit(&buf);
	return path;
}

static struct ic_members *open_sound(const char *path)
{
	struct ic_error err = { .message = "" };
	struct ic_members *members = ic_members_open(path, &err);

	if (!members)
		fail_msg("%s", err.message);
	return members;
}

// The next member: with an image, or without one and with the error's code.
static void assert_next(struct ic_members *members, size_t number, const char *name,
			enum ic_error_code code)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct ic_member member;

	assert_true(ic_members_next(members, NULL, &member, &err));
	assert_int_equal(member.number, number);
	assert_string_equal(member.name, name);
	assert_int_equal(member.image != NULL, code == IC_ERROR_NONE);
	if (!member.image)
		assert_int_equal(err.code, code);
	ic_image_free(member.image);
}

TEST(members_come_in_order_and_those_without_code_do_not)
{
	struct ic_members *members = open_sound(write_archive("lib.a"));
	struct ic_member member;
	struct ic_error err;

	assert_null(ic_members_name(members));
	assert_int_equal(ic_members_count(members), 6);
	for (int i = 0; i < 2; i++) {
		assert_next(members, 0, "a.o", IC_ERROR_NONE);
		assert_next(members, 2, "plain.o", IC_ERROR_NO_DEBUG);
		assert_next(members, 3, "notes", IC_ERROR_NOT_ELF);
		assert_next(members, 4, "b.o", IC_ERROR_NONE);
		assert_next(members, 5, "a.o", IC_ERROR_NONE);
		assert_false(ic_members_next(members, NULL, &member, &err));
		assert_false(ic_members_next(members, NULL, &member, NULL));
		assert_true(ic_members_check(members, &err));
		ic_members_rewind(members);
	}
	ic_members_free(members);
}

TEST(a_path_may_name_members)
{
	char path[1024];
	const char *archive = write_archive("lib(1).a");
	struct ic_member member;
	struct ic_error err;

	snprintf(path, sizeof(path), "%s(a.o)", archive);
	struct ic_members *members = open_sound(path);
	assert_string_equal(ic_members_name(members), "a.o");
	assert_string_equal(ic_archive_path(ic_members_archive(members)), archive);
	assert_int_equal(ic_members_count(members), 2);
	assert_next(members, 0, "a.o", IC_ERROR_NONE);
	assert_next(members, 5, "a.o", IC_ERROR_NONE);
	assert_false(ic_members_next(members, NULL, &member, &err));
	assert_true(ic_members_check(members, &err));
	ic_members_free(members);

	snprintf(path, sizeof(path), "%s(data.o)", archive);
	members = open_sound(path);
	assert_next(members, 1, "data.o", IC_ERROR_NO_CODE);
	ic_members_free(members);
}

TEST(a_name_that_no_member_has_is_seen_after_the_last)
{
	char path[1024], wanted[1200];
	const char *archive = write_archive("lib.a");
	struct ic_member member;
	struct ic_error err;

	snprintf(path, sizeof(path), "%s(c.o)", archive);
	struct ic_members *members = open_sound(path);
	assert_int_equal(ic_members_count(members), 0);
	assert_false(ic_members_next(members, NULL, &member, &err));
	assert_false(ic_members_check(members, &err));
	snprintf(wanted, sizeof(wanted), "%s: no member 'c.o'", archive);
	assert_error(&err, IC_ERROR_NOT_FOUND, wanted);
	ic_members_free(members);
}

TEST(what_is_no_archive_has_no_members)
{
	char path[1024];
	const char *file = temp_path("text(1)");
	struct ic_error err;

	temp_write(file, "text", 4);
	assert_null(ic_members_open(file, &err));
	assert_int_equal(err.code, IC_ERROR_NOT_ELF);
	snprintf(path, sizeof(path), "%s(a.o)", file);
	assert_null(ic_members_open(path, &err));
	assert_int_equal(err.code, IC_ERROR_NOT_ELF); // there is such a file
	assert_null(ic_members_open("/nonexistent/lib.a(a.o)", &err));
	assert_int_equal(err.code, IC_ERROR_SYSTEM);
	assert_null(ic_members_open(NULL, NULL));
}

TEST(an_archive_that_is_cut_short_is_not_whole)
{
	struct byte_buffer buf = { 0 };
	const char *path = temp_path("cut.a");
	struct ic_member member;
	struct ic_error err;

	archive_begin(&buf, false);
	add(&buf, "a.o/", true, true);
	archive_header(&buf, "b.o/", "4096");
	temp_write(path, buf.data, buf.size);
	byte_buffer_deinit(&buf);
	struct ic_members *members = open_sound(path);
	assert_next(members, 0, "a.o", IC_ERROR_NONE);
	assert_false(ic_members_next(members, NULL, &member, &err));
	assert_false(ic_members_check(members, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	assert_false(ic_members_check(members, NULL));
	ic_members_free(members);
}

UNIT_TESTS(elf_archives_members)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_come_in_order_and_those_without_code_do_not),
		cmocka_unit_test(a_path_may_name_members),
		cmocka_unit_test(a_name_that_no_member_has_is_seen_after_the_last),
		cmocka_unit_test(what_is_no_archive_has_no_members),
		cmocka_unit_test(an_archive_that_is_cut_short_is_not_whole),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
