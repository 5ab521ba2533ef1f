#include "tables/line_contexts.h"

#include "dwarf/lines/rows.h"
#include "read/function.h"
#include "read/lines.h"
#include "read/pc.h"
#include "read/rows.h"
#include "tables/mangled_name.h"
#include "tables/pieces.h"

// Per byte of a table, each adding a row to an instance; in practice one is needed.
enum { STEPS_PER_BYTE = 16 };

struct place { // where code is: its function, and the row of the table into which that was inlined
	uint64_t context;
	struct ic_line_function function;
};

struct code { // the code of a row, up to the next one
	uint64_t addr;
	struct place place;
};

struct context_reader {
	struct ic_stream *stream;
	struct ic_line_program program;
	IC_ARRAY(struct code) code; // of the sequence being read
	bool in_sequence, dead;     // dead: discarded by the linker
	bool has_functions;         // the sequence names functions
	IC_ARRAY(struct place) chain;
	struct ic_pieces pieces;   // of all instances
	IC_ARRAY(uint32_t) depths; // by instance: number of instances around it
	struct ic_map instance_of; // of the sequence, by its place
};

// ---- Functions

// The offset of a name, counted over all string sections: it identifies the function, reproducibly.
static uint64_t name_off(const struct ic_dwarf *dwarf, const char *name)
{
	const struct ic_bytes *sections[] = { &dwarf->line, &dwarf->str, &dwarf->line_str };
	uintptr_t at = (uintptr_t)name;
	uint64_t off = 0;

	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		uintptr_t start = (uintptr_t)sections[i]->data;
		if (at >= start && at - start < sections[i]->size)
			return off + (at - start);
		off += sections[i]->size;
	}
	return off;
}

static uint32_t function_of(struct ic_stream *stream, const struct ic_line_function *said)
{
	if (!said->name)
		return IC_NONE;
	uint32_t number = ic_function_of(stream, name_off(stream->reader.unit->dwarf, said->name));
	if (number == IC_NONE || stream->built.functions.items[number].name)
		return number;
	struct ic_function *function = &stream->built.functions.items[number];
	ic_mangled_name_give(stream, function, said->name); // nvcc writes only the mangled one
	function->decl_line = said->decl_line;
	uint32_t file = said->decl_file > 0 ? ic_unit_lines_file(&stream->reader, said->decl_file,
								 stream->reader.unit->off)
					    : IC_NONE;
	if (file != IC_NONE)
		function->decl_file = stream->reader.lines.files.items[file];
	return number;
}

// ---- Instances

static uint32_t push_instance(struct context_reader *reader, const struct place *place,
			      uint32_t parent)
{
	struct ic_stream *stream = reader->stream;
	struct ic_instance instance = { .function = function_of(stream, &place->function),
					.parent = parent,
					.call_file = IC_NONE,
					.kind = place->context > 0 ? IC_INSTANCE_INLINED
								   : IC_INSTANCE_HOST };
	const struct ic_line_logical *call =
		ic_line_logicals_find(&reader->program.logicals, place->context);

	if (call) {
		instance.call_file = ic_unit_lines_file(&stream->reader, call->row.file,
							stream->reader.unit->off);
		instance.call_line = call->row.line;
		instance.call_column = call->row.column;
		instance.call_discriminator = call->row.discriminator;
	}
	uint32_t depth = parent == IC_NONE ? 0 : reader->depths.items[parent] + 1;
	stream->reader.out_of_memory |= !IC_ARRAY_ADD(&reader->depths, depth);
	return ic_pieces_push(&reader->pieces, &instance);
}

static uint64_t key_of(struct context_reader *reader, const struct place *place)
{
	uint32_t function = function_of(reader->stream, &place->function);

	return place->context << 32 | (uint32_t)(function + 1); // contexts have 32 bits
}

// Finds the instance of a place, or creates it and those around it. Returns IC_NONE if it is nested
// too deeply, or steps or memory run out.
static uint32_t instance_of(struct context_reader *reader, struct place place)
{
	struct ic_stream *stream = reader->stream;
	uint32_t instance = IC_NONE;

	reader->chain.count = 0;
	for (;;) {
		const uint32_t *known = ic_map_find(&reader->instance_of, key_of(reader, &place));
		if (known) {
			instance = *known;
			break;
		}
		struct place *link = IC_ARRAY_PUSH(&reader->chain);
		stream->reader.out_of_memory |= !link;
		if (!link || reader->pieces.steps == 0)
			return IC_NONE;
		reader->pieces.steps--;
		*link = place;
		const struct ic_line_logical *call =
			ic_line_logicals_find(&reader->program.logicals, place.context);
		if (!call)
			break;
		place = (struct place){ call->context, call->function };
	}
	uint64_t depth = instance == IC_NONE ? 0 : reader->depths.items[instance] + 1ull;
	if (depth + reader->chain.count > IC_DEEPEST_NESTING)
		return IC_NONE;
	while (reader->chain.count > 0 && !stream->reader.out_of_memory) {
		const struct place *link = &reader->chain.items[--reader->chain.count];
		instance = push_instance(reader, link, instance);
		uint32_t *slot = ic_map_at(&reader->instance_of, key_of(reader, link));
		stream->reader.out_of_memory |= !slot;
		if (slot)
			*slot = instance;
	}
	return stream->reader.out_of_memory ? IC_NONE : instance;
}

// ---- Rows

static bool end_sequence(struct context_reader *reader, uint64_t end)
{
	struct ic_stream *stream = reader->stream;
	uint32_t count = reader->has_functions ? reader->code.count : 0;

	ic_map_clear(&reader->instance_of);
	for (uint32_t i = 0; i < count; i++) {
		const struct code *code = &reader->code.items[i];
		struct ic_range range = { code->addr, i + 1 < count ? code[1].addr : end };
		if (range.start == range.end || !ic_pc_is_code(&stream->reader, range.start))
			continue;
		uint32_t instance = instance_of(reader, code->place);
		if (instance == IC_NONE ||
		    !ic_pieces_add(&reader->pieces, instance, IC_NONE, range))
			return false;
	}
	reader->code.count = 0;
	reader->has_functions = reader->in_sequence = false;
	return !stream->reader.out_of_memory;
}

// Takes a row; if several have the same address, the last one counts. A lower address starts a new
// sequence.
static bool take_row(struct context_reader *reader, const struct ic_line_row *row)
{
	const struct ic_line_functions *said = &reader->program.functions;
	const struct code *last =
		reader->code.count > 0 ? &reader->code.items[reader->code.count - 1] : NULL;

	if (last && row->addr < last->addr && !end_sequence(reader, last->addr))
		return false;
	if (last && row->addr == last->addr && reader->code.count > 0)
		reader->code.count--;
	if (row->flags & IC_LINE_END_SEQUENCE)
		return end_sequence(reader, row->addr);
	if (!reader->in_sequence)
		reader->dead = !ic_pc_is_code(&reader->stream->reader, row->addr);
	reader->in_sequence = true;
	if (reader->dead)
		return true;
	struct code *code = IC_ARRAY_PUSH(&reader->code);
	reader->stream->reader.out_of_memory |= !code;
	if (!code)
		return false;
	*code = (struct code){ row->addr, { said->context, said->function } };
	reader->has_functions |= said->context > 0 || said->function.name;
	return true;
}

static void run_reader(struct context_reader *reader, uint64_t budget)
{
	struct ic_stream *stream = reader->stream;
	struct ic_line_program *program = &reader->program;
	struct ic_line_row row;
	struct ic_error err;
	bool ok = true;

	for (enum ic_line_event event;
	     ok && (event = ic_line_program_next(program, &row)) != IC_LINE_END;) {
		if (event == IC_LINE_FILE)
			ic_unit_lines_add_file(&stream->reader, program->file);
		else
			ok = take_row(reader, &row);
	}
	stream->reader.out_of_memory |= program->out_of_memory;
	if (!ok && !stream->reader.out_of_memory) {
		ic_fail_at(&err, ".debug_line", ic_cursor_off(&program->cur),
			   "inlined calls are nested too deeply; the rest is skipped");
		ic_reader_problem(&stream->reader, stream->reader.unit->off, &err);
	}
	if (!ic_line_functions_ok(&program->functions, &err))
		ic_reader_problem(&stream->reader, stream->reader.unit->off, &err);
	// Otherwise the reader of the rows reports it.
	if (ok && !stream->reader.context->want.code_map)
		(void)ic_unit_lines_end(&stream->reader, program, budget);
}

static void build_unit(struct ic_stream *stream)
{
	const struct ic_unit *unit = stream->reader.unit;
	struct context_reader reader = { .stream = stream, .pieces.stream = stream };

	ic_unit_lines_read(&stream->reader);
	uint32_t file_count = stream->reader.lines.header.files.count;
	uint64_t budget = ic_allowance_take(&stream->reader.context->row_allowance,
					    stream->reader.lines.header.program_size);
	reader.pieces.steps = 4096 + STEPS_PER_BYTE * budget;
	reader.pieces.begin_at_entries = true;
	ic_line_program_open(&reader.program, &stream->reader.lines.header, unit, budget);
	ic_line_program_keep_rows(&reader.program);
	run_reader(&reader, budget);
	if (!stream->reader.out_of_memory) // the last instance may be incomplete otherwise
		ic_pieces_keep(&reader.pieces);
	stream->reader.lines.header.files.count =
		file_count; // the next reader of the rows adds its own files
	ic_line_program_close(&reader.program);
	IC_ARRAY_FREE(&reader.code);
	IC_ARRAY_FREE(&reader.chain);
	IC_ARRAY_FREE(&reader.depths);
	ic_pieces_free(&reader.pieces);
	ic_map_free(&reader.instance_of);
}

// The line table is read on demand, and only its rows tell which code is in the unit.
const struct ic_unit_source ic_unit_source_lines = {
	.has_dies = false,
	.list = ic_unit_list_parse_lines,
	.build = build_unit,
	.rows = ic_unit_rows_read,
};
