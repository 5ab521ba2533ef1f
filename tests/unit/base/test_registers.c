#include "base/registers.h"

#include "unit_test.h"

enum { // EM_* of the ELF standard
	SPARC = 2,
	I386 = 3,
	MIPS = 8,
	MIPS_RS3_LE = 10,
	SPARC32PLUS = 18,
	PPC = 20,
	PPC64 = 21,
	S390 = 22,
	ARM = 40,
	SPARCV9 = 43,
	X86_64 = 62,
	AARCH64 = 183,
	RISCV = 243,
	LOONGARCH = 258,
};

TEST(registers_have_the_names_of_their_abi)
{
	static const struct {
		unsigned machine;
		uint32_t number;
		const char *name;
	} rows[] = {
		// clang-format off
		{ X86_64, 0, "rax" }, { X86_64, 1, "rdx" }, { X86_64, 2, "rcx" }, { X86_64, 4, "rsi" },
		{ X86_64, 5, "rdi" }, { X86_64, 7, "rsp" }, { X86_64, 15, "r15" }, { X86_64, 16, "rip" },
		{ X86_64, 17, "xmm0" }, { X86_64, 32, "xmm15" }, { X86_64, 33, "st0" },
		{ X86_64, 48, "mm7" }, { X86_64, 59, "gs.base" }, { X86_64, 82, "xmm31" },
		{ X86_64, 125, "k7" }, { X86_64, 145, "r31" },
		{ I386, 1, "ecx" }, { I386, 9, "eflags" }, { I386, 39, "mxcsr" }, { I386, 45, "gs" },
		{ AARCH64, 30, "x30" }, { AARCH64, 31, "sp" }, { AARCH64, 34, "ra_sign_state" },
		{ AARCH64, 63, "p15" }, { AARCH64, 95, "v31" }, { AARCH64, 127, "z31" },
		{ ARM, 13, "sp" }, { ARM, 95, "s31" }, { ARM, 287, "d31" }, { ARM, 165, "r14_svc" },
		{ RISCV, 0, "zero" }, { RISCV, 8, "s0" }, { RISCV, 10, "a0" }, { RISCV, 27, "s11" },
		{ RISCV, 31, "t6" }, { RISCV, 42, "fa0" }, { RISCV, 63, "ft11" }, { RISCV, 7202, "vlenb" },
		{ PPC64, 65, "lr" }, { PPC64, 66, "ctr" }, { PPC64, 75, "cr7" }, { PPC64, 77, "vr0" },
		{ PPC, 101, "xer" }, { PPC, 108, "lr" }, { PPC, 1155, "vr31" },
		{ S390, 15, "r15" }, { S390, 17, "f2" }, { S390, 31, "f15" }, { S390, 83, "v31" },
		{ MIPS, 4, "r4" }, { MIPS_RS3_LE, 65, "lo" }, { LOONGARCH, 63, "f31" },
		{ SPARC, 8, "o0" }, { SPARC32PLUS, 31, "i7" }, { SPARCV9, 79, "f62" },
	}; // clang-format on

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint32_t number;
		assert_string_equal(ic_register_name(rows[i].machine, rows[i].number),
				    rows[i].name);
		assert_true(ic_register_number(rows[i].machine, rows[i].name, &number));
		assert_int_equal(number, rows[i].number);
	}
}

TEST(what_is_not_known_has_no_name)
{
	uint32_t number = 1;

	assert_null(ic_register_name(X86_64, 56));
	assert_null(ic_register_name(X86_64, 146));
	assert_null(ic_register_name(X86_64, UINT32_MAX));
	assert_null(ic_register_name(RISCV, 64));
	assert_null(ic_register_name(0, 0));
	assert_null(ic_register_name(X86_64 + 65536, 0));
	assert_false(ic_register_number(X86_64, "eax", &number));
	assert_int_equal(number, 0);
	assert_false(ic_register_number(I386, "", &number));
	assert_false(ic_register_number(247, "r0", &number));
}

// GCC's numbers for some are others than those of the ABI, which names mean.
TEST(a_name_of_two_numbers_means_the_first)
{
	uint32_t number;

	assert_string_equal(ic_register_name(PPC64, 1124), "vr0");
	assert_true(ic_register_number(PPC64, "vr0", &number));
	assert_int_equal(number, 77);
}

UNIT_TESTS(base_registers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_have_the_names_of_their_abi),
		cmocka_unit_test(what_is_not_known_has_no_name),
		cmocka_unit_test(a_name_of_two_numbers_means_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
