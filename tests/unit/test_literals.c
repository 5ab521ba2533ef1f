#include "unit_test.h"

#include <stdio.h>

#include "query/literals.h"

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

TEST(what_is_in_a_group_is_not_certain)
{
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
	// What is in other manglings is not known so well.
	assert_true(may("food", "_RNvC3foo3bar"));
	assert_true(may("food", "foo"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_glob_has_the_text_between_its_stars),
		cmocka_unit_test(a_regular_expression_has_what_is_not_optional),
		cmocka_unit_test(what_is_in_a_group_is_not_certain),
		cmocka_unit_test(each_alternative_has_its_own),
		cmocka_unit_test(one_of_the_texts_is_enough),
		cmocka_unit_test(a_symbol_has_the_words_of_what_it_is_demangled_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
