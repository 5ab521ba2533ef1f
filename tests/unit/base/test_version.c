#include "unit_test.h"

#include <stdio.h>

#include <inlinecall/version.h>

TEST(the_version_as_text_is_the_one_in_numbers)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "%d.%d.%d", IC_VERSION_MAJOR, IC_VERSION_MINOR,
		 IC_VERSION_PATCH);
	assert_string_equal(ic_version(), wanted);
}

UNIT_TESTS(base_version)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_version_as_text_is_the_one_in_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
