#include "unit_test.h"

#include <stdio.h>

#include "query/find/literals.h"

// The texts of which one must be there, separated by blanks.
static const char *literals_of(const char *pattern, enum ic_match match)
{
	static char text[256];
	struct ic_literals literals = ic_literals_find(pattern, match);
	size_t used = 0;

	text[0] = 0;
	for (uint32_t i = 0; i < literals.count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.*s", i ? " " : "",
					 (int)literals.items[i].length, literals.items[i].start);
	return text;
}

static const char *in_glob(const char *pattern)
{
	return literals_of(pattern, IC_MATCH_GLOB);
}

static const char *in_regex(const char *pattern)
{
	return literals_of(pattern, IC_MATCH_REGEX);
}

TEST(a_glob_has_the_text_between_its_stars)
{
	assert_string_equal(in_glob("get"), "get");
	assert_string_equal(in_glob("*get*"), "get");
	assert_string_equal(in_glob("ab*cde?f"), "cde");
	assert_string_equal(in_glob("*"), "");
	assert_string_equal(in_glob("[ab]*"), "");
	assert_string_equal(in_glob("a[]bcdefg]h"), "a");
	assert_string_equal(in_glob("[!]b]xy[[:alpha:]b]z"), "xy");
	assert_string_equal(in_glob("[a-z"), "");
	assert_string_equal(in_glob("ab\\*cde"), "*cde");
	assert_string_equal(in_glob("ab\\"), "ab");
}

TEST(a_regular_expression_has_what_is_not_optional)
{
	assert_string_equal(in_regex("get"), "get");
	assert_string_equal(in_regex("^.*get.*$"), "get");
	assert_string_equal(in_regex("abc*d"), "ab");
	assert_string_equal(in_regex("abcx?de"), "abc");
	assert_string_equal(in_regex("abcd{0,2}e"), "abc");
	assert_string_equal(in_regex("a+bcd+e"), "bcd");
	assert_string_equal(in_regex("a[^]b]cd[[.].]]e"), "cd");
	assert_string_equal(in_regex("^.{7}$"), "");
	assert_string_equal(in_regex("a\\.bc"), ".bc");
	assert_string_equal(in_regex("ab\\wcde"), "cde");
	assert_string_equal(in_regex("ab\\"), "ab");
	assert_string_equal(in_regex("*a"), "a");
	assert_string_equal(in_regex(""), "");
}

TEST(a_group_has_those_of_an_expression_if_it_must_be_there)
{
	assert_string_equal(in_regex("(get|set)_.*"), "get set");
	assert_string_equal(in_regex("((get|set)_x|clear)y"), "get set clear");
	assert_string_equal(in_regex("(get|set)+y"), "get set");
	assert_string_equal(in_regex("a(get|set)*"), "a");
	assert_string_equal(in_regex("a(get|set)?"), "a");
	assert_string_equal(in_regex("a(get|set){0,1}"), "a");
	assert_string_equal(in_regex("a(get|)"), "a");
	assert_string_equal(in_regex("(|)"), "");
	assert_string_equal(in_regex("((((((((((((((((((get))))))))))))))))))"), "");
	assert_string_equal(in_regex("(longer|text)_lock"), "_lock");
	assert_string_equal(in_regex("(a(b|c)[)]x)*y"), "y");
	assert_string_equal(in_regex("(abc\\)d|e)fg"), "fg");
	assert_string_equal(in_regex("(abc"), "");
}

TEST(each_alternative_has_its_own)
{
	assert_string_equal(in_regex("^read_|write.*_all$"), "read_ write");
	assert_string_equal(in_regex("read|.*"), "");
	assert_string_equal(in_regex("read|"), "");
	assert_string_equal(in_regex("a|b|c|d|e|f|g|h"), "a b c d e f g h");
	assert_string_equal(in_regex("a|b|c|d|e|f|g|h|i"), "");
}

TEST(one_of_the_texts_is_enough)
{
	struct ic_literals literals = ic_literals_find("get|set", IC_MATCH_REGEX);

	assert_true(ic_literals_are_in(&literals, "a_set_b"));
	assert_true(ic_literals_are_in(&literals, "get"));
	assert_false(ic_literals_are_in(&literals, "ge"));
	literals = ic_literals_find("*", IC_MATCH_GLOB);
	assert_true(ic_literals_are_in(&literals, ""));
}

static bool may(const char *pattern, const char *symbol)
{
	struct ic_literals literals = ic_literals_find(pattern, IC_MATCH_REGEX);

	return ic_literals_may_be_demangled(&literals, symbol);
}

TEST(a_symbol_has_the_words_of_what_it_is_demangled_to)
{
	static const char symbol[] = "_ZN3foo3barIiEEvPKc"; // void foo::bar<int>(char const*)

	assert_true(may("foo::bar<", symbol));
	assert_true(may("oo::ba", symbol));
	assert_true(may("12oo", symbol));
	assert_true(may("foo::baz<", symbol)); // one word is looked for
	assert_true(may("bar<int>", symbol));
	assert_false(may("baz<unsigned>", symbol)); // not the longest one: that is not in symbols
	assert_false(may("food", symbol));
	assert_true(may("foods|bar", symbol));
	// The demangler writes these.
	assert_true(may("char const", symbol));
	assert_true(may("unsigned", symbol));
	assert_true(may("::<>", symbol));
	assert_true(may("bar", "_RNvC3foo3bar"));
	assert_false(may("food", "_RNvC3foo3bar"));
	// Rust has these as numbers, and other manglings are not known so well.
	assert_true(may("q", "_RNvC3foo3bar"));
	assert_true(may("food", "_RINvC3foo3barKRe616263_E"));
	assert_true(may("usize", "_RINvC3foo3barjE"));
	assert_true(may("food", "_D3foo3barFZv"));
	assert_true(may("food", "foo"));
}

TEST(an_expression_may_be_searched_if_that_means_the_same)
{
	assert_true(ic_regex_may_be_searched("[a-z]+_(x|y)$"));
	assert_true(ic_regex_may_be_searched("a[)]\\)"));
	assert_true(ic_regex_may_be_searched("[^a]"));
	assert_false(ic_regex_may_be_searched("^read|^write")); // fails at once
	assert_false(ic_regex_may_be_searched("a)"));
	assert_false(ic_regex_may_be_searched(")("));
	assert_false(ic_regex_may_be_searched("(a)\\1"));
	assert_false(ic_regex_may_be_searched("a.{20}b")); // too many states
	assert_false(ic_regex_may_be_searched("a.........b"));
}

TEST(a_pattern_may_be_inside_if_it_knows_no_ends)
{
	assert_true(ic_pattern_may_be_inside("get.*[$^]\\$", IC_MATCH_REGEX));
	assert_false(ic_pattern_may_be_inside("(^get)", IC_MATCH_REGEX));
	assert_false(ic_pattern_may_be_inside("get$", IC_MATCH_REGEX));
	assert_false(ic_pattern_may_be_inside("\\bget", IC_MATCH_REGEX));
	assert_false(ic_pattern_may_be_inside("get\\>", IC_MATCH_REGEX));
	assert_false(ic_pattern_may_be_inside("get\\", IC_MATCH_REGEX));
	assert_true(ic_pattern_may_be_inside("*get*", IC_MATCH_GLOB));
	assert_false(ic_pattern_may_be_inside("*get\\*", IC_MATCH_GLOB));
	assert_false(ic_pattern_may_be_inside("get*", IC_MATCH_GLOB));
	assert_false(ic_pattern_may_be_inside("*", IC_MATCH_GLOB));
}

UNIT_TESTS(query_find_literals)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_glob_has_the_text_between_its_stars),
		cmocka_unit_test(a_regular_expression_has_what_is_not_optional),
		cmocka_unit_test(a_group_has_those_of_an_expression_if_it_must_be_there),
		cmocka_unit_test(each_alternative_has_its_own),
		cmocka_unit_test(one_of_the_texts_is_enough),
		cmocka_unit_test(a_symbol_has_the_words_of_what_it_is_demangled_to),
		cmocka_unit_test(an_expression_may_be_searched_if_that_means_the_same),
		cmocka_unit_test(a_pattern_may_be_inside_if_it_knows_no_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
