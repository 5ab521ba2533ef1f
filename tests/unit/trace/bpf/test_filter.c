#include "trace/bpf/filter.h"

#include "unit_test.h"

#include <stdio.h>

static void put_side(FILE *out, const struct ic_trace_term *term)
{
	switch (term->with) {
	case IC_TRACE_WITH_NUMBER:
		fprintf(out, "%s%llu", term->is_negative ? "-" : "",
			(unsigned long long)term->number);
		break;
	case IC_TRACE_WITH_CHARACTER:
		fprintf(out, "'%llu'", (unsigned long long)term->number);
		break;
	case IC_TRACE_WITH_REAL: fprintf(out, "%Lg", term->real); break;
	case IC_TRACE_WITH_NAME: fprintf(out, "%s", term->right.name); break;
	case IC_TRACE_WITH_STRING: fprintf(out, "\"%s\"", term->text); break;
	}
}

// A filter as text, in postfix order, or why it is none.
static const char *read_text(const char *text)
{
	static const char *const relations[] = { "==", "!=", "<", "<=", ">", ">=", "~", "!~" };
	static const char *const builtins[] = { "", "@pid", "@tid", "@cpu", "@comm" };
	static char found[sizeof((struct ic_error){ 0 }.message)];
	struct ic_trace_filter filter;
	struct ic_error err;

	if (!ic_trace_filter_read(text, &filter, &err)) {
		assert_int_equal(err.code, IC_ERROR_ARGUMENT);
		snprintf(found, sizeof(found), "%s", err.message);
		return found;
	}
	FILE *out = fmemopen(found, sizeof(found), "w");
	for (uint32_t i = 0; i < filter.step_count; i++) {
		uint8_t step = filter.steps[i];
		fputs(i > 0 ? " " : "", out);
		if (step >= IC_TRACE_AND) {
			fputs(step == IC_TRACE_AND  ? "AND"
			      : step == IC_TRACE_OR ? "OR"
						    : "NOT",
			      out);
			continue;
		}
		const struct ic_trace_term *term = &filter.terms[step];
		fprintf(out, "[%s%s", term->left.name,
			*term->left.name ? "" : builtins[term->left.fallback]);
		if (term->has_mask)
			fprintf(out, "&%llu", (unsigned long long)term->mask);
		fprintf(out, " %s ", relations[term->relation]);
		put_side(out, term);
		fputc(']', out);
	}
	fclose(out);
	return found;
}

TEST(conditions_are_read)
{
	assert_string_equal(read_text("n==1"), "[n == 1]");
	assert_string_equal(read_text("  n >= -0x10 "), "[n >= -16]");
	assert_string_equal(read_text("a<1&&b<=2 && c>3&&d != 4"),
			    "[a < 1] [b <= 2] AND [c > 3] AND [d != 4] AND");
	assert_string_equal(read_text("c == 'x' && d == '\\n' && e == '\\''"),
			    "[c == '120'] [d == '10'] AND [e == '39'] AND");
	assert_string_equal(read_text("s == \"a \\\"b\\\"\""), "[s == \"a \"b\"\"]");
	assert_string_equal(read_text("s != \"\""), "[s != \"\"]");
	assert_string_equal(read_text("f == true && g == false"), "[f == 1] [g == 0] AND");
	assert_string_equal(read_text("color == ns::Color::RED"), "[color == ns::Color::RED]");
	assert_string_equal(read_text("n == 18446744073709551615"), "[n == 18446744073709551615]");
	assert_string_equal(read_text("d > 1.5 || d < -2e3"), "[d > 1.5] [d < -2000] OR");
	assert_string_equal(read_text("p != NULL && q"), "[p != 0] [q != 0] AND");
	assert_string_equal(read_text("p->a > q->b[1]"), "[p->a > q->b[1]]");
}

TEST(conditions_are_joined_as_in_c)
{
	assert_string_equal(read_text("a || b && c"), "[a != 0] [b != 0] [c != 0] AND OR");
	assert_string_equal(read_text("(a || b) && c"), "[a != 0] [b != 0] OR [c != 0] AND");
	assert_string_equal(read_text("!a && !(b || !!c)"),
			    "[a != 0] NOT [b != 0] [c != 0] NOT NOT OR NOT AND");
	assert_string_equal(read_text("((a == 1))"), "[a == 1]");
	assert_string_equal(read_text("((a) && (b))"), "[a != 0] [b != 0] AND");
	assert_string_equal(read_text("(a) == 1 && (b)"), "[a == 1] [b != 0] AND");
}

TEST(bits_are_masked)
{
	assert_string_equal(read_text("n & 4"), "[n&4 != 0]");
	assert_string_equal(read_text("(n & 0xc) == 8 && n&1"), "[n&12 == 8] [n&1 != 0] AND");
	assert_string_equal(read_text("!(n & 1)"), "[n&1 != 0] NOT");
	assert_string_equal(read_text("n & 12 == 8"), "[n&12 == 8]");
}

TEST(builtins_may_be_hidden_by_arguments)
{
	assert_string_equal(read_text("@pid == 1 && @comm ~ \"x*\""),
			    "[@pid == 1] [@comm ~ \"x*\"] AND");
	assert_string_equal(read_text("pid == 1"), "[pid == 1]");
	assert_non_null(
		strstr(read_text("@host == 1"), "expected pid, tid, cpu or comm after '@'"));
}

TEST(globs_keep_what_is_escaped)
{
	assert_string_equal(read_text("s ~ \"a\\*b\\n\""), "[s ~ \"a\\*b\n\"]");
	assert_string_equal(read_text("s == \"a\\*\""), "[s == \"a*\"]");
}

TEST(what_is_no_condition_is_refused_with_the_place)
{
#define REST "; for example: n > 10 && name == \"x\""
	assert_string_equal(read_text(""), "filter '': expected a name at ''" REST);
	assert_string_equal(read_text("1 == n"),
			    "filter '1 == n': expected a name at '1 == n'" REST);
	assert_string_equal(
		read_text("n = 1"),
		"filter 'n = 1': expected ==, !=, ~, <, <=, > or >=, && or || at '= 1'" REST);
	assert_string_equal(
		read_text("n == "),
		"filter 'n == ': expected a number, name, character or string at ''" REST);
	assert_string_equal(read_text("n == 1x"), "filter 'n == 1x': invalid number at "
						  "'1x'" REST);
	assert_string_equal(read_text("n == 99999999999999999999"),
			    "filter 'n == 99999999999999999999': invalid number at "
			    "'99999999999999999999'" REST);
	assert_string_equal(read_text("(n == 1 || m == 2"),
			    "filter '(n == 1 || m == 2': expected &&, || or ')' at ''" REST);
	assert_string_equal(read_text("n & m"), "filter 'n & m': expected a number at 'm'" REST);
	assert_string_equal(read_text("s ~ 1"), "filter 's ~ 1': expected a glob in quotes at "
						"'1'" REST);
	assert_string_equal(read_text("s & 1 == \"x\""),
			    "filter 's & 1 == \"x\"': a string has no bits at '\"x\"'" REST);
	assert_string_equal(read_text("n == 1 &&"),
			    "filter 'n == 1 &&': expected a name at ''" REST);
	assert_non_null(strstr(read_text("s == \"\\q\""), "unknown escape sequence at"));
	assert_string_equal(read_text("s == \"x"), "filter 's == \"x': missing closing quote at "
						   "'\"x'" REST);
	assert_string_equal(
		read_text("s < \"x\""),
		"filter 's < \"x\"': strings can only be compared with ==, !=, ~ or !~ at "
		"'\"x\"'" REST);
	assert_string_equal(
		read_text("c == 'xy'"),
		"filter 'c == 'xy'': expected one character in quotes before the text at ''" REST);
	assert_non_null(strstr(read_text("a&&a&&a&&a&&a&&a&&a&&a&&a&&a&&a&&a&&a&&a&&a&&a&&a"),
			       "too many conditions at 'a'"));
	assert_non_null(strstr(read_text("!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!a"),
			       "nested too deeply at"));
	assert_non_null(strstr(read_text("((((((((((((((((((((((((((((((((((((a && b"),
			       "nested too deeply at"));
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
	struct ic_trace_term term = { .with = IC_TRACE_WITH_NAME, .right = { .name = "BLUE" } };
	uint64_t number;

	assert_true(ic_trace_term_enumerator(&term, &enumeration, &number));
	assert_int_equal(number, (uint64_t)-4);
	strcpy(term.right.name, "ns::RED");
	assert_true(ic_trace_term_enumerator(&term, &enumeration, &number));
	assert_int_equal(number, 1);
	strcpy(term.right.name, "GREEN");
	assert_false(ic_trace_term_enumerator(&term, &enumeration, &number));
	assert_false(ic_trace_term_enumerator(&term, NULL, &number));
}

UNIT_TESTS(trace_bpf_filter)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_read),
		cmocka_unit_test(conditions_are_joined_as_in_c),
		cmocka_unit_test(bits_are_masked),
		cmocka_unit_test(builtins_may_be_hidden_by_arguments),
		cmocka_unit_test(globs_keep_what_is_escaped),
		cmocka_unit_test(what_is_no_condition_is_refused_with_the_place),
		cmocka_unit_test(texts_that_are_too_long_are_refused),
		cmocka_unit_test(names_are_those_of_the_enumeration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
