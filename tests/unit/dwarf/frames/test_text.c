#include "dwarf/frames/text.h"

#include "unit_test.h"

#include <stdio.h>

enum { SPARCV9 = 43, X86_64 = 62, AARCH64 = 183 };

static const struct ic_cie cie = {
	.code_align = 1, .data_align = -8, .addr_size = 8, .pointer_encoding = DW_EH_PE_udata4
};

// The text that `write` makes, and an error's message.
#define TEXT_OF(write)                                                    \
	static char copy[4096];                                           \
	struct ic_expression_text text = { .chars.count = 0 };            \
	struct ic_error err = { .message = "" };                          \
	if (!(write))                                                     \
		assert_string_not_equal(err.message, "");                 \
	snprintf(copy, sizeof(copy), "%s%s%s", ic_expression_text(&text), \
		 err.message[0] ? " | " : "", err.message);               \
	ic_expression_text_free(&text);                                   \
	return copy

static struct ic_cfi_section section_of(struct ic_bytes bytes, uint16_t machine)
{
	return (struct ic_cfi_section){ .bytes = bytes,
					.name = ".test",
					.machine = machine,
					.addr_size = 8,
					.swap = SWAP_LITTLE };
}

static const char *rule_text(const struct ic_register_rule *rule, bool is_cfa, unsigned machine,
			     struct ic_bytes bytes)
{
	const struct ic_cfi_section section = section_of(bytes, (uint16_t)machine);
	const struct ic_cfi_text_options options = { &section, &cie, machine };

	TEXT_OF(ic_cfi_rule_write(&text, rule, is_cfa, &options, &err));
}

#define CHECK_RULE(wanted, is_cfa, machine, ...)                                               \
	assert_string_equal(rule_text(&(const struct ic_register_rule){ __VA_ARGS__ }, is_cfa, \
				      machine, BYTES(0)),                                      \
			    wanted)

TEST(a_rule_says_where_the_value_is)
{
	CHECK_RULE("undefined", false, X86_64, .kind = IC_RULE_UNDEFINED);
	CHECK_RULE("undefined", true, X86_64, .kind = IC_RULE_UNDEFINED);
	CHECK_RULE("same", false, X86_64, .kind = IC_RULE_SAME_VALUE);
	CHECK_RULE("[CFA-16]", false, X86_64, .kind = IC_RULE_OFFSET, .at.offset = -16);
	CHECK_RULE("[CFA+0]", false, X86_64, .kind = IC_RULE_OFFSET);
	CHECK_RULE("CFA+8", false, X86_64, .kind = IC_RULE_VAL_OFFSET, .at.offset = 8);
	CHECK_RULE("2", false, AARCH64, .kind = IC_RULE_CONSTANT, .at.offset = 2);
}

TEST(a_register_has_its_name_and_for_a_cfa_an_offset)
{
	CHECK_RULE("%rdx", false, X86_64, .kind = IC_RULE_REGISTER, .from = 1);
	CHECK_RULE("%rsp+8", true, X86_64, .kind = IC_RULE_REGISTER, .from = 7, .at.offset = 8);
	CHECK_RULE("sp+0", true, AARCH64, .kind = IC_RULE_REGISTER, .from = 31);
	CHECK_RULE("reg60000-8", true, X86_64, .kind = IC_RULE_REGISTER, .from = 60000,
		   .at.offset = -8);
	CHECK_RULE("reg7+8", true, 0, .kind = IC_RULE_REGISTER, .from = 7, .at.offset = 8);
	CHECK_RULE("%rsp+8 in address space 3", true, X86_64, .kind = IC_RULE_REGISTER, .from = 7,
		   .space = 3, .at.offset = 8);
}

static const char *expression_text(enum ic_register_rule_kind kind, struct ic_bytes bytes)
{
	const struct ic_register_rule rule = { .kind = (uint8_t)kind,
					       .from = (uint32_t)bytes.size,
					       .at.expression = bytes.data };

	return rule_text(&rule, false, X86_64, bytes);
}

TEST(an_expression_is_in_brackets_if_it_says_where)
{
	assert_string_equal(expression_text(IC_RULE_VAL_EXPRESSION, BYTES(0x77, 8, 6)),
			    "DW_OP_breg7 rsp+8, DW_OP_deref");
	assert_string_equal(expression_text(IC_RULE_EXPRESSION, BYTES(0x77, 8)),
			    "[DW_OP_breg7 rsp+8]");
}

TEST(a_bad_expression_has_a_mark)
{
	assert_string_equal(expression_text(IC_RULE_EXPRESSION, BYTES(0x30, 0x01)),
			    "[DW_OP_lit0, <unknown operation> 01] | .test+0x1: unknown operation");
}

// An instruction, with 0x1000 as the address that it is at.
static const char *instruction_text(uint16_t machine, struct ic_bytes bytes)
{
	const struct ic_cfi_section section = section_of(bytes, machine);
	const struct ic_cfi_text_options options = { &section, &cie, machine };
	struct ic_cfi_instruction instruction = { 0 };
	struct ic_cursor cur = cursor_over(bytes);
	uint64_t addr = 0x1000;

	assert_true(ic_cfi_instruction_next(&cur, &section, &cie, &instruction));
	ic_cfi_instruction_advances(&instruction, &addr);
	TEXT_OF(ic_cfi_instruction_write(&text, &instruction, addr, &options, &err));
}

#define CHECK_TEXT(wanted, ...) \
	assert_string_equal(instruction_text(X86_64, BYTES(__VA_ARGS__)), "DW_CFA_" wanted)

TEST(instructions_are_spelled_as_in_the_standard)
{
	CHECK_TEXT("nop", 0);
	CHECK_TEXT("remember_state", 10);
	CHECK_TEXT("restore_state", 11);
	CHECK_TEXT("advance_loc: 4 to 0x1004", 0x44);
	CHECK_TEXT("advance_loc1: 255 to 0x10ff", 2, 0xff);
	CHECK_TEXT("advance_loc2: 256 to 0x1100", 3, 0, 1);
	CHECK_TEXT("advance_loc4: 65536 to 0x11000", 4, 0, 0, 1, 0);
	CHECK_TEXT("MIPS_advance_loc8: 1 to 0x1001", 0x1d, 1, 0, 0, 0, 0, 0, 0, 0);
	CHECK_TEXT("set_loc: 0x1100", 1, 0, 0x11, 0, 0);
}

TEST(operands_are_registers_and_offsets_in_bytes)
{
	CHECK_TEXT("offset: %rbp -16", 0x86, 2);
	CHECK_TEXT("offset: %rbp +0", 0x86, 0);
	CHECK_TEXT("restore: %rbp", 0xc6);
	CHECK_TEXT("offset_extended: reg60000 -16", 5, 0xe0, 0xd4, 3, 2);
	CHECK_TEXT("offset_extended: reg4294967296 -16", 5, 0x80, 0x80, 0x80, 0x80, 0x10, 2);
	CHECK_TEXT("restore_extended: %rbx", 6, 3);
	CHECK_TEXT("undefined: %rip", 7, 16);
	CHECK_TEXT("same_value: %rbx", 8, 3);
	CHECK_TEXT("register: %rbx %rdx", 9, 3, 1);
	CHECK_TEXT("def_cfa: %rsp +8", 12, 7, 8);
	CHECK_TEXT("def_cfa_register: %rbp", 13, 6);
	CHECK_TEXT("def_cfa_offset: +16", 14, 16);
	CHECK_TEXT("offset_extended_sf: %rbx +8", 0x11, 3, 0x7f);
	CHECK_TEXT("def_cfa_sf: %rsp +8", 0x12, 7, 0x7f);
	CHECK_TEXT("def_cfa_offset_sf: +8", 0x13, 0x7f);
	CHECK_TEXT("val_offset: %rbx -8", 0x14, 3, 1);
	CHECK_TEXT("val_offset_sf: %rbx +8", 0x15, 3, 0x7f);
	CHECK_TEXT("GNU_args_size: 16", 0x2e, 16);
	CHECK_TEXT("GNU_negative_offset_extended: %rbx +8", 0x2f, 3, 1);
	CHECK_TEXT("LLVM_def_aspace_cfa: %rsp +8 in address space 6", 0x30, 7, 8, 6);
	CHECK_TEXT("LLVM_def_aspace_cfa_sf: %rsp +8 in address space 6", 0x31, 7, 0x7f, 6);
}

TEST(an_instruction_can_have_an_expression)
{
	CHECK_TEXT("def_cfa_expression: DW_OP_breg7 rsp+8, DW_OP_deref", 15, 3, 0x77, 8, 6);
	CHECK_TEXT("expression: %rbx DW_OP_lit0", 0x10, 3, 1, 0x30);
	CHECK_TEXT("val_expression: %rbx <empty>", 0x16, 3, 0);
	CHECK_TEXT("val_expression: %rbx <unknown operation> 01 | .test+0x3: unknown operation",
		   0x16, 3, 1, 1);
}

TEST(processors_have_instructions_of_their_own)
{
	assert_string_equal(instruction_text(SPARCV9, BYTES(0x2d)), "DW_CFA_GNU_window_save");
	assert_string_equal(instruction_text(AARCH64, BYTES(0x2d)),
			    "DW_CFA_AARCH64_negate_ra_state");
	assert_string_equal(instruction_text(AARCH64, BYTES(0x2c)),
			    "DW_CFA_AARCH64_negate_ra_state_with_pc");
	assert_string_equal(instruction_text(AARCH64, BYTES(0x2b, 2, 0x7c)),
			    "DW_CFA_AARCH64_set_ra_state: 2 -4");
}

UNIT_TESTS(dwarf_frames_text)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_says_where_the_value_is),
		cmocka_unit_test(a_register_has_its_name_and_for_a_cfa_an_offset),
		cmocka_unit_test(an_expression_is_in_brackets_if_it_says_where),
		cmocka_unit_test(a_bad_expression_has_a_mark),
		cmocka_unit_test(instructions_are_spelled_as_in_the_standard),
		cmocka_unit_test(operands_are_registers_and_offsets_in_bytes),
		cmocka_unit_test(an_instruction_can_have_an_expression),
		cmocka_unit_test(processors_have_instructions_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
