#include "unit_test.h"

#include <errno.h>
#include <gelf.h>

#include "elf/files/elf_error.h"

TEST(an_error_has_the_reason_of_libelf)
{
	struct ic_error err;

	elf_version(EV_CURRENT);
	errno = 0;
	assert_null(elf_begin(-1, ELF_C_READ, NULL));
	errno = 0;
	assert_false(ic_fail_libelf(&err, IC_ERROR_MALFORMED, "a", "read the ELF header"));
	assert_error(&err, IC_ERROR_MALFORMED,
		     "a: cannot read the ELF header: invalid file descriptor");
}

TEST(out_of_memory_is_an_error_of_its_own)
{
	struct ic_error err;

	errno = ENOMEM;
	assert_false(ic_fail_libelf(&err, IC_ERROR_MALFORMED, "a", "read the ELF header"));
	assert_error(&err, IC_ERROR_MEMORY, "out of memory");
}

TEST(without_a_reason_none_is_printed)
{
	struct ic_error err;

	(void)elf_errno();
	errno = 0;
	assert_false(ic_fail_libelf(&err, IC_ERROR_NOT_ELF, "a", "read it"));
	assert_error(&err, IC_ERROR_NOT_ELF, "a: cannot read it: libelf gives no reason");
}

UNIT_TESTS(elf_files_elf_error)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_has_the_reason_of_libelf),
		cmocka_unit_test(out_of_memory_is_an_error_of_its_own),
		cmocka_unit_test(without_a_reason_none_is_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
