#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "text/demangle.h"

static char *demangled(const char *symbol, enum ic_demangle_style style)
{
	char *name;

	assert_true(ic_demangle(symbol, style, &name));
	return name;
}

static void check(const char *symbol, enum ic_demangle_style style, const char *wanted)
{
	char *name = demangled(symbol, style);

	assert_non_null(name);
	assert_string_equal(name, wanted);
	free(name);
}

TEST(names_of_cxx_are_as_the_source_has_them)
{
	check("_ZN2ns1fEi", IC_DEMANGLE_PARAMS, "ns::f(int)");
	check("_ZN2ns1fEi", IC_DEMANGLE_NAME, "ns::f");
	check("_Z5clampIiET_S0_", IC_DEMANGLE_NAME, "clamp<int>");
	check("_ZNK3BoxIdE4sizeEv", IC_DEMANGLE_PARAMS, "Box<double>::size() const");
}

TEST(a_template_has_a_return_type_in_full_alone)
{
	check("_Z5clampIiET_S0_", IC_DEMANGLE_PARAMS, "clamp<int>(int)");
	check("_Z5clampIiET_S0_", IC_DEMANGLE_FULL, "int clamp<int>(int)");
}

TEST(names_of_d_are_as_the_source_has_them)
{
	check("_D3std5stdio7writelnFZv", IC_DEMANGLE_FULL, "std.stdio.writeln()");
}

TEST(names_of_rust_are_as_the_source_has_them)
{
	check("_RNvCs1234_7mycrate3foo", IC_DEMANGLE_NAME, "mycrate::foo");
	check("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", IC_DEMANGLE_NAME,
	      "core::fmt::Write::write_fmt");
}

TEST(what_is_not_mangled_has_no_other_name)
{
	assert_null(demangled("main", IC_DEMANGLE_FULL));
	assert_null(demangled("", IC_DEMANGLE_FULL));
	assert_null(demangled("_", IC_DEMANGLE_NAME));
	assert_null(demangled("_start", IC_DEMANGLE_NAME));
	assert_null(demangled("_Z", IC_DEMANGLE_NAME));
	assert_null(demangled("?f@@YAHXZ", IC_DEMANGLE_NAME)); // another compiler's
}

TEST(no_symbol_is_not_mangled)
{
	assert_null(demangled(NULL, IC_DEMANGLE_FULL));
}

TEST(a_symbol_that_would_exhaust_the_stack_is_left_alone)
{
	size_t size = 1 << 20;
	char *symbol = malloc(size + 1);

	memset(symbol, 'P', size);
	memcpy(symbol, "_Z1f", 4);
	symbol[size] = 0;
	assert_null(demangled(symbol, IC_DEMANGLE_FULL));
	symbol[60000] = 0; // shorter, and still pointers to pointers: it may have a name or none
	free(demangled(symbol, IC_DEMANGLE_FULL));
	free(symbol);
}

// f(A<int, int>, B<A<int, int>, A<int, int> >, C<B<...>, B<...> >, ...): each parameter is twice as
// long as the one before it.
TEST(a_name_that_doubles_with_every_letter_is_none)
{
	char symbol[512] = "_Z1f1AIiiE";
	size_t length = strlen(symbol);

	for (int i = 0; i < 17; i++)
		length += (size_t)snprintf(symbol + length, sizeof(symbol) - length,
					   "1%cIS%c_S%c_E", 'B' + i,
					   "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[2 * i],
					   "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[2 * i]);
	assert_null(demangled(symbol, IC_DEMANGLE_FULL));
	symbol[4 + 6 + 3 * 10] = 0; // three of them are a name
	char *name = demangled(symbol, IC_DEMANGLE_FULL);
	assert_non_null(name);
	free(name);
}

UNIT_TESTS(text_demangle)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_cxx_are_as_the_source_has_them),
		cmocka_unit_test(a_template_has_a_return_type_in_full_alone),
		cmocka_unit_test(names_of_d_are_as_the_source_has_them),
		cmocka_unit_test(names_of_rust_are_as_the_source_has_them),
		cmocka_unit_test(a_name_that_doubles_with_every_letter_is_none),
		cmocka_unit_test(what_is_not_mangled_has_no_other_name),
		cmocka_unit_test(no_symbol_is_not_mangled),
		cmocka_unit_test(a_symbol_that_would_exhaust_the_stack_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
