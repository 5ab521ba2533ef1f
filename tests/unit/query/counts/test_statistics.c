#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "query/counts/statistics.h"

// a.c: one() with leaf() twice, of which one is in mid(); leaf() out of line; mid() of which
// nothing is left. b.c: two() with leaf(), which it knows by another path, in itself, and another
// mid().
static struct ic_function functions_a[] = {
	{ .name = "one", .decl_file = "/src/a.c", .decl_line = 3, .die_off = 0x20 },
	{ .name = "mid", .decl_file = "/src/a.c", .decl_line = 1, .die_off = 0x30 },
	{ .name = "leaf", .decl_file = "/src/b/../l.h", .decl_line = 7, .die_off = 0x40 },
	// The same DIE as leaf() above: the name of an out-of-line copy.
	{ .name = "leaf",
	  .linkage_name = "leaf2",
	  .decl_file = "/src/l.h",
	  .decl_line = 7,
	  .die_off = 0x40 },
	{ .name = "twin", .linkage_name = "twin0", .die_off = 0x50 },
	{ .name = "twin", .linkage_name = "twin2", .die_off = 0x50 },
};
static struct ic_function functions_b[] = {
	{ .name = "two", .decl_file = "/src/b.c", .decl_line = 3, .die_off = 0x120 },
	{ .name = "mid", .decl_file = "/src/b.c", .decl_line = 1, .die_off = 0x130 },
	{ .name = "leaf", .decl_file = "/src/l.h", .decl_line = 7, .die_off = 0x140 },
	{ .name = "alias", .die_off = 0x150 },
};
enum { HOST_FUNCTION, MID, LEAF, OTHER, TWIN_0, TWIN_2 };

static struct ic_range ranges_a[] = {
	{ 0x1000, 0x1100 }, { 0x1010, 0x1030 }, { 0x1018, 0x1020 },
	{ 0x1040, 0x1044 }, { 0x1200, 0x1210 }, { 0x1240, 0x1250 },
};
static struct ic_range ranges_b[] = {
	{ 0x2000, 0x2080 }, { 0x2010, 0x2020 }, { 0x2014, 0x2018 },
	{ 0x2030, 0x2038 }, { 0x2040, 0x2050 },
};

#define HOST(which, first, count)                                                       \
	{                                                                               \
		.function = (which), .parent = IC_NONE, .first_range = (first),         \
		.range_count = (count), .call_file = IC_NONE, .kind = IC_INSTANCE_HOST, \
		.entry = IC_NO_ADDR                                                     \
	}
#define INLINED(which, around, first, count, file)                                        \
	{                                                                                 \
		.function = (which), .parent = (around), .first_range = (first),          \
		.range_count = (count), .call_file = (file), .kind = IC_INSTANCE_INLINED, \
		.entry = IC_NO_ADDR                                                       \
	}
static struct ic_instance instances_a[] = {
	HOST(HOST_FUNCTION, 0, 1), INLINED(MID, 0, 1, 1, 0), INLINED(LEAF, 1, 2, 1, 0),
	INLINED(LEAF, 0, 3, 1, 0), INLINED(MID, 0, 0, 0, 0), HOST(OTHER, 4, 1),
	HOST(MID, 0, 0),    // thrown away
	HOST(TWIN_0, 0, 0), // likewise
	HOST(TWIN_2, 5, 1),
};
static struct ic_instance instances_b[] = {
	HOST(HOST_FUNCTION, 0, 1), INLINED(LEAF, 0, 1, 1, 0),  INLINED(LEAF, 1, 2, 1, 0),
	INLINED(MID, 0, 3, 1, 0),  INLINED(OTHER, 0, 4, 1, 0), INLINED(IC_NONE, 0, 0, 0, 0),
};
static const char *files_a[] = { "/src/a.c" }, *files_b[] = { "/src/b.c" };
#define UNIT(letter)                                                                     \
	{                                                                                \
		.name = #letter ".c", .functions = functions_##letter,                   \
		.instances = instances_##letter, .ranges = ranges_##letter,              \
		.files = files_##letter, .function_count = COUNT_OF(functions_##letter), \
		.instance_count = COUNT_OF(instances_##letter),                          \
		.range_count = COUNT_OF(ranges_##letter), .file_count = 1                \
	}
static struct ic_unit_model units[] = { UNIT(a), { .name = "empty.c" }, UNIT(b) };
static struct ic_range code[] = { { 0x1000, 0x1300 }, { 0x2000, 0x2100 } };

// alias() has a symbol, though nothing describes its code; so has mid(), but not in code.
static void each_name(struct ic_symbol_source *source, const char *name, ic_symbol_visit *visit,
		      void *context)
{
	const struct ic_symbol symbol = { .start = *name == 'a' ? 0x2000 : 0x9000, .name = name };
	(void)source;

	if (strcmp(name, "alias") == 0 || strcmp(name, "mid") == 0)
		visit(context, &symbol);
}

// There is no part of a function.
static void each(struct ic_symbol_source *source, ic_symbol_take *take, void *context)
{
	const struct ic_symbol symbol = { .start = 0x1200, .name = "leaf" };
	(void)source;

	take(context, &symbol, IC_SYMBOL_FUNCTION);
}

static struct ic_symbol_source symbols = { .each_name = each_name, .each = each };
static const struct ic_index the_index = { .units = units,
					   .unit_count = COUNT_OF(units),
					   .symbols = &symbols,
					   .code = { code, COUNT_OF(code) } };

static struct ic_statistics *find(const struct ic_statistics_query *query)
{
	struct ic_error err;
	struct ic_statistics *statistics = ic_statistics_find(&the_index, query, &err);

	assert_non_null(statistics);
	return statistics;
}

// The groups, as "NAME copies/without code self/bytes functions,callers inlined; ".
static const char *told(const struct ic_statistics_query *query)
{
	static const char *const words[] = { "?", "never", "partly", "fully" };
	static char text[1024];
	struct ic_statistics *statistics = find(query);
	struct ic_statistic group;
	size_t length = 0;

	text[0] = 0;
	for (size_t i = 0; ic_statistics_get(statistics, i, &group); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "%s%s %d/%d %d/%d %d,%d %s", i > 0 ? "; " : "",
					   group.unit        ? group.unit
					   : group.function  ? group.function
					   : group.decl_file ? group.decl_file
							     : "?",
					   (int)group.copies, (int)group.without_code,
					   (int)group.self_size, (int)group.size,
					   (int)group.functions, (int)group.callers,
					   words[group.inlined]);
	ic_statistics_free(statistics);
	return text;
}

TEST(a_function_of_a_header_is_one_and_functions_of_one_name_are_not)
{
	assert_string_equal(told(NULL), "leaf 4/0 28/28 1,2 partly; mid 1/1 24/32 1,1 fully; "
					"alias 1/0 16/16 1,1 partly; mid 1/0 8/8 1,1 fully; "
					"? 0/1 0/0 0,0 ?");
}

TEST(a_symbol_is_code_of_a_function_of_whose_copies_none_is_left)
{
	struct ic_function functions[] = { { .name = "host", .die_off = 0x20 },
					   { .name = "alias", .die_off = 0x30 } };
	struct ic_instance instances[] = { HOST(0, 0, 1), INLINED(1, 0, 0, 0, 0) };
	struct ic_unit_model unit = { .name = "c.c",
				      .functions = functions,
				      .function_count = COUNT_OF(functions),
				      .instances = instances,
				      .instance_count = COUNT_OF(instances),
				      .ranges = ranges_a,
				      .range_count = 1,
				      .files = files_a,
				      .file_count = 1 };
	struct ic_index index = the_index;
	struct ic_statistic total;

	index.units = &unit;
	index.unit_count = 1;
	struct ic_statistics *statistics = ic_statistics_find(&index, NULL, NULL);
	ic_statistics_total(statistics, &total);
	assert_int_equal(total.never, 2);
	ic_statistics_free(statistics);
	// Of what was thrown away it is that of another one, which may be described.
	instances[1] = (struct ic_instance)HOST(1, 0, 0);
	statistics = ic_statistics_find(&index, NULL, NULL);
	ic_statistics_total(statistics, &total);
	assert_int_equal(total.never, 1);
	ic_statistics_free(statistics);
}

TEST(copies_are_grouped_by_what_they_are_in)
{
	assert_string_equal(told(&(struct ic_statistics_query){ .by = IC_STATISTICS_BY_CALLER }),
			    "two 4/1 40/40 3,1 ?; one 3/1 36/36 2,1 ?");
	assert_string_equal(told(&(struct ic_statistics_query){ .by = IC_STATISTICS_BY_UNIT,
								.order = IC_STATISTICS_BY_NAME }),
			    "a.c 3/1 36/36 2,1 ?; b.c 4/1 40/40 3,1 ?");
}

TEST(files_are_those_that_declare_the_functions)
{
	assert_string_equal(told(&(struct ic_statistics_query){ .by = IC_STATISTICS_BY_FILE }),
			    "/src/l.h 4/0 28/28 1,2 ?; /src/a.c 1/1 24/32 1,1 ?; "
			    "? 1/1 16/16 1,1 ?; /src/b.c 1/0 8/8 1,1 ?");
}

TEST(groups_are_sorted_and_only_the_first_are_kept)
{
	struct ic_statistics_query query = { .order = IC_STATISTICS_MOST_BYTES, .limit = 2 };

	assert_string_equal(told(&query), "mid 1/1 24/32 1,1 fully; leaf 4/0 28/28 1,2 partly");
	query.order = IC_STATISTICS_MOST_SELF;
	assert_string_equal(told(&query), "leaf 4/0 28/28 1,2 partly; mid 1/1 24/32 1,1 fully");
	query.order = IC_STATISTICS_BY_NAME;
	assert_string_equal(told(&query), "? 0/1 0/0 0,0 ?; alias 1/0 16/16 1,1 partly");
	query = (struct ic_statistics_query){ .order = IC_STATISTICS_MOST_CALLERS, .limit = 1 };
	assert_string_equal(told(&query), "leaf 4/0 28/28 1,2 partly");
}

TEST(the_total_is_of_all_groups)
{
	struct ic_statistics *statistics =
		find(&(struct ic_statistics_query){ .by = IC_STATISTICS_BY_FILE, .limit = 1 });
	struct ic_statistic all;

	ic_statistics_total(statistics, &all);
	assert_int_equal(ic_statistics_count(statistics), 1);
	assert_int_equal(all.by, IC_STATISTICS_OF_ALL);
	assert_int_equal(all.copies, 7);
	assert_int_equal(all.without_code, 2);
	assert_int_equal(all.functions, 4);
	assert_int_equal(all.callers, 2);
	assert_int_equal(all.size, 76);
	assert_int_equal(all.never, 3); // one(), two() and twin()
	assert_int_equal(all.partly, 2);
	assert_int_equal(all.fully, 2);
	assert_int_equal(all.out_of_line, 4);
	assert_int_equal(all.out_of_line_size, 0x1a0);
	assert_int_equal(all.code_size, 0x400);
	ic_statistics_free(statistics);
}

TEST(a_query_selects_copies_and_no_fact_about_functions)
{
	const char *const hosts[] = { "one", NULL };
	struct ic_sites_query sites = { .function = "leaf", .hosts = hosts };
	const struct ic_statistics_query query = { .sites = &sites };

	assert_string_equal(told(&query), "leaf 2/0 12/12 1,1 partly");
	sites = (struct ic_sites_query){ .call_file_glob = "b.c" };
	assert_string_equal(told(&query), "leaf 2/0 16/16 1,1 partly; alias 1/0 16/16 1,1 partly; "
					  "mid 1/0 8/8 1,1 fully; ? 0/1 0/0 0,0 ?");
	// Only by its name is a function found that was never inlined.
	sites = (struct ic_sites_query){ .function = "two" };
	assert_string_equal(told(&query), "two 0/0 0/0 0,0 never");
	sites = (struct ic_sites_query){ .function = "two", .hosts = hosts };
	assert_string_equal(told(&query), "");
}

TEST(only_sites_are_counted_if_nothing_else_is_asked_for)
{
	const struct ic_statistics_query query = { .only_sites = true };

	assert_string_equal(told(&query), "leaf 4/0 0/28 0,0 ?; mid 1/1 0/32 0,0 ?; "
					  "alias 1/0 0/16 0,0 ?; mid 1/0 0/8 0,0 ?; "
					  "? 0/1 0/0 0,0 ?");
}

TEST(only_copies_out_of_line_that_are_selected_are_sites)
{
	const char *const hosts[] = { "one", NULL };
	struct ic_sites_query sites = { .function = "leaf" };
	struct ic_statistics_query query = { .sites = &sites, .only_sites = true };
	struct ic_statistic group;

	for (int i = 0; i < 2; i++) {
		struct ic_statistics *statistics = find(&query);
		assert_true(ic_statistics_get(statistics, 0, &group));
		assert_int_equal(group.copies, i == 0 ? 4 : 2);
		assert_int_equal(group.out_of_line, i == 0 ? 1 : 0);
		ic_statistics_free(statistics);
		sites.hosts = hosts;
	}
}

// Two calls of each of two functions that the unit only declares.
static const struct ic_unit_model *calling_unit(void)
{
	static struct ic_function functions[] = {
		{ .name = "leaf", .decl_file = "/src/other.h", .decl_line = 9, .die_off = 0x70 },
		{ .name = "mid", .decl_file = "/src/other.h", .decl_line = 8, .die_off = 0x80 },
	};
	static struct ic_call calls[] = {
		{ .function = 0, .parent = IC_NONE, .call_file = IC_NONE },
		{ .function = 1, .parent = IC_NONE, .call_file = IC_NONE },
		{ .function = 0, .parent = IC_NONE, .call_file = IC_NONE },
		{ .function = 1, .parent = IC_NONE, .call_file = IC_NONE },
	};
	static const struct ic_unit_model unit = { .name = "c.c",
						   .functions = functions,
						   .function_count = COUNT_OF(functions),
						   .calls = calls,
						   .call_count = COUNT_OF(calls) };

	return &unit;
}

TEST(calls_of_a_declaration_are_those_of_the_only_definition)
{
	struct ic_unit_model with_calls[] = { units[0], *calling_unit(), units[2] };
	struct ic_index index = the_index;
	const struct ic_sites_query sites = { .function = "*", .match = IC_MATCH_GLOB };
	const struct ic_statistics_query query = { .sites = &sites, .only_sites = true };
	struct ic_statistic group;
	uint64_t of_leaf = 0, of_mid = 0, undefined = 0;

	index.units = with_calls;
	struct ic_statistics *statistics = ic_statistics_find(&index, &query, NULL);
	for (size_t i = 0; ic_statistics_get(statistics, i, &group); i++) {
		if (strcmp(group.function, "leaf") == 0) {
			assert_string_equal(group.decl_file, "/src/b/../l.h");
			of_leaf += group.calls;
		} else if (strcmp(group.function, "mid") == 0) {
			of_mid += group.calls;
			undefined += group.decl_line == 8;
		}
	}
	assert_int_equal(of_leaf, 2);
	assert_int_equal(of_mid, 2);
	assert_int_equal(undefined, 1); // there are two of that name
	ic_statistics_free(statistics);
}

TEST(a_function_is_called_as_its_code_is)
{
	const struct ic_sites_query sites = { .function = "twin" };
	struct ic_statistics *statistics = find(&(struct ic_statistics_query){ .sites = &sites });
	struct ic_statistic group;

	assert_int_equal(ic_statistics_count(statistics), 1);
	assert_true(ic_statistics_get(statistics, 0, &group));
	assert_string_equal(group.linkage_name, "twin2");
	assert_int_equal(group.out_of_line, 1);
	ic_statistics_free(statistics);
}

TEST(a_wrong_query_is_an_error)
{
	const struct ic_sites_query sites = { .function = "(", .match = IC_MATCH_REGEX };
	struct ic_error err;

	assert_null(ic_statistics_find(&the_index, &(struct ic_statistics_query){ .sites = &sites },
				       &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_statistics_find(
		&the_index, &(struct ic_statistics_query){ .by = IC_STATISTICS_OF_ALL }, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_statistics_find(
		&the_index,
		&(struct ic_statistics_query){ .by = IC_STATISTICS_BY_UNIT, .only_sites = true },
		&err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	ic_statistics_free(NULL);
}

TEST(nothing_has_statistics_too)
{
	static const struct ic_index empty = { .unit_count = 0 };
	struct ic_statistics *statistics = ic_statistics_find(&empty, NULL, NULL);
	struct ic_statistic all;

	assert_non_null(statistics);
	assert_int_equal(ic_statistics_count(statistics), 0);
	assert_false(ic_statistics_get(statistics, 0, &all));
	ic_statistics_total(statistics, &all);
	assert_int_equal(all.copies + all.size + all.code_size, 0);
	ic_statistics_free(statistics);
}

UNIT_TESTS(query_counts_statistics)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_of_a_header_is_one_and_functions_of_one_name_are_not),
		cmocka_unit_test(a_symbol_is_code_of_a_function_of_whose_copies_none_is_left),
		cmocka_unit_test(copies_are_grouped_by_what_they_are_in),
		cmocka_unit_test(files_are_those_that_declare_the_functions),
		cmocka_unit_test(groups_are_sorted_and_only_the_first_are_kept),
		cmocka_unit_test(the_total_is_of_all_groups),
		cmocka_unit_test(a_query_selects_copies_and_no_fact_about_functions),
		cmocka_unit_test(only_sites_are_counted_if_nothing_else_is_asked_for),
		cmocka_unit_test(only_copies_out_of_line_that_are_selected_are_sites),
		cmocka_unit_test(calls_of_a_declaration_are_those_of_the_only_definition),
		cmocka_unit_test(a_function_is_called_as_its_code_is),
		cmocka_unit_test(a_wrong_query_is_an_error),
		cmocka_unit_test(nothing_has_statistics_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
