#include "unit_test.h"

#include "trace/bpf/kernel.h"

TEST(a_call_that_the_kernel_rejects_has_its_error_number)
{
	struct ic_error err = { .message = "" };

	// Without values it is invalid, if BPF is permitted at all.
	int map = ic_bpf_array_new(0, 1, &err);
	assert_true(map < 0);
	assert_int_equal(err.code, IC_ERROR_SYSTEM);
	assert_int_equal(err.os_error, -map);
}

TEST(probes_that_cannot_be_attached_have_an_error_number)
{
	const struct ic_bpf_places places = { .path = "/nonexistent", .count = 1 };
	struct ic_error err = { .message = "" };
	int link = ic_bpf_attach_multi(-1, &places, &err);

	assert_true(link < 0);
	assert_int_equal(err.code, IC_ERROR_SYSTEM);
	assert_int_equal(err.os_error, -link);
}

UNIT_TESTS(trace_bpf_kernel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_that_the_kernel_rejects_has_its_error_number),
		cmocka_unit_test(probes_that_cannot_be_attached_have_an_error_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
