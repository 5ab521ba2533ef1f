#include <inlinecall/extra/unwind.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "unwind/frames/chain.h"
#include "unwind/frames/direct_call.h"
#include "unwind/frames/function_range.h"
#include "unwind/frames/registers.h"
#include "unwind/frames/row_cache.h"
#include "unwind/frames/word.h"

#include <inlinecall/extra/evaluate.h>
#include <inlinecall/extra/registers.h>

enum { MOST_FRAMES = 1 << 16, END_SIZE = 320 };

struct ic_unwinder {
	struct ic_unwind_options options;
	const struct ic_unwind_machine *machine;
	uint64_t code_mask;            // the bits of addresses of code
	struct ic_unwind_frame *frame; // one of the two; the other becomes the caller's
	struct ic_unwind_frame frames[2];
	uint32_t frame_count;
	const struct ic_unwind_row *row; // NULL if there is none, for the reason in `end`
	bool has_code;                   // at the frame's address
	enum ic_unwind_end end;
	bool is_ended;
	uint64_t end_addr;
	uint32_t end_reg;
	struct ic_error err; // for MALFORMED, and for NO_MEMORY in an expression
	char end_text[END_SIZE];
	struct ic_call_frame_reader reader; // switched from module to module
	struct ic_unwind_row_draft draft;
	struct ic_row_cache cache;
};

// ---- Reasons

static bool end_with(struct ic_unwinder *unwinder, enum ic_unwind_end end, uint64_t addr)
{
	unwinder->end = end;
	unwinder->end_addr = addr;
	return false;
}

static bool lacks_register(struct ic_unwinder *unwinder, uint32_t reg)
{
	unwinder->end_reg = reg;
	return end_with(unwinder, IC_UNWIND_NO_REGISTER, unwinder->frame->registers.pc);
}

// The value of a register in the frame.
static bool need_register(struct ic_unwinder *unwinder, uint32_t reg, uint64_t *value)
{
	return ic_registers_get(&unwinder->frame->registers, reg, value) ||
	       lacks_register(unwinder, reg);
}

static bool read_word(struct ic_unwinder *unwinder, uint64_t addr, uint64_t *value)
{
	unsigned word = unwinder->machine->word;

	if (word == 4)
		addr = (uint32_t)addr;
	if (ic_unwind_read_word(&unwinder->options, word, addr, value))
		return true;
	unwinder->err.code = IC_ERROR_NONE;
	return end_with(unwinder, IC_UNWIND_NO_MEMORY, addr);
}

// ---- Rows

// The row for an address, read now or earlier, where the address is 1 less than the code's unless
// `is_exact`. NULL if there is none.
static const struct ic_unwind_row *find_row(struct ic_unwinder *unwinder, uint64_t addr,
					    bool is_exact)
{
	const struct ic_unwind_row *row = ic_row_cache_find(&unwinder->cache, addr, is_exact);
	struct ic_unwind_row_draft *draft = &unwinder->draft;
	const struct ic_unwind_options *options = &unwinder->options;
	struct ic_unwind_module module = { .frames = NULL };
	uint64_t pc = addr + !is_exact;

	if (row) {
		unwinder->has_code = true;
		return row;
	}
	unwinder->has_code = options->find_module(options->context, addr, &module);
	draft->row = (struct ic_unwind_row){ .addr = addr,
					     .of_exact = is_exact,
					     .bias = module.bias,
					     .keeps_none = module.keeps_none };
	draft->frames = module.frames;
	draft->image = module.image || !module.frames ? module.image : module.frames->image;
	draft->end = 0;
	bool found = module.frames && ic_unwind_row_read(draft, unwinder->machine,
							 &unwinder->reader, &unwinder->err);
	if (!module.frames || (!found && unwinder->err.code == IC_ERROR_NOT_FOUND))
		(void)end_with(unwinder,
			       unwinder->has_code ? IC_UNWIND_NO_CALL_FRAMES : IC_UNWIND_NO_CODE,
			       addr);
	else if (!found)
		(void)end_with(unwinder, IC_UNWIND_MALFORMED, addr);
	// Nothing has called the start of a stack.
	if (found && draft->row.begins == IC_UNWIND_BEGINS &&
	    ic_call_before_in_memory(options, pc) == IC_CALL_BEFORE_FOUND)
		found = end_with(unwinder, IC_UNWIND_NO_CALL_FRAMES, addr);
	// The address a handler returns to has not been called: the FDE may be that of the code
	// before, or of a function that nothing has called.
	if ((!found || draft->end == pc || draft->row.begins) &&
	    options->find_module(options->context, pc, &module) &&
	    ic_unwind_row_make(draft, unwinder->machine, options, pc))
		found = unwinder->has_code = true;
	return found ? ic_row_cache_keep(&unwinder->cache, draft) : NULL;
}

// ---- Rules

static bool evaluate_register(void *context, uint32_t reg, void *bytes, size_t size,
			      struct ic_error *err)
{
	const struct ic_unwinder *unwinder = context;

	return ic_registers_bytes(&unwinder->frame->registers, reg, unwinder->options.is_big_endian,
				  bytes, size) ||
	       ic_fail(err, IC_ERROR_NOT_FOUND, "cannot read register %" PRIu32, reg);
}

static bool evaluate_memory(void *context, uint64_t addr, void *bytes, size_t size,
			    struct ic_error *err)
{
	const struct ic_unwind_options *options = &((struct ic_unwinder *)context)->options;

	return options->read_memory(options->context, addr, bytes, size) ||
	       ic_fail(err, IC_ERROR_NOT_FOUND, "cannot read memory at 0x%" PRIx64, addr);
}

// Evaluates an expression; `cfa` is on the stack initially, unless it is NULL.
static bool evaluate_rule(struct ic_unwinder *unwinder, const struct ic_unwind_row *row,
			  const struct ic_register_rule *rule, const uint64_t *cfa, uint64_t *value)
{
	const struct ic_evaluate_options options = {
		.version = 4,
		.addr_size = unwinder->options.is_32_bit ? 4 : 8,
		.offset_size = 4,
		.is_big_endian = unwinder->options.is_big_endian,
		.bias = row->bias,
		.read_register = evaluate_register,
		.read_memory = evaluate_memory,
		.context = unwinder,
		.stack = cfa,
		.stack_count = cfa != NULL,
	};
	struct ic_evaluated evaluated;

	if (!ic_evaluate(rule->at.expression, rule->from, &options, &evaluated, &unwinder->err))
		return end_with(unwinder,
				unwinder->err.code == IC_ERROR_NOT_FOUND ? IC_UNWIND_NO_MEMORY
									 : IC_UNWIND_MALFORMED,
				unwinder->frame->registers.pc);
	if (evaluated.kind != IC_EVALUATED_MEMORY && evaluated.kind != IC_EVALUATED_VALUE) {
		(void)ic_fail(&unwinder->err, IC_ERROR_MALFORMED,
			      "expression does not yield an address");
		return end_with(unwinder, IC_UNWIND_MALFORMED, unwinder->frame->registers.pc);
	}
	*value = evaluated.kind == IC_EVALUATED_MEMORY ? evaluated.addr : evaluated.value;
	return true;
}

static bool find_cfa(struct ic_unwinder *unwinder, const struct ic_unwind_row *row, uint64_t *cfa)
{
	const struct ic_register_rule *rule = &row->cfa;

	if (rule->kind == IC_RULE_VAL_EXPRESSION)
		return evaluate_rule(unwinder, row, rule, NULL, cfa);
	if (rule->kind != IC_RULE_REGISTER || rule->space != 0) {
		(void)ic_fail(&unwinder->err, IC_ERROR_MALFORMED,
			      "the canonical frame address is undefined");
		return end_with(unwinder, IC_UNWIND_MALFORMED, unwinder->frame->registers.pc);
	}
	if (!need_register(unwinder, rule->from, cfa))
		return false;
	*cfa += (uint64_t)rule->at.offset;
	if (unwinder->machine->word == 4)
		*cfa = (uint32_t)*cfa;
	return true;
}

// The caller's value of a register that is not in memory at an offset.
static bool find_value(struct ic_unwinder *unwinder, const struct ic_unwind_row *row,
		       const struct ic_register_rule *rule, uint64_t cfa, uint64_t *value)
{
	*value = (uint64_t)rule->at.offset;
	switch ((enum ic_register_rule_kind)rule->kind) {
	case IC_RULE_SAME_VALUE: return need_register(unwinder, rule->reg, value);
	case IC_RULE_REGISTER: return need_register(unwinder, rule->from, value);
	case IC_RULE_VAL_OFFSET: *value += cfa; return true;
	case IC_RULE_EXPRESSION:
		return evaluate_rule(unwinder, row, rule, &cfa, value) &&
		       read_word(unwinder, *value, value);
	case IC_RULE_VAL_EXPRESSION: return evaluate_rule(unwinder, row, rule, &cfa, value);
	case IC_RULE_CONSTANT: return true;
	case IC_RULE_UNDEFINED:
	case IC_RULE_OFFSET: break;
	}
	return false;
}

// Applies a rule: sets the caller's register, or marks it as unknown if its value is. False if the
// stack cannot be unwound without it.
static bool apply_rule(struct ic_unwinder *unwinder, const struct ic_unwind_row *row,
		       const struct ic_register_rule *rule, uint64_t cfa,
		       struct ic_unwind_registers *next)
{
	uint64_t value;
	bool ok;

	if (rule->kind == IC_RULE_OFFSET) // nearly all are: a switch would be slower
		ok = read_word(unwinder, cfa + (uint64_t)rule->at.offset, &value);
	else
		ok = find_value(unwinder, row, rule, cfa, &value);
	if (ok)
		ic_registers_set(next, rule->reg,
				 unwinder->machine->word == 4 ? (uint32_t)value : value);
	else
		ic_registers_forget(next, rule->reg);
	return ok || rule->kind == IC_RULE_UNDEFINED || rule->reg != row->return_reg;
}

// ---- Steps

// Without a rule, only registers that the ABI requires functions to preserve are the caller's.
static void begin_caller(const struct ic_unwinder *unwinder, const struct ic_unwind_row *row,
			 uint64_t cfa, struct ic_unwind_registers *next)
{
	ic_registers_copy(next, &unwinder->frame->registers);
	// After a signal all registers have the values of the interrupted code, also those without
	// a rule.
	if (row->keeps_none)
		next->known[0] = next->known[1] = 0;
	else if (!row->is_signal) {
		next->known[0] &= unwinder->machine->kept;
		next->known[1] = 0;
	}
	if (!(unwinder->machine->kept >> unwinder->machine->sp & 1))
		ic_registers_set(next, unwinder->machine->sp, cfa);
}

static const struct ic_register_rule *rule_of(const struct ic_unwind_row *row, uint32_t reg)
{
	for (uint16_t i = 0; i < row->rule_count; i++)
		if (row->rules[i].reg == reg)
			return &row->rules[i];
	return NULL;
}

// The return address, after the rules were applied. Without a rule it is still in its register.
static bool find_return(struct ic_unwinder *unwinder, const struct ic_unwind_row *row,
			struct ic_unwind_registers *next)
{
	const struct ic_register_rule *rule = rule_of(row, row->return_reg);
	bool is_found = ic_registers_get(next, row->return_reg, &next->pc);

	if (rule && rule->kind == IC_RULE_UNDEFINED)
		return end_with(unwinder, IC_UNWIND_OUTERMOST, 0);
	if (!rule)
		is_found =
			ic_registers_get(&unwinder->frame->registers, row->return_reg, &next->pc);
	return is_found || lacks_register(unwinder, row->return_reg);
}

// Removes the signature from a return address, if the function signed it.
static void strip_signature(const struct ic_unwinder *unwinder, const struct ic_unwind_row *row,
			    struct ic_unwind_registers *next)
{
	const struct ic_register_rule *rule = rule_of(row, IC_AARCH64_RA_SIGN_STATE);
	uint64_t mask = unwinder->options.signature_mask;

	if (!rule || rule->kind != IC_RULE_CONSTANT || rule->at.offset == 0)
		return;
	if (!mask) // 48-bit addresses; bit 55 is set for those of the kernel
		mask = 0xffffull << 48;
	next->pc = next->pc >> 55 & 1 ? next->pc | mask : next->pc & ~mask;
}

// Whether the caller's frame is above the frame. Only a leaf with its return address in a register
// has no frame of its own, and a signal handler may be on another stack.
static bool frame_advances(struct ic_unwinder *unwinder, bool may_switch,
			   const struct ic_unwind_registers *next)
{
	const struct ic_unwind_registers *now = &unwinder->frame->registers;
	const struct ic_unwind_machine *machine = unwinder->machine;
	uint64_t sp, next_sp;

	if (!ic_registers_get(now, machine->sp, &sp) ||
	    !ic_registers_get(next, machine->sp, &next_sp) ||
	    (may_switch && (next_sp != sp || next->pc != now->pc)))
		return true;
	if (next_sp > sp || (next_sp == sp && machine->link != IC_UNWIND_NO_REG &&
			     unwinder->frame->is_exact && next->pc != now->pc))
		return true;
	return end_with(unwinder, IC_UNWIND_NO_ADVANCE, next_sp);
}

static struct ic_unwind_frame *caller_of(struct ic_unwinder *unwinder)
{
	return &unwinder->frames[unwinder->frame == unwinder->frames];
}

// Moves on to the caller, whose registers are set.
static void enter_caller(struct ic_unwinder *unwinder, enum ic_unwind_how how, bool is_exact)
{
	struct ic_unwind_frame *frame = caller_of(unwinder);

	frame->how = how;
	frame->is_exact = is_exact;
	if (unwinder->machine->pc != IC_UNWIND_NO_REG)
		ic_registers_set(&frame->registers, unwinder->machine->pc, frame->registers.pc);
	unwinder->frame = frame;
}

// Whether the kernel was entered from user mode, whose stack is another one: judged by the
// privilege level in the saved code segment, and the address, because paravirtualised kernels have
// the same level.
static bool comes_from_user(struct ic_unwinder *unwinder, const struct ic_unwind_row *row,
			    uint64_t cfa, uint64_t pc, bool *is_user)
{
	uint64_t segment;

	*is_user = false;
	if (row->mode == 0)
		return true;
	if (!read_word(unwinder, cfa + (uint64_t)row->mode, &segment))
		return false;
	*is_user = (segment & 3) == 3 && pc >> 63 == 0;
	return true;
}

// Programs and threads start with 0 in the return address register, where there is one. A 0 in
// memory may also be from an overwritten stack.
static bool end_at_zero(struct ic_unwinder *unwinder, const struct ic_unwind_row *row)
{
	const struct ic_register_rule *rule = rule_of(row, row->return_reg);
	bool may_be_overwritten =
		!row->is_program_entry && rule &&
		(rule->kind == IC_RULE_OFFSET || rule->kind == IC_RULE_EXPRESSION);

	return end_with(unwinder, may_be_overwritten ? IC_UNWIND_ZERO : IC_UNWIND_OUTERMOST, 0);
}

// Steps by the row of the frame.
static bool step_by_row(struct ic_unwinder *unwinder)
{
	const struct ic_unwind_row *row = unwinder->row;
	struct ic_unwind_registers *next = &caller_of(unwinder)->registers;
	uint64_t cfa;
	bool is_user;

	if (row->begins == IC_UNWIND_BEGINS && !row->is_signal) // nothing has called it
		return end_with(unwinder, IC_UNWIND_OUTERMOST, 0);
	if (!find_cfa(unwinder, row, &cfa))
		return false;
	begin_caller(unwinder, row, cfa, next);
	for (uint16_t i = 0; i < row->rule_count; i++)
		if (!apply_rule(unwinder, row, &row->rules[i], cfa, next))
			return false;
	if (!find_return(unwinder, row, next))
		return false;
	next->pc &= unwinder->code_mask;
	strip_signature(unwinder, row, next);
	if (!comes_from_user(unwinder, row, cfa, next->pc, &is_user))
		return false;
	if (is_user)
		return end_with(unwinder, IC_UNWIND_OUTERMOST, 0);
	if (next->pc == 0 && row->mode == 0)
		return end_at_zero(unwinder, row);
	if (!frame_advances(unwinder, row->is_signal || row->switches, next))
		return false;
	enter_caller(unwinder, IC_UNWIND_CALL_FRAMES, row->is_exact);
	return true;
}

// Whether a return address that was guessed can be one: it follows a call, or a stack starts there.
static bool may_return_to(struct ic_unwinder *unwinder, uint64_t addr)
{
	const struct ic_unwind_row *row = find_row(unwinder, addr - 1, false);

	return (row && row->begins) ||
	       ((row || unwinder->has_code) &&
		ic_call_before_in_memory(&unwinder->options, addr) != IC_CALL_BEFORE_NONE);
}

// Steps by a chain of frames or frame pointers: a guess.
static bool step_by_chain(struct ic_unwinder *unwinder)
{
	struct ic_unwind_registers *next = &caller_of(unwinder)->registers;
	enum ic_unwind_end end = unwinder->end;
	uint64_t addr = unwinder->end_addr;

	if (ic_function_range_is_entry(&unwinder->options, ic_unwind_lookup_addr(unwinder->frame)))
		return end_with(unwinder, IC_UNWIND_OUTERMOST, 0);
	if (!ic_chain_find(&unwinder->options, unwinder->machine, unwinder->frame, next))
		return end_with(unwinder, end, addr);
	if (next->pc == 0)
		return end_with(unwinder, IC_UNWIND_ZERO, 0);
	if (!may_return_to(unwinder, next->pc) ||
	    ic_direct_call_contradicts(&unwinder->options, ic_unwind_lookup_addr(unwinder->frame),
				       next->pc))
		return end_with(unwinder, end, addr);
	if (!frame_advances(unwinder, false, next))
		return false;
	enter_caller(unwinder, IC_UNWIND_FRAME_POINTER, false);
	return true;
}

// There is no code at the interrupted address: most likely it was called through a NULL or wrong
// pointer.
static bool step_by_call(struct ic_unwinder *unwinder)
{
	const struct ic_unwind_machine *machine = unwinder->machine;
	struct ic_unwind_registers *next = &caller_of(unwinder)->registers;
	enum ic_unwind_end end = unwinder->end;
	uint64_t addr = unwinder->end_addr, sp;

	ic_registers_copy(next, &unwinder->frame->registers);
	if (machine->link != IC_UNWIND_NO_REG) {
		if (!ic_registers_get(next, machine->link, &next->pc))
			return false;
	} else {
		if (!ic_registers_get(next, machine->sp, &sp) ||
		    !read_word(unwinder, sp, &next->pc))
			return end_with(unwinder, end, addr);
		ic_registers_set(next, machine->sp, sp + machine->word);
	}
	// It must have come from code: otherwise only the address is known.
	if (next->pc == 0 || next->pc == unwinder->frame->registers.pc ||
	    !may_return_to(unwinder, next->pc))
		return end_with(unwinder, end, addr);
	enter_caller(unwinder, IC_UNWIND_CALL, false);
	return true;
}

// Code without call frame information, such as assembly, and after the system call that starts a
// thread: steps to the code that called it directly.
static bool step_by_direct_call(struct ic_unwinder *unwinder)
{
	struct ic_unwind_registers *next = &caller_of(unwinder)->registers;
	bool is_certain;

	if (!ic_direct_call_find(&unwinder->options, unwinder->machine, &unwinder->frame->registers,
				 unwinder->frame->is_exact, next, &is_certain))
		return false;
	enter_caller(unwinder, is_certain ? IC_UNWIND_CODE : IC_UNWIND_CALL, false);
	return true;
}

static bool step_frame(struct ic_unwinder *unwinder)
{
	if (unwinder->row) // a register may be unknown because of a guess before
		return step_by_row(unwinder) ||
		       (unwinder->end == IC_UNWIND_NO_REGISTER && step_by_chain(unwinder));
	if (unwinder->end == IC_UNWIND_NO_CODE)
		return unwinder->frame->is_exact && step_by_call(unwinder);
	if (unwinder->end != IC_UNWIND_NO_CALL_FRAMES)
		return false;
	return step_by_direct_call(unwinder) || step_by_chain(unwinder);
}

// ---- Entry points

struct ic_unwinder *ic_unwinder_new(const struct ic_unwind_options *options, struct ic_error *err)
{
	const struct ic_unwind_machine *machine =
		ic_unwind_machine(options->machine, options->is_32_bit);
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!machine) {
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"stacks of machine %u (%d-bit) are not supported", options->machine,
			options->is_32_bit ? 32 : 64);
		return NULL;
	}
	struct ic_unwinder *unwinder = calloc(1, sizeof(*unwinder));
	if (!unwinder) {
		ic_fail_memory(err);
		return NULL;
	}
	unwinder->options = *options;
	if (unwinder->options.most_frames == 0)
		unwinder->options.most_frames = MOST_FRAMES;
	unwinder->machine = machine;
	unwinder->frame = unwinder->frames;
	unwinder->code_mask = UINT64_MAX >> (64 - machine->code_bits);
	unwinder->is_ended = true;
	ic_row_cache_forget(&unwinder->cache);
	return unwinder;
}

void ic_unwinder_free(struct ic_unwinder *unwinder)
{
	if (!unwinder)
		return;
	ic_cfi_rows_free(&unwinder->reader.rows);
	ic_expression_text_free(&unwinder->reader.text);
	free(unwinder);
}

void ic_unwinder_forget(struct ic_unwinder *unwinder)
{
	ic_row_cache_forget(&unwinder->cache);
	ic_call_frame_reader_use(&unwinder->reader, NULL);
	unwinder->is_ended = true;
}

void ic_unwinder_begin(struct ic_unwinder *unwinder, const struct ic_unwind_registers *registers)
{
	unwinder->frame_count = 0;
	unwinder->is_ended = false;
	ic_registers_copy(&caller_of(unwinder)->registers, registers);
	caller_of(unwinder)->registers.pc &= unwinder->code_mask;
	enter_caller(unwinder, IC_UNWIND_GIVEN, true);
}

void ic_unwinder_begin_call(struct ic_unwinder *unwinder,
			    const struct ic_unwind_registers *registers)
{
	ic_unwinder_begin(unwinder, registers);
	unwinder->frame->is_exact = false;
}

const struct ic_unwind_frame *ic_unwinder_next(struct ic_unwinder *unwinder)
{
	if (unwinder->is_ended)
		return NULL;
	// Only if there is a frame after the last one that is wanted, there are too many.
	uint32_t count = unwinder->frame_count, most = unwinder->options.most_frames;
	if (count > 0 && (!step_frame(unwinder) ||
			  (count == most && !end_with(unwinder, IC_UNWIND_TOO_MANY, count)))) {
		unwinder->is_ended = true;
		return NULL;
	}
	unwinder->frame_count++;
	struct ic_unwind_frame *frame = unwinder->frame;
	unwinder->row = find_row(unwinder, ic_unwind_lookup_addr(frame), frame->is_exact);
	frame->is_signal = unwinder->row && unwinder->row->is_signal && !unwinder->row->is_orc;
	frame->is_exact |= unwinder->row && unwinder->row->begins != IC_UNWIND_CALLED;
	return frame;
}

bool ic_unwinder_cfa(struct ic_unwinder *unwinder, uint64_t *cfa)
{
	return !unwinder->is_ended && unwinder->row && find_cfa(unwinder, unwinder->row, cfa);
}

enum ic_unwind_end ic_unwinder_end(const struct ic_unwinder *unwinder)
{
	return unwinder->end;
}

const char *ic_unwinder_end_text(struct ic_unwinder *unwinder)
{
	char *text = unwinder->end_text;
	const char *name = ic_register_name(unwinder->options.machine, unwinder->end_reg);
	uint64_t addr = unwinder->end_addr;

	switch (unwinder->end) {
	case IC_UNWIND_OUTERMOST: return "outermost frame";
	case IC_UNWIND_NO_CODE: snprintf(text, END_SIZE, "no code at 0x%" PRIx64, addr); break;
	case IC_UNWIND_NO_CALL_FRAMES:
		snprintf(text, END_SIZE, "no call frame information for 0x%" PRIx64, addr);
		break;
	case IC_UNWIND_NO_REGISTER:
		snprintf(text, END_SIZE, "register %s is unknown at 0x%" PRIx64, name ? name : "?",
			 addr);
		break;
	case IC_UNWIND_NO_MEMORY:
		if (unwinder->err.code != IC_ERROR_NONE) // from an expression
			return unwinder->err.message;
		snprintf(text, END_SIZE, "cannot read memory at 0x%" PRIx64, addr);
		break;
	case IC_UNWIND_MALFORMED:
		snprintf(text, END_SIZE, "call frame information for 0x%" PRIx64 ": %.200s", addr,
			 unwinder->err.message);
		break;
	case IC_UNWIND_NO_ADVANCE:
		snprintf(text, END_SIZE, "the stack pointer does not advance: 0x%" PRIx64, addr);
		break;
	case IC_UNWIND_TOO_MANY:
		snprintf(text, END_SIZE, "more than %" PRIu64 " frames", addr);
		break;
	case IC_UNWIND_ZERO:
		return "the return address is 0: the stack starts here or is overwritten";
	}
	return text;
}
