#include "tables/go_function.h"

#include <inttypes.h>

#include "read/function.h"
#include "read/pc.h"
#include "tables/pieces.h"

struct builder {
	struct ic_stream *stream;
	const struct ic_go_pclntab *table;
	const struct ic_go_memory *memory;
	struct ic_map file_of; // by the address of the path: the file's number in the unit
	// The function being built:
	struct ic_go_function function;
	uint32_t size; // size of its code
	ic_go_runs files, lines, inlined;
	IC_ARRAY(uint32_t) node_of; // by inlined call: its instance, or one of those below
	IC_ARRAY(uint32_t) chain;   // inlined calls to make instances of, innermost first
	struct ic_pieces pieces;    // of its instances; the first one is the host
};

#define NODE_NONE UINT32_MAX // values of node_of
#define NODE_OPEN (UINT32_MAX - 1)

static void report_problem(struct builder *builder, const char *what)
{
	struct ic_reader *reader = &builder->stream->reader;
	uint64_t off = builder->function.record_off;
	const char *name = ic_go_name_at(builder->table, builder->function.name_off);
	struct ic_error err;

	ic_fail_at(&err, reader->unit->dwarf->info_name, off, "function %s at 0x%" PRIx64 ": %s",
		   name ? name : "without a name", builder->function.entry, what);
	ic_reader_problem(reader, off, &err);
}

static bool run_out(struct builder *builder)
{
	builder->stream->reader.out_of_memory = true;
	return false;
}

// ---- Files and functions

static uint32_t file_of(struct builder *builder, int32_t number)
{
	const char *path = ic_go_path_of(builder->table, &builder->function, number);
	struct ic_reader *reader = &builder->stream->reader;

	if (!path)
		return IC_NONE;
	uint32_t *known = ic_map_at(&builder->file_of, (uintptr_t)path);
	if (known && *known != IC_NONE)
		return *known;
	const char **place = known ? IC_ARRAY_PUSH(&reader->lines.files) : NULL;
	if (!place) {
		run_out(builder);
		return IC_NONE;
	}
	*place = path;
	return *known = reader->lines.files.count - 1;
}

static uint32_t line_at(const struct builder *builder, uint32_t pc)
{
	int32_t line = ic_go_runs_at(&builder->lines, pc);

	return line > 0 ? (uint32_t)line : 0;
}

// Finds or adds the function of a name, with its declaration as far as known: `file_number` is a
// file that its own code is from.
static uint32_t function_of(struct builder *builder, uint32_t name_off, uint32_t start_line,
			    int32_t file_number)
{
	struct ic_stream *stream = builder->stream;
	const char *name = ic_go_name_at(builder->table, name_off);

	if (!name)
		return IC_NONE;
	uint64_t names = (uint64_t)(builder->table->names.data - builder->table->bytes.data);
	uint32_t number =
		ic_function_of(stream, ic_unit_global_off(stream->reader.unit, names + name_off));
	if (number == IC_NONE)
		return IC_NONE;
	struct ic_function *function = &stream->built.functions.items[number];
	function->name = name;
	if (!function->decl_file) {
		uint32_t file = file_of(builder, file_number);
		function->decl_file = file == IC_NONE ? NULL
						      : stream->reader.lines.files.items[file];
		function->decl_line = start_line;
	}
	return number;
}

// ---- Instances

static bool push_inlined(struct builder *builder, uint32_t number,
			 const struct ic_go_inlined *inlined, uint32_t parent, int32_t file)
{
	struct ic_instance instance = { .parent = parent,
					.call_file = IC_NONE,
					.kind = IC_INSTANCE_INLINED };

	instance.function = function_of(builder, inlined->name_off, inlined->start_line, file);
	if (inlined->has_parent_pc) {
		instance.call_file =
			file_of(builder, ic_go_runs_at(&builder->files, inlined->parent_pc));
		instance.call_line = line_at(builder, inlined->parent_pc);
	} else {
		instance.call_file = file_of(builder, inlined->file);
		instance.call_line = inlined->line;
	}
	builder->node_of.items[number] = ic_pieces_push(&builder->pieces, &instance);
	return builder->node_of.items[number] != IC_NONE;
}

static int32_t parent_of(const struct builder *builder, const struct ic_go_inlined *inlined)
{
	return inlined->has_parent_pc ? ic_go_runs_at(&builder->inlined, inlined->parent_pc)
				      : inlined->parent;
}

// Makes an instance of an inlined call, and of those around it that have none. `pc` is in the
// call's own code. Returns NULL, or why this failed.
static const char *make_instance(struct builder *builder, struct ic_bytes records, uint32_t number,
				 uint32_t pc)
{
	struct ic_go_inlined inlined;
	uint32_t parent = builder->pieces.first;

	builder->chain.count = 0;
	for (int32_t at = (int32_t)number; at >= 0;) {
		if ((uint32_t)at >= builder->node_of.count ||
		    !ic_go_inlined_read(builder->table, records, (uint32_t)at, &inlined) ||
		    !ic_go_name_at(builder->table, inlined.name_off) ||
		    (inlined.has_parent_pc && inlined.parent_pc >= builder->size))
			return "its inlined calls cannot be read";
		if (builder->node_of.items[at] == NODE_OPEN)
			return "its inlined calls form a cycle";
		if (builder->node_of.items[at] != NODE_NONE) {
			parent = builder->node_of.items[at];
			break;
		}
		uint32_t *link = IC_ARRAY_PUSH(&builder->chain);
		if (!link || builder->chain.count > IC_DEEPEST_NESTING)
			return link ? "its inlined calls are nested too deeply"
				    : (run_out(builder), "out of memory");
		*link = (uint32_t)at;
		builder->node_of.items[at] = NODE_OPEN;
		at = parent_of(builder, &inlined);
	}
	while (builder->chain.count > 0) {
		uint32_t at = builder->chain.items[--builder->chain.count];
		int32_t file = ic_go_runs_at(&builder->files, pc);
		// the next call is inlined into this one, so the call is in its file
		if (builder->chain.count > 0 &&
		    ic_go_inlined_read(builder->table, records,
				       builder->chain.items[builder->chain.count - 1], &inlined))
			file = inlined.has_parent_pc
				       ? ic_go_runs_at(&builder->files, inlined.parent_pc)
				       : inlined.file;
		if (!ic_go_inlined_read(builder->table, records, at, &inlined) ||
		    !push_inlined(builder, at, &inlined, parent, file))
			return "out of memory";
		parent = builder->node_of.items[at];
	}
	return NULL;
}

// ---- Functions

static const char *const runs_faults[] = {
	[IC_GO_VALUES_OK] = NULL,
	[IC_GO_VALUES_FAULT] = "one of its pc-value tables cannot be read to the end",
	[IC_GO_VALUES_STEPS] = "its tables are too large for the file",
	[IC_GO_VALUES_MEMORY] = "out of memory",
};

// Whether a table reaches as far as that of files. All tables of a function reach to the end of its
// code, except for some functions on s390x, whose quantum is 2.
static bool is_whole(const struct builder *builder, const ic_go_runs *runs)
{
	const ic_go_runs *files = &builder->files;

	if (runs->count == 0 || runs == files || files->count == 0 || builder->table->quantum == 2)
		return runs->count > 0;
	return runs->items[runs->count - 1].end == files->items[files->count - 1].end;
}

static bool read_runs(struct builder *builder, uint32_t off, ic_go_runs *runs)
{
	enum ic_go_values_end end =
		ic_go_runs_read(builder->table, off, builder->size, runs, &builder->pieces.steps);

	if (end == IC_GO_VALUES_MEMORY)
		return run_out(builder);
	if (end == IC_GO_VALUES_OK && off != 0 && !is_whole(builder, runs))
		end = IC_GO_VALUES_FAULT;
	if (end != IC_GO_VALUES_OK)
		report_problem(builder, runs_faults[end]);
	return end == IC_GO_VALUES_OK;
}

// Makes room for the inlined calls that the values number; each should have a record.
static bool make_nodes(struct builder *builder, struct ic_bytes records)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < builder->inlined.count; i++) {
		int32_t value = builder->inlined.items[i].value;
		if (value >= 0 && (uint32_t)value >= count)
			count = (uint32_t)value + 1;
	}
	if (count > records.size || count > builder->pieces.steps) {
		report_problem(builder, "its inlined calls cannot be read");
		return false;
	}
	builder->pieces.steps -= count;
	if (!IC_ARRAY_RESERVE(&builder->node_of, count))
		return run_out(builder);
	for (builder->node_of.count = 0; builder->node_of.count < count; builder->node_of.count++)
		builder->node_of.items[builder->node_of.count] = NODE_NONE;
	return true;
}

static void build_instances(struct builder *builder)
{
	struct ic_bytes records = { NULL, 0 };
	const char *fault = NULL;
	uint32_t start = 0;

	if (builder->function.inlined_addr != IC_NO_ADDR) {
		records = ic_go_memory_at(builder->memory, builder->function.inlined_addr);
		if (!read_runs(builder, builder->function.pc_inlined, &builder->inlined) ||
		    !make_nodes(builder, records))
			builder->inlined.count = 0;
	}
	struct ic_range all = { builder->function.entry, builder->function.entry + builder->size };
	for (uint32_t i = 0; !fault && i < builder->inlined.count; i++) {
		const struct ic_go_run *run = &builder->inlined.items[i];
		struct ic_range range = { all.start + start, all.start + run->end };
		if (run->value >= 0) {
			fault = make_instance(builder, records, (uint32_t)run->value, start);
			if (!fault &&
			    !ic_pieces_add(&builder->pieces, builder->node_of.items[run->value],
					   builder->pieces.first, range))
				fault = "its tables are too large for the file";
		}
		start = run->end;
	}
	if (fault && !builder->stream->reader.out_of_memory)
		report_problem(builder, fault);
	if (IC_ARRAY_ADD(&builder->pieces.list, (struct ic_piece){ all, builder->pieces.first }))
		ic_pieces_keep(&builder->pieces);
	else
		run_out(builder);
}

static void push_row(struct builder *builder, uint32_t pc, int32_t file, int32_t line)
{
	struct ic_code_row *row = IC_ARRAY_PUSH(&builder->stream->built.rows);

	if (!row)
		run_out(builder);
	else
		*row = (struct ic_code_row){ .addr_off = pc,
					     .file = file_of(builder, file),
					     .line = line > 0 ? (uint32_t)line : 0 };
}

// A row begins wherever the file or the line changes.
static void build_rows(struct builder *builder)
{
	struct ic_stream *stream = builder->stream;
	struct ic_code_sequence sequence = { .range = { builder->function.entry,
							builder->function.entry + builder->size },
					     .first_row = stream->built.rows.count };
	uint32_t file = 0, line = 0;

	for (uint32_t pc = 0; pc < builder->size && !stream->reader.out_of_memory;) {
		bool has_file = file < builder->files.count, has_line = line < builder->lines.count;
		uint32_t file_end = has_file ? builder->files.items[file].end : builder->size;
		uint32_t line_end = has_line ? builder->lines.items[line].end : builder->size;
		push_row(builder, pc, has_file ? builder->files.items[file].value : -1,
			 has_line ? builder->lines.items[line].value : -1);
		pc = file_end < line_end ? file_end : line_end;
		file += has_file && file_end == pc;
		line += has_line && line_end == pc;
	}
	sequence.row_count = stream->built.rows.count - sequence.first_row;
	if (!IC_ARRAY_ADD(&stream->built.sequences, sequence))
		run_out(builder);
}

// The start of the function's first code that is not inlined.
static uint32_t own_pc(const struct builder *builder)
{
	uint32_t start = 0;

	for (uint32_t i = 0; i < builder->inlined.count; i++) {
		if (builder->inlined.items[i].value < 0)
			break;
		start = builder->inlined.items[i].end;
	}
	return start;
}

static void build_function(struct builder *builder)
{
	struct ic_stream *stream = builder->stream;
	uint64_t size = builder->function.end - builder->function.entry;

	if (!ic_pc_is_code(&stream->reader, builder->function.entry)) {
		// Code in no segment is not in this file. Only the first function per unit is
		// reported.
		if (stream->reader.outside_addr == 0 &&
		    ic_range_set_find(&stream->reader.context->index->holes,
				      builder->function.entry)) {
			report_problem(
				builder,
				"its code is in an executable segment, but not in any section");
			stream->reader.outside_addr = builder->function.entry;
		}
		return;
	}
	if (size > stream->reader.code.end - builder->function.entry)
		size = stream->reader.code.end - builder->function.entry;
	builder->size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	builder->inlined.count = builder->pieces.list.count = builder->pieces.last.count = 0;
	// Functions of the linker and of C have neither table.
	if ((builder->function.pc_file == 0) != (builder->function.pc_line == 0)) {
		report_problem(builder, "it has a file table or a line table, but not both");
		return;
	}
	if (!read_runs(builder, builder->function.pc_file, &builder->files) ||
	    !read_runs(builder, builder->function.pc_line, &builder->lines))
		return;
	// There may be padding up to the next function; this one's code is what the values cover.
	if (builder->files.count > 0)
		builder->size = builder->files.items[builder->files.count - 1].end;
	const struct ic_instance host = { .parent = IC_NONE,
					  .function = IC_NONE,
					  .call_file = IC_NONE,
					  .kind = IC_INSTANCE_HOST };
	builder->pieces.first = ic_pieces_push(&builder->pieces, &host);
	if (builder->pieces.first == IC_NONE)
		return;
	build_instances(builder);
	if (stream->reader.out_of_memory)
		return;
	uint32_t function = function_of(builder, builder->function.name_off,
					builder->function.start_line,
					ic_go_runs_at(&builder->files, own_pc(builder)));
	stream->built.instances.items[builder->pieces.first].function = function;
	if (function == IC_NONE)
		report_problem(builder, "its name is not in the name table");
	if (stream->reader.context->want.code_map)
		build_rows(builder);
}

void ic_go_functions_build(struct ic_stream *stream, const struct ic_go_unit *unit)
{
	struct builder builder = {
		.stream = stream,
		.table = unit->table,
		.memory = unit->memory,
		.pieces = { .stream = stream, .steps = unit->steps, .begin_at_entries = true },
	};
	const char *name = stream->reader.unit->dwarf->info_name;
	struct ic_memory *memory = stream->built.instances.memory;
	struct ic_error err;

	builder.files.memory = builder.lines.memory = builder.inlined.memory = memory;
	builder.node_of.memory = builder.pieces.list.memory = builder.pieces.last.memory = memory;
	for (uint32_t i = unit->first; i < unit->end && !stream->reader.out_of_memory; i++) {
		if (ic_go_function_read(unit->table, i, name, &builder.function, &err))
			build_function(&builder);
		else
			ic_reader_problem(&stream->reader, err.offset, &err);
	}
	ic_map_free(&builder.file_of);
	IC_ARRAY_FREE(&builder.files);
	IC_ARRAY_FREE(&builder.lines);
	IC_ARRAY_FREE(&builder.inlined);
	IC_ARRAY_FREE(&builder.node_of);
	IC_ARRAY_FREE(&builder.chain);
	ic_pieces_free(&builder.pieces);
}
