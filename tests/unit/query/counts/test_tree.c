#include "unit_test.h"

#include <stdio.h>

#include "query/counts/tree.h"

// main() with mid() and leaf() in it, twice; leaf() with nothing in it; and one that is gone.
static struct ic_function functions[] = {
	{ .name = "main", .decl_file = "/a.c", .decl_line = 3, .die_off = 0x20, .scope = IC_NONE },
	{ .name = "mid", .linkage_name = "_Z3midv", .die_off = 0x30, .scope = IC_NONE },
	{ .name = "leaf", .die_off = 0x40, .scope = IC_NONE },
	{ .name = "nested", .die_off = 0x50, .scope = IC_NONE },
};
enum { MAIN, MID, LEAF, NESTED };

static struct ic_range ranges[] = {
	{ 0x1000, 0x1100 }, { 0x1010, 0x1030 }, { 0x1020, 0x1028 }, { 0x1040, 0x1044 },
	{ 0x1200, 0x1210 }, { 0x1300, 0x1340 }, { 0x1304, 0x1308 },
};

#define HOST(which, first, count)                                                       \
	{                                                                               \
		.function = (which), .parent = IC_NONE, .first_range = (first),         \
		.range_count = (count), .call_file = IC_NONE, .kind = IC_INSTANCE_HOST, \
		.entry = 0x1000                                                         \
	}
#define INLINED(which, around, first, count, line)                                             \
	{                                                                                      \
		.function = (which), .parent = (around), .first_range = (first),               \
		.range_count = (count), .call_file = 0, .call_line = (line), .call_column = 5, \
		.kind = IC_INSTANCE_INLINED, .entry = IC_NO_ADDR                               \
	}

static struct ic_instance instances[] = {
	HOST(MAIN, 0, 1),             // 0
	INLINED(MID, 0, 1, 1, 10),    // 1
	INLINED(LEAF, 1, 2, 1, 11),   // 2
	INLINED(LEAF, 1, 0, 0, 12),   // 3: no code is left
	HOST(NESTED, 5, 1),           // 4: a function of main()
	INLINED(LEAF, 4, 6, 1, 13),   // 5
	INLINED(MID, 0, 3, 1, 14),    // 6: of main() again
	INLINED(MID, 6, 3, 1, 15),    // 7: of itself
	HOST(LEAF, 4, 1),             // 8
	HOST(LEAF, 0, 0),             // 9: thrown away
	INLINED(IC_NONE, 9, 0, 0, 1), // 10
};
static const char *files[] = { "/b.c" };
static struct ic_unit_model units[] = {
	{ .name = "empty.c" },
	{ .name = "a.c",
	  .off = 0x100,
	  .functions = functions,
	  .instances = instances,
	  .ranges = ranges,
	  .files = files,
	  .function_count = COUNT_OF(functions),
	  .instance_count = COUNT_OF(instances),
	  .range_count = COUNT_OF(ranges),
	  .file_count = 1 },
};
static const struct ic_index the_index = { .units = units, .unit_count = COUNT_OF(units) };

// "main:256/220 (mid:32/24 (leaf:8/8) mid:4/0 (mid:4/4))"; a "." after the last sibling's size.
static const char *drawn(const struct ic_trees_query *query)
{
	static char text[1024];
	struct ic_error err;
	struct ic_trees *trees = ic_trees_find(&the_index, query, &err);
	struct ic_tree_node node;
	size_t length = 0;

	assert_non_null(trees);
	text[0] = 0;
	for (size_t i = 0; ic_trees_get(trees, i, &node); i++)
		length += (size_t)snprintf(
			text + length, sizeof(text) - length, "%s%u %s %llu/%llu%s",
			i > 0 ? ", " : "", node.depth, node.function, (unsigned long long)node.size,
			(unsigned long long)node.own_size, node.is_last ? "." : "");
	ic_trees_free(trees);
	return text;
}

static struct ic_trees_query named(const char *function)
{
	return (struct ic_trees_query){ .function = function };
}

TEST(a_tree_has_all_that_is_inside_its_root_and_nothing_else)
{
	struct ic_trees_query query = named("main");

	assert_string_equal(drawn(&query), "0 main 256/220., 1 mid 32/24, 2 leaf 8/8, 2 leaf 0/0., "
					   "1 mid 4/0., 2 mid 4/4.");
	query = named("nested");
	assert_string_equal(drawn(&query), "0 nested 64/60., 1 leaf 4/4.");
}

TEST(a_copy_that_has_nothing_in_it_is_a_tree_and_one_without_code_is_not)
{
	struct ic_trees_query query = named("leaf");

	assert_string_equal(drawn(&query), "0 leaf 16/16.");
}

TEST(functions_are_named_as_sites_are)
{
	struct ic_trees_query query = { .function = "*e*", .match = IC_MATCH_GLOB };

	assert_string_equal(drawn(&query), "0 nested 64/60., 1 leaf 4/4., 0 leaf 16/16.");
	query = (struct ic_trees_query){ .function = "^le", .match = IC_MATCH_REGEX };
	assert_string_equal(drawn(&query), "0 leaf 16/16.");
	query = named("leaf.constprop.0");
	assert_string_equal(drawn(&query), "0 leaf 16/16.");
	query = named("other");
	assert_string_equal(drawn(&query), "");

	struct ic_error err;
	query = (struct ic_trees_query){ .function = "(", .match = IC_MATCH_REGEX };
	assert_null(ic_trees_find(&the_index, &query, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_trees_find(&the_index, &query, NULL));
}

TEST(everything_is_every_function_with_something_inlined_into_it)
{
	const char *all = "0 main 256/220., 1 mid 32/24, 2 leaf 8/8, 2 leaf 0/0., 1 mid 4/0., "
			  "2 mid 4/4., 0 nested 64/60., 1 leaf 4/4.";

	assert_string_equal(drawn(NULL), all);
}

TEST(inlined_copies_are_trees_unless_they_are_in_one_already)
{
	struct ic_trees_query query = { .function = "mid", .inlined = true };

	assert_string_equal(drawn(&query), "0 mid 32/24., 1 leaf 8/8, 1 leaf 0/0., 0 mid 4/0., "
					   "1 mid 4/4.");
	query.inlined = false;
	assert_string_equal(drawn(&query), "");
	query = (struct ic_trees_query){ .function = "[ml]*",
					 .match = IC_MATCH_GLOB,
					 .inlined = true };
	assert_string_equal(drawn(&query), "0 main 256/220., 1 mid 32/24, 2 leaf 8/8, 2 leaf 0/0., "
					   "1 mid 4/0., 2 mid 4/4., 0 leaf 4/4., 0 leaf 16/16.");
}

TEST(levels_and_sizes_cut_branches_and_change_no_numbers)
{
	struct ic_trees_query query = { .function = "main", .levels = 1 };

	assert_string_equal(drawn(&query), "0 main 256/220.");
	query.levels = 2;
	assert_string_equal(drawn(&query), "0 main 256/220., 1 mid 32/24, 1 mid 4/0.");
	query = (struct ic_trees_query){ .function = "main", .least_size = 8 };
	assert_string_equal(drawn(&query), "0 main 256/220., 1 mid 32/24., 2 leaf 8/8.");
	query = (struct ic_trees_query){ .function = "main", .least_size = 257 };
	assert_string_equal(drawn(&query), "");
	// Of all trees, those with nothing inside are left out; levels do not matter there.
	query = (struct ic_trees_query){ .least_size = 5, .levels = 1 };
	assert_string_equal(drawn(&query), "0 main 256/220.");
}

TEST(a_node_says_what_is_known_of_an_instance)
{
	const struct ic_trees_query query = { .function = "main" };
	struct ic_trees *trees = ic_trees_find(&the_index, &query, NULL);
	struct ic_tree_node node;

	assert_non_null(trees);
	assert_int_equal(ic_trees_count(trees), 6);
	assert_true(ic_trees_get(trees, 0, &node));
	assert_false(node.is_inlined);
	assert_string_equal(node.decl_file, "/a.c");
	assert_int_equal(node.decl_line, 3);
	assert_null(node.call_file);
	assert_int_equal(node.entry, 0x1000);
	assert_true(node.parent_off == UINT64_MAX);
	assert_string_equal(node.host, "main");
	assert_true(ic_trees_get(trees, 1, &node));
	assert_true(node.is_inlined);
	assert_string_equal(node.linkage_name, "_Z3midv");
	assert_null(node.decl_file);
	assert_string_equal(node.call_file, "/b.c");
	assert_int_equal(node.call_line, 10);
	assert_int_equal(node.call_column, 5);
	assert_int_equal(node.range_count, 1);
	assert_int_equal(node.ranges[0].start, 0x1010);
	assert_true(node.entry == IC_NO_ADDR);
	assert_int_equal(node.parent_off, 0x100);
	assert_string_equal(node.host, "main");
	assert_string_equal(node.unit, "a.c");
	assert_false(ic_trees_get(trees, 6, &node));
	ic_trees_free(trees);
	ic_trees_free(NULL);
}

UNIT_TESTS(query_counts_tree)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_has_all_that_is_inside_its_root_and_nothing_else),
		cmocka_unit_test(
			a_copy_that_has_nothing_in_it_is_a_tree_and_one_without_code_is_not),
		cmocka_unit_test(functions_are_named_as_sites_are),
		cmocka_unit_test(everything_is_every_function_with_something_inlined_into_it),
		cmocka_unit_test(inlined_copies_are_trees_unless_they_are_in_one_already),
		cmocka_unit_test(levels_and_sizes_cut_branches_and_change_no_numbers),
		cmocka_unit_test(a_node_says_what_is_known_of_an_instance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
