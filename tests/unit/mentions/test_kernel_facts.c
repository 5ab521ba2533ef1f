#include "unit_test.h"

#include <inlinecall/extra/mentions.h>

static bool read_fact(const char *line, struct ic_kernel_fact *fact)
{
	return ic_kernel_fact_read(line, strlen(line), fact);
}

TEST(a_boot_says_the_release)
{
	struct ic_kernel_fact fact;

	assert_true(read_fact("[    0.000000] Linux version 6.1.0-56-amd64 (debian@x) #1", &fact));
	assert_int_equal(fact.kind, IC_KERNEL_BOOT);
	assert_true(ic_span_is(fact.release, "6.1.0-56-amd64"));
}

TEST(a_dump_says_the_release_and_the_build)
{
	static const char id[] = "0123456789abcdef0123456789abcdef01234567";
	struct ic_kernel_fact fact;

	assert_true(read_fact("CPU: 1 PID: 9 Comm: cat Not tainted 6.1.0-56-amd64 #1 "
			      "0123456789abcdef0123456789abcdef01234567",
			      &fact));
	assert_int_equal(fact.kind, IC_KERNEL_RELEASE);
	assert_true(ic_span_is(fact.release, "6.1.0-56-amd64"));
	assert_true(ic_span_is(fact.build_id, id));
	assert_true(
		read_fact("CPU: 1 PID: 9 Comm: a Tainted: G    W  6.12.1+ #1 Debian 6.1", &fact));
	assert_true(ic_span_is(fact.release, "6.12.1+"));
	assert_null(fact.build_id.text);
}

TEST(a_panic_says_the_offset)
{
	struct ic_kernel_fact fact;

	assert_true(read_fact("Kernel Offset: 0x1e000000 from 0xffffffff81000000 (reloc)", &fact));
	assert_int_equal(fact.kind, IC_KERNEL_OFFSET);
	assert_int_equal(fact.offset, 0x1e000000);
	assert_true(read_fact("Kernel Offset: disabled", &fact));
	assert_int_equal(fact.offset, 0);
}

TEST(other_lines_say_nothing)
{
	struct ic_kernel_fact fact;

	assert_false(read_fact("", &fact));
	assert_false(read_fact("Kernel Offset: 1e000000", &fact));
	assert_false(read_fact("CPU: 1 is not tainted", &fact));
	assert_false(read_fact("vfs_read+0x1/0x2", &fact));
	assert_int_equal(fact.kind, IC_KERNEL_NONE);
	assert_false(ic_kernel_fact_read(NULL, 0, &fact));
}

UNIT_TESTS(mentions_kernel_facts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_boot_says_the_release),
		cmocka_unit_test(a_dump_says_the_release_and_the_build),
		cmocka_unit_test(a_panic_says_the_offset),
		cmocka_unit_test(other_lines_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
