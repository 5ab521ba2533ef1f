#include "unit_test.h"

#include <stdio.h>

#include "query/find/matcher.h"

static struct ic_scope scopes[] = {
	{ .name = "ns", .parent = IC_NONE, .is_namespace = true },
	{ .name = "Box<int>", .parent = 0 },
};
static struct ic_unit_model unit = { .scopes = scopes, .scope_count = COUNT_OF(scopes) };
static struct ic_index the_index = { .units = &unit, .unit_count = 1 };

static const struct ic_function functions[] = {
	{ .name = "get", .scope = 1 },
	{ .name = "get<int>", .linkage_name = "_ZN2ns3getIiEEvi", .scope = IC_NONE },
	{ .name = "get", .linkage_name = "plain_get", .scope = IC_NONE },
	{ .name = "get.part", .scope = IC_NONE },
	{ .name = "operator-<int>", .linkage_name = "_ZN2nsmiIiEEvi", .scope = IC_NONE },
	{ .name = "operator->", .scope = 1 },
	{ .name = "~Box", .scope = 1 },
	{ .name = "main.(*List[int]).Push", .scope = IC_NONE },
	{ .linkage_name = "_ZN2ns3putEv", .scope = IC_NONE },
	{ .name = "{closure#0}", .scope = 0 },
	{ .name = "", .scope = IC_NONE },
	{ .scope = IC_NONE },
};

static struct ic_matchers matchers_of(const char *const *names, enum ic_match match)
{
	struct ic_matchers matchers;
	struct ic_error err;

	assert_true(ic_matchers_init(&matchers, &the_index, names[0], names + 1, match, &err));
	return matchers;
}

// The functions that a pattern means, as bits.
static uint32_t meant(const char *pattern, enum ic_match match)
{
	struct ic_matchers matchers = matchers_of((const char *const[]){ pattern, NULL }, match);
	uint32_t bits = 0, count;

	for (uint32_t i = 0; i < COUNT_OF(functions); i++) {
		bool matches = ic_matchers_match(&matchers, &functions[i]);
		bits |= (uint32_t)matches << i;
		ic_matchers_find(&matchers, &functions[i], &count);
		assert_int_equal(count, matches);
	}
	assert_true(ic_matchers_are_sound(&matchers));
	ic_matchers_deinit(&matchers);
	return bits;
}

static uint32_t named(const char *name)
{
	return meant(name, IC_MATCH_NAME);
}

enum {
	BOX_GET = 1,
	NS_GET = 2,
	PLAIN_GET = 4,
	GET_PART = 8,
	MINUS = 16,
	ARROW = 32,
	DESTRUCTOR = 64,
	GO = 128,
	PUT = 256,
	CLOSURE = 512
};

TEST(a_name_may_leave_out_scopes_and_arguments)
{
	assert_int_equal(named("get"), BOX_GET | NS_GET | PLAIN_GET);
	assert_int_equal(named("ns::Box::get"), BOX_GET);
	assert_int_equal(named("Box<int>::get"), BOX_GET);
	assert_int_equal(named("Box<long>::get"), 0);
	assert_int_equal(named("get<int>"), NS_GET);
	assert_int_equal(named("get<long>"), 0);
	assert_int_equal(named("other::get"), 0);
	assert_int_equal(named("ge"), 0);
	assert_int_equal(named("~Box"), DESTRUCTOR);
	assert_int_equal(named("main.(*List).Push"), GO);
	assert_int_equal(named("{closure#0}"), CLOSURE);
}

TEST(scopes_may_be_only_in_the_symbol)
{
	assert_int_equal(named("ns::get"), NS_GET);
	assert_int_equal(named("ns::put"), PUT);
	assert_int_equal(named("put"), PUT);
	assert_int_equal(named("void ns::get<int>(int)"), NS_GET);
}

TEST(known_parameters_are_compared)
{
	assert_int_equal(named("get(int)"), BOX_GET | NS_GET | PLAIN_GET);
	assert_int_equal(named("get(long)"), BOX_GET | PLAIN_GET);
}

TEST(symbols_are_names)
{
	assert_int_equal(named("_ZN2ns3getIiEEvi"), NS_GET);
	assert_int_equal(named("plain_get"), PLAIN_GET);
	assert_int_equal(named("plain_get.constprop.0"), PLAIN_GET);
	assert_int_equal(named("get.part.0"), BOX_GET | NS_GET | PLAIN_GET);
	assert_int_equal(named("get.part"), GET_PART);
}

TEST(operators_are_told_apart)
{
	assert_int_equal(named("operator-"), MINUS);
	assert_int_equal(named("operator->"), ARROW);
	assert_int_equal(named("ns::operator-<int>"), MINUS);
	assert_int_equal(named("operator--"), 0);
}

TEST(all_names_that_a_function_has_are_found_at_once)
{
	static const char *const names[] = { "put",      "get",       "ns::get",
					     "Box::get", "nosuch",    "get<int>",
					     "get",      "plain_get", "get.constprop.0",
					     NULL };
	struct ic_matchers matchers = matchers_of(names, IC_MATCH_NAME);

	for (uint32_t i = 0; i < COUNT_OF(functions); i++) {
		uint32_t count, expected = 0;
		const uint32_t *found = ic_matchers_find(&matchers, &functions[i], &count);
		for (uint32_t j = 0; names[j]; j++) {
			uint32_t times = 0;
			for (uint32_t k = 0; k < count; k++)
				times += found[k] == j;
			assert_int_equal(times, named(names[j]) >> i & 1);
			expected += times;
		}
		assert_int_equal(count, expected);
		assert_int_equal(ic_matchers_match(&matchers, &functions[i]), count > 0);
	}
	ic_matchers_deinit(&matchers);
}

TEST(patterns_match_any_of_the_names)
{
	assert_int_equal(meant("*get*", IC_MATCH_GLOB), BOX_GET | NS_GET | PLAIN_GET | GET_PART);
	assert_int_equal(meant("ns::*::get", IC_MATCH_GLOB), BOX_GET);
	assert_int_equal(meant("plain*", IC_MATCH_GLOB), PLAIN_GET);
	assert_int_equal(meant("^void ns::get", IC_MATCH_REGEX), NS_GET);
	assert_int_equal(meant("^ns::get<int>$", IC_MATCH_REGEX), NS_GET);
	assert_int_equal(meant("put|Push", IC_MATCH_REGEX), PUT | GO);
	assert_int_equal(meant("\\(int\\)", IC_MATCH_REGEX), NS_GET | MINUS);
	assert_int_equal(meant("^.{3}$", IC_MATCH_REGEX), BOX_GET | PLAIN_GET);
}

TEST(without_names_all_functions_match)
{
	struct ic_matchers matchers;
	struct ic_error err;

	assert_true(ic_matchers_init(&matchers, &the_index, NULL, NULL, IC_MATCH_NAME, &err));
	for (uint32_t i = 0; i < COUNT_OF(functions); i++)
		assert_true(ic_matchers_match(&matchers, &functions[i]));
	ic_matchers_deinit(&matchers);
}

TEST(an_expression_that_is_none_is_refused)
{
	static const char *const more[] = { "(", NULL };
	struct ic_matchers matchers;
	struct ic_error err;

	assert_false(ic_matchers_init(&matchers, &the_index, "a", more, IC_MATCH_REGEX, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
}

UNIT_TESTS(query_find_matcher)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_may_leave_out_scopes_and_arguments),
		cmocka_unit_test(scopes_may_be_only_in_the_symbol),
		cmocka_unit_test(known_parameters_are_compared),
		cmocka_unit_test(symbols_are_names),
		cmocka_unit_test(operators_are_told_apart),
		cmocka_unit_test(all_names_that_a_function_has_are_found_at_once),
		cmocka_unit_test(patterns_match_any_of_the_names),
		cmocka_unit_test(without_names_all_functions_match),
		cmocka_unit_test(an_expression_that_is_none_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
