#include "dwarf/frames/rows.h"

#include "base/machine.h"
#include "dwarf/frames/instruction.h"

enum {
	SPARC_FIRST_WINDOW = 16, // %l0
	SPARC_END_WINDOW = 32,   // after %i7
};

static struct ic_register_rule *find_rule(struct ic_cfi_state *state, uint16_t reg, uint32_t *at)
{
	uint32_t i = state->count;

	while (i > 0 && state->rules[i - 1].reg >= reg)
		i--;
	*at = i;
	return i < state->count && state->rules[i].reg == reg ? &state->rules[i] : NULL;
}

static void remove_rule(struct ic_cfi_state *state, uint16_t reg)
{
	uint32_t at;

	if (!find_rule(state, reg, &at))
		return;
	state->count--;
	memmove(&state->rules[at], &state->rules[at + 1],
		(state->count - at) * sizeof(*state->rules));
}

static void set_rule(struct ic_cfi_rows *rows, struct ic_register_rule rule)
{
	struct ic_cfi_state *state = &rows->state;
	uint32_t at;
	struct ic_register_rule *old = find_rule(state, rule.reg, &at);

	if (old) {
		*old = rule;
		return;
	}
	if (state->count == IC_CFI_MOST_RULES) {
		ic_cursor_fault(&rows->cur, "too many register rules");
		return;
	}
	memmove(&state->rules[at + 1], &state->rules[at],
		(state->count - at) * sizeof(*state->rules));
	state->rules[at] = rule;
	state->count++;
}

static uint16_t register_of(struct ic_cfi_rows *rows, uint64_t number)
{
	if (number > UINT16_MAX)
		ic_cursor_fault(&rows->cur, "register number too large");
	return (uint16_t)number;
}

static void set_offset(struct ic_cfi_rows *rows, const struct ic_cfi_instruction *instruction,
		       enum ic_register_rule_kind kind)
{
	set_rule(rows, (struct ic_register_rule){ .reg = register_of(rows, instruction->first),
						  .kind = (uint8_t)kind,
						  .at.offset = (int64_t)instruction->second });
}

static void set_expression(struct ic_cfi_rows *rows, const struct ic_cfi_instruction *instruction,
			   enum ic_register_rule_kind kind)
{
	set_rule(rows, (struct ic_register_rule){ .reg = register_of(rows, instruction->first),
						  .kind = (uint8_t)kind,
						  .from = (uint32_t)instruction->second,
						  .at.expression = instruction->bytes });
}

static void restore_register(struct ic_cfi_rows *rows, uint64_t number)
{
	uint16_t reg = register_of(rows, number);
	uint32_t at;
	const struct ic_register_rule *initial = find_rule(&rows->initial, reg, &at);

	if (initial)
		set_rule(rows, *initial);
	else
		remove_rule(&rows->state, reg);
}

// ---- The canonical frame address

static void define_cfa(struct ic_cfi_rows *rows, const struct ic_cfi_instruction *instruction)
{
	if (instruction->space > UINT8_MAX)
		ic_cursor_fault(&rows->cur, "address space number too large");
	rows->state.cfa = (struct ic_register_rule){ .kind = IC_RULE_REGISTER,
						     .space = (uint8_t)instruction->space,
						     .from = register_of(rows, instruction->first),
						     .at.offset = (int64_t)instruction->second };
}

// For some machines, GCC writes only the register even if no CFA was defined before, and means an
// offset of 0.
static void define_cfa_register(struct ic_cfi_rows *rows, uint64_t number)
{
	struct ic_register_rule *cfa = &rows->state.cfa;

	if (cfa->kind == IC_RULE_VAL_EXPRESSION)
		ic_cursor_fault(&rows->cur,
				"cannot set the CFA register: the CFA is an expression");
	cfa->kind = IC_RULE_REGISTER;
	cfa->from = register_of(rows, number);
}

static void define_cfa_offset(struct ic_cfi_rows *rows, uint64_t offset)
{
	struct ic_register_rule *cfa = &rows->state.cfa;

	if (cfa->kind != IC_RULE_REGISTER)
		ic_cursor_fault(&rows->cur, "cannot set the CFA offset: the CFA has no register");
	cfa->at.offset = (int64_t)offset;
}

// ---- Remembered states

static void remember_state(struct ic_cfi_rows *rows)
{
	const struct ic_cfi_state *state = &rows->state;
	uint64_t wanted = rows->remembered.count + state->count + 1ull;

	if (rows->remembered_count == IC_CFI_MOST_REMEMBERED) {
		ic_cursor_fault(&rows->cur, "too many remembered states");
		return;
	}
	if (!IC_ARRAY_RESERVE(&rows->remembered, wanted)) {
		rows->out_of_memory = true;
		rows->cur.pos = rows->cur.end;
		return;
	}
	memcpy(rows->remembered.items + rows->remembered.count, state->rules,
	       state->count * sizeof(*state->rules));
	rows->remembered.items[wanted - 1] = state->cfa;
	rows->remembered.count = (uint32_t)wanted;
	rows->remembered_counts[rows->remembered_count++] = state->count;
}

// The standard does not say that the CFA is restored too, but all producers rely on it.
static void restore_remembered(struct ic_cfi_rows *rows)
{
	struct ic_cfi_state *state = &rows->state;

	if (rows->remembered_count == 0) {
		ic_cursor_fault(&rows->cur, "DW_CFA_restore_state without DW_CFA_remember_state");
		return;
	}
	state->count = rows->remembered_counts[--rows->remembered_count];
	state->cfa = rows->remembered.items[--rows->remembered.count];
	rows->remembered.count -= state->count;
	memcpy(state->rules, rows->remembered.items + rows->remembered.count,
	       state->count * sizeof(*state->rules));
}

// ---- Processors

// The registers of the window are saved where the function's stack pointer points.
static void save_window(struct ic_cfi_rows *rows)
{
	for (uint16_t reg = SPARC_FIRST_WINDOW; reg < SPARC_END_WINDOW; reg++)
		set_rule(rows, (struct ic_register_rule){
				       .reg = reg,
				       .kind = IC_RULE_OFFSET,
				       .at.offset = (int64_t)(reg - SPARC_FIRST_WINDOW) *
						    rows->cie->addr_size });
}

static void set_sign_state(struct ic_cfi_rows *rows, uint64_t value)
{
	set_rule(rows, (struct ic_register_rule){ .reg = IC_AARCH64_RA_SIGN_STATE,
						  .kind = IC_RULE_CONSTANT,
						  .at.offset = (int64_t)value });
}

static void toggle_sign_state(struct ic_cfi_rows *rows, uint64_t bit)
{
	uint32_t at;
	const struct ic_register_rule *old = find_rule(&rows->state, IC_AARCH64_RA_SIGN_STATE, &at);

	set_sign_state(rows, old && old->at.offset != 0 ? 0 : bit);
}

static void execute_for_machine(struct ic_cfi_rows *rows,
				const struct ic_cfi_instruction *instruction)
{
	uint16_t machine = rows->section->machine;

	if (machine == IC_MACHINE_AARCH64) {
		switch (instruction->code) {
		case DW_CFA_GNU_window_save: toggle_sign_state(rows, 1); return;
		case DW_CFA_AARCH64_negate_ra_state_with_pc: toggle_sign_state(rows, 2); return;
		case DW_CFA_AARCH64_set_ra_state: set_sign_state(rows, instruction->first); return;
		}
	}
	if (instruction->code == DW_CFA_GNU_window_save &&
	    (machine == IC_MACHINE_SPARC || machine == IC_MACHINE_SPARC32PLUS ||
	     machine == IC_MACHINE_SPARCV9))
		save_window(rows);
	else
		ic_cursor_fault(&rows->cur, "instruction is not valid for this machine");
}

// ---- Execution

static void execute_instruction(struct ic_cfi_rows *rows,
				const struct ic_cfi_instruction *instruction)
{
	struct ic_register_rule rule = { .kind = IC_RULE_UNDEFINED };

	switch (instruction->code) {
	case DW_CFA_nop:
	case DW_CFA_GNU_args_size: return;
	case DW_CFA_offset:
	case DW_CFA_offset_extended:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_GNU_negative_offset_extended:
		set_offset(rows, instruction, IC_RULE_OFFSET);
		return;
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf: set_offset(rows, instruction, IC_RULE_VAL_OFFSET); return;
	case DW_CFA_restore:
	case DW_CFA_restore_extended: restore_register(rows, instruction->first); return;
	case DW_CFA_undefined:
		rule.reg = register_of(rows, instruction->first);
		set_rule(rows, rule);
		return;
	case DW_CFA_same_value:
		rule.kind = IC_RULE_SAME_VALUE;
		rule.reg = register_of(rows, instruction->first);
		set_rule(rows, rule);
		return;
	case DW_CFA_register:
		rule.kind = IC_RULE_REGISTER;
		rule.reg = register_of(rows, instruction->first);
		rule.from = register_of(rows, instruction->second);
		set_rule(rows, rule);
		return;
	case DW_CFA_expression: set_expression(rows, instruction, IC_RULE_EXPRESSION); return;
	case DW_CFA_val_expression:
		set_expression(rows, instruction, IC_RULE_VAL_EXPRESSION);
		return;
	case DW_CFA_remember_state: remember_state(rows); return;
	case DW_CFA_restore_state: restore_remembered(rows); return;
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_LLVM_def_aspace_cfa:
	case DW_CFA_LLVM_def_aspace_cfa_sf: define_cfa(rows, instruction); return;
	case DW_CFA_def_cfa_register: define_cfa_register(rows, instruction->first); return;
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf: define_cfa_offset(rows, instruction->first); return;
	case DW_CFA_def_cfa_expression:
		rows->state.cfa = (struct ic_register_rule){ .kind = IC_RULE_VAL_EXPRESSION,
							     .from = (uint32_t)instruction->first,
							     .at.expression = instruction->bytes };
		return;
	}
	execute_for_machine(rows, instruction);
}

enum step { STEP_OTHER, STEP_DONE, STEP_ADVANCE };

// Executes one of the few instructions that make up nearly all, with one-byte operands: decoding
// them by table would take twice as long. Any other instruction is left unread.
static enum step execute_common(struct ic_cfi_rows *rows, uint64_t *addr)
{
	enum { IN_CODE = 0x3f, CONTINUES = 0x80 }; // more bytes of the ULEB128 follow
	const uint8_t *pos = rows->cur.pos;
	struct ic_register_rule rule = { .kind = IC_RULE_OFFSET };

	if (rows->cur.end - pos < 2)
		return STEP_OTHER;
	switch (pos[0] & ~IN_CODE) {
	case DW_CFA_advance_loc:
		*addr += (pos[0] & IN_CODE) * rows->cie->code_align;
		rows->cur.pos = pos + 1;
		return STEP_ADVANCE;
	case DW_CFA_offset:
		if (pos[1] >= CONTINUES)
			return STEP_OTHER;
		rule.reg = pos[0] & IN_CODE;
		rule.at.offset = (int64_t)((uint64_t)rows->cie->data_align * pos[1]);
		rows->cur.pos = pos + 2;
		set_rule(rows, rule);
		return STEP_DONE;
	case DW_CFA_restore:
		rows->cur.pos = pos + 1;
		restore_register(rows, pos[0] & IN_CODE);
		return STEP_DONE;
	}
	if (pos[0] != DW_CFA_def_cfa_offset || pos[1] >= CONTINUES ||
	    rows->state.cfa.kind != IC_RULE_REGISTER)
		return STEP_OTHER;
	rows->cur.pos = pos + 2;
	rows->state.cfa.at.offset = pos[1];
	return STEP_DONE;
}

// Executes the next instruction. If it advances, *addr becomes the new address. Returns STEP_OTHER
// at the end, or on a fault.
static enum step execute_next(struct ic_cfi_rows *rows, uint64_t *addr)
{
	struct ic_cfi_instruction instruction;
	enum step step = execute_common(rows, addr);

	if (step != STEP_OTHER)
		return step;
	instruction.space = 0;
	if (!ic_cfi_instruction_next(&rows->cur, rows->section, rows->cie, &instruction))
		return STEP_OTHER;
	if (ic_cfi_instruction_advances(&instruction, addr))
		return STEP_ADVANCE;
	execute_instruction(rows, &instruction);
	return STEP_DONE;
}

static bool execution_ok(const struct ic_cfi_rows *rows, struct ic_error *err)
{
	if (rows->out_of_memory)
		return ic_fail_memory(err);
	return ic_cursor_ok(&rows->cur, err);
}

// Runs the CIE's instructions. The resulting state is that of the first row, and the one
// DW_CFA_restore returns to.
static bool execute_cie(struct ic_cfi_rows *rows, const struct ic_cie *cie, struct ic_error *err)
{
	struct ic_cfi_instruction instruction = { 0 };
	uint64_t addr = 0;

	rows->cie = cie;
	rows->is_ready = false;
	rows->initial.count = rows->state.count = 0;
	rows->state.cfa = (struct ic_register_rule){ .kind = IC_RULE_UNDEFINED };
	rows->cur = cie->instructions;
	while (ic_cfi_instruction_next(&rows->cur, rows->section, cie, &instruction)) {
		if (ic_cfi_instruction_advances(&instruction, &addr))
			ic_cursor_fault(&rows->cur,
					"location advance in the instructions of a CIE");
		else
			execute_instruction(rows, &instruction);
	}
	if (!execution_ok(rows, err))
		return false;
	rows->initial = rows->state;
	rows->is_ready = true;
	return true;
}

bool ic_cfi_rows_begin(struct ic_cfi_rows *rows, const struct ic_cie *cie, const struct ic_fde *fde,
		       struct ic_error *err)
{
	rows->remembered.count = rows->remembered_count = 0;
	rows->out_of_memory = false;
	if ((rows->cie != cie || !rows->is_ready) && !execute_cie(rows, cie, err))
		return false;
	rows->remembered.count = rows->remembered_count = 0;
	rows->state.cfa = rows->initial.cfa;
	rows->state.count = rows->initial.count;
	memcpy(rows->state.rules, rows->initial.rules,
	       rows->initial.count * sizeof(*rows->initial.rules));
	rows->cur = fde->instructions;
	rows->start = fde->start;
	rows->end = fde->end;
	return true;
}

static bool finish_row(struct ic_cfi_rows *rows, uint64_t end, struct ic_call_frame_row *row)
{
	row->range = (struct ic_range){ rows->start, end };
	row->cfa = rows->state.cfa;
	row->rules = rows->state.rules;
	row->rule_count = rows->state.count;
	rows->start = end;
	return true;
}

bool ic_cfi_rows_next(struct ic_cfi_rows *rows, struct ic_call_frame_row *row, struct ic_error *err)
{
	uint64_t addr = rows->start;
	enum step step;

	err->code = IC_ERROR_NONE;
	while ((step = execute_next(rows, &addr)) != STEP_OTHER) {
		if (step == STEP_DONE)
			continue;
		if (addr < rows->start || addr > rows->end)
			ic_cursor_fault(&rows->cur, "location outside the range of the FDE");
		else if (addr > rows->start)
			return finish_row(rows, addr, row);
	}
	if (!execution_ok(rows, err))
		return false;
	return rows->start < rows->end && finish_row(rows, rows->end, row);
}

void ic_cfi_rows_free(struct ic_cfi_rows *rows)
{
	IC_ARRAY_FREE(&rows->remembered);
}
