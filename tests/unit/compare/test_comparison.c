#include "unit_test.h"

#include <stdlib.h>

#include "fixtures/compare.h"

#define assert_changes(before, after, wanted)                        \
	do {                                                         \
		char *text_ = compare_text((before), (after), NULL); \
		assert_string_equal(text_, wanted);                  \
		free(text_);                                         \
	} while (0)

static const char plain[] = "main /src/a.c:9 0x100-0x200\n"
			    " mid /src/a.c:5 0x110-0x140\n"
			    "  leaf /src/a.c:1 0x120-0x128\n";

TEST(code_that_moved_is_no_change)
{
	assert_changes(plain,
		       "main /src/a.c:19 0x500-0x600\n"
		       " mid /src/a.c:15 0x510-0x540\n"
		       "  leaf /src/a.c:11 0x520-0x528\n",
		       "");
}

TEST(a_copy_in_place_of_a_call_was_inlined)
{
	const char before[] = "main /src/a.c:9 0x100-0x200\n"
			      " call leaf /src/a.c:1\n"
			      " call other /src/a.c:2\n"
			      "leaf /src/a.c:1 0x300-0x308\n";
	const char after[] = "main /src/a.c:9 0x100-0x200\n"
			     " call other /src/a.c:2\n"
			     " leaf /src/a.c:1 0x120-0x128\n";

	assert_changes(before, after,
		       "main: shrunk; bytes +0-8\n"
		       "leaf: inlined; copies 0>1; bytes +0+0\n"
		       " in main: copies 0>1, calls 1>0\n");
	assert_changes(after, before,
		       "main: grown; bytes +0+8\n"
		       "leaf: outlined; copies 1>0; bytes +0+0\n"
		       " in main: copies 1>0, calls 0>1\n");
}

TEST(without_a_call_a_copy_was_added_or_removed)
{
	const char without[] = "main /src/a.c:9 0x100-0x200\n"
			       " mid /src/a.c:5 0x110-0x140\n"
			       " call other /src/a.c:2\n"
			       "other /src/a.c:2 0x300-0x310\n";
	const char with[] = "main /src/a.c:9 0x100-0x208\n"
			    " mid /src/a.c:5 0x110-0x148\n"
			    "  leaf /src/a.c:1 0x120-0x128\n"
			    " call other /src/a.c:2\n"
			    "other /src/a.c:2 0x300-0x310\n";

	assert_changes(without, with,
		       "leaf: new added; copies 0>1; bytes +8+0\n"
		       " in main < mid: copies 0>1\n");
	assert_changes(with, without,
		       "leaf: vanished removed; copies 1>0; bytes -8+0\n"
		       " in main < mid: copies 1>0\n");
}

// Nothing tells whether there were calls.
TEST(if_a_build_has_no_calls_none_was_inlined)
{
	assert_changes("main /src/a.c:9 0x100-0x200\n"
		       "leaf /src/a.c:1 0x300-0x308\n",
		       "main /src/a.c:9 0x100-0x208\n"
		       " call other /src/a.c:2\n"
		       " leaf /src/a.c:1 0x120-0x128\n"
		       "leaf /src/a.c:1 0x300-0x308\n",
		       "leaf: added; copies 0>1; bytes +8+0\n"
		       " in main: copies 0>1\n");
}

TEST(what_is_in_a_copy_comes_and_goes_with_it)
{
	const char without[] = "main /src/a.c:9 0x100-0x200\n"
			       " call mid /src/a.c:5\n"
			       "mid /src/a.c:5 0x300-0x330\n"
			       " leaf /src/a.c:1 0x310-0x318\n";
	const char with[] = "main /src/a.c:9 0x100-0x230\n"
			    " mid /src/a.c:5 0x110-0x140\n"
			    "  leaf /src/a.c:1 0x120-0x128\n"
			    "mid /src/a.c:5 0x300-0x330\n"
			    " leaf /src/a.c:1 0x310-0x318\n"
			    " call other /src/a.c:2\n";

	assert_changes(without, with,
		       "mid: inlined; copies 0>1; bytes +40+0\n"
		       " in main: copies 0>1, calls 1>0\n"
		       "leaf: came; copies 1>2; bytes +8+0\n");
}

TEST(copies_without_code_are_copies)
{
	assert_changes("main /src/a.c:9 0x100-0x200\n"
		       " mid /src/a.c:5 0x110-0x140\n"
		       "  leaf /src/a.c:1 0x120-0x128\n",
		       "main /src/a.c:9 0x100-0x200\n"
		       " mid /src/a.c:5\n"
		       "  leaf /src/a.c:1 0x120-0x128\n",
		       "main: grown; bytes +0+40\n"
		       "mid: vanished shrunk emptied; copies 1>0; bytes +0-40\n");
}

TEST(clones_are_their_function)
{
	assert_changes("main.constprop.0 /src/a.c:9 0x100-0x200\n"
		       " mid /src/a.c:5 0x110-0x140\n",
		       "main /src/a.c:9 0x100-0x200\n"
		       " mid.isra.0 /src/a.c:5 0x110-0x140\n",
		       "");
}

TEST(functions_that_only_grew_a_little_are_counted)
{
	const struct ic_comparison_query query = { .min_size = 17 };
	struct ic_build *before = compare_build("main /src/a.c:9 0x100-0x200\n");
	struct ic_build *after = compare_build("main /src/a.c:9 0x100-0x210\n");
	struct ic_error err;
	struct ic_comparison *comparison = ic_comparison_find(before, after, &query, &err);
	struct ic_comparison_total total;

	assert_non_null(comparison);
	assert_int_equal(ic_comparison_count(comparison), 0);
	ic_comparison_total(comparison, &total);
	assert_int_equal(total.functions, 1);
	assert_int_equal(total.small, 1);
	assert_int_equal(total.grown, 16);
	assert_int_equal(total.old_code, 0x1000);
	ic_comparison_free(comparison);
	ic_build_free(before);
	ic_build_free(after);
}

TEST(only_the_kinds_that_are_wanted_are_listed)
{
	const struct ic_comparison_query query = { .kinds = IC_CHANGE_VANISHED };
	char *text = compare_text(plain, "main /src/a.c:9 0x100-0x200\n", &query);

	assert_string_equal(text, "mid: vanished removed; copies 1>0; bytes -40+0\n"
				  " in main: copies 1>0\n"
				  "leaf: vanished went; copies 1>0; bytes -8+0\n");
	free(text);
}

// Two modules have a copy of one header's function.
TEST(the_files_of_a_build_are_added_up)
{
	struct ic_build *before = compare_build("one /src/a.c:9 0x100-0x200\n"
						" leaf /src/l.h:1 0x110-0x118\n");
	struct ic_build *after = compare_build("one /src/a.c:9 0x100-0x200\n"
					       " leaf /src/l.h:1 0x110-0x118\n");

	compare_add(before, "two /src/b.c:9 0x100-0x200\n");
	compare_add(after, "two /src/b.c:9 0x100-0x208\n"
			   " leaf /src/l.h:1 0x110-0x118\n");
	char *text = compare_builds(before, after, NULL);
	assert_string_equal(text, "leaf: added; copies 1>2; bytes +8+0\n"
				  " in two: copies 0>1\n");
	free(text);
	ic_build_free(before);
	ic_build_free(after);
}

UNIT_TESTS(compare_comparison)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_that_moved_is_no_change),
		cmocka_unit_test(a_copy_in_place_of_a_call_was_inlined),
		cmocka_unit_test(without_a_call_a_copy_was_added_or_removed),
		cmocka_unit_test(if_a_build_has_no_calls_none_was_inlined),
		cmocka_unit_test(what_is_in_a_copy_comes_and_goes_with_it),
		cmocka_unit_test(copies_without_code_are_copies),
		cmocka_unit_test(clones_are_their_function),
		cmocka_unit_test(functions_that_only_grew_a_little_are_counted),
		cmocka_unit_test(only_the_kinds_that_are_wanted_are_listed),
		cmocka_unit_test(the_files_of_a_build_are_added_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
