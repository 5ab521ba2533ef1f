#include "unit_test.h"

#include <stdlib.h>

#include "fixtures/compare.h"

#define assert_changes(before, after, wanted)                        \
	do {                                                         \
		char *text_ = compare_text((before), (after), NULL); \
		assert_string_equal(text_, wanted);                  \
		free(text_);                                         \
	} while (0)

TEST(another_root_is_no_change)
{
	assert_changes("main /build/1/src/a.c:9 0x100-0x200\n"
		       " init /build/1/src/b/x.c:5 0x110-0x118\n"
		       " init /build/1/src/c/x.c:5 0x120-0x130\n",
		       "main /build/2/src/a.c:9 0x100-0x200\n"
		       " init /build/2/src/c/x.c:5 0x110-0x120\n"
		       " init /build/2/src/b/x.c:5 0x130-0x138\n",
		       "");
}

TEST(a_renamed_file_is_no_change)
{
	assert_changes("main /src/a.c:9 0x100-0x200\n"
		       " init /src/a.c:5 0x110-0x118\n"
		       "other /src/b.c:3 0x300-0x400\n"
		       " init /src/b.c:5 0x310-0x320\n",
		       "main /src/new.c:9 0x100-0x200\n"
		       " init /src/new.c:5 0x110-0x118\n"
		       "other /src/b.c:3 0x300-0x400\n"
		       " init /src/b.c:5 0x310-0x320\n",
		       "");
}

TEST(a_function_alone_of_its_name_may_leave_its_file)
{
	assert_changes("main /src/a.c:9 0x100-0x200\n"
		       " leaf /src/a.c:5 0x110-0x118\n"
		       "other /src/b.c:3 0x300-0x400\n",
		       "main /src/a.c:9 0x100-0x200\n"
		       " leaf /src/b.c:5 0x110-0x118\n"
		       "other /src/b.c:3 0x300-0x400\n",
		       "leaf: moved; bytes +0+0\n");
}

// A declaration is not another function of the name, even in the file that has the function later.
TEST(a_function_that_is_declared_elsewhere_may_go_there)
{
	assert_changes("one /src/a.c:5 0x100-0x180\n"
		       "other /src/a.c:9 0x180-0x200\n"
		       "main /src/b.c:9 0x200-0x300\n"
		       " call one /src/b.c:6\n",
		       "other /src/a.c:9 0x180-0x200\n"
		       "one /src/b.c:5 0x100-0x180\n"
		       "main /src/b.c:9 0x200-0x300\n"
		       " call one /src/b.c:5\n",
		       "one: moved; bytes +0+0\n");
}

// Another file's function of the same name is another function.
TEST(functions_of_one_name_stay_in_their_files)
{
	assert_changes("one /src/a.c:9 0x100-0x200\n"
		       " init /src/a.c:5 0x110-0x118\n"
		       "two /src/b.c:3 0x300-0x400\n"
		       " init /src/b.c:5 0x310-0x320\n",
		       "one /src/a.c:9 0x100-0x1f8\n"
		       "two /src/b.c:3 0x300-0x400\n"
		       " init /src/b.c:5 0x310-0x320\n",
		       "init: vanished removed; copies 1>0; bytes -8+0\n"
		       " in one: copies 1>0\n");
}

// One of three lambdas at its own line is gone.
TEST(functions_of_one_name_in_a_file_match_by_line_then_in_order)
{
	assert_changes("one /src/a.c:9 0x100-0x200\n"
		       "{lambda} /src/a.c:10 0x310-0x320\n"
		       "{lambda} /src/a.c:20 0x320-0x328\n",
		       "one /src/a.c:9 0x100-0x200\n"
		       "{lambda} /src/a.c:20 0x320-0x328\n",
		       "{lambda}: vanished; bytes -16+0\n");
}

TEST(hashes_of_rust_do_not_matter)
{
	assert_changes("_ZN1a4main17h0123456789abcdefE /src/a.rs:9 0x100-0x200\n"
		       " _RNvCs1234_7mycrate3foo /src/a.rs:5 0x110-0x118\n",
		       "_ZN1a4main17hfedcba9876543210E /src/a.rs:9 0x100-0x200\n"
		       " _RNvCsabXY_7mycrate3foo /src/a.rs:5 0x110-0x118\n",
		       "");
}

UNIT_TESTS(compare_match)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_root_is_no_change),
		cmocka_unit_test(a_renamed_file_is_no_change),
		cmocka_unit_test(a_function_alone_of_its_name_may_leave_its_file),
		cmocka_unit_test(a_function_that_is_declared_elsewhere_may_go_there),
		cmocka_unit_test(functions_of_one_name_stay_in_their_files),
		cmocka_unit_test(functions_of_one_name_in_a_file_match_by_line_then_in_order),
		cmocka_unit_test(hashes_of_rust_do_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
