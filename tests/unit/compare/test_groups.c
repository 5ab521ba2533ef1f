#include "unit_test.h"

#include <stdlib.h>

#include "fixtures/compare.h"

static void check(enum ic_comparison_by by, const char *before, const char *after,
		  const char *wanted)
{
	const struct ic_comparison_query query = { .by = by };
	char *text = compare_text(before, after, &query);

	assert_string_equal(text, wanted);
	free(text);
}

static const char two_files[] = "main /src/a.c:9 0x100-0x200\n"
				" leaf /src/l.h:1 0x110-0x118\n"
				"other /src/a.c:30 0x200-0x210\n"
				"more /lib/b.c:5 0x300-0x340\n"
				"gone /lib/b.c:9 0x340-0x350\n";
static const char two_files_later[] = "main /src/a.c:9 0x100-0x204\n"
				      "other /src/a.c:30 0x210-0x230\n"
				      "more /lib/b.c:5 0x300-0x340\n"
				      " leaf /src/l.h:1 0x310-0x318\n";

TEST(functions_of_a_source_file_are_added_up)
{
	check(IC_COMPARISON_BY_SOURCE, two_files, two_files_later,
	      "/src/a.c (2): grown; bytes +0+28\n"
	      "/lib/b.c (2): vanished shrunk; bytes -16-8\n"
	      "/src/l.h (1): added removed; bytes +0+0\n");
}

TEST(files_of_a_directory_are_added_up)
{
	check(IC_COMPARISON_BY_DIRECTORY, two_files, two_files_later,
	      "/src (3): added removed grown; bytes +0+28\n"
	      "/lib (2): vanished shrunk; bytes -16-8\n");
}

// A function that only the old build has is in the new file, and so is its directory.
TEST(files_are_those_of_the_new_build)
{
	const char before[] = "main /old/src/a.c:9 0x100-0x200\n"
			      "gone /old/src/a.c:30 0x200-0x210\n"
			      "lost /old/src/b.c:30 0x300-0x310\n";
	const char after[] = "main /new/src/a.c:9 0x100-0x204\n";

	check(IC_COMPARISON_BY_SOURCE, before, after,
	      "/new/src/a.c (2): vanished grown; bytes -16+4\n"
	      "/old/src/b.c (1): vanished; bytes -16+0\n");
	check(IC_COMPARISON_BY_DIRECTORY, before, after,
	      "/new/src (3): vanished grown; bytes -32+4\n");
}

TEST(a_directory_that_both_builds_have_stays)
{
	check(IC_COMPARISON_BY_DIRECTORY,
	      "one /src/one.c:9 0x100-0x200\n"
	      "two /src/two.c:9 0x200-0x300\n"
	      "gone /src/gone.c:9 0x300-0x310\n",
	      "one /lib/one.c:9 0x100-0x204\n"
	      "two /src/two.c:9 0x204-0x300\n",
	      "/src (2): vanished shrunk; bytes -16-4\n"
	      "/lib (1): grown; bytes +0+4\n");
}

TEST(instances_of_a_template_are_added_up)
{
	const char before[] = "main /src/a.cc:9 0x100-0x200\n"
			      " plus<int> /src/a.h:1 0x110-0x118\n"
			      " plus<char> /src/a.h:1 0x120-0x128\n"
			      " leaf /src/a.h:7 0x130-0x138\n"
			      "leaf /src/b.h:7 0x300-0x308\n";
	const char after[] = "main /src/a.cc:9 0x100-0x200\n"
			     " call other /src/c.h:1\n"
			     " plus<long> /src/a.h:1 0x110-0x120\n"
			     " leaf /src/a.h:7 0x130-0x13c\n"
			     "leaf /src/b.h:7 0x300-0x30c\n";

	check(IC_COMPARISON_BY_TEMPLATE, before, after,
	      "leaf (1): grown; bytes +0+4\n"
	      "leaf (1): grown; bytes +0+4\n"
	      "main (1): shrunk; bytes +0-4\n"
	      "plus<_> (3): new vanished added removed; copies 2>1; bytes +0+0\n");
}

static struct ic_change only_change(const char *before, const char *after, enum ic_comparison_by by,
				    uint64_t min_size, size_t *count)
{
	const struct ic_comparison_query query = { .by = by, .min_size = min_size };
	struct ic_build *old = compare_build(before), *new = compare_build(after);
	struct ic_comparison *comparison = ic_comparison_find(old, new, &query, NULL);
	struct ic_comparison_total total;
	struct ic_change change = { .kinds = 0 };

	assert_non_null(comparison);
	ic_comparison_total(comparison, &total);
	*count = ic_comparison_count(comparison);
	assert_int_equal(total.selected, *count);
	assert_true(ic_comparison_get(comparison, 0, &change) == (*count > 0));
	// The names are of the comparison and the builds, which are freed.
	change.function = change.group = change.before.decl_file = change.after.decl_file = NULL;
	ic_comparison_free(comparison);
	ic_build_free(old);
	ic_build_free(new);
	return change;
}

TEST(small_functions_can_add_up_to_a_group)
{
	const char before[] = "one /src/a.c:1 0x100-0x200\n"
			      "two /src/a.c:9 0x200-0x300\n";
	const char after[] = "one /src/a.c:1 0x100-0x208\n"
			     "two /src/a.c:9 0x210-0x318\n";
	size_t count;

	only_change(before, after, IC_COMPARISON_BY_FUNCTION, 9, &count);
	assert_int_equal(count, 0);
	struct ic_change change = only_change(before, after, IC_COMPARISON_BY_SOURCE, 16, &count);
	assert_int_equal(count, 1);
	assert_int_equal(change.functions, 2);
	assert_int_equal(change.grown, 16);
	only_change(before, after, IC_COMPARISON_BY_SOURCE, 17, &count);
	assert_int_equal(count, 0);
}

TEST(a_group_with_a_large_change_is_listed_even_if_it_adds_up_to_nothing)
{
	size_t count;
	struct ic_change change =
		only_change("one /src/a.c:1 0x100-0x200\ntwo /src/a.c:9 0x200-0x300\n",
			    "one /src/a.c:1 0x100-0x220\ntwo /src/a.c:9 0x220-0x300\n",
			    IC_COMPARISON_BY_DIRECTORY, 16, &count);

	assert_int_equal(count, 1);
	assert_int_equal(change.grown, 0);
	assert_int_equal(change.kinds, IC_CHANGE_GROWN | IC_CHANGE_SHRUNK);
}

TEST(a_group_has_the_sums_of_both_builds_and_the_position_that_all_share)
{
	size_t count;
	struct ic_change change = only_change("plus<int> /src/a.h:3 0x100-0x200\n"
					      " plus<char> /src/a.h:3 0x110-0x120\n",
					      "plus<int> /src/a.h:3 0x100-0x220\n"
					      " plus<char> /src/a.h:3 0x110-0x130\n"
					      " plus<char> /src/a.h:3 0x130-0x150\n",
					      IC_COMPARISON_BY_TEMPLATE, 0, &count);

	assert_int_equal(count, 1);
	assert_int_equal(change.before.out_of_line_size, 0xf0);
	assert_int_equal(change.before.size, 0x10);
	assert_int_equal(change.before.copies, 1);
	assert_int_equal(change.after.out_of_line_size, 0xe0);
	assert_int_equal(change.after.size, 0x40);
	assert_int_equal(change.after.copies, 2);
	assert_int_equal(change.after.out_of_line, 1);
	assert_int_equal(change.after.decl_line, 3);
	assert_int_equal(change.after.inlined, IC_INLINED_UNKNOWN);
	assert_int_equal(change.path_count, 0);
}

UNIT_TESTS(compare_groups)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_a_source_file_are_added_up),
		cmocka_unit_test(files_of_a_directory_are_added_up),
		cmocka_unit_test(files_are_those_of_the_new_build),
		cmocka_unit_test(a_directory_that_both_builds_have_stays),
		cmocka_unit_test(instances_of_a_template_are_added_up),
		cmocka_unit_test(small_functions_can_add_up_to_a_group),
		cmocka_unit_test(
			a_group_with_a_large_change_is_listed_even_if_it_adds_up_to_nothing),
		cmocka_unit_test(
			a_group_has_the_sums_of_both_builds_and_the_position_that_all_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
