// The rows of call frame information.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/registers.h"
#include "report/rows/rows.h"

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }

#define RULE_FIELDS                     \
	FIELD(ic_row_rule, kind,   TEXT),   \
	FIELD(ic_row_rule, text,   TEXT),   \
	FIELD(ic_row_rule, from,   TEXT),   \
	FIELD(ic_row_rule, offset, SIGNED)

static const struct ic_field cfa_fields[] = { RULE_FIELDS };

static const struct ic_schema cfa_schema = {
	cfa_fields, sizeof(cfa_fields) / sizeof(*cfa_fields), sizeof(struct ic_row_rule)
};

static const struct ic_field rule_fields[] = {
	{ "register", IC_FIELD_TEXT, offsetof(struct ic_row_rule, name), 0, NULL },
	FIELD(ic_row_rule, number, NUMBER),
	RULE_FIELDS,
};

static const struct ic_schema rule_schema = {
	rule_fields, sizeof(rule_fields) / sizeof(*rule_fields), sizeof(struct ic_row_rule)
};

#define ROW(key, type) FIELD(ic_call_frame_rule_row, key, type)

#define ROW_FIELDS(cfa, registers)                                                         \
	ROW(type,            TEXT),                                                        \
	ROW(file,            TEXT),                                                        \
	ROW(function,        TEXT),                                                        \
	ROW(start,           OFFSET),                                                      \
	ROW(end,             OFFSET),                                                      \
	ROW(section,         TEXT),                                                        \
	cfa,                                                                               \
	registers,                                                                         \
	ROW(return_register, TEXT),                                                        \
	{ "signal", IC_FIELD_FLAG, offsetof(struct ic_call_frame_rule_row, is_signal), 0, NULL }, \
	ROW(table,           TEXT),                                                        \
	ROW(fde,             OFFSET)

#define CFA { "cfa", IC_FIELD_OBJECT, offsetof(struct ic_call_frame_rule_row, cfa), 0, &cfa_schema }
#define REGISTERS                                                                           \
	{ "registers", IC_FIELD_LIST, offsetof(struct ic_call_frame_rule_row, registers),   \
	  offsetof(struct ic_call_frame_rule_row, register_count), &rule_schema }

static const struct ic_field fields[] = { ROW_FIELDS(CFA, REGISTERS) };

static const struct ic_schema schema = { fields, sizeof(fields) / sizeof(*fields),
					 sizeof(struct ic_call_frame_rule_row) };

// For tables: texts in place of rules.
#define FLAT_CFA { "cfa", IC_FIELD_TEXT, offsetof(struct ic_call_frame_rule_row, cfa.text), 0, NULL }
#define FLAT_REGISTERS \
	{ "registers", IC_FIELD_TEXT, offsetof(struct ic_call_frame_rule_row, rules_text), 0, NULL }

static const struct ic_field flat_fields[] = { ROW_FIELDS(FLAT_CFA, FLAT_REGISTERS) };

static const struct ic_schema flat_schema = { flat_fields,
					      sizeof(flat_fields) / sizeof(*flat_fields),
					      sizeof(struct ic_call_frame_rule_row) };
// clang-format on

static void split_row(const void *row, ic_line_function *line, void *context)
{
	line(context, &flat_schema, row);
}

static const struct ic_schema *const call_frame_schemas[] = { &schema, NULL };

const struct ic_row_type ic_call_frame_row_type = { IC_ROWS_CALL_FRAMES, &flat_schema,
						    call_frame_schemas, NULL, split_row };

struct call_frame_rows {
	struct ic_rows rows; // must be first
	struct ic_call_frames *frames;
	struct ic_symbolizer *symbolizer;
	struct ic_range range; // of the requested code
	struct ic_call_frame_reader *reader;
	size_t number; // of the current FDE
	struct ic_call_frame_entry entry;
	struct ic_call_frame_row read; // the source of the row
	bool is_begun, out_of_memory;
	struct ic_call_frame_rule_row row;
	IC_ARRAY(struct ic_row_rule) rules;
	IC_ARRAY(char) text;
	struct ic_arena texts; // of the row
};

// Reads the next row that overlaps the range; false after the last one, and if memory runs out.
static bool advance_rows(struct call_frame_rows *rows)
{
	struct ic_error err;

	for (;; rows->is_begun = false, rows->number++) {
		if (!rows->is_begun) {
			if (!ic_call_frames_next(rows->frames, rows->range, &rows->number))
				return false;
			ic_call_frames_get(rows->frames, rows->number, &rows->entry);
			rows->is_begun =
				ic_call_frame_reader_begin(rows->reader, rows->number, &err);
		}
		while (rows->is_begun && ic_call_frame_reader_next(rows->reader, &rows->read, &err))
			if (rows->read.range.start < rows->range.end &&
			    rows->read.range.end > rows->range.start)
				return true;
		if (err.code == IC_ERROR_MEMORY) {
			rows->out_of_memory = true;
			return false;
		}
	}
}

static const char *keep_text(struct call_frame_rows *rows, const char *text)
{
	const char *copy = text ? ic_arena_copy(&rows->texts, text, strlen(text) + 1, 1) : NULL;

	rows->out_of_memory |= !copy;
	return copy;
}

static const char *register_name(struct call_frame_rows *rows, uint32_t number)
{
	const char *name = ic_call_frame_register_name(rows->frames, &rows->entry, number);
	char text[16];

	if (name)
		return name;
	snprintf(text, sizeof(text), "reg%" PRIu32, number);
	return keep_text(rows, text);
}

static const char *kind_word(enum ic_register_rule_kind kind)
{
	switch (kind) {
	case IC_RULE_UNDEFINED: return "undefined";
	case IC_RULE_SAME_VALUE: return "same";
	case IC_RULE_OFFSET: return "memory";
	case IC_RULE_VAL_OFFSET: return "value";
	case IC_RULE_REGISTER: return "register";
	case IC_RULE_EXPRESSION: return "expression";
	case IC_RULE_VAL_EXPRESSION: return "value_expression";
	case IC_RULE_CONSTANT: return "constant";
	}
	return NULL;
}

static bool has_offset(enum ic_register_rule_kind kind, bool is_cfa)
{
	return kind == IC_RULE_OFFSET || kind == IC_RULE_VAL_OFFSET || kind == IC_RULE_CONSTANT ||
	       (kind == IC_RULE_REGISTER && is_cfa);
}

static void fill_rule(struct call_frame_rows *rows, const struct ic_register_rule *rule,
		      bool is_cfa, struct ic_row_rule *row)
{
	enum ic_register_rule_kind kind = (enum ic_register_rule_kind)rule->kind;

	*row = (struct ic_row_rule){
		.number = rule->reg,
		.kind = kind_word(kind),
		.text = keep_text(rows, ic_call_frame_reader_text(rows->reader, rule, is_cfa)),
		.offset = has_offset(kind, is_cfa) ? rule->at.offset : INT64_MIN,
	};
	if (!is_cfa)
		row->name = register_name(rows, rule->reg);
	if (kind == IC_RULE_REGISTER)
		row->from = register_name(rows, rule->from);
}

static bool add_text(struct call_frame_rows *rows, const char *text)
{
	size_t size = strlen(text);

	if (!IC_ARRAY_RESERVE(&rows->text, rows->text.count + size + 1))
		return false;
	memcpy(rows->text.items + rows->text.count, text, size + 1);
	rows->text.count += (uint32_t)size;
	return true;
}

// "%rbx=[CFA-16] %rip=[CFA-8]"
static const char *rules_text(struct call_frame_rows *rows)
{
	unsigned machine = ic_call_frames_machine(rows->frames);
	bool has_percent = ic_register_has_percent(machine);
	bool ok = true;

	rows->text.count = 0;
	for (uint32_t i = 0; ok && i < rows->rules.count; i++) {
		const struct ic_row_rule *rule = &rows->rules.items[i];

		bool is_named = ic_call_frame_register_name(rows->frames, &rows->entry,
							    rule->number) != NULL;
		ok = add_text(rows, i > 0 ? " " : "") &&
		     add_text(rows, has_percent && is_named ? "%" : "") &&
		     add_text(rows, rule->name) && add_text(rows, "=") &&
		     add_text(rows, rule->text);
	}
	rows->out_of_memory |= !ok;
	return rows->rules.count > 0 ? rows->text.items : NULL;
}

static const char *function_at(struct call_frame_rows *rows, uint64_t addr)
{
	struct ic_symbolizer_symbol symbol;

	if (!rows->symbolizer || !ic_symbolizer_symbol_at(rows->symbolizer, addr, &symbol))
		return NULL;
	return ic_filler_symbol_name(&rows->rows.filler, symbol.name);
}

static bool fill_row(struct call_frame_rows *rows)
{
	struct ic_call_frame_rule_row *row = &rows->row;
	struct ic_index_section section = { .name = NULL };

	ic_arena_free(&rows->texts);
	rows->rules.count = 0;
	if (rows->symbolizer)
		ic_symbolizer_section_at(rows->symbolizer, rows->read.range.start, &section);
	*row = (struct ic_call_frame_rule_row){
		.type = "call_frame",
		.file = rows->rows.filler.options.file,
		.function = function_at(rows, rows->entry.range.start),
		.start = rows->read.range.start - section.start,
		.end = rows->read.range.end - section.start,
		.section = section.name,
		.return_register = register_name(rows, rows->entry.return_reg),
		.is_signal = rows->entry.is_signal,
		.table = rows->entry.section,
		.fde = rows->entry.off,
	};
	fill_rule(rows, &rows->read.cfa, true, &row->cfa);
	for (size_t i = 0; !rows->out_of_memory && i < rows->read.rule_count; i++) {
		struct ic_row_rule *rule = IC_ARRAY_PUSH(&rows->rules);
		if (rule)
			fill_rule(rows, &rows->read.rules[i], false, rule);
		else
			rows->out_of_memory = true;
	}
	if (rows->out_of_memory)
		return false;
	row->registers = rows->rules.items;
	row->register_count = rows->rules.count;
	row->rules_text = rules_text(rows);
	return !rows->out_of_memory;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct call_frame_rows *rows = (struct call_frame_rows *)common;

	(void)number;
	if (advance_rows(rows))
		return fill_row(rows) ? &rows->row : NULL;
	common->is_over = !rows->out_of_memory;
	return NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct call_frame_rows *rows = (struct call_frame_rows *)common;

	ic_call_frame_reader_free(rows->reader);
	IC_ARRAY_FREE(&rows->rules);
	IC_ARRAY_FREE(&rows->text);
	ic_arena_free(&rows->texts);
}

struct ic_rows *ic_rows_of_call_frames(struct ic_call_frames *frames,
				       struct ic_symbolizer *symbolizer,
				       const struct ic_range *range,
				       const struct ic_row_options *options, struct ic_error *err)
{
	if (!ic_call_frames_list(frames, err))
		return NULL;
	struct ic_rows *common = ic_rows_alloc(sizeof(struct call_frame_rows),
					       &ic_call_frame_row_type, options, err);
	struct call_frame_rows *rows = (struct call_frame_rows *)common;

	if (!rows)
		return NULL;
	common->make = make_row;
	common->deinit = free_rows;
	rows->frames = frames;
	rows->symbolizer = symbolizer;
	rows->range = range ? *range : (struct ic_range){ 0, UINT64_MAX };
	rows->reader = ic_call_frame_reader_new(frames, err);
	if (!rows->reader) {
		ic_rows_free(common);
		return NULL;
	}
	common->count = SIZE_MAX;
	return common;
}
