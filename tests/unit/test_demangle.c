#include "unit_test.h"

#include <stdlib.h>

#include "base/demangle.h"

static void check(const char *symbol, bool with_params, const char *wanted)
{
	char *name = ic_demangle(symbol, with_params);

	assert_non_null(name);
	assert_string_equal(name, wanted);
	free(name);
}

TEST(names_of_cxx_are_as_the_source_has_them)
{
	check("_ZN2ns1fEi", true, "ns::f(int)");
	check("_ZN2ns1fEi", false, "ns::f");
	check("_Z5clampIiET_S0_", false, "clamp<int>");
	check("_ZNK3BoxIdE4sizeEv", true, "Box<double>::size() const");
}

TEST(names_of_rust_are_as_the_source_has_them)
{
	check("_RNvCs1234_7mycrate3foo", false, "mycrate::foo");
	check("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", false,
	      "core::fmt::Write::write_fmt");
}

TEST(what_is_not_mangled_has_no_other_name)
{
	assert_null(ic_demangle("main", true));
	assert_null(ic_demangle("", true));
	assert_null(ic_demangle("_", false));
	assert_null(ic_demangle("_start", false));
	assert_null(ic_demangle("_Z", false));
	assert_null(ic_demangle("?f@@YAHXZ", false)); // another compiler's
}

TEST(a_symbol_that_would_exhaust_the_stack_is_left_alone)
{
	size_t size = 1 << 20;
	char *symbol = malloc(size + 1);

	memset(symbol, 'P', size);
	memcpy(symbol, "_Z1f", 4);
	symbol[size] = 0;
	assert_null(ic_demangle(symbol, true));
	symbol[60000] = 0; // shorter, and still pointers to pointers: it may have a name or none
	free(ic_demangle(symbol, true));
	free(symbol);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_cxx_are_as_the_source_has_them),
		cmocka_unit_test(names_of_rust_are_as_the_source_has_them),
		cmocka_unit_test(what_is_not_mangled_has_no_other_name),
		cmocka_unit_test(a_symbol_that_would_exhaust_the_stack_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
