#include "dwarf/frames/rows.h"

#include "unit_test.h"

#include "dwarf/frames/instruction.h"
#include "fixtures/cfi.h"

enum { SPARC = 2, SPARC32PLUS = 18, SPARCV9 = 43, X86_64 = 62, AARCH64 = 183 };

// A program of instructions, and what it is executed with. The code is from 0x1000 to 0x1100.
struct subject {
	struct cfi_builder cfi;
	struct ic_cfi_section section;
	struct ic_cie cie;
	struct ic_cfi_rows rows;
	struct ic_call_frame_row row; // the last one
};

enum { START = 0x1000, END = 0x1100 };

static void begin(struct subject *subject, uint16_t machine, struct bytes of_cie,
		  struct bytes of_fde)
{
	struct cfi_builder *cfi = &subject->cfi;

	*subject = (struct subject){ .cfi = { .is_eh = true, .addr_size = 8 } };
	cfi_add_cie(cfi, (struct cfi_cie){ .code_align = 4, .instructions = of_cie });
	size_t off = cfi_add_fde(
		cfi,
		(struct cfi_fde){ .start = START, .size = END - START, .instructions = of_fde });
	subject->section = cfi_section(cfi);
	subject->section.machine = machine;
	subject->cie = cfi_read_cie(&subject->section, 0);
	struct ic_fde fde = cfi_read_fde(&subject->section, off, &subject->cie);
	subject->rows.section = &subject->section;
	struct ic_error err = { .message = "" };
	if (!ic_cfi_rows_begin(&subject->rows, &subject->cie, &fde, &err))
		fail_msg("%s", err.message);
}

static void end(struct subject *subject)
{
	ic_cfi_rows_free(&subject->rows);
	cfi_builder_deinit(&subject->cfi);
}

// The next row, which must be from the end of the last one to an address.
static void check_row(struct subject *subject, uint64_t row_end)
{
	uint64_t start = subject->row.range.end ? subject->row.range.end : START;
	struct ic_error err = { .message = "" };

	if (!ic_cfi_rows_next(&subject->rows, &subject->row, &err))
		fail_msg("%s", err.message);
	assert_int_equal(subject->row.range.start, start);
	assert_int_equal(subject->row.range.end, row_end);
}

// Checks that there is no other row, and ends.
static void check_end(struct subject *subject)
{
	struct ic_error err;

	assert_int_equal(subject->row.range.end, END);
	assert_false(ic_cfi_rows_next(&subject->rows, &subject->row, &err));
	assert_int_equal(err.code, IC_ERROR_NONE);
	end(subject);
}

static void check_cfa(const struct subject *subject, uint32_t reg, int64_t offset)
{
	assert_int_equal(subject->row.cfa.kind, IC_RULE_REGISTER);
	assert_int_equal(subject->row.cfa.from, reg);
	assert_int_equal(subject->row.cfa.at.offset, offset);
}

// The rule of a register; NULL if it has none. Checks the order.
static const struct ic_register_rule *rule_of(const struct subject *subject, uint16_t reg)
{
	const struct ic_register_rule *rules = subject->row.rules, *found = NULL;

	for (size_t i = 0; i < subject->row.rule_count; i++) {
		assert_true(i == 0 || rules[i - 1].reg < rules[i].reg);
		if (rules[i].reg == reg)
			found = &rules[i];
	}
	return found;
}

static void check_rule(const struct subject *subject, uint16_t reg, enum ic_register_rule_kind kind,
		       int64_t offset)
{
	const struct ic_register_rule *rule = rule_of(subject, reg);

	assert_non_null(rule);
	assert_int_equal(rule->kind, kind);
	assert_int_equal(rule->at.offset, offset);
	assert_int_equal(rule->from, 0);
	assert_int_equal(rule->space, 0);
}

// A program for a machine of one row.
static void check_one_row(struct subject *subject, uint16_t machine, struct bytes instructions)
{
	begin(subject, machine, CFI(0), instructions);
	check_row(subject, END);
}

#define NONE ((struct bytes){ NULL, 0 })

TEST(without_instructions_an_fde_has_the_row_of_its_cie)
{
	struct subject subject;

	begin(&subject, X86_64, CFI(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1), NONE);
	check_row(&subject, END);
	check_cfa(&subject, 7, 8);
	assert_int_equal(subject.row.rule_count, 1);
	check_rule(&subject, 16, IC_RULE_OFFSET, -8);
	check_end(&subject);
}

TEST(without_any_instructions_nothing_is_known)
{
	struct subject subject;

	begin(&subject, X86_64, NONE, NONE);
	check_row(&subject, END);
	assert_int_equal(subject.row.cfa.kind, IC_RULE_UNDEFINED);
	assert_int_equal(subject.row.rule_count, 0);
	check_end(&subject);
}

TEST(every_advance_ends_a_row)
{
	struct subject subject;

	begin(&subject, X86_64, CFI(DW_CFA_def_cfa, 7, 8),
	      CFI(DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc1, 2,
		  DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc2, 3, 0, DW_CFA_def_cfa_offset, 32,
		  DW_CFA_advance_loc4, 4, 0, 0, 0, DW_CFA_def_cfa_offset, 40,
		  DW_CFA_MIPS_advance_loc8, 5, 0, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 48,
		  DW_CFA_set_loc, 0x80, 0x10, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 56));
	check_row(&subject, 0x1004);
	check_cfa(&subject, 7, 8);
	check_row(&subject, 0x100c);
	check_cfa(&subject, 7, 16);
	check_row(&subject, 0x1018);
	check_cfa(&subject, 7, 24);
	check_row(&subject, 0x1028);
	check_cfa(&subject, 7, 32);
	check_row(&subject, 0x103c);
	check_cfa(&subject, 7, 40);
	check_row(&subject, 0x1080);
	check_cfa(&subject, 7, 48);
	check_row(&subject, END);
	check_cfa(&subject, 7, 56);
	check_end(&subject);
}

TEST(an_advance_by_nothing_or_to_the_end_makes_no_row)
{
	struct subject subject;

	begin(&subject, X86_64, CFI(DW_CFA_def_cfa, 7, 8),
	      CFI(DW_CFA_advance_loc1, 0, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc2, 0x40, 0,
		  DW_CFA_def_cfa_offset, 24));
	check_row(&subject, END);
	check_cfa(&subject, 7, 16);
	check_end(&subject);
}

TEST(the_cfa_is_a_register_and_an_offset)
{
	struct subject subject;

	begin(&subject, X86_64, CFI(DW_CFA_def_cfa, 7, 8),
	      CFI(DW_CFA_def_cfa_register, 6, DW_CFA_advance_loc | 1,           //
		  DW_CFA_def_cfa_sf, 3, 0x7e, DW_CFA_advance_loc | 1,           //
		  DW_CFA_def_cfa_offset_sf, 1, DW_CFA_advance_loc | 1,          //
		  DW_CFA_LLVM_def_aspace_cfa, 4, 32, 5, DW_CFA_advance_loc | 1, //
		  DW_CFA_LLVM_def_aspace_cfa_sf, 4, 0x7f, 0xff, 1));
	check_row(&subject, 0x1004);
	check_cfa(&subject, 6, 8);
	check_row(&subject, 0x1008);
	check_cfa(&subject, 3, 16);
	check_row(&subject, 0x100c);
	check_cfa(&subject, 3, -8);
	assert_int_equal(subject.row.cfa.space, 0);
	check_row(&subject, 0x1010);
	check_cfa(&subject, 4, 32);
	assert_int_equal(subject.row.cfa.space, 5);
	check_row(&subject, END);
	check_cfa(&subject, 4, 8);
	assert_int_equal(subject.row.cfa.space, 255);
	check_end(&subject);
}

TEST(a_register_without_an_earlier_offset_has_none)
{
	struct subject subject;

	check_one_row(&subject, X86_64, CFI(DW_CFA_def_cfa_register, 29));
	check_cfa(&subject, 29, 0);
	check_end(&subject);
}

TEST(the_cfa_can_be_an_expression)
{
	struct subject subject;

	check_one_row(&subject, X86_64, CFI(DW_CFA_def_cfa_expression, 2, 0x77, 8));
	assert_int_equal(subject.row.cfa.kind, IC_RULE_VAL_EXPRESSION);
	assert_int_equal(subject.row.cfa.from, 2);
	assert_int_equal(subject.row.cfa.at.expression[0], 0x77);
	check_end(&subject);
}

TEST(registers_have_the_rules_of_the_standard)
{
	struct subject subject;

	check_one_row(&subject, X86_64,
		      CFI(DW_CFA_undefined, 16, DW_CFA_same_value, 15, DW_CFA_offset | 3, 2,
			  DW_CFA_offset_extended, 0x80, 1, 3, DW_CFA_offset_extended_sf, 4, 0x7f,
			  DW_CFA_val_offset, 5, 4, DW_CFA_val_offset_sf, 6, 0x7e,
			  DW_CFA_GNU_negative_offset_extended, 8, 2, DW_CFA_GNU_args_size, 16));
	assert_int_equal(subject.row.rule_count, 8);
	check_rule(&subject, 16, IC_RULE_UNDEFINED, 0);
	check_rule(&subject, 15, IC_RULE_SAME_VALUE, 0);
	check_rule(&subject, 3, IC_RULE_OFFSET, -16);
	check_rule(&subject, 128, IC_RULE_OFFSET, -24);
	check_rule(&subject, 4, IC_RULE_OFFSET, 8);
	check_rule(&subject, 5, IC_RULE_VAL_OFFSET, -32);
	check_rule(&subject, 6, IC_RULE_VAL_OFFSET, 16);
	check_rule(&subject, 8, IC_RULE_OFFSET, 16);
	check_end(&subject);
}

TEST(registers_can_be_in_registers_and_where_expressions_say)
{
	struct subject subject;
	const struct ic_register_rule *rule;

	check_one_row(&subject, X86_64,
		      CFI(DW_CFA_register, 16, 2, DW_CFA_expression, 3, 2, 0x77, 8,
			  DW_CFA_val_expression, 0xff, 0xff, 3, 1, 0x30));
	rule = rule_of(&subject, 16);
	assert_int_equal(rule->kind, IC_RULE_REGISTER);
	assert_int_equal(rule->from, 2);
	rule = rule_of(&subject, 3);
	assert_int_equal(rule->kind, IC_RULE_EXPRESSION);
	assert_int_equal(rule->from, 2);
	assert_int_equal(rule->at.expression[1], 8);
	rule = rule_of(&subject, 0xffff);
	assert_int_equal(rule->kind, IC_RULE_VAL_EXPRESSION);
	assert_int_equal(rule->at.expression[0], 0x30);
	check_end(&subject);
}

TEST(a_later_rule_replaces_an_earlier_one)
{
	struct subject subject;

	check_one_row(&subject, X86_64,
		      CFI(DW_CFA_register, 3, 4, DW_CFA_offset | 5, 1, DW_CFA_offset | 3, 2));
	assert_int_equal(subject.row.rule_count, 2);
	check_rule(&subject, 3, IC_RULE_OFFSET, -16);
	check_end(&subject);
}

TEST(a_register_is_restored_to_the_rule_of_the_cie)
{
	struct subject subject;

	begin(&subject, X86_64,
	      CFI(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1, DW_CFA_same_value, 3),
	      CFI(DW_CFA_offset | 3, 2, DW_CFA_offset | 16, 3, DW_CFA_advance_loc | 1,
		  DW_CFA_restore | 3, DW_CFA_restore_extended, 16));
	check_row(&subject, 0x1004);
	check_rule(&subject, 3, IC_RULE_OFFSET, -16);
	check_rule(&subject, 16, IC_RULE_OFFSET, -24);
	check_row(&subject, END);
	check_rule(&subject, 3, IC_RULE_SAME_VALUE, 0);
	check_rule(&subject, 16, IC_RULE_OFFSET, -8);
	check_end(&subject);
}

TEST(a_register_without_a_rule_in_the_cie_is_restored_to_none)
{
	struct subject subject;

	begin(&subject, X86_64, CFI(DW_CFA_offset | 16, 1),
	      CFI(DW_CFA_offset | 3, 2, DW_CFA_advance_loc | 1, DW_CFA_restore | 3,
		  DW_CFA_restore | 4));
	check_row(&subject, 0x1004);
	assert_int_equal(subject.row.rule_count, 2);
	check_row(&subject, END);
	assert_int_equal(subject.row.rule_count, 1);
	check_rule(&subject, 16, IC_RULE_OFFSET, -8);
	check_end(&subject);
}

TEST(states_are_remembered_with_their_cfa)
{
	struct subject subject;

	begin(&subject, X86_64, CFI(DW_CFA_def_cfa, 7, 8),
	      CFI(DW_CFA_offset | 3, 1, DW_CFA_remember_state, DW_CFA_advance_loc | 1, //
		  DW_CFA_offset | 4, 2, DW_CFA_def_cfa_offset, 16, DW_CFA_remember_state,
		  DW_CFA_advance_loc | 1, //
		  DW_CFA_offset | 3, 3, DW_CFA_offset | 5, 4, DW_CFA_def_cfa, 6, 24,
		  DW_CFA_advance_loc | 1,                       //
		  DW_CFA_restore_state, DW_CFA_advance_loc | 1, //
		  DW_CFA_restore_state));
	check_row(&subject, 0x1004);
	check_row(&subject, 0x1008);
	check_row(&subject, 0x100c);
	assert_int_equal(subject.row.rule_count, 3);
	check_cfa(&subject, 6, 24);
	check_row(&subject, 0x1010);
	assert_int_equal(subject.row.rule_count, 2);
	check_rule(&subject, 3, IC_RULE_OFFSET, -8);
	check_rule(&subject, 4, IC_RULE_OFFSET, -16);
	check_cfa(&subject, 7, 16);
	check_row(&subject, END);
	assert_int_equal(subject.row.rule_count, 1);
	check_rule(&subject, 3, IC_RULE_OFFSET, -8);
	check_cfa(&subject, 7, 8);
	check_end(&subject);
}

// ---- Processors

TEST(aarch64_signs_return_addresses)
{
	struct subject subject;

	begin(&subject, AARCH64, CFI(0),
	      CFI(DW_CFA_GNU_window_save, DW_CFA_advance_loc | 1,                 //
		  DW_CFA_GNU_window_save, DW_CFA_advance_loc | 1,                 //
		  DW_CFA_AARCH64_negate_ra_state_with_pc, DW_CFA_advance_loc | 1, //
		  DW_CFA_AARCH64_negate_ra_state_with_pc, DW_CFA_advance_loc | 1, //
		  DW_CFA_AARCH64_set_ra_state, 2, 0));
	for (uint64_t i = 0; i < 5; i++) {
		static const int64_t states[] = { 1, 0, 2, 0, 2 };

		check_row(&subject, i == 4 ? END : START + 4 * (i + 1));
		check_rule(&subject, 34, IC_RULE_CONSTANT, states[i]);
	}
	check_end(&subject);
}

TEST(sparc_saves_its_window_where_the_stack_pointer_is)
{
	static const uint16_t machines[] = { SPARC, SPARC32PLUS, SPARCV9 };

	for (size_t i = 0; i < COUNT_OF(machines); i++) {
		struct subject subject;
		check_one_row(&subject, machines[i], CFI(DW_CFA_GNU_window_save));
		assert_int_equal(subject.row.rule_count, 16);
		check_rule(&subject, 16, IC_RULE_OFFSET, 0);
		check_rule(&subject, 17, IC_RULE_OFFSET, 8);
		check_rule(&subject, 31, IC_RULE_OFFSET, 15 * 8);
		check_end(&subject);
	}
}

// ---- Faults

// Instructions that make rows up to an address, and then a fault.
static void check_fault_after(uint16_t machine, struct bytes of_fde, uint64_t row_end,
			      const char *message)
{
	struct subject subject;
	struct ic_error err;

	begin(&subject, machine, CFI(DW_CFA_nop), of_fde);
	if (row_end > START)
		check_row(&subject, row_end);
	for (int i = 0; i < 2; i++) {
		assert_false(ic_cfi_rows_next(&subject.rows, &subject.row, &err));
		assert_int_equal(err.code, IC_ERROR_MALFORMED);
		assert_string_equal(strchr(err.message, ' ') + 1, message);
	}
	end(&subject);
}

static void check_fault(struct bytes of_fde, const char *message)
{
	check_fault_after(X86_64, of_fde, START, message);
}

TEST(addresses_stay_in_the_code_and_go_forward)
{
	static const char outside[] = "location outside the range of the FDE";

	check_fault(CFI(DW_CFA_advance_loc1, 0x41), outside);
	check_fault(CFI(DW_CFA_set_loc, 0xff, 0x0f, 0, 0, 0, 0, 0, 0), outside);
	check_fault(CFI(DW_CFA_set_loc, 0x01, 0x11, 0, 0, 0, 0, 0, 0), outside);
	check_fault(CFI(DW_CFA_MIPS_advance_loc8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
		    outside);
	check_fault_after(X86_64,
			  CFI(DW_CFA_advance_loc | 2, DW_CFA_set_loc, 0x04, 0x10, 0, 0, 0, 0, 0, 0),
			  START + 8, outside);
}

TEST(what_is_before_a_fault_makes_rows)
{
	check_fault_after(X86_64, CFI(DW_CFA_advance_loc | 2, 0x17), START + 8,
			  "unknown instruction");
	check_fault_after(X86_64, CFI(DW_CFA_advance_loc | 2, DW_CFA_def_cfa), START + 8,
			  "unexpected end of data");
}

TEST(only_what_was_remembered_can_be_restored)
{
	check_fault(CFI(DW_CFA_restore_state),
		    "DW_CFA_restore_state without DW_CFA_remember_state");
	check_fault(CFI(DW_CFA_remember_state, DW_CFA_restore_state, DW_CFA_restore_state),
		    "DW_CFA_restore_state without DW_CFA_remember_state");
}

TEST(numbers_have_limits)
{
	static const char too_large[] = "register number too large";

	check_fault(CFI(DW_CFA_offset_extended, 0x80, 0x80, 4, 1), too_large);
	check_fault(CFI(DW_CFA_undefined, 0x80, 0x80, 4), too_large);
	check_fault(CFI(DW_CFA_same_value, 0x80, 0x80, 4), too_large);
	check_fault(CFI(DW_CFA_register, 1, 0x80, 0x80, 4), too_large);
	check_fault(CFI(DW_CFA_register, 0x80, 0x80, 4, 1), too_large);
	check_fault(CFI(DW_CFA_restore_extended, 0x80, 0x80, 4), too_large);
	check_fault(CFI(DW_CFA_expression, 0x80, 0x80, 4, 0), too_large);
	check_fault(CFI(DW_CFA_def_cfa, 0x80, 0x80, 4, 0), too_large);
	check_fault(CFI(DW_CFA_def_cfa_register, 0x80, 0x80, 4), too_large);
	check_fault(CFI(DW_CFA_LLVM_def_aspace_cfa, 7, 8, 0x80, 2),
		    "address space number too large");
}

TEST(the_parts_of_a_cfa_need_one_that_has_them)
{
	check_fault(CFI(DW_CFA_def_cfa_offset, 8),
		    "cannot set the CFA offset: the CFA has no register");
	check_fault(CFI(DW_CFA_def_cfa_expression, 1, 0x77, DW_CFA_def_cfa_offset, 8),
		    "cannot set the CFA offset: the CFA has no register");
	check_fault(CFI(DW_CFA_def_cfa_expression, 1, 0x77, DW_CFA_def_cfa_register, 8),
		    "cannot set the CFA register: the CFA is an expression");
}

TEST(instructions_of_other_processors_are_faults)
{
	static const char other[] = "instruction is not valid for this machine";

	check_fault(CFI(DW_CFA_GNU_window_save), other);
	check_fault(CFI(DW_CFA_AARCH64_negate_ra_state_with_pc), other);
	check_fault(CFI(DW_CFA_AARCH64_set_ra_state, 1, 1), other);
	check_fault_after(SPARC, CFI(DW_CFA_AARCH64_set_ra_state, 1, 1), START, other);
}

TEST(rules_have_a_limit)
{
	uint8_t bytes[4 * (IC_CFI_MOST_RULES + 1)];
	struct subject subject;

	for (unsigned i = 0; i <= IC_CFI_MOST_RULES; i++) {
		unsigned reg = 3 * (IC_CFI_MOST_RULES - i); // the last one first
		const uint8_t one[] = { DW_CFA_undefined, (uint8_t)(reg & 0x7f) | 0x80,
					(uint8_t)(reg >> 7), DW_CFA_nop };
		memcpy(bytes + 4 * (size_t)i, one, 4);
	}
	check_one_row(&subject, X86_64, (struct bytes){ bytes, sizeof(bytes) - 4 });
	assert_int_equal(subject.row.rule_count, IC_CFI_MOST_RULES);
	check_rule(&subject, 3 * IC_CFI_MOST_RULES, IC_RULE_UNDEFINED, 0);
	check_end(&subject);
	check_fault((struct bytes){ bytes, sizeof(bytes) }, "too many register rules");
}

TEST(remembered_states_have_a_limit)
{
	uint8_t bytes[2 * IC_CFI_MOST_REMEMBERED];
	struct subject subject;

	memset(bytes, DW_CFA_remember_state, IC_CFI_MOST_REMEMBERED + 1);
	memset(bytes + IC_CFI_MOST_REMEMBERED, DW_CFA_restore_state, IC_CFI_MOST_REMEMBERED);
	check_one_row(&subject, X86_64, (struct bytes){ bytes, sizeof(bytes) });
	check_end(&subject);
	bytes[IC_CFI_MOST_REMEMBERED] = DW_CFA_remember_state;
	check_fault((struct bytes){ bytes, sizeof(bytes) }, "too many remembered states");
}

static void check_bad_cie(struct bytes instructions, const char *message)
{
	struct cfi_builder cfi = { .is_eh = true, .addr_size = 8 };
	struct ic_error err;

	size_t off = cfi_add_cie(&cfi, (struct cfi_cie){ .instructions = CFI(0) });
	size_t bad = cfi_add_cie(&cfi, (struct cfi_cie){ .instructions = instructions });
	size_t fde_off = cfi_add_fde(&cfi, (struct cfi_fde){ .cie = bad, .start = 1, .size = 1 });
	const struct ic_cfi_section section = cfi_section(&cfi);
	struct ic_cfi_rows rows = { .section = &section };
	struct ic_cie good_cie = cfi_read_cie(&section, off), bad_cie = cfi_read_cie(&section, bad);
	struct ic_fde fde = cfi_read_fde(&section, fde_off, &bad_cie);
	for (int i = 0; i < 2; i++) { // and so again
		assert_false(ic_cfi_rows_begin(&rows, &bad_cie, &fde, &err));
		assert_int_equal(err.code, IC_ERROR_MALFORMED);
		assert_string_equal(strchr(err.message, ' ') + 1, message);
	}
	assert_true(ic_cfi_rows_begin(&rows, &good_cie, &fde, &err));
	ic_cfi_rows_free(&rows);
	cfi_builder_deinit(&cfi);
}

TEST(a_cie_has_one_row_only)
{
	check_bad_cie(CFI(DW_CFA_advance_loc | 1), "location advance in the instructions of a CIE");
	check_bad_cie(CFI(DW_CFA_set_loc, 0, 0, 0, 0, 0, 0, 0, 0),
		      "location advance in the instructions of a CIE");
	check_bad_cie(CFI(0x3f), "unknown instruction");
}

TEST(what_a_cie_remembers_is_not_restored_by_an_fde)
{
	struct subject subject;
	struct ic_error err;

	begin(&subject, X86_64, CFI(DW_CFA_remember_state), CFI(DW_CFA_restore_state));
	assert_false(ic_cfi_rows_next(&subject.rows, &subject.row, &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	end(&subject);
}

UNIT_TESTS(dwarf_frames_rows)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_instructions_an_fde_has_the_row_of_its_cie),
		cmocka_unit_test(without_any_instructions_nothing_is_known),
		cmocka_unit_test(every_advance_ends_a_row),
		cmocka_unit_test(an_advance_by_nothing_or_to_the_end_makes_no_row),
		cmocka_unit_test(the_cfa_is_a_register_and_an_offset),
		cmocka_unit_test(a_register_without_an_earlier_offset_has_none),
		cmocka_unit_test(the_cfa_can_be_an_expression),
		cmocka_unit_test(registers_have_the_rules_of_the_standard),
		cmocka_unit_test(registers_can_be_in_registers_and_where_expressions_say),
		cmocka_unit_test(a_later_rule_replaces_an_earlier_one),
		cmocka_unit_test(a_register_is_restored_to_the_rule_of_the_cie),
		cmocka_unit_test(a_register_without_a_rule_in_the_cie_is_restored_to_none),
		cmocka_unit_test(states_are_remembered_with_their_cfa),
		cmocka_unit_test(aarch64_signs_return_addresses),
		cmocka_unit_test(sparc_saves_its_window_where_the_stack_pointer_is),
		cmocka_unit_test(addresses_stay_in_the_code_and_go_forward),
		cmocka_unit_test(what_is_before_a_fault_makes_rows),
		cmocka_unit_test(only_what_was_remembered_can_be_restored),
		cmocka_unit_test(numbers_have_limits),
		cmocka_unit_test(the_parts_of_a_cfa_need_one_that_has_them),
		cmocka_unit_test(instructions_of_other_processors_are_faults),
		cmocka_unit_test(rules_have_a_limit),
		cmocka_unit_test(remembered_states_have_a_limit),
		cmocka_unit_test(a_cie_has_one_row_only),
		cmocka_unit_test(what_a_cie_remembers_is_not_restored_by_an_fde),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
