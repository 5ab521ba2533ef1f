// The rows of stacks, and of the code of lines.
#include <string.h>

#include "report/rows/parameter.h"
#include "report/rows/rows.h"

#include <inlinecall/extra/parameters.h>

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), 0, NULL }

#define FRAME_FIELDS                           \
	FIELD(ic_frame, function,      TEXT),   \
	FIELD(ic_frame, linkage_name,  TEXT),   \
	FIELD(ic_frame, file,          TEXT),   \
	FIELD(ic_frame, line,          NUMBER), \
	FIELD(ic_frame, column,        NUMBER), \
	FIELD(ic_frame, discriminator, NUMBER), \
	FIELD(ic_frame, inlined,       FLAG)

static const struct ic_field frame_fields[] = { FRAME_FIELDS };

const struct ic_schema ic_frame_schema = {
	frame_fields, sizeof(frame_fields) / sizeof(*frame_fields), sizeof(struct ic_frame)
};

static_assert(offsetof(struct ic_row_frame, frame) == 0, "its fields are those of the row");

#define PARAMETER_FIELDS(schema)                                                        \
	FRAME_FIELDS,                                                                   \
	FIELD(ic_row_frame, variadic,    FLAG),                                         \
	{ "params", IC_FIELD_OPTIONAL_LIST, offsetof(struct ic_row_frame, params),      \
	  offsetof(struct ic_row_frame, param_count), &(schema) }

static const struct ic_field parameter_fields[] = { PARAMETER_FIELDS(ic_parameter_schema) };
static const struct ic_field list_fields[] = { PARAMETER_FIELDS(ic_parameter_list_schema) };

enum { PARAMETER_FIELDS_COUNT = sizeof(list_fields) / sizeof(*list_fields) };

static const struct ic_schema parameter_frame_schema = {
	parameter_fields, PARAMETER_FIELDS_COUNT, sizeof(struct ic_row_frame)
};
static const struct ic_schema list_frame_schema = {
	list_fields, PARAMETER_FIELDS_COUNT, sizeof(struct ic_row_frame)
};

#define FRAMES_AT(field, schema) { "frames", IC_FIELD_LIST, offsetof(struct ic_stack_row, field), \
		 offsetof(struct ic_stack_row, frame_count), &(schema) }
#define FRAMES FRAMES_AT(frames, ic_frame_schema)

#define STACK_FIELDS(address, frames)          \
	FIELD(ic_stack_row, type,          TEXT),  \
	FIELD(ic_stack_row, file,          TEXT),  \
	address,                                   \
	FIELD(ic_stack_row, section,       TEXT),  \
	frames,                                    \
	FIELD(ic_stack_row, symbol,        TEXT),  \
	FIELD(ic_stack_row, symbol_offset, BYTES), \
	FIELD(ic_stack_row, symbol_size,   BYTES), \
	FIELD(ic_stack_row, input,         TEXT)

static const struct ic_field stack_fields[] = {
	STACK_FIELDS(FIELD(ic_stack_row, address, OFFSET), FRAMES),
};
static const struct ic_field stack_parameter_fields[] = {
	STACK_FIELDS(FIELD(ic_stack_row, address, OFFSET),
		     FRAMES_AT(with_params, parameter_frame_schema)),
};
static const struct ic_field stack_list_fields[] = {
	STACK_FIELDS(FIELD(ic_stack_row, address, OFFSET),
		     FRAMES_AT(with_params, list_frame_schema)),
};

// For text that is not an address.
static const struct ic_field input_fields[] = {
	STACK_FIELDS(FIELD(ic_stack_row, address, NONE), FRAMES),
};

// For the code of a line.
static const struct ic_field line_fields[] = {
	FIELD(ic_stack_row, type,    TEXT),
	FIELD(ic_stack_row, file,    TEXT),
	FIELD(ic_stack_row, address, OFFSET),
	FIELD(ic_stack_row, end,     OFFSET),
	FIELD(ic_stack_row, section, TEXT),
	FIELD(ic_stack_row, is_stmt, FLAG),
	FRAMES,
};

struct flat_row { // a line of a table: one per frame, or one for a stack without frames
	struct ic_stack_row stack;
	const char *address; // for text that is not an address
	uint32_t number;     // of the frame, 0 for the innermost
	struct ic_frame frame;
	const char *is_stmt, *inlined; // "true", "false", or NULL if not applicable
};

#define FLAT(key, type, field) { key, IC_FIELD_##type, offsetof(struct flat_row, field), 0, NULL }

#define FLAT_FIELDS(address)                             \
	FLAT("type",          TEXT,    stack.type),          \
	FLAT("file",          TEXT,    stack.file),          \
	address,                                             \
	FLAT("end",           ADDRESS, stack.end),           \
	FLAT("section",       TEXT,    stack.section),       \
	FLAT("is_stmt",       TEXT,    is_stmt),             \
	FLAT("frame",         NUMBER,  number),              \
	FLAT("function",      TEXT,    frame.function),      \
	FLAT("linkage_name",  TEXT,    frame.linkage_name),  \
	FLAT("source",        TEXT,    frame.file),          \
	FLAT("line",          COUNT,   frame.line),          \
	FLAT("column",        COUNT,   frame.column),        \
	FLAT("discriminator", COUNT,   frame.discriminator), \
	FLAT("inlined",       TEXT,    inlined),             \
	FLAT("symbol",        TEXT,    stack.symbol),        \
	FLAT("symbol_offset", BYTES,   stack.symbol_offset), \
	FLAT("symbol_size",   BYTES,   stack.symbol_size)

static const struct ic_field flat_fields[] = {
	FLAT_FIELDS(FLAT("address", OFFSET, stack.address)),
};
static const struct ic_field flat_input_fields[] = {
	FLAT_FIELDS(FLAT("address", TEXT, address)),
};

#define SCHEMA(fields, row) { fields, sizeof(fields) / sizeof(*fields), sizeof(struct row) }

static const struct ic_schema stack_schema = SCHEMA(stack_fields, ic_stack_row),
			      parameter_schema = SCHEMA(stack_parameter_fields, ic_stack_row),
			      list_schema = SCHEMA(stack_list_fields, ic_stack_row),
			      input_schema = SCHEMA(input_fields, ic_stack_row),
			      line_schema = SCHEMA(line_fields, ic_stack_row),
			      flat_schema = SCHEMA(flat_fields, flat_row),
			      flat_input_schema = SCHEMA(flat_input_fields, flat_row);
// clang-format on

static const struct ic_schema *schema_of(const void *data)
{
	const struct ic_stack_row *row = data;

	if (row->is_line || row->input)
		return row->is_line ? &line_schema : &input_schema;
	return !row->with_params ? &stack_schema
	       : row->has_lists  ? &list_schema
				 : &parameter_schema;
}

static const char *flag_text(bool value)
{
	return value ? "true" : "false";
}

static void split_row(const void *data, ic_line_function *line, void *context)
{
	const struct ic_stack_row *stack = data;
	struct flat_row row = { .stack = *stack };

	row.address = stack->input && !*stack->input ? "??" : stack->input;
	if (stack->is_line)
		row.is_stmt = flag_text(stack->is_stmt);
	do {
		if (row.number < stack->frame_count) {
			row.frame = stack->frames[row.number];
			row.inlined = flag_text(row.frame.inlined);
		}
		line(context, stack->input ? &flat_input_schema : &flat_schema, &row);
	} while (++row.number < stack->frame_count);
}

static const struct ic_schema *const stack_schemas[] = { &stack_schema, &parameter_schema,
							 &list_schema,  &input_schema,
							 &line_schema,  NULL };

const struct ic_row_type ic_stack_row_type = { IC_ROWS_STACKS, &flat_schema, stack_schemas,
					       schema_of, split_row };

struct stack_rows {
	struct ic_rows rows; // must be first
	const struct ic_rows_stack *stacks;
	struct ic_stack_row row;
	IC_ARRAY(struct ic_frame) frames; // if names or paths differ from the stack's own
	IC_ARRAY(struct ic_row_frame) with_params;
	struct ic_parameter_rows parameters;
};

static bool fill_frames(struct stack_rows *rows, const struct ic_rows_stack *stack)
{
	struct ic_filler *filler = &rows->rows.filler;

	rows->row.frames = stack->frames;
	rows->row.frame_count = stack->frame_count;
	if (!filler->options.demangle && !filler->options.base_names)
		return true;
	if (!IC_ARRAY_RESERVE(&rows->frames, stack->frame_count))
		return false;
	for (size_t i = 0; i < stack->frame_count; i++) {
		struct ic_frame *frame = &rows->frames.items[i];

		*frame = stack->frames[i];
		frame->function = ic_filler_frame_name(filler, frame);
		frame->file = ic_filler_path(filler, frame->file);
	}
	rows->row.frames = rows->frames.items;
	return true;
}

// For a function without a linkage name, as in single-file C++, a mangled symbol is not a different
// name; but a suffix marks a clone or a part.
static bool is_renamed(const struct ic_rows_stack *stack)
{
	const struct ic_frame *host = &stack->frames[stack->frame_count - 1];
	const char *name = host->linkage_name ? host->linkage_name : host->function;

	if (!name || (!host->linkage_name && strncmp(stack->symbol, "_Z", 2) == 0 &&
		      !strchr(stack->symbol, '.')))
		return false;
	return strcmp(stack->symbol, name) != 0;
}

static void fill_symbol(const struct ic_rows_stack *stack, struct ic_stack_row *row)
{
	row->symbol = stack->symbol;
	row->symbol_offset = row->symbol_size = IC_NO_ADDR;
	if (!stack->symbol)
		return;
	row->symbol_offset = stack->symbol_offset;
	if (stack->symbol_size > 0)
		row->symbol_size = stack->symbol_size;
	row->is_renamed = stack->frame_count > 0 && is_renamed(stack);
}

static bool add_parameters(struct stack_rows *rows, const struct ic_rows_stack *stack,
			   size_t number)
{
	struct ic_filler *filler = &rows->rows.filler;
	struct ic_parameters *parameters = filler->options.parameters;
	size_t before = rows->parameters.list.count;
	struct ic_row_frame *frame = IC_ARRAY_PUSH(&rows->with_params);

	if (!frame || !ic_parameters_find_frame(parameters, stack->lookup, number, NULL) ||
	    !ic_parameter_rows_add(&rows->parameters, filler, stack->lookup, stack->start))
		return false;
	*frame = (struct ic_row_frame){
		.frame = rows->row.frames[number],
		.param_count = rows->parameters.list.count - before,
		.variadic = ic_parameters_is_variadic(parameters),
		.is_undescribed = ic_parameters_is_undescribed(parameters),
	};
	if (ic_parameters_is_known(parameters)) // set again later, as the list may still move
		frame->params = rows->parameters.list.items;
	return true;
}

static bool fill_parameters(struct stack_rows *rows, const struct ic_rows_stack *stack)
{
	struct ic_parameters *parameters = rows->rows.filler.options.parameters;
	size_t first = 0;

	if (!parameters || stack->place || stack->text)
		return true;
	rows->with_params.count = 0;
	if (!IC_ARRAY_RESERVE(&rows->with_params, 1) || // an empty list is not NULL
	    !ic_parameter_rows_begin(&rows->parameters))
		return false;
	for (size_t i = 0; i < stack->frame_count; i++)
		if (!add_parameters(rows, stack, i))
			return false;
	ic_parameter_rows_end(&rows->parameters);
	for (uint32_t i = 0; i < rows->with_params.count; i++) {
		struct ic_row_frame *frame = &rows->with_params.items[i];
		if (frame->params)
			frame->params = rows->parameters.list.items + first;
		first += frame->param_count;
	}
	rows->row.with_params = rows->with_params.items;
	rows->row.params_address = stack->lookup - stack->start;
	rows->row.has_lists = ic_parameters_has_lists(parameters);
	return true;
}

static const void *make_row(struct ic_rows *common, size_t number)
{
	struct stack_rows *rows = (struct stack_rows *)common;
	const struct ic_rows_stack *stack = &rows->stacks[number];
	const struct ic_line_place *place = stack->place;
	struct ic_stack_row *row = &rows->row;

	*row = (struct ic_stack_row){ .type = place ? "line" : "stack",
				      .file = common->filler.options.file,
				      .address = stack->addr,
				      .end = IC_NO_ADDR,
				      .section = stack->section,
				      .input = stack->text,
				      .is_line = place };
	if (place) {
		row->end = row->address + (place->range.end - place->range.start);
		row->is_stmt = place->is_stmt;
	}
	fill_symbol(stack, row);
	return fill_frames(rows, stack) && fill_parameters(rows, stack) ? row : NULL;
}

static void free_rows(struct ic_rows *common)
{
	struct stack_rows *rows = (struct stack_rows *)common;

	IC_ARRAY_FREE(&rows->frames);
	IC_ARRAY_FREE(&rows->with_params);
	ic_parameter_rows_free(&rows->parameters);
}

struct ic_rows *ic_rows_of_stacks(const struct ic_rows_stack *stacks, size_t count,
				  const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *common =
		ic_rows_alloc(sizeof(struct stack_rows), &ic_stack_row_type, options, err);
	struct stack_rows *rows = (struct stack_rows *)common;

	if (!rows)
		return NULL;
	rows->stacks = stacks;
	common->make = make_row;
	common->deinit = free_rows;
	common->count = count;
	return common;
}
