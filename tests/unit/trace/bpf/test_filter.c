#include "trace/bpf/filter.h"

#include <inlinecall/extra/trace.h>

#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

// A filter as text, or why it is none.
static const char *read_text(const char *text)
{
	static const char *const relations[] = { "==", "!=", "<", "<=", ">", ">=" };
	static char found[sizeof((struct ic_error){ 0 }.message)];
	struct ic_trace_filter filter;
	struct ic_error err;
	size_t length = 0;

	if (!ic_trace_filter_read(text, &filter, &err)) {
		assert_int_equal(err.code, IC_ERROR_ARGUMENT);
		snprintf(found, sizeof(found), "%s", err.message);
		return found;
	}
	for (uint32_t i = 0; i < filter.count; i++) {
		const struct ic_trace_term *term = &filter.terms[i];
		length += (size_t)snprintf(found + length, sizeof(found) - length, "%s[%s %s ",
					   i > 0 ? " " : "", term->argument,
					   relations[term->relation]);
		if (term->is_string || term->is_name)
			length += (size_t)snprintf(found + length, sizeof(found) - length,
						   "%s '%s']", term->is_string ? "text" : "name",
						   term->text);
		else
			length += (size_t)snprintf(found + length, sizeof(found) - length, "%lld]",
						   (long long)term->number);
	}
	return found;
}

TEST(conditions_are_read)
{
	assert_string_equal(read_text("n==1"), "[n == 1]");
	assert_string_equal(read_text("  n >= -0x10 "), "[n >= -16]");
	assert_string_equal(read_text("a<1&&b<=2 && c>3&&d != 4"),
			    "[a < 1] [b <= 2] [c > 3] [d != 4]");
	assert_string_equal(read_text("c == 'x' && d == '\\n' && e == '\\''"),
			    "[c == 120] [d == 10] [e == 39]");
	assert_string_equal(read_text("s == \"a \\\"b\\\"\""), "[s == text 'a \"b\"']");
	assert_string_equal(read_text("s != \"\""), "[s != text '']");
	assert_string_equal(read_text("f == true && g == false"), "[f == 1] [g == 0]");
	assert_string_equal(read_text("color == ns::Color::RED"),
			    "[color == name 'ns::Color::RED']");
	assert_string_equal(read_text("n == 18446744073709551615"), "[n == -1]");
}

static void check_members(const char *wanted, const char *members, const char *filter,
			  const char *argument)
{
	struct ic_error err;
	char *found = ic_trace_members(members, filter, argument, &err);

	if (!found)
		fail_msg("%s", err.message);
	assert_string_equal(found, wanted);
	free(found);
}

TEST(members_of_conditions_are_asked_for)
{
	struct ic_error err;

	check_members("", NULL, NULL, NULL);
	check_members("", NULL, "n == 1 && s == \"a.b\" && e == ns::A", "n");
	check_members("a.b->c,d", NULL, "p->a.b->c == 1 && q.d == 'x'", NULL);
	check_members("x,[2].y,z[1]", "x", "p[2].y > 0", "p->z[1]");
	assert_null(ic_trace_members("x", "n ==", NULL, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_trace_members(NULL, "", NULL, NULL));
}

TEST(what_is_no_condition_is_refused_with_the_place)
{
#define REST "; for example: n > 10 && name == \"x\""
	assert_string_equal(read_text(""), "filter '': expected a name at ''" REST);
	assert_string_equal(read_text("1 == n"),
			    "filter '1 == n': expected a name at '1 == n'" REST);
	assert_string_equal(read_text("n = 1"),
			    "filter 'n = 1': expected ==, !=, <, <=, > or >= at '= 1'" REST);
	assert_string_equal(
		read_text("n == "),
		"filter 'n == ': expected a number, name, character or string at ''" REST);
	assert_string_equal(read_text("n == 1x"), "filter 'n == 1x': invalid number at "
						  "'1x'" REST);
	assert_string_equal(read_text("n == 99999999999999999999"),
			    "filter 'n == 99999999999999999999': invalid number at "
			    "'99999999999999999999'" REST);
	assert_string_equal(read_text("n == 1 || m == 2"),
			    "filter 'n == 1 || m == 2': expected && at '|| m == 2'" REST);
	assert_string_equal(read_text("n == 1 &&"),
			    "filter 'n == 1 &&': expected a name at ''" REST);
	assert_string_equal(read_text("s == \"x"), "filter 's == \"x': missing closing quote at "
						   "'\"x'" REST);
	assert_string_equal(read_text("s < \"x\""),
			    "filter 's < \"x\"': strings can only be compared with == or != at "
			    "'\"x\"'" REST);
	assert_string_equal(
		read_text("c == 'xy'"),
		"filter 'c == 'xy'': expected one character in quotes before the text at ''" REST);
	assert_string_equal(
		read_text("a==1&&a==1&&a==1&&a==1&&a==1&&a==1&&a==1&&a==1&&a==1"),
		"filter 'a==1&&a==1&&a==1&&a==1&&a==1&&a==1&&a==1&&a==1&&a==1': too many "
		"conditions at 'a==1'" REST);
}

TEST(texts_that_are_too_long_are_refused)
{
	char text[256] = "s == \"";

	memset(text + 6, 'x', IC_TRACE_TERM_TEXT);
	text[6 + IC_TRACE_TERM_TEXT] = '"';
	assert_non_null(strstr(read_text(text), "quoted text too long"));
	memset(text, 'x', IC_TRACE_TERM_TEXT);
	assert_non_null(strstr(read_text(text), "name too long"));
}

TEST(names_are_those_of_the_enumeration)
{
	static const struct ic_enumerator list[] = { { (uint64_t)-4, "BLUE" }, { 1, "RED" } };
	const struct ic_enumeration enumeration = { .scope = "ns::", .list = list, .count = 2 };
	struct ic_trace_term term = { .is_name = true, .text = "BLUE" };
	uint64_t number;

	assert_true(ic_trace_term_number(&term, &enumeration, &number));
	assert_int_equal(number, (uint64_t)-4);
	strcpy(term.text, "ns::RED");
	assert_true(ic_trace_term_number(&term, &enumeration, &number));
	assert_int_equal(number, 1);
	strcpy(term.text, "GREEN");
	assert_false(ic_trace_term_number(&term, &enumeration, &number));
	assert_false(ic_trace_term_number(&term, NULL, &number));
}

UNIT_TESTS(trace_bpf_filter)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_read),
		cmocka_unit_test(members_of_conditions_are_asked_for),
		cmocka_unit_test(what_is_no_condition_is_refused_with_the_place),
		cmocka_unit_test(texts_that_are_too_long_are_refused),
		cmocka_unit_test(names_are_those_of_the_enumeration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
