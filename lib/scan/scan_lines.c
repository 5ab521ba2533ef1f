#include "scan/scan_lines.h"

#include <inttypes.h>
#include <stdlib.h>

#include "scan/scan_pc.h"

const struct ic_unit *ic_scan_lines_unit(const struct ic_scan_stream *stream)
{
	return stream->unit->skeleton ? stream->unit->skeleton : stream->unit;
}

static const char *make_path(struct ic_scan_stream *stream, uint64_t file, uint64_t die_off)
{
	char path[4096];
	struct ic_error err;

	if (stream->path_budget == 0)
		return NULL;
	size_t length = ic_line_file_path(&stream->lines, ic_scan_lines_unit(stream), file, path,
					  sizeof(path));
	if (length > stream->path_budget) {
		// A few bytes for each of many files can make a long path out of a long directory.
		ic_fail(&err, IC_ERROR_MALFORMED, "the paths of files are too long for the unit");
		ic_scan_problem(stream, die_off, &err);
		stream->path_budget = 0;
		return NULL;
	}
	stream->path_budget -= length;
	if (length == 0 || length >= sizeof(path)) // longer than any system can open
		return NULL;
	const char *copy = ic_arena_copy(stream->arena, path, length + 1, 1);
	if (!copy)
		stream->out_of_memory = true;
	return copy;
}

// A table may be shared, by type units or those of dwz, but not by a million small units: the bytes
// of its header, and those of its program, that the unit may have read.
static uint64_t lines_budget(const struct ic_scan_stream *stream)
{
	return stream->context->listed->line_allowance +
	       64 * (stream->unit->end_off - stream->unit->off);
}

static bool number_files(struct ic_scan_stream *stream)
{
	uint32_t count = stream->lines.files.count;

	if (!IC_ARRAY_RESERVE(&stream->file_of, count)) {
		stream->out_of_memory = true;
		return false;
	}
	while (stream->file_of.count < count)
		stream->file_of.items[stream->file_of.count++] = IC_NONE;
	return true;
}

void ic_scan_lines_read(struct ic_scan_stream *stream)
{
	struct ic_error err;

	if (stream->lines_read)
		return;
	stream->lines_read = true;
	if (!ic_scan_lines_unit(stream)->has_stmt_list)
		return;
	if (!ic_line_header_parse(&stream->lines, ic_scan_lines_unit(stream), lines_budget(stream),
				  &err))
		ic_scan_problem(stream, stream->unit->off, &err);
	stream->lines.one_slash = stream->context->options->paths != IC_PATHS_JOINED;
	stream->lines.is_relative = stream->context->options->paths == IC_PATHS_RELATIVE;
	number_files(stream);
}

// Notes the text of the last file that was added.
static void keep_source(struct ic_scan_stream *stream, const char *source)
{
	while (stream->sources.count < stream->files.count) {
		const char **place = IC_ARRAY_PUSH(&stream->sources);
		if (!place) {
			stream->out_of_memory = true;
			return;
		}
		*place = NULL;
	}
	stream->sources.items[stream->sources.count - 1] = source;
}

uint32_t ic_scan_lines_file(struct ic_scan_stream *stream, uint64_t file, uint64_t die_off)
{
	struct ic_error err;

	ic_scan_lines_read(stream);
	if (file >= stream->file_of.count) {
		if (ic_scan_lines_unit(stream)->has_stmt_list && file > 0) {
			ic_fail(&err, IC_ERROR_MALFORMED,
				"the line table (in .debug_line) has no file %" PRIu64, file);
			ic_scan_problem(stream, die_off, &err);
		}
		return IC_NONE;
	}
	if (stream->file_of.items[file] != IC_NONE)
		return stream->file_of.items[file];
	const char *path = make_path(stream, file, die_off);
	const char **place = path ? IC_ARRAY_PUSH(&stream->files) : NULL;
	if (path && !place)
		stream->out_of_memory = true;
	if (!place)
		return IC_NONE;
	*place = path;
	if (stream->lines.files.items[file].source)
		keep_source(stream, stream->lines.files.items[file].source);
	return stream->file_of.items[file] = stream->files.count - 1;
}

uint32_t ic_scan_file_of(struct ic_scan_stream *stream, const struct ic_value *value,
			 uint64_t die_off)
{
	struct ic_error err;

	if (value->class == IC_FORM_CLASS_CONSTANT)
		return ic_scan_lines_file(stream, value->number, die_off);
	ic_fail(&err, IC_ERROR_MALFORMED, "the number of a file has form 0x%x", value->form);
	ic_scan_problem(stream, die_off, &err);
	return IC_NONE;
}

// ---- Calls

// The address that a call is looked up by: its own, or one within it, since that behind it may be
// in the next statement, or of another function.
static uint64_t address_of(const struct ic_call *call)
{
	if (call->addr != IC_NO_ADDR)
		return call->addr;
	return call->return_addr != IC_NO_ADDR ? call->return_addr - 1 : IC_NO_ADDR;
}

static int compare_sought(const void *left, const void *right)
{
	const struct ic_scan_sought *a = left, *b = right;

	return a->addr != b->addr ? (a->addr < b->addr ? -1 : 1)
				  : (a->call > b->call) - (a->call < b->call);
}

// Lists the calls that have no place yet, by address, and one behind the last that is never found.
static bool list_sought(struct ic_scan_stream *stream)
{
	stream->sought.count = 0;
	if (!IC_ARRAY_RESERVE(&stream->sought, stream->calls.count + 1ull)) {
		stream->out_of_memory = true;
		return false;
	}
	for (uint32_t i = 0; i < stream->calls.count; i++) {
		const struct ic_call *call = &stream->calls.items[i];
		uint64_t addr = address_of(call);
		if (call->call_file == IC_NONE && call->call_line == 0 && addr != IC_NO_ADDR)
			stream->sought.items[stream->sought.count++] =
				(struct ic_scan_sought){ .addr = addr, .call = i };
	}
	uint32_t count = stream->sought.count;
	qsort(stream->sought.items, count, sizeof(*stream->sought.items), compare_sought);
	for (uint32_t i = 0; i <= count; i++)
		stream->sought.items[i].next = i;
	return count > 0;
}

static uint32_t first_from(const struct ic_scan_stream *stream, uint64_t addr)
{
	uint32_t first = 0, count = stream->sought.count;

	while (count > 0) {
		uint32_t half = count / 2;
		if (stream->sought.items[first + half].addr < addr) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return first;
}

// The first at `i` or behind it that has no place yet. Those that have one are jumped over ever
// farther, so that rows which hold the same calls over and over cost no more than others.
static uint32_t next_unplaced(struct ic_scan_sought *sought, uint32_t i)
{
	while (sought[i].next != i) {
		sought[i].next = sought[sought[i].next].next;
		i = sought[i].next;
	}
	return i;
}

// Gives the row's place to the calls between it and the next row.
static void place(struct ic_scan_stream *stream, const struct ic_line_row *row, uint64_t end)
{
	struct ic_scan_sought *sought = stream->sought.items;
	uint32_t i = next_unplaced(sought, first_from(stream, row->addr));

	for (; i < stream->sought.count && sought[i].addr < end; i = next_unplaced(sought, i)) {
		struct ic_call *call = &stream->calls.items[sought[i].call];
		call->call_file =
			ic_scan_lines_file(stream, row->file, stream->unit->off + call->die_off);
		call->call_line = row->line;
		call->call_column = row->column;
		sought[i].next = i + 1;
	}
}

void ic_scan_lines_add_file(struct ic_scan_stream *stream, struct ic_line_file file)
{
	struct ic_line_file *added = IC_ARRAY_PUSH(&stream->lines.files);

	if (added) {
		*added = file;
		number_files(stream);
	} else {
		stream->out_of_memory = true;
	}
}

bool ic_scan_lines_end(struct ic_scan_stream *stream, const struct ic_line_program *program,
		       uint64_t budget)
{
	struct ic_error err;
	bool is_cut = budget < stream->lines.program_size;
	bool ok = ic_line_program_ok(program, &err);

	stream->out_of_memory |= program->out_of_memory;
	if (is_cut) // not within anything, perhaps
		ic_fail_at(&err, ".debug_line",
			   ok ? stream->lines.program_off + budget : program->cur.fault_off,
			   "line tables are used over and over; the rest is left out");
	if (is_cut || !ok)
		ic_scan_problem(stream, stream->unit->off, &err);
	return ok && !is_cut;
}

void ic_scan_lines_place_calls(struct ic_scan_stream *stream)
{
	struct ic_line_program program;
	struct ic_line_row row, last = { .flags = IC_LINE_END_SEQUENCE };
	enum ic_line_event event;
	bool dead = false; // the sequence is of code that the linker threw away

	if (!ic_scan_lines_unit(stream)->has_stmt_list || !list_sought(stream))
		return;
	ic_scan_lines_read(stream);
	uint64_t budget = lines_budget(stream);
	ic_line_program_open(&program, &stream->lines, ic_scan_lines_unit(stream), budget);
	while ((event = ic_line_program_next(&program, &row)) != IC_LINE_END) {
		if (event == IC_LINE_FILE) {
			ic_scan_lines_add_file(stream, program.file);
			continue;
		}
		if (last.flags & IC_LINE_END_SEQUENCE)
			dead = !ic_scan_is_code(stream, row.addr);
		else if (!dead && last.addr < row.addr)
			place(stream, &last, row.addr);
		last = row;
	}
	(void)ic_scan_lines_end(stream, &program, budget);
	ic_line_program_close(&program);
}
