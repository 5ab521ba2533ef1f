#include "dwarf/frames/instruction.h"

#include "unit_test.h"

enum { X86_64 = 62, AARCH64 = 183 };

static struct ic_cie cie = { .code_align = 4,
			     .data_align = -8,
			     .addr_size = 8,
			     .pointer_encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4 };

static struct ic_cfi_section section_of(struct ic_bytes bytes)
{
	return (struct ic_cfi_section){
		.bytes = bytes, .name = ".test", .addr = 0x1000, .addr_size = 8, .swap = SWAP_LITTLE
	};
}

// Checks the first instruction of some bytes, which it is to take all of.
static struct ic_cfi_instruction check(struct ic_bytes bytes, uint8_t code, uint64_t first,
				       uint64_t second)
{
	const struct ic_cfi_section section = section_of(bytes);
	struct ic_cfi_instruction instruction = { .off = 99 };
	struct ic_cursor cur = cursor_over(bytes);

	assert_true(ic_cfi_instruction_next(&cur, &section, &cie, &instruction));
	assert_int_equal(instruction.code, code);
	assert_int_equal(instruction.off, 0);
	assert_int_equal(instruction.first, first);
	assert_int_equal(instruction.second, second);
	assert_false(ic_cursor_more(&cur));
	assert_false(ic_cfi_instruction_next(&cur, &section, &cie, &instruction));
	assert_null(cur.fault);
	return instruction;
}

TEST(operands_are_those_of_the_standard)
{
	check(BYTES(0x43), DW_CFA_advance_loc, 12, 0);
	check(BYTES(0x86, 2), DW_CFA_offset, 6, (uint64_t)-16);
	check(BYTES(0xc6), DW_CFA_restore, 6, 0);
	check(BYTES(0), DW_CFA_nop, 0, 0);
	check(BYTES(1, 0xff, 0xff, 0xff, 0xff), DW_CFA_set_loc, 0x1000, 0); // from byte 1
	check(BYTES(2, 0xff), DW_CFA_advance_loc1, 0xff * 4, 0);
	check(BYTES(3, 0xfe, 0xff), DW_CFA_advance_loc2, 0xfffe * 4, 0);
	check(BYTES(4, 0, 0, 0, 1), DW_CFA_advance_loc4, 0x4000000, 0);
	check(BYTES(5, 0x80, 1, 2), DW_CFA_offset_extended, 128, (uint64_t)-16);
	check(BYTES(6, 0x80, 1), DW_CFA_restore_extended, 128, 0);
	check(BYTES(7, 3), DW_CFA_undefined, 3, 0);
	check(BYTES(8, 3), DW_CFA_same_value, 3, 0);
	check(BYTES(9, 3, 4), DW_CFA_register, 3, 4);
	check(BYTES(10), DW_CFA_remember_state, 0, 0);
	check(BYTES(11), DW_CFA_restore_state, 0, 0);
	check(BYTES(12, 7, 8), DW_CFA_def_cfa, 7, 8);
	check(BYTES(13, 6), DW_CFA_def_cfa_register, 6, 0);
	check(BYTES(14, 0x80, 1), DW_CFA_def_cfa_offset, 128, 0);
	check(BYTES(0x11, 3, 0x7f), DW_CFA_offset_extended_sf, 3, 8);
	check(BYTES(0x12, 7, 0x7e), DW_CFA_def_cfa_sf, 7, 16);
	check(BYTES(0x13, 0x7e), DW_CFA_def_cfa_offset_sf, 16, 0);
	check(BYTES(0x14, 3, 2), DW_CFA_val_offset, 3, (uint64_t)-16);
	check(BYTES(0x15, 3, 0x7e), DW_CFA_val_offset_sf, 3, 16);
	check(BYTES(0x1d, 1, 0, 0, 0, 1, 0, 0, 0), DW_CFA_MIPS_advance_loc8, 0x400000004, 0);
	check(BYTES(0x2b, 1, 0x7f), DW_CFA_AARCH64_set_ra_state, 1, (uint64_t)-4);
	check(BYTES(0x2c), DW_CFA_AARCH64_negate_ra_state_with_pc, 0, 0);
	check(BYTES(0x2d), DW_CFA_GNU_window_save, 0, 0);
	check(BYTES(0x2e, 16), DW_CFA_GNU_args_size, 16, 0);
	check(BYTES(0x2f, 3, 2), DW_CFA_GNU_negative_offset_extended, 3, 16);
	assert_int_equal(check(BYTES(0x30, 7, 8, 5), DW_CFA_LLVM_def_aspace_cfa, 7, 8).space, 5);
	assert_int_equal(check(BYTES(0x31, 7, 0x7f, 5), DW_CFA_LLVM_def_aspace_cfa_sf, 7, 8).space,
			 5);
}

TEST(expressions_have_a_size_and_bytes)
{
	const struct ic_bytes plain = BYTES(15, 2, 0x77, 8), other = BYTES(0x10, 3, 1, 0x30);

	assert_ptr_equal(check(plain, DW_CFA_def_cfa_expression, 2, 0).bytes, plain.data + 2);
	assert_ptr_equal(check(other, DW_CFA_expression, 3, 1).bytes, other.data + 3);
	check(BYTES(0x16, 3, 0), DW_CFA_val_expression, 3, 0);
}

TEST(an_instruction_that_advances_says_to_where)
{
	struct ic_cfi_instruction instruction = check(BYTES(0x43), DW_CFA_advance_loc, 12, 0);
	uint64_t addr = 0x100;

	assert_true(ic_cfi_instruction_advances(&instruction, &addr));
	assert_int_equal(addr, 0x10c);
	instruction.code = DW_CFA_set_loc;
	assert_true(ic_cfi_instruction_advances(&instruction, &addr));
	assert_int_equal(addr, 12);
	instruction.code = DW_CFA_offset;
	assert_false(ic_cfi_instruction_advances(&instruction, &addr));
	assert_int_equal(addr, 12);
}

TEST(a_name_is_that_of_the_machine)
{
	assert_string_equal(ic_cfi_instruction_name(DW_CFA_advance_loc, X86_64), "advance_loc");
	assert_string_equal(ic_cfi_instruction_name(DW_CFA_GNU_window_save, X86_64),
			    "GNU_window_save");
	assert_string_equal(ic_cfi_instruction_name(DW_CFA_GNU_window_save, AARCH64),
			    "AARCH64_negate_ra_state");
	assert_null(ic_cfi_instruction_name(0x17, X86_64));
}

static void check_fault(struct ic_bytes bytes, const char *message)
{
	const struct ic_cfi_section section = section_of(bytes);
	struct ic_cfi_instruction instruction = { 0 };
	struct ic_cursor cur = cursor_over(bytes);
	struct ic_error err;

	assert_false(ic_cfi_instruction_next(&cur, &section, &cie, &instruction));
	assert_false(ic_cursor_ok(&cur, &err));
	assert_error(&err, IC_ERROR_MALFORMED, message);
	assert_false(ic_cfi_instruction_next(&cur, &section, &cie, &instruction));
}

TEST(an_unknown_instruction_is_a_fault)
{
	unsigned known = 0;

	for (unsigned code = 0; code < 0x40; code++)
		known += ic_cfi_instruction_info((uint8_t)code)->name != NULL;
	assert_int_equal(known, 31); // and those with an operand in the code
	check_fault(BYTES(0x17, 0), ".test+0x0: unknown instruction");
	check_fault(BYTES(0x3f, 0), ".test+0x0: unknown instruction");
}

TEST(operands_that_end_too_early_are_a_fault)
{
	check_fault(BYTES(4, 0, 0), ".test+0x1: unexpected end of data");
	check_fault(BYTES(12, 7), ".test+0x2: unexpected end of data");
	check_fault(BYTES(15, 2, 0x77), ".test+0x2: unexpected end of data");
}

UNIT_TESTS(dwarf_frames_instruction)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_are_those_of_the_standard),
		cmocka_unit_test(expressions_have_a_size_and_bytes),
		cmocka_unit_test(an_instruction_that_advances_says_to_where),
		cmocka_unit_test(a_name_is_that_of_the_machine),
		cmocka_unit_test(an_unknown_instruction_is_a_fault),
		cmocka_unit_test(operands_that_end_too_early_are_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
