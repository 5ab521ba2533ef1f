#include "tables/breakpad_table.h"

#include <inttypes.h>
#include <string.h>

#include "base/search.h"
#include "read/function.h"
#include "read/pc.h"
#include "tables/pieces.h"
#include "text/text.h"

// ---- Opening

bool ic_breakpad_table_open(struct ic_breakpad_table *table, const struct ic_elf_file *file,
			    struct ic_problems *problems, bool *is_there, struct ic_error *err)
{
	const struct ic_section *section = ic_elf_file_section(file, IC_BREAKPAD_SECTION);

	*table = (struct ic_breakpad_table){ .dwarf.is_32_bit = false };
	*is_there = section != NULL;
	if (!section)
		return true;
	table->dwarf = (struct ic_dwarf){ .info = section->raw,
					  .info_name = IC_BREAKPAD_SECTION,
					  .swap = file->swap,
					  .source = &ic_unit_source_breakpad };
	if (!ic_breakpad_survey(&table->file, section->raw, err))
		return false;
	if (table->file.bad_count > 0) {
		struct ic_error fault;
		ic_fail_at(&fault, IC_BREAKPAD_SECTION, table->file.bad_off,
			   "%s; %" PRIu64 " such line%s left out",
			   table->file.bad_off < table->file.text.size
				   ? "malformed or unknown line"
				   : "the last line has no end: the file may be cut short",
			   table->file.bad_count, table->file.bad_count == 1 ? " was" : "s were");
		ic_problems_add(problems, &fault, NULL, 0);
	}
	return true;
}

void ic_breakpad_table_close(struct ic_breakpad_table *table)
{
	ic_breakpad_free(&table->file);
}

// ---- Units

static const struct ic_breakpad *file_of_unit(const struct ic_unit *unit)
{
	return &((const struct ic_breakpad_table *)unit->dwarf)->file;
}

static bool list_units(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
		       struct ic_error *err)
{
	const struct ic_breakpad *file = &((const struct ic_breakpad_table *)dwarf)->file;

	for (uint32_t i = 0; i < file->parts.count; i++) {
		const struct ic_breakpad_part *part = &file->parts.items[i];
		struct ic_unit unit = { .dwarf = dwarf,
					.off = part->off,
					.die_off = part->off,
					.end_off = part->end_off,
					.version = 5,
					.addr_size = 8 };
		if (!IC_ARRAY_ADD(&list->units, unit))
			return ic_fail_memory(err);
	}
	return true;
}

static enum ic_unit_claim claim_unit(struct ic_reader *reader)
{
	const struct ic_breakpad *file = file_of_unit(reader->unit);
	uint32_t number;

	IC_SEARCH(number, file->parts.count, at, file->parts.items[at].off < reader->unit->off);
	const struct ic_breakpad_part *part = &file->parts.items[number];
	if (!part->is_sorted || !ic_pc_is_code(reader, part->code.start))
		return IC_UNIT_CLAIM_SOME;
	if (!IC_ARRAY_ADD(&reader->ranges, part->code))
		reader->out_of_memory = true;
	return IC_UNIT_CLAIM_ALL;
}

// ---- Names

struct builder {
	struct ic_stream *stream;
	const struct ic_breakpad *file;
	struct ic_map file_of;         // by number: the file's number in the unit
	IC_ARRAY(uint32_t) open_calls; // by depth: the instance
	struct ic_pieces pieces;       // of a function's instances; the first one is the host
	struct ic_breakpad_function function;
	bool in_function;
	struct ic_code_sequence sequence; // of rows without a gap; empty if there is none
};

static uint64_t off_of(const struct builder *builder, const uint8_t *at)
{
	return (uint64_t)(at - builder->file->text.data);
}

static void report_problem(struct builder *builder, uint64_t off, const char *what)
{
	struct ic_error err;

	ic_fail_at(&err, IC_BREAKPAD_SECTION, off, "%s", what);
	ic_reader_problem(&builder->stream->reader, off, &err);
}

static bool run_out(struct builder *builder)
{
	builder->stream->reader.out_of_memory = true;
	return false;
}

static char *copy_name(struct builder *builder, struct ic_bytes name)
{
	char *copy = ic_arena_alloc(builder->stream->reader.arena, name.size + 1);

	if (!copy) {
		run_out(builder);
		return NULL;
	}
	memcpy(copy, name.data, name.size);
	copy[name.size] = '\0';
	return copy;
}

static uint32_t file_of(struct builder *builder, uint64_t number, uint64_t off)
{
	struct ic_reader *reader = &builder->stream->reader;

	if (number == IC_BREAKPAD_NO_FILE)
		return IC_NONE;
	uint32_t *known = ic_map_at(&builder->file_of, number);
	if (known && *known != IC_NONE)
		return *known;
	struct ic_bytes name = ic_breakpad_name_of(builder->file, &builder->file->files, number);
	if (known && name.size == 0) {
		report_problem(builder, off, "no FILE has this number");
		return IC_NONE;
	}
	const char *path = known ? copy_name(builder, name) : NULL;
	if (!path || !IC_ARRAY_ADD(&reader->lines.files, path)) {
		run_out(builder);
		return IC_NONE;
	}
	return *known = reader->lines.files.count - 1;
}

// Finds or adds the function that has its name at a place of the text. Names are those of the
// source.
static uint32_t function_of(struct builder *builder, struct ic_bytes name, uint64_t off)
{
	struct ic_stream *stream = builder->stream;

	if (name.size == 0) {
		report_problem(builder, off, "a function has no name");
		return IC_NONE;
	}
	uint32_t number = ic_function_of(
		stream, ic_unit_global_off(stream->reader.unit, off_of(builder, name.data)));
	if (number != IC_NONE && !stream->built.functions.items[number].name) {
		const char *copy = copy_name(builder, name);
		stream->built.functions.items[number].name = copy;
	}
	return number;
}

// ---- Functions

static void end_sequence(struct builder *builder)
{
	struct ic_stream *stream = builder->stream;

	builder->sequence.row_count = stream->built.rows.count - builder->sequence.first_row;
	if (builder->sequence.row_count > 0 &&
	    !IC_ARRAY_ADD(&stream->built.sequences, builder->sequence))
		run_out(builder);
	builder->sequence = (struct ic_code_sequence){ .first_row = stream->built.rows.count };
}

static void end_function(struct builder *builder)
{
	struct ic_range code = { builder->function.addr,
				 builder->function.addr + builder->function.size };

	end_sequence(builder);
	if (!builder->in_function)
		return;
	builder->in_function = false;
	if (code.start < code.end &&
	    !IC_ARRAY_ADD(&builder->pieces.list, (struct ic_piece){ code, builder->pieces.first }))
		run_out(builder);
	else
		ic_pieces_keep(&builder->pieces);
}

static void begin_function(struct builder *builder, struct ic_bytes line)
{
	struct ic_instance host = { .parent = IC_NONE,
				    .call_file = IC_NONE,
				    .kind = IC_INSTANCE_HOST };

	end_function(builder);
	if (!ic_breakpad_function_read(line, &builder->function))
		return; // the survey has counted it
	host.function = function_of(builder, builder->function.name, off_of(builder, line.data));
	builder->pieces.list.count = builder->pieces.last.count = 0;
	builder->pieces.first = ic_pieces_push(&builder->pieces, &host);
	builder->open_calls.count = 0;
	builder->in_function = builder->pieces.first != IC_NONE &&
			       IC_ARRAY_ADD(&builder->open_calls, builder->pieces.first);
	if (!builder->in_function)
		run_out(builder);
}

static void take_row(struct builder *builder, struct ic_bytes line)
{
	struct ic_stream *stream = builder->stream;
	uint64_t off = off_of(builder, line.data);
	struct ic_code_sequence *sequence = &builder->sequence;
	struct ic_breakpad_row row;

	if (!ic_breakpad_row_read(line, &row)) {
		report_problem(builder, off, "malformed row");
		return;
	}
	if (row.size == 0)
		return;
	bool has_rows = sequence->range.start < sequence->range.end;
	if (has_rows &&
	    (row.addr != sequence->range.end || row.addr - sequence->range.start > UINT32_MAX)) {
		end_sequence(builder);
		has_rows = false;
	}
	if (!has_rows)
		sequence->range.start = row.addr;
	sequence->range.end = row.addr + row.size;
	struct ic_code_row code_row = { .addr_off = (uint32_t)(row.addr - sequence->range.start),
					.file = file_of(builder, row.file, off),
					.line = row.line };
	if (!IC_ARRAY_ADD(&stream->built.rows, code_row))
		run_out(builder);
}

// Gets the next part of a call's code that is in the open function: dump_syms repeats the calls of
// a function in several parts for each part.
static bool next_range(const struct builder *builder, struct ic_breakpad_call *call,
		       struct ic_range *range)
{
	const struct ic_breakpad_function *function = &builder->function;

	while (ic_breakpad_range_next(call, range)) {
		if (range->start < function->addr)
			range->start = function->addr;
		if (range->end > function->addr + function->size)
			range->end = function->addr + function->size;
		if (range->start < range->end)
			return true;
	}
	return false;
}

// Makes an instance of a call inside another one. IC_NONE if it has no code in the open function,
// or memory runs out.
static uint32_t push_call(struct builder *builder, struct ic_breakpad_call call, uint32_t parent,
			  uint64_t off)
{
	struct ic_instance instance = { .parent = parent, .kind = IC_INSTANCE_INLINED };
	struct ic_breakpad_call rest = call;
	struct ic_range range;

	if (parent == IC_NONE || !next_range(builder, &rest, &range))
		return IC_NONE;
	struct ic_bytes name =
		ic_breakpad_name_of(builder->file, &builder->file->origins, call.origin);
	if (name.size == 0)
		report_problem(builder, off, "no INLINE_ORIGIN has this number");
	instance.function = name.size > 0 ? function_of(builder, name, off) : IC_NONE;
	instance.call_file = file_of(builder, call.call_file, off);
	instance.call_line = call.call_line;
	uint32_t number = ic_pieces_push(&builder->pieces, &instance);
	while (number != IC_NONE && next_range(builder, &call, &range))
		if (!ic_pieces_add(&builder->pieces, number, parent, range)) {
			run_out(builder);
			return IC_NONE;
		}
	return number;
}

static void take_call(struct builder *builder, struct ic_bytes line)
{
	uint64_t off = off_of(builder, line.data);
	struct ic_breakpad_call call;
	struct ic_range range;

	if (!ic_breakpad_call_read(line, builder->file->calls_have_files, &call)) {
		report_problem(builder, off, "malformed inlined call");
		return;
	}
	if (call.depth >= builder->open_calls.count || call.depth >= IC_DEEPEST_NESTING) {
		report_problem(builder, off, "an inlined call without the call around it");
		return;
	}
	uint32_t number = push_call(builder, call, builder->open_calls.items[call.depth], off);
	builder->open_calls.count = call.depth + 1;
	if (!IC_ARRAY_ADD(&builder->open_calls, number))
		run_out(builder);
	while (ic_breakpad_range_next(&call, &range)) {}
	if (call.ranges.size > 0)
		report_problem(builder, off, "malformed range of an inlined call");
}

static void take_line(struct builder *builder, struct ic_bytes line)
{
	switch (ic_breakpad_kind_of(line)) {
	case IC_BREAKPAD_FUNCTION: begin_function(builder, line); break;
	case IC_BREAKPAD_CALL:
		if (builder->in_function)
			take_call(builder, line);
		break;
	case IC_BREAKPAD_ROW:
		if (builder->in_function && builder->stream->reader.context->want.code_map)
			take_row(builder, line);
		break;
	default: break; // the survey has taken it
	}
}

static void build_unit(struct ic_stream *stream)
{
	const struct ic_unit *unit = stream->reader.unit;
	struct ic_memory *memory = stream->built.instances.memory;
	struct builder builder = { .stream = stream,
				   .file = file_of_unit(unit),
				   // Each step is a range in the text.
				   .pieces = { .stream = stream, .steps = UINT64_MAX } };
	struct ic_bytes line,
		rest = { builder.file->text.data + unit->off, (size_t)(unit->end_off - unit->off) };

	builder.pieces.list.memory = builder.pieces.last.memory = memory;
	builder.open_calls.memory = memory;
	while (!stream->reader.out_of_memory && ic_text_take_line(&rest, &line))
		take_line(&builder, line);
	if (!stream->reader.out_of_memory)
		end_function(&builder);
	ic_map_free(&builder.file_of);
	IC_ARRAY_FREE(&builder.open_calls);
	ic_pieces_free(&builder.pieces);
}

const struct ic_unit_source ic_unit_source_breakpad = {
	.has_dies = false,
	.has_own_rows = true,
	.list = list_units,
	.claim = claim_unit,
	.build = build_unit,
};
