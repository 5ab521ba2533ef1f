#include "unit_test.h"

#include <errno.h>

TEST(an_error_has_its_code_and_its_sentence)
{
	struct ic_error err;

	assert_false(ic_fail(&err, IC_ERROR_UNSUPPORTED, "%s: %d", "a.out", 7));
	assert_error(&err, IC_ERROR_UNSUPPORTED, "a.out: 7");
	assert_null(err.section);
	assert_int_equal(err.offset, 0);
	assert_int_equal(err.os_error, 0);
	assert_false(ic_fail_memory(&err));
	assert_error(&err, IC_ERROR_MEMORY, "out of memory");
}

TEST(a_fault_in_a_section_says_where)
{
	struct ic_error err;

	assert_false(ic_fail_at(&err, ".debug_info", 0x1234, "no %s", "entry"));
	assert_fault(&err, ".debug_info", 0x1234, ".debug_info+0x1234: no entry");
	assert_false(ic_fail_at(&err, ".debug_str", UINT64_MAX, "x"));
	assert_string_equal(err.message, ".debug_str+0xffffffffffffffff: x");
}

TEST(a_system_call_that_failed_says_which_and_why)
{
	struct ic_error err;

	errno = ENOENT;
	assert_false(ic_fail_system(&err, "open", "/no/such"));
	assert_int_equal(errno, ENOENT);
	assert_error(&err, IC_ERROR_SYSTEM, "/no/such: cannot open: No such file or directory");
	assert_int_equal(err.os_error, ENOENT);
}

TEST(a_message_too_long_is_cut_and_ends)
{
	char text[3000];
	struct ic_error err;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	ic_fail(&err, IC_ERROR_ARGUMENT, "%s", text);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
	ic_fail_at(&err, ".debug_info", 1, "%s", text);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
	assert_memory_equal(err.message, ".debug_info+0x1: xxx", 20);
}

UNIT_TESTS(base_error)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_has_its_code_and_its_sentence),
		cmocka_unit_test(a_fault_in_a_section_says_where),
		cmocka_unit_test(a_system_call_that_failed_says_which_and_why),
		cmocka_unit_test(a_message_too_long_is_cut_and_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
