#include "read/lines.h"

#include <inttypes.h>

const struct ic_unit *ic_unit_lines_unit(const struct ic_reader *reader)
{
	return reader->unit->skeleton ? reader->unit->skeleton : reader->unit;
}

static const char *make_path(struct ic_reader *reader, uint64_t file, uint64_t die_off)
{
	char path[4096];
	struct ic_error err;

	if (reader->lines.path_budget == 0)
		return NULL;
	size_t length = ic_line_file_path(&reader->lines.header, ic_unit_lines_unit(reader), file,
					  path, sizeof(path));
	if (length > reader->lines.path_budget) {
		// With few bytes each, many files can repeat a long directory.
		ic_fail(&err, IC_ERROR_MALFORMED,
			"file paths are too long for the size of the unit");
		ic_reader_problem(reader, die_off, &err);
		reader->lines.path_budget = 0;
		return NULL;
	}
	reader->lines.path_budget -= length;
	if (length == 0 || length >= sizeof(path)) // longer than any system can open
		return NULL;
	const char *copy = ic_arena_copy(reader->arena, path, length + 1, 1);
	if (!copy)
		reader->out_of_memory = true;
	return copy;
}

uint64_t ic_unit_lines_budget(const struct ic_reader *reader)
{
	return reader->context->listed->line_allowance +
	       64 * (reader->unit->end_off - reader->unit->off);
}

static bool number_files(struct ic_reader *reader)
{
	uint32_t count = reader->lines.header.files.count;

	if (!IC_ARRAY_RESERVE(&reader->lines.file_of, count)) {
		reader->out_of_memory = true;
		return false;
	}
	while (reader->lines.file_of.count < count)
		reader->lines.file_of.items[reader->lines.file_of.count++] = IC_NONE;
	return true;
}

void ic_unit_lines_read(struct ic_reader *reader)
{
	struct ic_error err;

	if (reader->lines.is_read)
		return;
	reader->lines.is_read = true;
	if (!ic_unit_lines_unit(reader)->root.has_stmt_list)
		return;
	if (!ic_line_header_parse(&reader->lines.header, ic_unit_lines_unit(reader),
				  ic_unit_lines_budget(reader), &err))
		ic_reader_problem(reader, reader->unit->off, &err);
	reader->lines.header.one_slash = reader->context->want.paths != IC_PATHS_JOINED;
	reader->lines.header.is_relative = reader->context->want.paths == IC_PATHS_RELATIVE;
	number_files(reader);
}

// Stores the source text of the last file added.
static void keep_source(struct ic_reader *reader, const char *source)
{
	while (reader->lines.sources.count < reader->lines.files.count) {
		const char **place = IC_ARRAY_PUSH(&reader->lines.sources);
		if (!place) {
			reader->out_of_memory = true;
			return;
		}
		*place = NULL;
	}
	reader->lines.sources.items[reader->lines.sources.count - 1] = source;
}

uint32_t ic_unit_lines_file(struct ic_reader *reader, uint64_t file, uint64_t die_off)
{
	struct ic_error err;

	ic_unit_lines_read(reader);
	if (file >= reader->lines.file_of.count) {
		if (ic_unit_lines_unit(reader)->root.has_stmt_list && file > 0) {
			ic_fail(&err, IC_ERROR_MALFORMED,
				"the line table (in .debug_line) has no file %" PRIu64, file);
			ic_reader_problem(reader, die_off, &err);
		}
		return IC_NONE;
	}
	if (reader->lines.file_of.items[file] != IC_NONE)
		return reader->lines.file_of.items[file];
	const char *path = make_path(reader, file, die_off);
	const char **place = path ? IC_ARRAY_PUSH(&reader->lines.files) : NULL;
	if (path && !place)
		reader->out_of_memory = true;
	if (!place)
		return IC_NONE;
	*place = path;
	if (reader->lines.header.files.items[file].source)
		keep_source(reader, reader->lines.header.files.items[file].source);
	return reader->lines.file_of.items[file] = reader->lines.files.count - 1;
}

uint32_t ic_decl_file_of(struct ic_reader *reader, const struct ic_value *value, uint64_t die_off)
{
	struct ic_error err;

	if (value->class == IC_FORM_CLASS_CONSTANT)
		return ic_unit_lines_file(reader, value->number, die_off);
	ic_fail(&err, IC_ERROR_MALFORMED, "unexpected form 0x%x for a file number", value->form);
	ic_reader_problem(reader, die_off, &err);
	return IC_NONE;
}

void ic_unit_lines_add_file(struct ic_reader *reader, struct ic_line_file file)
{
	struct ic_line_file *added = IC_ARRAY_PUSH(&reader->lines.header.files);

	if (added) {
		*added = file;
		number_files(reader);
	} else {
		reader->out_of_memory = true;
	}
}

bool ic_unit_lines_end(struct ic_reader *reader, const struct ic_line_program *program,
		       uint64_t budget)
{
	struct ic_error err;
	bool is_cut = budget < reader->lines.header.program_size;
	bool ok = ic_line_program_ok(program, &err);

	reader->out_of_memory |= program->out_of_memory;
	if (is_cut) // the rest may not be inside anything
		ic_fail_at(&err, ".debug_line",
			   ok ? reader->lines.header.program_off + budget : program->cur.fault_off,
			   "line tables are referenced too many times; the rest are skipped");
	if (is_cut || !ok)
		ic_reader_problem(reader, reader->unit->off, &err);
	return ok && !is_cut;
}
