#include "unit_test.h"

#include "text/text.h"

static bool is_utf8(const char *text)
{
	for (size_t size; *text; text += size)
		if ((size = ic_text_character(text)) == 0)
			return false;
	return true;
}

TEST(characters_of_every_length_are_utf8)
{
	assert_true(is_utf8(""));
	assert_true(is_utf8("a\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80"));
	assert_true(is_utf8("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
}

// RFC 3629, 3 and 4: only the shortest form, no surrogates, nothing beyond U+10FFFF.
TEST(what_is_no_character_is_not_utf8)
{
	static const char *const bad[] = {
		"\x80",
		"\xc0\x80",
		"\xc1\xbf",
		"\xc2",
		"\xe0\x9f\xbf",
		"\xe1\x80",
		"\xed\xa0\x80",
		"\xef\xbf\xc0",
		"\xf0\x80\x80\x80",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xf1\x80\x80",
		"\xff",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(is_utf8(bad[i]));
}

TEST(a_base_name_is_what_follows_the_last_slash)
{
	assert_string_equal(ic_text_base_name("/src/a.c"), "a.c");
	assert_string_equal(ic_text_base_name("a.c"), "a.c");
	assert_string_equal(ic_text_base_name("dir/"), "dir/");
	assert_string_equal(ic_text_base_name(""), "");
}

static void check_directory(const char *path, const char *wanted)
{
	struct ic_bytes directory = ic_text_directory(path);

	assert_int_equal(directory.size, strlen(wanted));
	assert_memory_equal(directory.data, wanted, directory.size);
}

TEST(a_directory_is_what_precedes_the_last_slash)
{
	check_directory("/src/lib/a.c", "/src/lib");
	check_directory("lib/a.c", "lib");
	check_directory("/a.c", "/");
	check_directory("a.c", ".");
}

static void check_plain(const char *path, const char *wanted)
{
	char plain[64];

	ic_text_plain_path(path, plain, sizeof(plain));
	assert_string_equal(plain, wanted);
}

TEST(a_plain_path_has_no_detours)
{
	check_plain("/src/build/../lib/./a.c", "/src/lib/a.c");
	check_plain("a//b/./c", "a/b/c");
	check_plain("../x/../../a.c", "../../a.c");
	check_plain("/usr/bin/../lib/gcc/x/12/../../../../include/c++", "/usr/include/c++");
	check_plain("x/..", "");
	check_plain("", "");
}

TEST(a_plain_path_too_long_is_cut_between_its_parts)
{
	char plain[8];

	ic_text_plain_path("/abc/def/ghi", plain, sizeof(plain));
	assert_string_equal(plain, "/abc");
	ic_text_plain_path("abcdefghij", plain, sizeof(plain));
	assert_string_equal(plain, "");
}

TEST(what_does_not_fit_is_not_appended_by_half)
{
	char text[8] = "ab";

	assert_true(ic_text_append(text, sizeof(text), ":%d", 42));
	assert_string_equal(text, "ab:42");
	assert_false(ic_text_append(text, sizeof(text), "%s", "cde"));
	assert_string_equal(text, "ab:42");
	assert_true(ic_text_append(text, sizeof(text), "%s", "cd"));
	assert_string_equal(text, "ab:42cd");
}

TEST(paths_are_compared_without_their_detours)
{
	assert_int_equal(ic_text_compare_paths("/a/b.h", "/a/b.h"), 0);
	assert_int_equal(ic_text_compare_paths("/a/c/../b.h", "/a/./b.h"), 0);
	assert_int_equal(ic_text_compare_paths("/a//b.h", "/a/b.h"), 0);
	assert_true(ic_text_compare_paths("/a/b.h", "/a/c.h") < 0);
	assert_true(ic_text_compare_paths("/a/c.h", "/a/x/../b.h") > 0);
	assert_true(ic_text_compare_paths(NULL, "a") < 0);
	assert_true(ic_text_compare_paths("a", NULL) > 0);
	assert_int_equal(ic_text_compare_paths(NULL, NULL), 0);
}

TEST(lines_end_with_a_newline_or_the_text)
{
	static const char *const lines[] = { "one", "", "two\rx", "three" };
	static const char text[] = "one\r\n\ntwo\rx\nthree";
	struct ic_bytes left = { (const uint8_t *)text, sizeof(text) - 1 }, line;

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		assert_true(ic_text_take_line(&left, &line));
		assert_int_equal(line.size, strlen(lines[i]));
		assert_memory_equal(line.data, lines[i], line.size);
	}
	assert_false(ic_text_take_line(&left, &line));
}

UNIT_TESTS(text_text)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_of_every_length_are_utf8),
		cmocka_unit_test(what_is_no_character_is_not_utf8),
		cmocka_unit_test(a_base_name_is_what_follows_the_last_slash),
		cmocka_unit_test(a_directory_is_what_precedes_the_last_slash),
		cmocka_unit_test(a_plain_path_has_no_detours),
		cmocka_unit_test(paths_are_compared_without_their_detours),
		cmocka_unit_test(a_plain_path_too_long_is_cut_between_its_parts),
		cmocka_unit_test(what_does_not_fit_is_not_appended_by_half),
		cmocka_unit_test(lines_end_with_a_newline_or_the_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
