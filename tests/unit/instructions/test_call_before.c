#include "instructions/call_before.h"

#include <elf.h>

#include "unit_test.h"

static enum ic_call_before before(unsigned machine, struct ic_bytes bytes)
{
	return ic_call_before_bytes(machine, IC_HOST_IS_BIG_ENDIAN, bytes, 0x1000);
}

static bool ends(unsigned machine, struct ic_bytes bytes)
{
	enum ic_call_before found = before(machine, bytes);

	assert_int_not_equal(found, IC_CALL_BEFORE_UNKNOWN);
	return found == IC_CALL_BEFORE_FOUND;
}

TEST(a_call_of_x86_may_have_its_target_in_registers_and_memory)
{
	assert_true(ends(EM_X86_64, BYTES(0xe8, 1, 2, 3, 4))); // call f
	assert_true(ends(EM_386, BYTES(0xe8, 1, 2, 3, 4)));
	assert_true(ends(EM_X86_64, BYTES(0x90, 0xff, 0xd0)));       // *%rax
	assert_true(ends(EM_X86_64, BYTES(0x41, 0xff, 0xd4)));       // *%r12
	assert_true(ends(EM_X86_64, BYTES(0xff, 0x10)));             // *(%rax)
	assert_true(ends(EM_X86_64, BYTES(0xff, 0x50, 0x18)));       // *0x18(%rax)
	assert_true(ends(EM_X86_64, BYTES(0xff, 0x90, 0, 1, 0, 0))); // *0x100(%rax)
	assert_true(ends(EM_X86_64, BYTES(0xff, 0x15, 1, 2, 3, 4))); // *f(%rip)
	assert_true(ends(EM_X86_64, BYTES(0xff, 0x14, 0x18)));       // *(%rax,%rbx)
	assert_true(ends(EM_X86_64, BYTES(0xff, 0x54, 0x18, 8)));    // *8(%rax,%rbx)
	assert_true(ends(EM_X86_64, BYTES(0xff, 0x94, 0x18, 0, 1, 0, 0)));
	assert_true(ends(EM_X86_64, BYTES(0xff, 0x14, 0xc5, 0, 1, 0, 0))); // *f(,%rax,8)
	assert_false(ends(EM_X86_64, BYTES(0xe9, 1, 2, 3, 4)));            // jmp f
	assert_false(ends(EM_X86_64, BYTES(0xff, 0xe0)));                  // jmp *%rax
	assert_false(ends(EM_X86_64, BYTES(0xff, 0x50)));                  // cut short
	assert_false(ends(EM_X86_64, BYTES(0xff, 0x15, 1, 2)));
	assert_false(ends(EM_X86_64, BYTES(0x0f, 0x05))); // syscall
	assert_false(ends(EM_X86_64, BYTES(0xe8, 1, 2, 3)));
	assert_false(ends(EM_X86_64, BYTES(0xe8, 1, 2, 3, 4, 0x90)));
	assert_false(ends(EM_X86_64, (struct ic_bytes){ NULL, 0 }));
}

TEST(calls_of_arm_are_of_two_instruction_sets)
{
	struct ic_bytes thumb = BYTES(0xff, 0xf7, 0xf8, 0xff), arm = BYTES(0xf8, 0xff, 0xff, 0xeb);
	struct ic_bytes blx = BYTES(0x98, 0x47);

	assert_true(ends(EM_ARM, thumb)); // bl: the bit may have been cleared
	assert_true(ends(EM_ARM, arm));
	assert_true(ends(EM_ARM, blx));
	assert_true(ends(EM_ARM, BYTES(0xff, 0xf7, 0xf8, 0xef))); // blx f
	assert_true(ends(EM_ARM, BYTES(0x01, 0x00, 0x00, 0xfa))); // the same of ARM
	assert_true(ends(EM_ARM, BYTES(0x33, 0xff, 0x2f, 0xe1))); // blx r3
	assert_true(ends(EM_ARM, BYTES(0x0f, 0xe0, 0xa0, 0xe1, 3, 0xf0, 0xa0, 0xe1)));
	assert_false(ends(EM_ARM, BYTES(0xf8, 0xff, 0xff, 0xea))); // b
	assert_false(ends(EM_ARM, BYTES(0x70, 0x47)));             // bx lr
	assert_int_equal(ic_call_before_bytes(EM_ARM, IC_HOST_IS_BIG_ENDIAN, thumb, 0x1001),
			 IC_CALL_BEFORE_FOUND);
	assert_int_equal(ic_call_before_bytes(EM_ARM, IC_HOST_IS_BIG_ENDIAN, arm, 0x1001),
			 IC_CALL_BEFORE_NONE);
	assert_int_equal(ic_call_before_bytes(EM_ARM, !IC_HOST_IS_BIG_ENDIAN, arm, 0x1000),
			 IC_CALL_BEFORE_UNKNOWN);
}

TEST(aarch64_calls_by_labels_and_registers)
{
	assert_true(ends(EM_AARCH64, BYTES(0xfa, 0xff, 0xff, 0x97)));  // bl
	assert_true(ends(EM_AARCH64, BYTES(0x60, 0x02, 0x3f, 0xd6)));  // blr x19
	assert_true(ends(EM_AARCH64, BYTES(0x1f, 0x09, 0x3f, 0xd6)));  // blraaz x8
	assert_true(ends(EM_AARCH64, BYTES(0x09, 0x09, 0x3f, 0xd7)));  // blraa x8, x9
	assert_false(ends(EM_AARCH64, BYTES(0xfa, 0xff, 0xff, 0x17))); // b
	assert_false(ends(EM_AARCH64, BYTES(0x60, 0x02, 0x1f, 0xd6))); // br x19
	assert_false(ends(EM_AARCH64, BYTES(0xc0, 0x03, 0x5f, 0xd6))); // ret
	assert_false(ends(EM_AARCH64, BYTES(0x97, 0xff)));
}

TEST(calls_of_riscv_link_to_a_register)
{
	assert_true(ends(EM_RISCV, BYTES(0xef, 0xf0, 0xdf, 0xfd)));  // jal ra
	assert_true(ends(EM_RISCV, BYTES(0xe7, 0x80, 0xe0, 0xfd)));  // jalr ra, -34(ra)
	assert_true(ends(EM_RISCV, BYTES(0x82, 0x97)));              // c.jalr a5
	assert_false(ends(EM_RISCV, BYTES(0x6f, 0xf0, 0xdf, 0xfd))); // j
	assert_false(ends(EM_RISCV, BYTES(0x67, 0x80, 0x00, 0x00))); // ret
	assert_false(ends(EM_RISCV, BYTES(0x82, 0x80)));             // c.jr ra
	assert_false(ends(EM_RISCV, BYTES(0x02, 0x90)));             // c.ebreak
}

TEST(calls_of_power_have_a_bit)
{
	assert_true(ends(EM_PPC64, BYTES(0xb5, 0xff, 0xff, 0x4b)));  // bl
	assert_true(ends(EM_PPC64, BYTES(0x21, 0x04, 0x80, 0x4e)));  // bctrl
	assert_true(ends(EM_PPC64, BYTES(0x21, 0x00, 0x80, 0x4e)));  // blrl
	assert_false(ends(EM_PPC64, BYTES(0xb4, 0xff, 0xff, 0x4b))); // b
	assert_false(ends(EM_PPC64, BYTES(0x20, 0x04, 0x80, 0x4e))); // bctr
	assert_int_equal(ic_call_before_bytes(EM_PPC, !IC_HOST_IS_BIG_ENDIAN,
					      BYTES(0x4b, 0xff, 0xff, 0xb5), 0),
			 IC_CALL_BEFORE_FOUND);
}

TEST(calls_of_s390_are_of_three_sizes)
{
	assert_true(ends(EM_S390, BYTES(0xc0, 0xe5, 0xff, 0xff, 0xff, 0xf0)));  // brasl
	assert_true(ends(EM_S390, BYTES(0xa7, 0xe5, 0xff, 0xf0)));              // bras
	assert_true(ends(EM_S390, BYTES(0x0d, 0xe1)));                          // basr
	assert_false(ends(EM_S390, BYTES(0xc0, 0xf4, 0xff, 0xff, 0xff, 0xf0))); // jg
	assert_false(ends(EM_S390, BYTES(0x07, 0xfe)));                         // br
}

TEST(calls_of_mips_have_a_delay_slot)
{
	struct ic_bytes late = BYTES(0x12, 0, 0, 0x0c, 0, 0, 0, 0);

	assert_true(ends(EM_MIPS, late));                                      // jal, nop
	assert_true(ends(EM_MIPS, BYTES(0x09, 0xf8, 0x20, 0x03, 0, 0, 0, 0))); // jalr $25
	assert_true(ends(EM_MIPS, BYTES(0xf0, 0xff, 0x11, 0x04, 0, 0, 0, 0))); // bal
	assert_true(ends(EM_MIPS, BYTES(0xf0, 0xff, 0xff, 0xe8)));             // balc
	assert_false(ends(EM_MIPS, BYTES(0x12, 0, 0, 0x08, 0, 0, 0, 0)));      // j
	assert_false(ends(EM_MIPS, BYTES(0x08, 0, 0xe0, 0x03, 0, 0, 0, 0)));   // jr $ra
	assert_false(ends(EM_MIPS, (struct ic_bytes){ late.data, 4 }));
}

TEST(loongarch_links_to_a_register)
{
	assert_true(ends(EM_LOONGARCH, BYTES(0xff, 0xf3, 0xff, 0x57)));  // bl
	assert_true(ends(EM_LOONGARCH, BYTES(0x81, 0x01, 0x00, 0x4c)));  // jirl $ra, $t0
	assert_false(ends(EM_LOONGARCH, BYTES(0x20, 0x00, 0x00, 0x4c))); // ret
}

TEST(calls_of_other_machines_are_not_known)
{
	assert_int_equal(before(EM_SPARC, BYTES(0, 0, 0, 0)), IC_CALL_BEFORE_UNKNOWN);
}

UNIT_TESTS(instructions_call_before)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_of_x86_may_have_its_target_in_registers_and_memory),
		cmocka_unit_test(calls_of_arm_are_of_two_instruction_sets),
		cmocka_unit_test(aarch64_calls_by_labels_and_registers),
		cmocka_unit_test(calls_of_riscv_link_to_a_register),
		cmocka_unit_test(calls_of_power_have_a_bit),
		cmocka_unit_test(calls_of_s390_are_of_three_sizes),
		cmocka_unit_test(calls_of_mips_have_a_delay_slot),
		cmocka_unit_test(loongarch_links_to_a_register),
		cmocka_unit_test(calls_of_other_machines_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
