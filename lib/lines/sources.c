#include "lines/sources.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/workers.h"
#include "read/lines.h"
#include "text/text.h"

static uint32_t hash_path(const char *path)
{
	uint32_t hash = 2166136261; // FNV-1a

	for (const char *c = ic_text_base_name(path); *c; c++)
		hash = (hash ^ (uint8_t)*c) * 16777619;
	return hash;
}

struct found { // data of one unit
	struct ic_line_source source;
	struct ic_problems problems;
	bool has_code;
};

struct sources_job {
	struct ic_scan *scan;
	struct found *found;
};

static void hash_names(struct ic_reader *reader, struct ic_line_source *source)
{
	const struct ic_line_header *header = &reader->lines.header;
	uint32_t *names = ic_arena_items(reader->arena, header->files.count, sizeof(*names));

	if (!names) {
		reader->out_of_memory = true;
		return;
	}
	for (uint32_t i = 0; i < header->files.count; i++)
		names[i] = hash_path(header->files.items[i].name);
	source->names = names;
	source->name_count = header->files.count;
}

// In DWARF 5, a table has at least the unit's own file; before, its program might define all files.
static void check_files(struct ic_reader *reader)
{
	const struct ic_line_header *header = &reader->lines.header;
	struct ic_error err;

	if (header->version != 5 || header->files.count > 0 || header->program_size == 0 ||
	    reader->problems.list.count > 0)
		return;
	ic_fail_at(&err, ".debug_line", header->program_off, "line table without files");
	ic_reader_problem(reader, reader->unit->off, &err);
}

// Reads a unit that has its own rows. Errors are not reported here, but when its addresses are
// looked up.
static void read_built(struct ic_stream *stream, struct found *found)
{
	struct ic_reader *reader = &stream->reader;
	uint32_t count = 0;

	if (!ic_stream_build(stream, found->source.unit))
		return;
	uint32_t *names = ic_arena_items(reader->arena, reader->lines.files.count, sizeof(*names));
	if (!names) {
		reader->out_of_memory = true;
		return;
	}
	for (; count < reader->lines.files.count; count++)
		names[count] = hash_path(reader->lines.files.items[count]);
	found->source.table = reader->unit->dwarf->info.data + reader->unit->off;
	found->source.has_own_rows = found->has_code = true;
	found->source.names = names;
	found->source.name_count = count;
}

static void read_source(struct ic_reader *reader, struct found *found)
{
	struct ic_bytes section;
	struct ic_error unwanted;

	if (!ic_reader_open_root(reader, found->source.unit))
		return;
	const struct ic_unit *unit = ic_unit_lines_unit(reader);
	if (!unit->root.has_stmt_list)
		return;
	ic_unit_lines_read(reader);
	check_files(reader);
	if (!ic_dwarf_section(unit->dwarf, &unit->dwarf->line, &section, &unwanted) ||
	    unit->root.line_off >= section.size)
		return;
	found->source.table = section.data + unit->root.line_off;
	found->has_code = unit->root.has_low_pc || unit->root.has_ranges;
	hash_names(reader, &found->source);
}

static void read_sources(struct ic_items *items, uint32_t worker, void *context)
{
	struct sources_job *job = context;
	struct ic_stream *stream = ic_scan_stream(job->scan, worker);
	const struct ic_unit_list *list = &job->scan->context.units;

	for (uint32_t i; ic_items_take(items, &i);) {
		struct found *found = &job->found[i];
		const struct ic_unit *unit = &list->units.items[found->source.unit];

		if (unit->dwarf->source->has_own_rows)
			read_built(stream, found);
		else
			read_source(&stream->reader, found);
		found->problems = ic_reader_problems_take(&stream->reader);
	}
}

// If units share a table, it belongs to the first one that has code: others (dwz's) may lack the
// directory that its paths are relative to.
static int compare_found(const void *left, const void *right)
{
	const struct found *a = left, *b = right;
	uintptr_t first = (uintptr_t)a->source.table, second = (uintptr_t)b->source.table;

	if (first != second)
		return first < second ? -1 : 1;
	if (a->has_code != b->has_code)
		return a->has_code ? -1 : 1;
	return (a->source.unit > b->source.unit) - (a->source.unit < b->source.unit);
}

static bool keep_found(struct ic_line_sources *sources, struct found *found, uint32_t count)
{
	qsort(found, count, sizeof(*found), compare_found);
	sources->tables = ic_items_alloc(count + 1ull, sizeof(*sources->tables));
	for (uint32_t i = 0; sources->tables && i < count; i++)
		if (found[i].source.table &&
		    (i == 0 || found[i].source.table != found[i - 1].source.table))
			sources->tables[sources->count++] = found[i].source;
	return sources->tables != NULL;
}

bool ic_line_sources_read(struct ic_line_sources *sources, struct ic_scan *scan,
			  struct ic_problems *problems, struct ic_error *err)
{
	const struct ic_unit_list *list = &scan->context.units;
	struct found *found = ic_items_zeroed(list->units.count + 1ull, sizeof(*found));
	struct sources_job job = { scan, found };
	uint32_t count = 0;

	ic_scan_prepare(scan);
	for (uint32_t i = 0; found && i < list->units.count; i++)
		if (!list->units.items[i].is_passive)
			found[count++].source.unit = i;
	uint32_t workers = scan->worker_count < count ? scan->worker_count : count;
	if (count > 0)
		ic_workers_run(workers, count, read_sources, &job);
	for (uint32_t i = 0; i < count; i++)
		ic_problems_append(problems, &found[i].problems);
	ic_scan_report(scan, problems);
	bool ok = found && keep_found(sources, found, count);
	for (uint32_t i = 0; i < workers; i++)
		ok = ok && !ic_scan_stream(scan, i)->reader.out_of_memory;
	free(found);
	if (!ok)
		ic_line_sources_free(sources);
	return ok || ic_fail_memory(err);
}

bool ic_line_source_may_have(const struct ic_line_source *source, const char *file)
{
	uint32_t sought = hash_path(file);

	for (uint32_t i = 0; i < source->name_count; i++)
		if (source->names[i] == sought)
			return true;
	return false;
}

void ic_line_sources_free(struct ic_line_sources *sources)
{
	free(sources->tables);
	*sources = (struct ic_line_sources){ .count = 0 };
}
