#include "trace/groups/keys.h"

#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The keys of a list, separated by blanks, each with its kind; or why it is none.
static const char *read_text(const char *text)
{
	static char found[sizeof((struct ic_error){ 0 }.message)];
	struct ic_trace_keys keys;
	struct ic_error err;
	size_t length = 0;

	if (!ic_trace_keys_read(text, &keys, &err)) {
		assert_int_equal(err.code, IC_ERROR_ARGUMENT);
		snprintf(found, sizeof(found), "%s", err.message);
		return found;
	}
	for (size_t i = 0; i < keys.count; i++)
		length += (size_t)snprintf(found + length, sizeof(found) - length, "%s%s%s:%d",
					   i > 0 ? " " : "", keys.is_word[i] ? "@" : "",
					   keys.list[i].name, (int)keys.list[i].kind);
	return found;
}

TEST(keys_are_words_or_arguments)
{
	assert_string_equal(read_text("n"), "n:0");
	assert_string_equal(read_text("pid,p->a[1], host ,@stack"),
			    "pid:5 p->a[1]:0 host:2 @stack:9");
	assert_string_equal(read_text("function,call,copy,tid,cpu,comm"),
			    "function:1 call:3 copy:4 tid:6 cpu:7 comm:8");
}

TEST(what_is_no_key_is_refused)
{
	char text[100];

	assert_string_equal(read_text(""), "by '': expected a name");
	assert_string_equal(read_text("a,,b"), "by '': expected a name");
	assert_string_equal(read_text("a,@"), "by '@': expected a name");
	assert_non_null(strstr(read_text("@n"), "by '@n': expected function, host"));
	assert_string_equal(read_text("a,b,c,d,e,f,g,h,i"), "by 'i': more than 8 keys");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_non_null(strstr(read_text(text), "name too long"));
}

static void check_members(const char *wanted, const char *members,
			  const struct ic_trace_options *options)
{
	struct ic_error err;
	char *found = ic_trace_members(members, options, &err);

	if (!found)
		fail_msg("%s", err.message);
	assert_string_equal(found, wanted);
	free(found);
}

#define OPTIONS(...)               \
	&(struct ic_trace_options) \
	{                          \
		__VA_ARGS__        \
	}

TEST(members_of_conditions_and_keys_are_asked_for)
{
	struct ic_error err;

	check_members("", NULL, OPTIONS(.by = NULL));
	check_members("", NULL,
		      OPTIONS(.filter = "n == 1 && s == \"a.b\" && e == ns::A", .measure = "n"));
	check_members("a.b->c,d", NULL, OPTIONS(.filter = "p->a.b->c == 1 && q.d == 'x'"));
	check_members("x,[2].y,z[1]", "x", OPTIONS(.filter = "p[2].y > 0", .measure = "p->z[1]"));
	check_members("a,b", NULL, OPTIONS(.filter = "p->a == q->b"));
	check_members("a,b", NULL, OPTIONS(.by = "host,p->a,n,q->b,@pid"));
	assert_null(ic_trace_members("x", OPTIONS(.filter = "n =="), &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_null(ic_trace_members(NULL, OPTIONS(.by = ""), NULL));
}

UNIT_TESTS(trace_groups_keys)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_words_or_arguments),
		cmocka_unit_test(what_is_no_key_is_refused),
		cmocka_unit_test(members_of_conditions_and_keys_are_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
