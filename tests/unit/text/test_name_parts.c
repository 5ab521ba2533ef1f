#include "unit_test.h"

#include <stdio.h>

#include "text/name_parts.h"

// "ns|A<b::c>|f<d>|(e)": the parts and the parameters.
static const char *parts_of(const char *name)
{
	static char text[1024];
	struct ic_name_parts parts;
	size_t length = 0;

	ic_name_parts_split(&parts, name);
	for (uint32_t i = 0; i < parts.count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%.*s|",
					   (int)parts.parts[i].length, parts.parts[i].start);
	snprintf(text + length, sizeof(text) - length, "%.*s", (int)parts.params.length,
		 parts.params.start);
	return text;
}

static bool means(const char *wanted, const char *name)
{
	struct ic_name_parts left, right;

	ic_name_parts_split(&left, wanted);
	ic_name_parts_split(&right, name);
	return ic_name_parts_match(&left, &right);
}

TEST(scopes_are_separated_outside_of_brackets_only)
{
	assert_string_equal(parts_of("f"), "f|");
	assert_string_equal(parts_of(""), "|");
	assert_string_equal(parts_of("ns::A<b::c>::f<d>(e) const"), "ns|A<b::c>|f<d>|(e) const");
	assert_string_equal(parts_of("(anonymous namespace)::f()"), "(anonymous namespace)|f|()");
	assert_string_equal(parts_of("f(int) const::Local::get()"), "f|Local|get|()");
	assert_string_equal(parts_of("main::{lambda(int)#1}::operator()(int) const"),
			    "main|{lambda(int)#1}|operator()|(int) const");
	assert_string_equal(parts_of("f(g::h"), "f|(g::h");
	assert_string_equal(parts_of("a<b::c"), "a<b::c|");
	assert_string_equal(parts_of("a>::b"), "a>|b|");
	assert_string_equal(parts_of("::"), "||");
}

TEST(the_type_that_a_function_returns_is_no_part_of_its_name)
{
	assert_string_equal(parts_of("unsigned int ns::f<int>(int, int)"), "ns|f<int>|(int, int)");
	assert_string_equal(parts_of("a::b c::d()"), "a|c|d|()");
}

TEST(operators_are_names)
{
	assert_string_equal(parts_of("A::operator<(int)"), "A|operator<|(int)");
	assert_string_equal(parts_of("A::operator<< <int>(int)"), "A|operator<< <int>|(int)");
	assert_string_equal(parts_of("A::operator->()"), "A|operator->|()");
	assert_string_equal(parts_of("long A::operator-<int, B::C>(int)"),
			    "A|operator-<int, B::C>|(int)");
	assert_string_equal(parts_of("A::operator[](int)"), "A|operator[]|(int)");
	assert_string_equal(parts_of("A::operator unsigned long() const"),
			    "A|operator unsigned long|() const");
	assert_string_equal(parts_of("operators<int>::f()"), "operators<int>|f|()");
}

TEST(types_of_rust_are_scopes)
{
	assert_string_equal(parts_of("<a::B<c::D> as e::F>::g::<h::I>"), "a|B<c::D>|g::<h::I>|");
	assert_string_equal(parts_of("<core::option::Option<u8>>::unwrap"),
			    "core|option|Option<u8>|unwrap|");
	assert_string_equal(parts_of("f::<fn(u8) -> u8>::{closure#0}"),
			    "f::<fn(u8) -> u8>|{closure#0}|");
	assert_string_equal(parts_of("<a"), "<a|");
	assert_string_equal(parts_of("<<<a>::b>::c>::d"), "a|b|c|d|");
}

TEST(receivers_of_go_are_parts_of_names)
{
	assert_string_equal(parts_of("main.(*T).add"), "main.(*T).add|");
	assert_string_equal(parts_of("main.(*T).add()"), "main.(*T).add|()");
}

TEST(the_last_scopes_count_if_there_are_too_many)
{
	char name[4096] = "";

	for (int i = 0; i < 500; i++)
		strcat(name, "a::");
	strcat(name, "b::c");
	assert_true(means("b::c", name));
	assert_false(means("b", name));
}

TEST(outer_scopes_may_be_left_out)
{
	assert_true(means("Circle::Circle", "ns::Circle::Circle(int)"));
	assert_true(means("Circle", "ns::Circle::Circle(int)"));
	assert_true(means("Option::unwrap", "<core::option::Option<u32>>::unwrap"));
	assert_false(means("ircle::Circle", "ns::Circle::Circle(int)"));
	assert_false(means("ns::Circle", "ns::Circle::Circle(int)"));
	assert_false(means("other::ns::f", "ns::f"));
}

TEST(arguments_may_be_left_out_in_any_part)
{
	assert_true(
		means("vector::push_back", "std::vector<int, std::allocator<int> >::push_back"));
	assert_true(means("vector<int>::push_back<int>", "std::vector<int>::push_back<int>"));
	assert_true(means("vector::f<int>", "std::vector<int>::f<int>"));
	assert_false(means("vector<long>::f", "std::vector<int>::f"));
	assert_false(means("f<long>", "f<int>"));
	assert_true(means("f<u64>", "a::f::<u64>"));
	assert_true(means("f::<u64>", "a::f<u64>"));
	assert_true(means("main.Map", "main.Map[go.shape.int_0]"));
	assert_true(means("main.(*List).Push", "main.(*List[go.shape.int_0]).Push"));
	assert_false(means("main.Map", "main.Map[go.shape.int_0].func1"));
	assert_true(means("f", "f[abi:cxx11]()"));
	assert_true(means("operator<", "A::operator< <int>(int)"));
	assert_false(means("operator", "operator<"));
	assert_false(means("operator", "operator[]"));
	assert_false(means("operator<", "operator<<"));
	assert_false(means("operator<<", "operator<"));
}

TEST(parameters_are_compared_where_both_have_them)
{
	assert_true(means("f(int)", "ns::f(int)"));
	assert_true(means("f(int)", "ns::f(int) const"));
	assert_true(means("f(int)", "f"));
	assert_true(means("f()", "f"));
	assert_false(means("f()", "f(int)"));
	assert_false(means("f(int)", "f(int, int)"));
	assert_false(means("f(int) const", "f(int)"));
	assert_false(means("f(int)::g", "f(int)"));
}

TEST(a_name_may_be_a_word_and_arguments)
{
	assert_true(ic_name_has_only_arguments("f<a(*)(b), c::d>", 1));
	assert_false(ic_name_has_only_arguments("f", 1));
	assert_false(ic_name_has_only_arguments("f<", 1));
	assert_false(ic_name_has_only_arguments("f<a>(int)", 1));
	assert_false(ic_name_has_only_arguments("f<a>::g<b>", 1));
}

UNIT_TESTS(text_name_parts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scopes_are_separated_outside_of_brackets_only),
		cmocka_unit_test(the_type_that_a_function_returns_is_no_part_of_its_name),
		cmocka_unit_test(operators_are_names),
		cmocka_unit_test(types_of_rust_are_scopes),
		cmocka_unit_test(receivers_of_go_are_parts_of_names),
		cmocka_unit_test(the_last_scopes_count_if_there_are_too_many),
		cmocka_unit_test(outer_scopes_may_be_left_out),
		cmocka_unit_test(arguments_may_be_left_out_in_any_part),
		cmocka_unit_test(parameters_are_compared_where_both_have_them),
		cmocka_unit_test(a_name_may_be_a_word_and_arguments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
