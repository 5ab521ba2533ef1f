#include "tables/gsym_table.h"

#include <stdio.h>
#include <string.h>

#include "base/search.h"
#include "gsym/function.h"
#include "read/function.h"
#include "read/pc.h"
#include "tables/mangled_name.h"
#include "tables/pieces.h"

enum {
	FUNCTIONS_PER_UNIT = 128,
	STEPS_PER_BYTE = 16, // a kernel needs less than half of one
	LEAST_STEPS = 4096,  // per unit
};

// ---- Opening

static bool is_sorted(const struct ic_gsym *gsym,
		      uint64_t (*number_of)(const struct ic_gsym *gsym, uint32_t function))
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < gsym->count; i++) {
		uint64_t number = number_of(gsym, i);
		if (number < last)
			return false;
		last = number;
	}
	return true;
}

bool ic_gsym_table_open(struct ic_gsym_table *table, const struct ic_elf_file *file, bool *is_there,
			struct ic_error *err)
{
	const struct ic_section *section = ic_elf_file_section(file, IC_GSYM_SECTION);

	*table = (struct ic_gsym_table){ .is_sorted = false };
	*is_there = section != NULL;
	if (!section)
		return true;
	table->dwarf = (struct ic_dwarf){ .info = section->raw,
					  .info_name = IC_GSYM_SECTION,
					  .swap = file->swap,
					  .source = &ic_unit_source_gsym };
	if (!ic_gsym_parse(&table->gsym, section->raw, err))
		return false;
	table->is_sorted = is_sorted(&table->gsym, ic_gsym_addr);
	table->has_order = is_sorted(&table->gsym, ic_gsym_info_off);
	return true;
}

// ---- Units

static const struct ic_gsym_table *table_of(const struct ic_unit *unit)
{
	return (const struct ic_gsym_table *)unit->dwarf;
}

static bool list_units(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
		       struct ic_error *err)
{
	const struct ic_gsym *gsym = &((const struct ic_gsym_table *)dwarf)->gsym;

	for (uint32_t first = 0; first < gsym->count; first += FUNCTIONS_PER_UNIT) {
		uint64_t off = gsym->addrs_off + (uint64_t)first * gsym->addr_size;
		uint64_t left = gsym->count - first;
		uint64_t count = left < FUNCTIONS_PER_UNIT ? left : FUNCTIONS_PER_UNIT;
		struct ic_unit unit = { .dwarf = dwarf,
					.off = off,
					.die_off = off,
					.end_off = off + count * gsym->addr_size,
					.version = 5,
					.addr_size = 8 };
		if (!IC_ARRAY_ADD(&list->units, unit))
			return ic_fail_memory(err);
	}
	return true;
}

static uint32_t number_at(const struct ic_unit *unit, uint64_t off)
{
	const struct ic_gsym *gsym = &table_of(unit)->gsym;

	return (uint32_t)((off - gsym->addrs_off) / gsym->addr_size);
}

// A unit has the code from its first function to the first of the next unit. Like LLVM's reader,
// lookups do not see functions that overlap the next unit's: the sizes of all functions would have
// to be read.
static enum ic_unit_claim claim_unit(struct ic_reader *reader)
{
	const struct ic_gsym_table *table = table_of(reader->unit);
	uint32_t end = number_at(reader->unit, reader->unit->end_off);
	struct ic_range range = {
		.start = ic_gsym_addr(&table->gsym, number_at(reader->unit, reader->unit->off))
	};

	if (!table->is_sorted || !ic_pc_is_code(reader, range.start))
		return IC_UNIT_CLAIM_SOME;
	range.end = end < table->gsym.count ? ic_gsym_addr(&table->gsym, end) : reader->code.end;
	if (range.start < range.end && !IC_ARRAY_ADD(&reader->ranges, range))
		reader->out_of_memory = true;
	return IC_UNIT_CLAIM_ALL;
}

// ---- Names

struct builder {
	struct ic_stream *stream;
	const struct ic_gsym_table *table;
	struct ic_map file_of;         // by number: the file's number in the unit
	IC_ARRAY(uint32_t) open_calls; // by depth: the instance
	struct ic_pieces pieces;       // of a function's instances; the first one is the host
	struct ic_range code;          // of that function
};

static void report_problem(struct builder *builder, uint64_t off, const char *what)
{
	struct ic_error err;

	ic_fail_at(&err, IC_GSYM_SECTION, off, "%s", what);
	ic_reader_problem(&builder->stream->reader, off, &err);
}

static bool run_out(struct builder *builder)
{
	builder->stream->reader.out_of_memory = true;
	return false;
}

// Files have their directory apart, without the slash after it, except that LLVM writes "/" for the
// root.
static char *join_path(struct ic_arena *arena, const char *directory, const char *name)
{
	size_t size = strlen(directory) + strlen(name) + 2;
	bool has_end = !*directory || strcmp(directory, "/") == 0;
	bool is_windows = strchr(directory, '\\') && !strchr(directory, '/');
	char *path = ic_arena_alloc(arena, size);

	if (path)
		snprintf(path, size, "%s%s%s", directory,
			 has_end      ? ""
			 : is_windows ? "\\"
				      : "/",
			 name);
	return path;
}

static uint32_t file_of(struct builder *builder, uint64_t number, uint64_t off)
{
	struct ic_reader *reader = &builder->stream->reader;
	const char *directory, *name;

	if (!ic_gsym_file(&builder->table->gsym, number, &directory, &name)) {
		report_problem(builder, off, "a source file, or its name, is not in the file");
		return IC_NONE;
	}
	if (!*directory && !*name)
		return IC_NONE;
	uint32_t *known = ic_map_at(&builder->file_of, number);
	if (known && *known != IC_NONE)
		return *known;
	const char *path = join_path(reader->arena, directory, name);
	if (!known || !path || !IC_ARRAY_ADD(&reader->lines.files, path)) {
		run_out(builder);
		return IC_NONE;
	}
	return *known = reader->lines.files.count - 1;
}

static uint32_t function_of(struct builder *builder, uint64_t name_off, uint64_t off)
{
	struct ic_stream *stream = builder->stream;
	const struct ic_gsym *gsym = &builder->table->gsym;
	const char *name = ic_gsym_string(gsym, name_off);

	if (!name || !*name) {
		report_problem(builder, off,
			       name ? "a function has no name"
				    : "the name of a function is not in the file");
		return IC_NONE;
	}
	uint64_t strings = (uint64_t)(gsym->strings.data - gsym->bytes.data);
	uint32_t number =
		ic_function_of(stream, ic_unit_global_off(stream->reader.unit, strings + name_off));
	if (number != IC_NONE && !stream->built.functions.items[number].name)
		ic_mangled_name_give(stream, &stream->built.functions.items[number], name);
	return number;
}

// ---- Functions

// The last of several rows at one address counts.
static bool push_row(struct builder *builder, const struct ic_gsym_row *from,
		     const struct ic_code_sequence *sequence, uint64_t off)
{
	struct ic_stream *stream = builder->stream;
	struct ic_code_row row = { .addr_off = (uint32_t)(from->addr - sequence->range.start),
				   .file = file_of(builder, from->file, off),
				   .line = from->line };

	if (stream->built.rows.count > sequence->first_row &&
	    stream->built.rows.items[stream->built.rows.count - 1].addr_off == row.addr_off)
		stream->built.rows.count--;
	return IC_ARRAY_ADD(&stream->built.rows, row) || run_out(builder);
}

// Any number of functions may share their lines and calls. Returns false, after a report, if more
// are read than there can be.
static bool take_step(struct builder *builder, uint64_t off)
{
	if (builder->pieces.steps == 0) {
		report_problem(builder, off, "functions have too many lines or calls for the file");
		return false;
	}
	builder->pieces.steps--;
	return true;
}

static void build_rows(struct builder *builder, const struct ic_gsym_function *function,
		       uint64_t end)
{
	struct ic_stream *stream = builder->stream;
	struct ic_code_sequence sequence = { .range = { function->start, end },
					     .first_row = stream->built.rows.count };
	struct ic_gsym_rows rows;
	struct ic_gsym_row row;
	struct ic_error err;

	err.code = IC_ERROR_NONE;
	ic_gsym_rows_begin(&rows, &builder->table->gsym, function);
	while (take_step(builder, function->off) && ic_gsym_rows_next(&rows, &row, &err) &&
	       row.addr < end) {
		if (sequence.first_row == stream->built.rows.count)
			sequence.range.start = row.addr;
		if (!push_row(builder, &row, &sequence, function->off))
			return;
		err.code = IC_ERROR_NONE;
	}
	if (err.code != IC_ERROR_NONE)
		ic_reader_problem(&stream->reader, function->off, &err);
	sequence.row_count = stream->built.rows.count - sequence.first_row;
	if (sequence.row_count > 0 && !IC_ARRAY_ADD(&stream->built.sequences, sequence))
		run_out(builder);
}

// Makes an instance of an inlined call. Returns false if a limit is reached.
static bool push_call(struct builder *builder, struct ic_gsym_call *call)
{
	uint32_t parent = call->depth > 0 ? builder->open_calls.items[call->depth - 1]
					  : builder->pieces.first;
	struct ic_instance instance = { .parent = parent, .kind = IC_INSTANCE_INLINED };
	struct ic_range range;

	builder->open_calls.count = call->depth;
	if (ic_gsym_call_is_function(call))
		return IC_ARRAY_ADD(&builder->open_calls, parent) || run_out(builder);
	instance.function = function_of(builder, call->name, call->off);
	instance.call_file = file_of(builder, call->call_file, call->off);
	instance.call_line = call->call_line <= UINT32_MAX ? (uint32_t)call->call_line : 0;
	uint32_t number = ic_pieces_push(&builder->pieces, &instance);
	if (number == IC_NONE || !IC_ARRAY_ADD(&builder->open_calls, number))
		return run_out(builder);
	while (ic_gsym_range_next(call, &range)) {
		if (!take_step(builder, call->off))
			return true;
		if (range.start >= range.end)
			continue;
		if (range.start < builder->code.start || range.end > builder->code.end)
			report_problem(builder, call->off,
				       "an inlined call is outside of its function");
		else if (!ic_pieces_add(&builder->pieces, number, parent, range))
			return false;
	}
	return true;
}

static void build_calls(struct builder *builder, const struct ic_gsym_function *function)
{
	struct ic_gsym_calls calls;
	struct ic_gsym_call call;
	struct ic_error err;

	ic_gsym_calls_begin(&calls, &builder->table->gsym, function);
	err.code = IC_ERROR_NONE;
	while (take_step(builder, function->off) && ic_gsym_calls_next(&calls, &call, &err)) {
		if (push_call(builder, &call))
			continue;
		if (!builder->stream->reader.out_of_memory)
			report_problem(builder, call.off,
				       "inlined calls are too large for the file");
		return;
	}
	if (err.code != IC_ERROR_NONE)
		ic_reader_problem(&builder->stream->reader, function->off, &err);
	else if (ic_cursor_more(&calls.cur) && builder->pieces.steps > 0)
		report_problem(builder, ic_cursor_off(&calls.cur),
			       "inlined calls end before their part of the function");
}

// Builds a function whose code ends at `end`.
static void build_function(struct builder *builder, const struct ic_gsym_function *function,
			   uint64_t end)
{
	struct ic_instance host = { .parent = IC_NONE,
				    .call_file = IC_NONE,
				    .kind = IC_INSTANCE_HOST };

	host.function = function_of(builder, function->name, function->off);
	builder->code = (struct ic_range){ function->start, end };
	builder->pieces.list.count = builder->pieces.last.count = 0;
	builder->pieces.first = ic_pieces_push(&builder->pieces, &host);
	if (builder->pieces.first == IC_NONE)
		return;
	build_calls(builder, function);
	if (IC_ARRAY_ADD(&builder->pieces.list,
			 (struct ic_piece){ builder->code, builder->pieces.first }))
		ic_pieces_keep(&builder->pieces);
	else
		run_out(builder);
}

// Functions that the linker merged have the same code; the rows are those of the first.
static void build_merged(struct builder *builder, const struct ic_gsym_function *function,
			 uint64_t end)
{
	struct ic_gsym_merged merged;
	struct ic_gsym_function other;
	struct ic_error err;

	ic_gsym_merged_begin(&merged, &builder->table->gsym, function);
	err.code = IC_ERROR_NONE;
	while (!builder->stream->reader.out_of_memory && take_step(builder, function->off) &&
	       ic_gsym_merged_next(&merged, &other, &err))
		build_function(builder, &other, end);
	if (!builder->stream->reader.out_of_memory && err.code != IC_ERROR_NONE)
		ic_reader_problem(&builder->stream->reader, function->off, &err);
}

// The start of the next function at another address; `last` if there is none.
static uint64_t next_start(const struct ic_gsym_table *table, uint32_t number, uint64_t last)
{
	const struct ic_gsym *gsym = &table->gsym;
	uint64_t start = ic_gsym_addr(gsym, number);
	uint32_t next = number + 1;

	if (table->is_sorted)
		IC_SEARCH(next, gsym->count, at, ic_gsym_addr(gsym, at) <= start);
	return next < gsym->count && ic_gsym_addr(gsym, next) > start ? ic_gsym_addr(gsym, next)
								      : last;
}

// The end of a function: if its size is unknown, the start of the next one.
static uint64_t end_of(struct builder *builder, const struct ic_gsym_function *function,
		       uint32_t number)
{
	uint64_t code_end = builder->stream->reader.code.end;
	uint64_t end = function->size > 0 ? function->start + function->size
					  : next_start(builder->table, number, code_end);

	if (end <= code_end)
		return end;
	report_problem(builder, function->off, "a function ends after the last one");
	return code_end;
}

static void build_at(struct builder *builder, uint32_t number)
{
	struct ic_reader *reader = &builder->stream->reader;
	struct ic_gsym_function function;
	struct ic_error err;

	if (!ic_gsym_function_read(&builder->table->gsym, number, &function, &err)) {
		ic_reader_problem(reader, err.offset, &err);
		return;
	}
	if (!ic_pc_is_code(reader, function.start)) {
		report_problem(builder, function.off, "a function begins after the last one");
		return;
	}
	uint64_t end = end_of(builder, &function, number);
	build_function(builder, &function, end);
	if (!reader->out_of_memory && reader->context->want.code_map)
		build_rows(builder, &function, end);
	if (!reader->out_of_memory && function.merged.size > 0)
		build_merged(builder, &function, end);
}

// The first function, of those up to `end`, that does not overlap any from `first` on.
static uint32_t overlap_end(const struct ic_gsym *gsym, uint32_t first, uint32_t end)
{
	uint64_t reach = 0;

	do {
		struct ic_gsym_function function;
		struct ic_error unwanted;
		if (ic_gsym_function_read(gsym, first, &function, &unwanted) &&
		    function.start + function.size > reach)
			reach = function.start + function.size;
		first++;
	} while (first < end && ic_gsym_addr(gsym, first) < reach);
	return first;
}

// Of functions that overlap, the one that begins last is at an address, or the first of several
// that do. The model takes the first of all.
static void build_backwards(struct builder *builder, uint32_t first, uint32_t end)
{
	const struct ic_gsym *gsym = &builder->table->gsym;

	while (end > first) {
		uint64_t addr = ic_gsym_addr(gsym, end - 1);
		uint32_t next = end - 1;
		while (next > first && ic_gsym_addr(gsym, next - 1) == addr)
			next--;
		for (uint32_t i = next; i < end && !builder->stream->reader.out_of_memory; i++)
			build_at(builder, i);
		end = next;
	}
}

// The number of steps that some functions may take. Functions may share what they consist of, but
// all together take time in proportion to the file: each gets its bytes or, if their order does not
// show these, an equal share.
static uint64_t most_steps(const struct ic_gsym *gsym, bool has_order, uint32_t first, uint32_t end)
{
	uint64_t unit_count = gsym->count / FUNCTIONS_PER_UNIT + 1;
	uint64_t after = end < gsym->count ? ic_gsym_info_off(gsym, end) : gsym->bytes.size;
	uint64_t before = ic_gsym_info_off(gsym, first);
	uint64_t size = !has_order       ? gsym->bytes.size / unit_count
			: after > before ? after - before
					 : 0;

	return LEAST_STEPS + STEPS_PER_BYTE * (size < gsym->bytes.size ? size : gsym->bytes.size);
}

static void build_unit(struct ic_stream *stream)
{
	const struct ic_unit *unit = stream->reader.unit;
	const struct ic_gsym_table *table = table_of(unit);
	struct ic_memory *memory = stream->built.instances.memory;
	uint32_t first = number_at(unit, unit->off), end = number_at(unit, unit->end_off);
	struct builder builder = { .stream = stream,
				   .table = table,
				   .pieces = { .stream = stream,
					       .steps = most_steps(&table->gsym, table->has_order,
								   first, end) } };

	builder.pieces.list.memory = builder.pieces.last.memory = memory;
	builder.open_calls.memory = memory;
	while (first < end && !stream->reader.out_of_memory) {
		uint32_t next = overlap_end(&table->gsym, first, end);
		build_backwards(&builder, first, next);
		first = next;
	}
	ic_map_free(&builder.file_of);
	IC_ARRAY_FREE(&builder.open_calls);
	ic_pieces_free(&builder.pieces);
}

const struct ic_unit_source ic_unit_source_gsym = {
	.has_dies = false,
	.has_own_rows = true,
	.list = list_units,
	.claim = claim_unit,
	.build = build_unit,
};
