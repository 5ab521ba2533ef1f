#include "emit/stack_out.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cursor.h"
#include "base/registers.h"
#include "breakpad/records.h"
#include "emit/text_out.h"

#include <inlinecall/extra/call_frames.h>

enum { DECIMAL = 10, HEX = 16, MOST_REGISTERS = 32 };

struct writer {
	struct ic_out *out;
	const struct ic_breakpad_registers *registers;
	uint64_t load_addr;
	struct ic_out rows;   // those that are open, after the start of their first line
	struct ic_range code; // theirs
	// Of the last of them, if is_open:
	bool is_open;
	struct ic_register_rule cfa;
	struct ic_register_rule rules[MOST_REGISTERS];
	bool has_rule[MOST_REGISTERS];
};

// ---- Rules

static void put_name(struct writer *writer, uint32_t reg)
{
	const char *name = ic_register_name(writer->registers->machine, reg);

	ic_text_out(&writer->rows, writer->registers->prefix);
	ic_text_out(&writer->rows, name ? name : "");
}

static void put_offset(struct writer *writer, int64_t offset)
{
	char text[32];

	snprintf(text, sizeof(text), " %" PRId64 " +", offset);
	ic_text_out(&writer->rows, text);
}

static bool is_known(const struct writer *writer, uint32_t reg)
{
	return reg < writer->registers->count;
}

// Writes an expression that only adds to a register, and reads memory there, any number of times:
// as in the frames of signals. False for all others.
static bool put_expression(struct writer *writer, const struct ic_register_rule *rule)
{
	enum { DW_OP_deref = 0x06, DW_OP_breg0 = 0x70 };
	struct ic_bytes bytes = { rule->at.expression, rule->from };
	struct ic_cursor cur = ic_cursor_at(bytes, "", 0, bytes.size, false);
	uint8_t reg = (uint8_t)(ic_cursor_u8(&cur) - DW_OP_breg0);
	int64_t offset = ic_cursor_sleb(&cur);
	uint32_t loads = rule->kind == IC_RULE_EXPRESSION;

	for (; ic_cursor_more(&cur) && !cur.fault; loads++)
		if (ic_cursor_u8(&cur) != DW_OP_deref)
			return false;
	if (cur.fault || reg >= 32 || !is_known(writer, reg))
		return false;
	put_name(writer, reg);
	put_offset(writer, offset);
	for (; loads > 0; loads--)
		ic_text_out(&writer->rows, " ^");
	return true;
}

static bool is_expression(const struct ic_register_rule *rule)
{
	return rule->kind == IC_RULE_EXPRESSION || rule->kind == IC_RULE_VAL_EXPRESSION;
}

// A value in postfix notation; ".undef" makes readers give the register up.
static void put_rule(struct writer *writer, uint32_t reg, const struct ic_register_rule *rule)
{
	switch ((enum ic_register_rule_kind)rule->kind) {
	case IC_RULE_SAME_VALUE: put_name(writer, reg); return;
	case IC_RULE_OFFSET:
	case IC_RULE_VAL_OFFSET:
		ic_text_out(&writer->rows, ".cfa");
		put_offset(writer, rule->at.offset);
		if (rule->kind == IC_RULE_OFFSET)
			ic_text_out(&writer->rows, " ^");
		return;
	case IC_RULE_REGISTER:
		if (!is_known(writer, rule->from))
			break;
		put_name(writer, rule->from);
		if (rule->at.offset != 0)
			put_offset(writer, rule->at.offset);
		return;
	case IC_RULE_EXPRESSION:
	case IC_RULE_VAL_EXPRESSION:
		if (put_expression(writer, rule))
			return;
		break;
	case IC_RULE_UNDEFINED:
	case IC_RULE_CONSTANT: break;
	}
	ic_text_out(&writer->rows, ".undef");
}

static bool is_same(const struct ic_register_rule *left, const struct ic_register_rule *right)
{
	if (left->kind != right->kind || left->from != right->from)
		return false;
	return is_expression(left)
		       ? memcmp(left->at.expression, right->at.expression, left->from) == 0
		       : left->at.offset == right->at.offset;
}

// Writes the rules of a row that differ from those of the last one.
static void put_changes(struct writer *writer, const struct ic_call_frame_row *row,
			uint32_t return_reg)
{
	static const struct ic_register_rule same = { .kind = IC_RULE_SAME_VALUE };
	const struct ic_register_rule *now[MOST_REGISTERS] = { NULL };

	for (size_t i = 0; i < row->rule_count; i++)
		if (is_known(writer, row->rules[i].reg))
			now[row->rules[i].reg] = &row->rules[i];
	if (!writer->is_open || !is_same(&writer->cfa, &row->cfa)) {
		ic_text_out(&writer->rows, " .cfa: ");
		put_rule(writer, 0, &row->cfa);
	}
	for (uint32_t reg = 0; reg < writer->registers->count; reg++) {
		// The return address needs a rule: it may be in a register.
		bool must = reg == return_reg && !writer->is_open;
		bool had = writer->is_open && writer->has_rule[reg];
		const struct ic_register_rule *rule = now[reg] ? now[reg] : &same;
		const struct ic_register_rule *last = had ? &writer->rules[reg] : &same;
		if (!must && is_same(rule, last))
			continue;
		ic_out_uint(&writer->rows, ' ', 1);
		if (reg == return_reg)
			ic_text_out(&writer->rows, ".ra");
		else
			put_name(writer, reg);
		ic_text_out(&writer->rows, ": ");
		put_rule(writer, reg, rule);
	}
	for (uint32_t reg = 0; reg < MOST_REGISTERS; reg++) {
		writer->has_rule[reg] = now[reg];
		if (now[reg])
			writer->rules[reg] = *now[reg];
	}
	writer->cfa = row->cfa;
	writer->is_open = true;
}

// ---- Rows

// Whether the canonical frame address can be written, which all other rules may need.
static bool is_writable(struct writer *writer, const struct ic_call_frame_row *row)
{
	uint32_t before = writer->rows.bytes.count;
	bool is_simple = row->cfa.kind == IC_RULE_REGISTER && is_known(writer, row->cfa.from);

	if (is_simple || row->cfa.kind != IC_RULE_VAL_EXPRESSION)
		return is_simple;
	bool ok = put_expression(writer, &row->cfa);
	writer->rows.bytes.count = before; // it was only tried
	return ok;
}

// Writes the open rows, whose length is only known now.
static void close_rows(struct writer *writer)
{
	if (!writer->is_open)
		return;
	ic_text_out(writer->out, "STACK CFI INIT ");
	ic_number_out(writer->out, writer->code.start - writer->load_addr, HEX);
	ic_field_out(writer->out, writer->code.end - writer->code.start, HEX);
	ic_out_bytes(writer->out, writer->rows.bytes.items, writer->rows.bytes.count);
	writer->rows.bytes.count = 0;
	writer->is_open = false;
}

static void take_row(struct writer *writer, const struct ic_call_frame_row *row,
		     uint32_t return_reg)
{
	if (writer->is_open && (row->range.start != writer->code.end || !is_writable(writer, row)))
		close_rows(writer);
	if (!is_writable(writer, row))
		return;
	if (writer->is_open) {
		ic_text_out(&writer->rows, "STACK CFI ");
		ic_number_out(&writer->rows, row->range.start - writer->load_addr, HEX);
	} else {
		writer->code.start = row->range.start;
	}
	writer->code.end = row->range.end;
	put_changes(writer, row, return_reg);
	ic_out_uint(&writer->rows, '\n', 1);
}

// Writes an FDE unless another section has one for the same code, which readers prefer.
static bool put_entry(struct writer *writer, struct ic_call_frames *frames,
		      struct ic_call_frame_reader *reader, size_t number, struct ic_error *err)
{
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row row;
	size_t found;

	if (!ic_call_frames_get(frames, number, &entry) ||
	    (ic_call_frames_find(frames, entry.range.start, &found) && found != number))
		return true;
	if (!ic_call_frame_reader_begin(reader, number, err))
		return err->code != IC_ERROR_MEMORY;
	while (ic_call_frame_reader_next(reader, &row, err))
		take_row(writer, &row, entry.return_reg);
	close_rows(writer);
	return err->code != IC_ERROR_MEMORY;
}

static bool put_entries(struct writer *writer, struct ic_call_frames *frames, struct ic_error *err)
{
	struct ic_call_frame_reader *reader = ic_call_frame_reader_new(frames, err);
	bool ok = reader && ic_call_frames_list(frames, err);

	for (size_t i = 0; ok && !writer->out->failed && i < ic_call_frames_count(frames); i++)
		ok = put_entry(writer, frames, reader, i, err);
	ic_call_frame_reader_free(reader);
	return ok;
}

static void copy_problems(struct ic_call_frames *frames, struct ic_problems *problems)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_call_frames_problem_get(frames, i, &problem); i++) {
		struct ic_error err;
		ic_fail(&err, IC_ERROR_MALFORMED, "%s", problem.message);
		if (!problem.is_note)
			ic_problems_add(problems, &err, NULL, 0);
	}
}

bool ic_stack_out_put(struct ic_out *out, struct ic_image *image, uint64_t load_addr,
		      struct ic_problems *problems, struct ic_error *err)
{
	struct writer writer = { .out = out,
				 .registers = ic_breakpad_registers(image->file.machine),
				 .load_addr = load_addr };

	if (!writer.registers)
		return true;
	struct ic_call_frames *frames = ic_call_frames_open(image, err);
	if (!frames)
		return err->code != IC_ERROR_MEMORY; // there is none
	bool ok = put_entries(&writer, frames, err);
	copy_problems(frames, problems);
	ic_call_frames_free(frames);
	ic_out_free(&writer.rows);
	return ok || err->code != IC_ERROR_MEMORY;
}
