#include "report/stack_row.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "query/names.h"

// clang-format off
#define FIELD(row, key, type) { #key, IC_FIELD_##type, offsetof(struct row, key), NULL }

static const struct ic_field frame_fields[] = {
	FIELD(ic_frame_row, function,      TEXT),
	FIELD(ic_frame_row, linkage_name,  TEXT),
	FIELD(ic_frame_row, file,          TEXT),
	FIELD(ic_frame_row, line,          NUMBER),
	FIELD(ic_frame_row, column,        NUMBER),
	FIELD(ic_frame_row, discriminator, NUMBER),
	FIELD(ic_frame_row, inlined,       FLAG),
};

static const struct ic_schema frame_schema = {
	frame_fields, sizeof(frame_fields) / sizeof(*frame_fields)
};

static const struct ic_field stack_fields[] = {
	FIELD(ic_stack_row, type,    TEXT),
	FIELD(ic_stack_row, file,    TEXT),
	FIELD(ic_stack_row, address, OFFSET),
	FIELD(ic_stack_row, section, TEXT),
	{ "frames", IC_FIELD_LIST, offsetof(struct ic_stack_row, frames), &frame_schema },
	FIELD(ic_stack_row, symbol,        TEXT),
	FIELD(ic_stack_row, symbol_offset, BYTES),
	FIELD(ic_stack_row, symbol_size,   BYTES),
	{ "input", IC_FIELD_TEXT, offsetof(struct ic_stack_row, text), NULL },
};

// Of the code of a line.
static const struct ic_field line_fields[] = {
	FIELD(ic_stack_row, type,    TEXT),
	FIELD(ic_stack_row, file,    TEXT),
	FIELD(ic_stack_row, address, OFFSET),
	FIELD(ic_stack_row, end,     OFFSET),
	FIELD(ic_stack_row, section, TEXT),
	FIELD(ic_stack_row, is_stmt, FLAG),
	{ "frames", IC_FIELD_LIST, offsetof(struct ic_stack_row, frames), &frame_schema },
};

// Of what is no address.
static const struct ic_field text_fields[] = {
	FIELD(ic_stack_row, type,    TEXT),
	FIELD(ic_stack_row, file,    TEXT),
	{ "address", IC_FIELD_TEXT, offsetof(struct ic_stack_row, no_address), NULL },
	FIELD(ic_stack_row, section, TEXT),
	{ "frames", IC_FIELD_LIST, offsetof(struct ic_stack_row, frames), &frame_schema },
	FIELD(ic_stack_row, symbol,        TEXT),
	FIELD(ic_stack_row, symbol_offset, BYTES),
	FIELD(ic_stack_row, symbol_size,   BYTES),
	{ "input", IC_FIELD_TEXT, offsetof(struct ic_stack_row, text), NULL },
};

struct flat_row { // of CSV: one a frame, or one for a stack without frames
	struct ic_stack_row stack;
	uint32_t number; // of the frame, 0 for the innermost
	struct ic_frame_row frame;
	const char *is_stmt, *inlined; // "true", "false", or NULL if there is nothing to say
};

#define FLAT(key, type, field) { key, IC_FIELD_##type, offsetof(struct flat_row, field), NULL }

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
static const struct ic_field flat_text_fields[] = {
	FLAT_FIELDS(FLAT("address", TEXT, stack.no_address)),
};
// clang-format on

enum { FLAT_COUNT = sizeof(flat_fields) / sizeof(*flat_fields) };

static const struct ic_schema flat_schema = { flat_fields, FLAT_COUNT };
static const struct ic_schema flat_text_schema = { flat_text_fields, FLAT_COUNT };

enum { FIELD_COUNT = sizeof(stack_fields) / sizeof(*stack_fields) };

static const struct ic_schema stack_schema = { stack_fields, FIELD_COUNT };
static const struct ic_schema text_schema = { text_fields, FIELD_COUNT };
static const struct ic_schema line_schema = { line_fields,
					      sizeof(line_fields) / sizeof(*line_fields) };

struct filler { // what it takes to make a row of a stack
	const struct ic_report_options *options;
	struct ic_names names;
	IC_ARRAY(struct ic_frame_row) frames;
};

// What symbols call the function is its linkage name too, where there is no other.
static const char *name_of(struct filler *filler, const struct ic_frame *frame)
{
	const char *mangled = frame->linkage_name ? frame->linkage_name
			      : frame->is_symbol  ? frame->function
						  : NULL;

	if (!filler->options->demangle || !mangled)
		return frame->function;
	const char *name = ic_names_demangled(&filler->names, mangled);
	return name == mangled && frame->function ? frame->function : name;
}

static bool fill_frames(struct filler *filler, const struct ic_report_stack *stack,
			struct ic_stack_row *row)
{
	if (!IC_ARRAY_RESERVE(&filler->frames, stack->frame_count))
		return false;
	for (size_t i = 0; i < stack->frame_count; i++) {
		const struct ic_frame *frame = &stack->frames[i];
		const char *path = frame->file;

		if (path && filler->options->base_names)
			path = ic_text_base_name(path);
		filler->frames.items[i] = (struct ic_frame_row){
			name_of(filler, frame), frame->linkage_name,  path,          frame->line,
			frame->column,          frame->discriminator, frame->inlined
		};
	}
	row->frames = (struct ic_row_list){ filler->frames.items, stack->frame_count,
					    sizeof(struct ic_frame_row) };
	return true;
}

// A mangled name is not another one for a function without a linkage name, as C++ has them in one
// file; but a suffix says that it is a clone or a part.
static bool is_renamed(const struct ic_report_stack *stack)
{
	const struct ic_frame *host = &stack->frames[stack->frame_count - 1];
	const char *name = host->linkage_name ? host->linkage_name : host->function;

	if (!name || (!host->linkage_name && strncmp(stack->symbol, "_Z", 2) == 0 &&
		      !strchr(stack->symbol, '.')))
		return false;
	return strcmp(stack->symbol, name) != 0;
}

static void fill_symbol(const struct ic_report_stack *stack, struct ic_stack_row *row)
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

static const char *flag(bool value)
{
	return value ? "true" : "false";
}

static bool write_flat(const struct ic_stack_row *stack, struct ic_row_sink *sink,
		       struct ic_error *err)
{
	const struct ic_frame_row *frames = stack->frames.rows;
	struct flat_row row = { .stack = *stack };

	row.stack.no_address = stack->text && !*stack->text ? "??" : stack->text;
	if (stack->end != IC_NO_ADDR)
		row.is_stmt = flag(stack->is_stmt);
	do {
		if (row.number < stack->frames.count) {
			row.frame = frames[row.number];
			row.inlined = flag(row.frame.inlined);
		}
		if (!sink->row(sink, stack->text ? &flat_text_schema : &flat_schema, &row, err))
			return false;
	} while (++row.number < stack->frames.count);
	return true;
}

bool ic_stack_rows(const struct ic_report_stack *stacks, size_t count,
		   const struct ic_report_options *options, struct ic_row_sink *sink,
		   struct ic_error *err)
{
	struct filler filler = { .options = options };
	bool is_flat = options->format == IC_REPORT_CSV;
	bool ok = sink->begin(sink, is_flat ? &flat_schema : &stack_schema, err);

	for (size_t i = 0; ok && i < count; i++) {
		const struct ic_line_place *place = stacks[i].place;
		const struct ic_schema *schema = place            ? &line_schema
						 : stacks[i].text ? &text_schema
								  : &stack_schema;
		struct ic_stack_row row = { .type = place ? "line" : "stack",
					    .file = options->file,
					    .address = stacks[i].addr,
					    .section = stacks[i].section,
					    .text = stacks[i].text,
					    .end = IC_NO_ADDR };
		if (place) {
			row.end = row.address + (place->range.end - place->range.start);
			row.is_stmt = place->is_stmt;
		}
		fill_symbol(&stacks[i], &row);
		if (!fill_frames(&filler, &stacks[i], &row) || filler.names.out_of_memory)
			ok = ic_fail_memory(err);
		else
			ok = is_flat ? write_flat(&row, sink, err)
				     : sink->row(sink, schema, &row, err);
	}
	IC_ARRAY_FREE(&filler.frames);
	ic_names_free(&filler.names);
	return ok && sink->end(sink, err);
}
