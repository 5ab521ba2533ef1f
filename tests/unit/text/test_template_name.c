#include "unit_test.h"

#include <string.h>

#include "text/template_name.h"

static void check(const char *name, const char *file, const char *wanted)
{
	char text[128];

	text[ic_template_name(name, file, text, sizeof(text) - 1)] = 0;
	assert_string_equal(text, wanted);
}

TEST(arguments_of_templates_and_generics_are_left_out)
{
	check("plus<int>", NULL, "plus<_>");
	check("ns::box<std::pair<int, char> >::twice<3>(int) const", NULL, "ns::box<_>::twice<_>");
	check("<a::Vec<u8> as b::Push>::push", NULL, "a::Vec<_>::push");
	check("main.Map[go.shape.int]", NULL, "main.Map[_]");
	check("main.(*pair[int,string]).swap", NULL, "main.(*pair[_]).swap");
}

TEST(other_names_stay_as_they_are)
{
	static const char *const names[] = { "",
					     "f",
					     "ns::A::f",
					     "(anonymous namespace)::f",
					     "ns::operator<",
					     "ns::operator<<",
					     "ns::A::operator int",
					     "internal/poll.(*FD).Read" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		check(names[i], "/src/a.c", names[i]);
}

TEST(lambdas_have_the_name_of_their_file)
{
	check("main::{lambda(int)#1}::operator()", "/src/a.cc",
	      "main::{lambda(int)#1}::operator() in a.cc");
	check("main::{lambda(int)#1}::operator()", NULL, "main::{lambda(int)#1}::operator()");
}

TEST(names_that_are_too_long_are_truncated)
{
	char text[8] = "........";

	assert_int_equal(ic_template_name("a_long_name<int>", NULL, text, 6), 6);
	assert_memory_equal(text, "a_long..", 8);
}

UNIT_TESTS(text_template_name)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_of_templates_and_generics_are_left_out),
		cmocka_unit_test(other_names_stay_as_they_are),
		cmocka_unit_test(lambdas_have_the_name_of_their_file),
		cmocka_unit_test(names_that_are_too_long_are_truncated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
