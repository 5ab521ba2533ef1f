#include "unit_test.h"

#include <stdio.h>

#include "archive_builder.h"
#include "elf/archives/archive_list.h"

#define TEXT(text) ((struct bytes){ (const uint8_t *)(text), sizeof(text) - 1 })

static struct ic_archive_list read_list(struct byte_buffer *buf)
{
	struct ic_archive_list list;
	struct ic_error err;

	assert_true(ic_archive_list_read(&list, (struct ic_bytes){ buf->data, buf->size }, "lib.a",
					 &err));
	return list;
}

static void check_member(const struct ic_archive_list *list, const struct byte_buffer *buf,
			 uint32_t number, const char *name, const char *text)
{
	assert_true(number < list->members.count);
	const struct ic_archive_member *member = &list->members.items[number];
	assert_string_equal(member->name, name);
	assert_int_equal(member->size, strlen(text));
	assert_memory_equal(buf->data + member->off, text, strlen(text));
	assert_int_equal(member->origin, 0);
}

static void check_end(struct ic_archive_list *list, struct byte_buffer *buf, uint32_t count)
{
	assert_string_equal(list->fault.message, "");
	assert_int_equal(list->fault.code, IC_ERROR_NONE);
	assert_int_equal(list->members.count, count);
	ic_archive_list_free(list);
	byte_buffer_deinit(buf);
}

TEST(names_of_gnu_are_in_the_header_or_in_a_table)
{
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, false);
	archive_add(&buf, "/", TEXT("symbols"));
	archive_add(&buf, "/SYM64/", TEXT("symbols too"));
	archive_add(&buf, "//", TEXT("a_long_name.o/\ndir/another.o/\nwith blank /\n"));
	archive_add(&buf, "odd.o/", TEXT("123"));
	archive_add(&buf, "/15", TEXT("second"));
	archive_add(&buf, "/0", TEXT(""));
	archive_add(&buf, "/30", TEXT("x"));
	archive_add(&buf, "/19", TEXT("y"));
	archive_add(&buf, "odd.o/", TEXT("again"));
	struct ic_archive_list list = read_list(&buf);
	assert_false(list.is_thin);
	check_member(&list, &buf, 0, "odd.o", "123");
	check_member(&list, &buf, 1, "dir/another.o", "second");
	check_member(&list, &buf, 2, "a_long_name.o", "");
	check_member(&list, &buf, 3, "with blank ", "x");
	check_member(&list, &buf, 4, "another.o", "y"); // the end of another's
	check_member(&list, &buf, 5, "odd.o", "again");
	check_end(&list, &buf, 6);
}

TEST(names_of_bsd_are_in_the_header_or_before_the_bytes)
{
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, false);
	archive_add(&buf, "__.SYMDEF", TEXT("symbols"));
	archive_add_bsd(&buf, "__.SYMDEF_64 SORTED", TEXT("symbols"));
	archive_add(&buf, "plain.o", TEXT("12345"));
	archive_add_bsd(&buf, "a name that is rather long.o", TEXT("bytes"));
	struct ic_archive_list list = read_list(&buf);
	check_member(&list, &buf, 0, "plain.o", "12345");
	check_member(&list, &buf, 1, "a name that is rather long.o", "bytes");
	check_end(&list, &buf, 2);
}

TEST(members_of_thin_archives_have_no_bytes_there)
{
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, true);
	archive_add(&buf, "/", TEXT("odd"));
	archive_add(&buf, "//", TEXT("dir/a.o/\ndir/lib.a/\n"));
	archive_header(&buf, "/0", "123456");
	archive_header(&buf, "/9:132", "7");
	archive_header(&buf, "b.o/", "1");
	struct ic_archive_list list = read_list(&buf);
	assert_true(list.is_thin);
	check_member(&list, &buf, 0, "dir/a.o", "");
	check_member(&list, &buf, 2, "b.o", "");
	assert_string_equal(list.members.items[1].name, "dir/lib.a");
	assert_int_equal(list.members.items[1].origin, 132);
	check_end(&list, &buf, 3);
}

TEST(the_last_member_needs_no_padding_and_there_need_be_none)
{
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, false);
	struct ic_archive_list list = read_list(&buf);
	assert_int_equal(list.members.count, 0);
	assert_int_equal(list.fault.code, IC_ERROR_NONE);
	archive_add(&buf, "odd.o/", TEXT("123"));
	buf.size--;
	list = read_list(&buf);
	check_member(&list, &buf, 0, "odd.o", "123");
	check_end(&list, &buf, 1);
}

// An archive with one good member; the next header is at 0x48, with something after it.
static struct byte_buffer begin_faulty(bool thin)
{
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, thin);
	archive_add(&buf, "//", TEXT("name.o/\nno end"));
	if (thin)
		archive_header(&buf, "ok.o/", "3");
	else
		archive_add(&buf, "ok.o/", TEXT("123"));
	return buf;
}

static void check_fault(struct byte_buffer *buf, size_t off, const char *what)
{
	struct ic_archive_list list = read_list(buf);
	char wanted[256];

	snprintf(wanted, sizeof(wanted), "lib.a: invalid member header at 0x%zx: %s", off, what);
	assert_error(&list.fault, IC_ERROR_MALFORMED, wanted);
	assert_int_equal(list.fault.offset, off);
	assert_int_equal(list.members.count, 1);
	assert_string_equal(list.members.items[0].name, "ok.o");
	ic_archive_list_free(&list);
	byte_buffer_deinit(buf);
}

static void check_nul_in_name(void)
{
	struct byte_buffer buf = begin_faulty(false);
	size_t off = buf.size;

	archive_header(&buf, "a.o/", "4");
	byte_buffer_append(&buf, "abcd", 4);
	memset(buf.data + off, 0, 4);
	check_fault(&buf, off, "name is empty or contains a NUL");
}

static void check_bad_header(bool thin, const char *name, const char *size, const char *what)
{
	struct byte_buffer buf = begin_faulty(thin);
	size_t off = buf.size;

	archive_header(&buf, name, size);
	byte_buffer_append(&buf, "abcd", 4);
	check_fault(&buf, off, what);
}

TEST(a_fault_ends_the_list_and_says_where)
{
	const char *no_number = "size is not a number";
	const char *cut = "the member extends beyond the end: truncated archive";
	const char *no_name = "name is not in the table of names";

	check_bad_header(false, "a.o/", "", no_number);
	check_bad_header(false, "a.o/", "-4", no_number);
	check_bad_header(false, "a.o/", "4x", no_number);
	check_bad_header(false, "a.o/", "4 4", no_number);
	check_bad_header(false, "a.o/", "5", cut);
	check_bad_header(false, "a.o/", "9999999999", cut);
	check_bad_header(true, "//", "5", cut);
	check_bad_header(false, "/8", "4", no_name); // the text there has no end
	check_bad_header(false, "/14", "4", no_name);
	check_bad_header(false, "/99999999999999", "4", no_name);
	check_bad_header(false, "/0x", "4", "unknown form of name");
	check_bad_header(false, "/0:4", "4", "unknown form of name"); // not thin
	check_bad_header(true, "/0:", "4", "unknown form of name");
	check_bad_header(false, "", "4", "name is empty or contains a NUL");
	check_nul_in_name();
	check_bad_header(false, "#1/5", "4", "invalid length of name");
	check_bad_header(false, "#1/", "4", "invalid length of name");
}

TEST(a_header_that_is_cut_short_or_does_not_end_is_a_fault)
{
	for (size_t cut = 1; cut < 60; cut++) {
		struct byte_buffer buf = begin_faulty(false);
		size_t off = buf.size;
		archive_header(&buf, "a.o/", "0");
		buf.size -= cut;
		check_fault(&buf, off, "truncated archive");
	}
	struct byte_buffer buf = begin_faulty(false);
	size_t off = buf.size;
	archive_header(&buf, "a.o/", "0");
	buf.data[buf.size - 1] = '\r';
	check_fault(&buf, off, "wrong terminator");
}

// An archive of an index, with one entry, and a member; `size` bytes is each number.
static void check_index(const char *name, size_t size, bool is_big_endian, bool thin)
{
	bool is_bsd = name[0] != '/';
	size_t count = is_bsd ? 3 : 2, last = (count - 1) * size + (is_big_endian ? size - 1 : 0);
	uint8_t index[24] = { 0 };
	struct byte_buffer buf = { 0 };

	index[is_big_endian ? size - 1 : 0] = (uint8_t)(is_bsd ? 2 * size : 1);
	archive_begin(&buf, thin);
	archive_add(&buf, name, (struct bytes){ index, count * size });
	uint8_t off = (uint8_t)buf.size;
	buf.data[68 + last] = off;
	archive_add(&buf, "a.o", TEXT(""));
	struct ic_archive_list list = read_list(&buf);
	assert_int_equal(list.fault.code, IC_ERROR_NONE);
	assert_int_equal(list.members.count, 1);
	ic_archive_list_free(&list);
	buf.size = off; // where the member begins
	list = read_list(&buf);
	assert_int_equal(list.members.count, 0);
	assert_int_equal(list.fault.code, IC_ERROR_MALFORMED);
	assert_int_equal(list.fault.offset, off);
	assert_non_null(strstr(list.fault.message, "listed in the symbol index, but beyond"));
	ic_archive_list_free(&list);
	byte_buffer_deinit(&buf);
}

TEST(a_member_that_the_index_has_beyond_the_end_is_a_fault)
{
	check_index("/", 4, true, false);
	check_index("/", 4, true, true);
	check_index("/SYM64/", 8, true, false);
	check_index("__.SYMDEF", 4, false, false);
	check_index("__.SYMDEF SORTED", 4, true, false);
	check_index("__.SYMDEF_64", 8, false, false);
}

TEST(an_index_of_another_form_says_nothing)
{
	static const uint8_t second[] = { 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1 };
	struct byte_buffer buf = { 0 };

	archive_begin(&buf, false);
	archive_add(&buf, "/", TEXT("\0\0\0\0"));
	archive_add(&buf, "/", (struct bytes){ second, sizeof(second) }); // of Windows
	archive_add(&buf, "/SYM64/", TEXT("")); // nor one that is too small
	archive_add(&buf, "odd.o/", TEXT("123"));
	struct ic_archive_list list = read_list(&buf);
	check_member(&list, &buf, 0, "odd.o", "123");
	check_end(&list, &buf, 1);
}

TEST(a_name_is_not_endless)
{
	static uint8_t names[5000];
	struct byte_buffer buf = { 0 };
	struct ic_archive_list list;

	memset(names, 'x', sizeof(names));
	names[4095] = '\n';
	archive_begin(&buf, false);
	archive_add(&buf, "//", (struct bytes){ names, sizeof(names) });
	archive_add(&buf, "/0", TEXT("y"));
	list = read_list(&buf);
	assert_int_equal(strlen(list.members.items[0].name), 4095);
	ic_archive_list_free(&list);
	memmove(buf.data + 68 + 2, buf.data + 68, 4096); // now 4097 letters
	memset(buf.data + 68, 'x', 2);
	list = read_list(&buf);
	assert_int_equal(list.members.count, 0);
	assert_non_null(strstr(list.fault.message, "not in the table of names"));
	ic_archive_list_free(&list);
	byte_buffer_deinit(&buf);
}

TEST(one_member_is_read_by_the_place_of_its_header)
{
	struct byte_buffer buf = { 0 };
	struct ic_archive_member member;
	struct ic_arena arena = { 0 };
	struct ic_error err;

	archive_begin(&buf, false);
	archive_add(&buf, "/", TEXT("symbols"));
	archive_add(&buf, "//", TEXT("a_long_name.o/\n"));
	archive_add(&buf, "short.o/", TEXT("123"));
	size_t off = buf.size;
	archive_add(&buf, "/0", TEXT("bytes"));
	const struct ic_bytes bytes = { buf.data, buf.size };
	assert_true(ic_archive_member_read(&member, &arena, bytes, "in.a", off, &err));
	assert_string_equal(member.name, "a_long_name.o");
	assert_int_equal(member.off, off + 60);
	assert_int_equal(member.size, 5);
	assert_false(ic_archive_member_read(&member, &arena, bytes, "in.a", off + 2, &err));
	assert_false(ic_archive_member_read(&member, &arena, bytes, "in.a", buf.size, &err));
	assert_false(ic_archive_member_read(&member, &arena, bytes, "in.a", UINT64_MAX, &err));
	assert_non_null(strstr(err.message, "in.a: invalid member header at 0xffff"));
	memcpy(buf.data, "!<thin>\n", 8);
	assert_false(ic_archive_member_read(&member, &arena, bytes, "in.a", off, &err));
	assert_error(&err, IC_ERROR_MALFORMED,
		     "in.a: not an archive, although a thin archive lists a member of it");
	ic_arena_free(&arena);
	byte_buffer_deinit(&buf);
}

UNIT_TESTS(elf_archives_archive_list)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_gnu_are_in_the_header_or_in_a_table),
		cmocka_unit_test(names_of_bsd_are_in_the_header_or_before_the_bytes),
		cmocka_unit_test(members_of_thin_archives_have_no_bytes_there),
		cmocka_unit_test(the_last_member_needs_no_padding_and_there_need_be_none),
		cmocka_unit_test(a_fault_ends_the_list_and_says_where),
		cmocka_unit_test(a_header_that_is_cut_short_or_does_not_end_is_a_fault),
		cmocka_unit_test(a_member_that_the_index_has_beyond_the_end_is_a_fault),
		cmocka_unit_test(an_index_of_another_form_says_nothing),
		cmocka_unit_test(a_name_is_not_endless),
		cmocka_unit_test(one_member_is_read_by_the_place_of_its_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
