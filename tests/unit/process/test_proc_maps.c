#include "unit_test.h"

#include <stdio.h>

#include "process/proc_maps.h"

static bool parse(struct ic_map_line *map, const char *text)
{
	static char line[256];

	snprintf(line, sizeof(line), "%s", text);
	return ic_map_line_parse(map, line);
}

TEST(a_line_says_what_is_mapped_where)
{
	struct ic_map_line map;

	assert_true(parse(&map, "7f0000001000-7f0000003000 r-xp 00002000 fd:01 123456    "
				"               /usr/lib/x86_64-linux-gnu/libc.so.6\n"));
	assert_int_equal(map.start, 0x7f0000001000);
	assert_int_equal(map.end, 0x7f0000003000);
	assert_int_equal(map.offset, 0x2000);
	assert_int_equal(map.inode, 123456);
	assert_true(map.device == (0xfdull << 32 | 1));
	assert_true(map.is_code);
	assert_string_equal(map.name, "/usr/lib/x86_64-linux-gnu/libc.so.6");
	assert_true(
		parse(&map, "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]"));
	assert_true(map.is_code);
	assert_string_equal(map.name, "[vsyscall]");
	assert_true(parse(&map, "1000-2000 rw-p 00000000 00:00 0 \n"));
	assert_false(map.is_code);
	assert_string_equal(map.name, "");
	assert_true(parse(&map, "1000-2000 rw-p 00000000 00:00 0\n"));
	assert_string_equal(map.name, "");
}

TEST(names_may_have_blanks_and_newlines_and_be_deleted)
{
	struct ic_map_line map;

	assert_true(parse(&map, "1000-2000 r-xp 0 08:01 9 /tmp/a b\\012c (deleted)\n"));
	assert_string_equal(map.name, "/tmp/a b\nc");
	assert_true(parse(&map, "1000-2000 r-xp 0 08:01 9 /tmp/a\\01"));
	assert_string_equal(map.name, "/tmp/a\\01");
	assert_true(parse(&map, "1000-2000 r-xp 0 00:00 0 [x] (deleted)"));
	assert_string_equal(map.name, "[x] (deleted)");
}

TEST(what_is_no_such_line_is_refused)
{
	static const char *const lines[] = {
		"",
		"\n",
		"1000",
		"1000-",
		"1000-2000",
		"1000-2000 r-x",
		"1000-2000 r-xp 0 08:01",
		"1000-2000 r-xp 0 08:01 ",
		"1000-2000 r-xp 0 08:01 x",
		"1000-2000 r-xp 0 08:01 9/a",
		"1000-2000 r-xp 0 0801 9 /a",
		"1000-2000 r-xpp 0 08:01 9 /a",
		"2000-1000 r-xp 0 08:01 9 /a",
		"1000-1000 r-xp 0 08:01 9 /a",
		"-1-2000 r-xp 0 08:01 9 /a",
		" 1000-2000 r-xp 0 08:01 9 /a",
		"1000-20000000000000000 r-xp 0 08:01 9 /a",
	};
	struct ic_map_line map;

	for (size_t i = 0; i < COUNT_OF(lines); i++)
		if (parse(&map, lines[i]))
			fail_msg("\"%s\" is taken for a mapping", lines[i]);
}

UNIT_TESTS(process_proc_maps)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_says_what_is_mapped_where),
		cmocka_unit_test(names_may_have_blanks_and_newlines_and_be_deleted),
		cmocka_unit_test(what_is_no_such_line_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
