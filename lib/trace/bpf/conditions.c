// Answers the filter at a hit. Every term has one of three answers, and so have && (the lesser of
// two), || (the greater) and ! (2 minus it).
#include <string.h>

#include "trace/bpf/writer.h"

enum { LEFT = IC_BPF_SUM }; // the left-hand side of a term

#define CONDITION_OFFSET(term, field)                           \
	((int16_t)(sizeof(struct ic_trace_copy_data) +          \
		   (term) * sizeof(struct ic_trace_condition) + \
		   offsetof(struct ic_trace_condition, field)))

struct writer { // of a term
	const struct ic_trace_shape *shape;
	const struct ic_trace_layout *layout;
	const struct ic_trace_term *term;
	uint32_t number; // of the term
	struct ic_bpf_code *code;
	struct ic_bpf_jumps unknown;
};

// `to` = an argument of the record, whose number is at `offset` in the copy; or what a builtin is.
static void write_operand(struct writer *writer, const struct ic_trace_operand *operand,
			  int16_t offset, unsigned to)
{
	static const int16_t builtins[] = { [IC_TRACE_PID] = IC_RECORD_OFFSET(pid),
					    [IC_TRACE_TID] = IC_RECORD_OFFSET(tid),
					    [IC_TRACE_CPU] = IC_RECORD_OFFSET(cpu),
					    [IC_TRACE_COMMAND] = IC_RECORD_OFFSET(command) };
	struct ic_bpf_code *code = writer->code;

	if (operand->builtin) {
		ic_bpf_load(code, IC_BPF_8, to, IC_BPF_RECORD, builtins[operand->builtin]);
		return;
	}
	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, offset);
	ic_bpf_jump_from(&writer->unknown, ic_bpf_jump(code, BPF_JGE, BPF_REG_1,
						       (int32_t)writer->shape->argument_count));
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, IC_BPF_RECORD, IC_RECORD_OFFSET(known));
	ic_bpf_do_register(code, BPF_RSH, BPF_REG_2, BPF_REG_1);
	ic_bpf_do(code, BPF_AND, BPF_REG_2, 1);
	ic_bpf_jump_from(&writer->unknown, ic_bpf_jump(code, BPF_JEQ, BPF_REG_2, 0));
	ic_bpf_do(code, BPF_MUL, BPF_REG_1, IC_TRACE_VALUE_SIZE);
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, IC_BPF_RECORD);
	ic_bpf_load(code, IC_BPF_8, to, BPF_REG_1, (int16_t)writer->layout->values);
}

// R0 = whether a relation between R1 and R2 holds.
static void write_comparison(uint32_t term, enum ic_trace_relation relation,
			     struct ic_bpf_code *code)
{
	static const uint8_t jumps[] = {
		[IC_TRACE_EQUAL] = BPF_JEQ,   [IC_TRACE_UNEQUAL] = BPF_JNE,
		[IC_TRACE_LESS] = BPF_JLT,    [IC_TRACE_LESS_EQUAL] = BPF_JLE,
		[IC_TRACE_GREATER] = BPF_JGT, [IC_TRACE_GREATER_EQUAL] = BPF_JGE,
	};
	static const uint8_t of_signed[] = {
		[IC_TRACE_EQUAL] = BPF_JEQ,    [IC_TRACE_UNEQUAL] = BPF_JNE,
		[IC_TRACE_LESS] = BPF_JSLT,    [IC_TRACE_LESS_EQUAL] = BPF_JSLE,
		[IC_TRACE_GREATER] = BPF_JSGT, [IC_TRACE_GREATER_EQUAL] = BPF_JSGE,
	};
	struct ic_bpf_jumps holds = { .count = 0 };

	ic_bpf_set(code, BPF_REG_0, IC_TRACE_YES);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_3, IC_BPF_COPY, CONDITION_OFFSET(term, is_signed));
	uint32_t is_unsigned = ic_bpf_jump(code, BPF_JEQ, BPF_REG_3, 0);
	ic_bpf_jump_from(&holds,
			 ic_bpf_jump_register(code, of_signed[relation], BPF_REG_1, BPF_REG_2));
	uint32_t differs = ic_bpf_jump(code, BPF_JA, 0, 0);
	ic_bpf_land(code, is_unsigned);
	ic_bpf_jump_from(&holds, ic_bpf_jump_register(code, jumps[relation], BPF_REG_1, BPF_REG_2));
	ic_bpf_land(code, differs);
	ic_bpf_set(code, BPF_REG_0, IC_TRACE_NO);
	ic_bpf_land_all(code, &holds);
}

static void compare_numbers(struct writer *writer)
{
	const struct ic_trace_term *term = writer->term;
	struct ic_bpf_code *code = writer->code;
	uint32_t has_number = 0, done = 0;

	write_operand(writer, &term->left, CONDITION_OFFSET(writer->number, left), LEFT);
	if (term->has_mask) {
		ic_bpf_set_wide(code, BPF_REG_1, term->mask);
		ic_bpf_do_register(code, BPF_AND, LEFT, BPF_REG_1);
	}
	if (term->with == IC_TRACE_WITH_NAME) {
		ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY,
			    CONDITION_OFFSET(writer->number, has_number));
		has_number = ic_bpf_jump(code, BPF_JNE, BPF_REG_1, 0);
		write_operand(writer, &term->right, CONDITION_OFFSET(writer->number, right),
			      BPF_REG_2);
		done = ic_bpf_jump(code, BPF_JA, 0, 0);
		ic_bpf_land(code, has_number);
	}
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, IC_BPF_COPY,
		    CONDITION_OFFSET(writer->number, number));
	if (done)
		ic_bpf_land(code, done);
	ic_bpf_copy(code, BPF_REG_1, LEFT);
	write_comparison(writer->number, term->relation, code);
}

// R0 = whether the string at R1 is equal to that of the term, or starts with it. Compares eight
// bytes at a time, with the NUL if it must be equal.
static void compare_text(const struct ic_trace_term *term, struct ic_bpf_code *code)
{
	bool is_equal = term->relation == IC_TRACE_EQUAL || term->relation == IC_TRACE_LIKE;
	uint32_t size = term->relation < IC_TRACE_LIKE ? term->length + 1
						       : ic_trace_prefix_length(term);
	struct ic_bpf_jumps differs = { .count = 0 };

	ic_bpf_set(code, BPF_REG_0, is_equal ? IC_TRACE_NO : IC_TRACE_YES);
	if (term->relation < IC_TRACE_LIKE && !term->left.builtin) { // it may go on after a NUL
		ic_bpf_load(code, IC_BPF_8, BPF_REG_2, BPF_REG_1, 0);
		ic_bpf_jump_from(&differs, ic_bpf_jump(code, BPF_JNE, BPF_REG_2, (int32_t)size));
	}
	for (uint32_t done = 0; done < size && size < IC_TRACE_TERM_TEXT; done += 8) {
		uint32_t part = size - done < 8 ? size - done : 8;
		uint8_t bytes[8] = { 0 }, mask[8] = { 0 };
		uint64_t wanted, wanted_bits;

		memcpy(bytes, term->text + done, part);
		memset(mask, 0xff, part);
		memcpy(&wanted, bytes, sizeof(wanted));
		memcpy(&wanted_bits, mask, sizeof(wanted_bits));
		ic_bpf_load(code, IC_BPF_8, BPF_REG_2, BPF_REG_1, (int16_t)(8 + done));
		ic_bpf_set_wide(code, BPF_REG_3, wanted_bits);
		ic_bpf_do_register(code, BPF_AND, BPF_REG_2, BPF_REG_3);
		ic_bpf_set_wide(code, BPF_REG_3, wanted);
		ic_bpf_jump_from(&differs,
				 ic_bpf_jump_register(code, BPF_JNE, BPF_REG_2, BPF_REG_3));
	}
	ic_bpf_set(code, BPF_REG_0, is_equal ? IC_TRACE_YES : IC_TRACE_NO);
	ic_bpf_land_all(code, &differs);
}

static void compare_strings(struct writer *writer)
{
	int32_t last = (int32_t)writer->layout->stack - 8 - IC_TRACE_TERM_TEXT;
	struct ic_bpf_code *code = writer->code;

	ic_bpf_load(code, IC_BPF_4, BPF_REG_1, IC_BPF_COPY,
		    CONDITION_OFFSET(writer->number, string_at));
	ic_bpf_jump_from(&writer->unknown, ic_bpf_jump(code, BPF_JGT, BPF_REG_1, last));
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, IC_BPF_RECORD);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, BPF_REG_1, 0);
	uint32_t is_read = ic_bpf_jump(code, BPF_JSGT, BPF_REG_2, 0);
	// It is not in memory: the reader may find it in the file.
	ic_bpf_set(code, BPF_REG_1, 1);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(asks), BPF_REG_1);
	ic_bpf_jump_from(&writer->unknown, ic_bpf_jump(code, BPF_JA, 0, 0));
	ic_bpf_land(code, is_read);
	compare_text(writer->term, code);
}

// R0 = the answer of a term.
static void write_term(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
		       uint32_t number, struct ic_bpf_code *code)
{
	struct writer writer = { .shape = shape,
				 .layout = layout,
				 .term = &shape->filter.terms[number],
				 .number = number,
				 .code = code };

	ic_bpf_load(code, IC_BPF_1, BPF_REG_0, IC_BPF_COPY, CONDITION_OFFSET(number, how));
	uint32_t is_fixed = ic_bpf_jump(code, BPF_JLE, BPF_REG_0, IC_TRACE_YES);
	if (writer.term->with == IC_TRACE_WITH_STRING)
		compare_strings(&writer);
	else
		compare_numbers(&writer);
	if (writer.unknown.count > 0) { // the verifier rejects code that cannot be reached
		uint32_t done = ic_bpf_jump(code, BPF_JA, 0, 0);
		ic_bpf_land_all(code, &writer.unknown);
		ic_bpf_set(code, BPF_REG_0, IC_TRACE_UNKNOWN);
		ic_bpf_land(code, done);
	}
	ic_bpf_land(code, is_fixed);
}

static int16_t answer_at(uint32_t depth)
{
	return (int16_t)(IC_RECORD_OFFSET(answers) + (int)depth);
}

// Replaces the last two answers by the lesser or the greater, or the last one by its opposite.
static void join_answers(uint8_t step, uint32_t depth, struct ic_bpf_code *code)
{
	int16_t at = answer_at(depth - (step == IC_TRACE_NOT ? 1 : 2));

	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_RECORD, answer_at(depth - 1));
	ic_bpf_set(code, BPF_REG_2, IC_TRACE_YES);
	if (step == IC_TRACE_NOT) {
		ic_bpf_do_register(code, BPF_SUB, BPF_REG_2, BPF_REG_1);
		ic_bpf_store(code, IC_BPF_1, IC_BPF_RECORD, at, BPF_REG_2);
		return;
	}
	ic_bpf_load(code, IC_BPF_1, BPF_REG_2, IC_BPF_RECORD, at);
	uint32_t is_kept = ic_bpf_jump_register(code, step == IC_TRACE_AND ? BPF_JLE : BPF_JGE,
						BPF_REG_2, BPF_REG_1);
	ic_bpf_store(code, IC_BPF_1, IC_BPF_RECORD, at, BPF_REG_1);
	ic_bpf_land(code, is_kept);
}

void ic_bpf_filter_write(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			 struct ic_bpf_code *code)
{
	uint32_t depth = 0;

	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_COPY, IC_COPY_OFFSET(asks));
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(asks), BPF_REG_1);
	for (uint32_t i = 0; i < shape->filter.step_count; i++) {
		uint8_t step = shape->filter.steps[i];
		if (step < IC_TRACE_AND) {
			write_term(shape, layout, step, code);
			ic_bpf_store(code, IC_BPF_1, IC_BPF_RECORD, answer_at(depth++), BPF_REG_0);
		} else {
			join_answers(step, depth, code);
			depth -= step != IC_TRACE_NOT;
		}
	}
	ic_bpf_load(code, IC_BPF_1, BPF_REG_0, IC_BPF_RECORD, answer_at(0));
}
