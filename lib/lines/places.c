#include "lines/places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"
#include "base/workers.h"
#include "read/lines.h"
#include "read/pc.h"
#include "read/rows.h"
#include "text/text.h"

struct place_search { // the state of one worker
	struct ic_stream *stream;
	struct ic_reader *reader;     // of the stream
	const char *file, *base_name; // the path to find, and its last part
	struct ic_place_rows found;   // in the reader's arena
	IC_ARRAY(bool) matches;       // by file number in the current table
	bool has_impossible_line;     // in the current table
};

struct places_job {
	struct ic_scan *scan;
	struct place_search *searches;   // by worker
	struct ic_line_source **sources; // sources to run
	struct ic_problems *problems;    // by source
	atomic_ullong allowance;         // bytes of line programs left to run
};

// Whether a path is the one to find, or ends with it after a slash.
static bool is_sought(const char *path, const char *file)
{
	size_t length = strlen(path), wanted = strlen(file);

	return wanted > 0 && length >= wanted && strcmp(path + length - wanted, file) == 0 &&
	       (length == wanted || path[length - wanted - 1] == '/');
}

// Matches the files listed since the last call.
static bool match_files(struct place_search *search)
{
	struct ic_reader *reader = search->reader;
	const struct ic_line_header *header = &reader->lines.header;
	char path[PATH_MAX];
	bool any = false;

	for (uint32_t i = search->matches.count; i < header->files.count; i++) {
		const char *name = ic_text_base_name(header->files.items[i].name);
		bool *match = IC_ARRAY_PUSH(&search->matches);
		if (!match) {
			reader->out_of_memory = true;
			return false;
		}
		*match = strcmp(name, search->base_name) == 0 &&
			 ic_line_file_path(header, ic_unit_lines_unit(reader), i, path,
					   sizeof(path)) < sizeof(path) &&
			 is_sought(path, search->file);
		any |= *match;
	}
	return any;
}

// Takes a row that extends to `end`, which is its own address if another row follows there.
static void take_row(struct place_search *search, const struct ic_line_row *row, uint64_t end)
{
	struct ic_reader *reader = search->reader;

	if (row->line == 0 || row->file >= search->matches.count ||
	    !search->matches.items[row->file])
		return;
	if (row->line > INT32_MAX) { // no compiler counts that far: an overflow below 0
		search->has_impossible_line = true;
		return;
	}
	uint32_t file = ic_unit_lines_file(reader, row->file, reader->unit->die_off);
	struct ic_place_row *place = IC_ARRAY_PUSH(&search->found.list);
	if (!place) {
		reader->out_of_memory = true;
		return;
	}
	*place = (struct ic_place_row){ .range = { row->addr, end },
					.file = file == IC_NONE ? NULL
								: reader->lines.files.items[file],
					.line = row->line,
					.column = row->column,
					.discriminator = row->discriminator,
					.is_stmt = row->flags & IC_LINE_IS_STMT };
}

// Takes the rows of one sequence, each of which extends to the next.
static void take_sequence(struct place_search *search, const struct ic_code_sequence *sequence)
{
	const struct ic_reader *reader = search->reader;
	const struct ic_code_row *rows = search->stream->built.rows.items + sequence->first_row;

	for (uint32_t i = 0; i < sequence->row_count; i++) {
		const char *path =
			rows[i].file == IC_NONE ? NULL : reader->lines.files.items[rows[i].file];
		uint64_t start = sequence->range.start;
		if (rows[i].line == 0 || !path || !is_sought(path, search->file))
			continue;
		struct ic_place_row *place = IC_ARRAY_PUSH(&search->found.list);
		if (!place) {
			search->reader->out_of_memory = true;
			return;
		}
		*place = (struct ic_place_row){
			.range = { start + rows[i].addr_off, i + 1 < sequence->row_count
								     ? start + rows[i + 1].addr_off
								     : sequence->range.end },
			.file = path,
			.line = rows[i].line,
			.is_stmt = true,
		};
	}
}

static void run_program(struct place_search *search, uint64_t budget)
{
	struct ic_reader *reader = search->reader;
	struct ic_line_row row, last = { .flags = IC_LINE_END_SEQUENCE };
	struct ic_line_program program;
	enum ic_line_event event;
	bool dead = false;

	ic_line_program_open(&program, &reader->lines.header, ic_unit_lines_unit(reader), budget);
	while (!reader->out_of_memory &&
	       (event = ic_line_program_next(&program, &row)) != IC_LINE_END) {
		if (event == IC_LINE_FILE) {
			ic_unit_lines_add_file(reader, program.file);
			match_files(search);
			continue;
		}
		// As in read/rows.c, a lower address starts another sequence. The row that ends a
		// sequence is at the address of other code.
		bool begins = last.flags & IC_LINE_END_SEQUENCE, falls = row.addr < last.addr;
		if (begins || falls)
			dead = !ic_pc_is_code(reader, row.addr) || (dead && !begins);
		else if (!dead && (row.addr > last.addr || !(row.flags & IC_LINE_END_SEQUENCE)))
			take_row(search, &last, row.addr);
		last = row;
	}
	if (!reader->out_of_memory)
		(void)ic_unit_lines_end(reader, &program, budget);
	if (search->has_impossible_line) {
		struct ic_error err;
		ic_fail_at(&err, ".debug_line", reader->lines.header.program_off,
			   "impossible line rows");
		ic_reader_problem(reader, reader->unit->off, &err);
	}
	ic_line_program_close(&program);
}

// Takes the rows of a unit that has its own rows; its problems were reported when it was listed.
static void take_built(struct place_search *search, uint32_t unit)
{
	const struct ic_built_model *built = &search->stream->built;

	if (ic_stream_build(search->stream, unit))
		for (uint32_t i = 0; i < built->sequences.count; i++)
			take_sequence(search, &built->sequences.items[i]);
	ic_reader_problems_drop(search->reader);
}

// Reads a header again; its problems were reported the first time.
static bool read_header(struct ic_reader *reader, uint32_t unit)
{
	bool ok = ic_reader_open_root(reader, unit);

	if (ok)
		ic_unit_lines_read(reader);
	ic_reader_problems_drop(reader);
	return ok;
}

static void search_sources(struct ic_items *items, uint32_t worker, void *context)
{
	struct places_job *job = context;
	struct place_search *search = &job->searches[worker];
	struct ic_reader *reader = search->reader;

	for (uint32_t i; ic_items_take(items, &i);) {
		struct ic_line_source *source = job->sources[i];

		if (source->has_own_rows) {
			take_built(search, source->unit);
			continue;
		}
		search->matches.count = 0;
		search->has_impossible_line = false;
		if (!read_header(reader, source->unit) || !match_files(search))
			continue;
		run_program(search,
			    ic_allowance_take(&job->allowance, reader->lines.header.program_size));
		job->problems[i] = ic_reader_problems_take(reader);
		if (source->was_run)
			IC_ARRAY_FREE(&job->problems[i].list);
		source->was_run = true;
	}
}

// ---- Results of all workers

static int compare_files(const char *a, const char *b)
{
	return a == b ? 0 : a && b ? strcmp(a, b) : a ? -1 : 1;
}

int ic_place_row_compare(const void *left, const void *right)
{
	const struct ic_place_row *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->range.start != b->range.start)
		return a->range.start < b->range.start ? -1 : 1;
	if (a->range.end != b->range.end) // empty ones last
		return a->range.end > b->range.end ? -1 : 1;
	int order = compare_files(a->file, b->file);
	if (order != 0)
		return order;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	if (a->discriminator != b->discriminator)
		return a->discriminator < b->discriminator ? -1 : 1;
	return b->is_stmt - a->is_stmt;
}

// A breakpoint is recommended at an address if any row there recommends it.
static void share_statements(struct ic_place_rows *places)
{
	for (uint32_t i = places->list.count; i-- > 1;) {
		const struct ic_place_row *place = &places->list.items[i];
		struct ic_place_row *before = &places->list.items[i - 1];

		if (before->line == place->line && before->range.start == place->range.start)
			before->is_stmt |= place->is_stmt;
	}
}

bool ic_place_row_continues(const struct ic_place_row *last, const struct ic_place_row *place)
{
	return last->line == place->line && last->range.end >= place->range.start &&
	       last->column == place->column && last->discriminator == place->discriminator &&
	       compare_files(last->file, place->file) == 0 && (last->is_stmt || !place->is_stmt);
}

// Drops empty places of lines that have code at the same address.
static void drop_needless(struct ic_place_rows *places)
{
	struct ic_place_row *items = places->list.items;
	uint64_t end = 0; // end of the line's code so far
	uint32_t kept = 0;

	for (uint32_t i = 0; i < places->list.count; i++) {
		const struct ic_place_row *place = &items[i];
		const struct ic_place_row *last =
			kept > 0 && items[kept - 1].line == place->line ? &items[kept - 1] : NULL;
		bool is_empty = place->range.start == place->range.end;

		if (!last)
			end = 0;
		if (last && is_empty &&
		    (place->range.start < end || place->range.start == last->range.start))
			continue;
		items[kept++] = *place;
		if (end < place->range.end)
			end = place->range.end;
	}
	places->list.count = kept;
}

static bool gather_rows(struct ic_place_rows *places, struct place_search *search)
{
	struct ic_place_rows *found = &search->found;
	uint32_t count = places->list.count;

	ic_arena_adopt(&places->arena, &found->arena);
	if (!IC_ARRAY_RESERVE(&places->list, (uint64_t)count + found->list.count))
		return false;
	if (found->list.count > 0)
		memcpy(places->list.items + count, found->list.items,
		       found->list.count * sizeof(*found->list.items));
	places->list.count += found->list.count;
	return !search->reader->out_of_memory;
}

// Appends problems, copying their messages so that they outlive the places.
static void keep_problems(struct ic_problems *all, struct ic_problems *some)
{
	ic_problems_copy_texts(all, some);
	all->out_of_memory |= some->out_of_memory;
	IC_ARRAY_FREE(&some->list);
}

static bool run_job(struct ic_place_rows *places, struct places_job *job, uint32_t workers,
		    uint32_t count, struct ic_problems *problems)
{
	bool ok = true;

	ic_workers_run(workers, count, search_sources, job);
	for (uint32_t i = 0; i < workers; i++) {
		ok = gather_rows(places, &job->searches[i]) && ok;
		IC_ARRAY_FREE(&job->searches[i].matches);
		ic_place_rows_free(&job->searches[i].found);
	}
	for (uint32_t i = 0; i < count; i++)
		keep_problems(problems, &job->problems[i]);
	if (places->list.count > 0)
		qsort(places->list.items, places->list.count, sizeof(*places->list.items),
		      ic_place_row_compare);
	share_statements(places);
	drop_needless(places);
	return ok;
}

bool ic_place_rows_find(struct ic_place_rows *places, struct ic_scan *scan,
			struct ic_line_sources *sources, const char *file,
			struct ic_problems *problems, struct ic_error *err)
{
	struct places_job job = {
		.scan = scan,
		.searches = ic_items_zeroed(scan->worker_count + 1ull, sizeof(*job.searches)),
		.sources = ic_items_alloc(sources->count + 1ull, sizeof(struct ic_line_source *)),
		.problems = ic_items_zeroed(sources->count + 1ull, sizeof(*job.problems)),
		.allowance = 65536 + 4 * scan->context.listed->line_bytes,
	};
	bool ok = job.searches && job.sources && job.problems;
	uint32_t count = 0;

	ic_scan_prepare(scan);
	places->list.memory = places->arena.memory = scan->context.index->arena.memory;
	for (uint32_t i = 0; ok && i < scan->worker_count; i++) {
		struct place_search *search = &job.searches[i];
		*search = (struct place_search){ .stream = ic_scan_stream(scan, i),
						 .reader = &ic_scan_stream(scan, i)->reader,
						 .file = file,
						 .base_name = ic_text_base_name(file),
						 .found.list.memory = places->list.memory,
						 .found.arena.memory = places->arena.memory };
		search->reader->arena = &search->found.arena;
	}
	for (uint32_t i = 0; ok && i < sources->count; i++)
		if (ic_line_source_may_have(&sources->tables[i], file))
			job.sources[count++] = &sources->tables[i];
	uint32_t workers = scan->worker_count < count ? scan->worker_count : count;
	ok = ok && (count == 0 || run_job(places, &job, workers, count, problems));
	ic_scan_prepare(scan); // give the workers' arenas back to the streams
	free(job.searches);
	free(job.sources);
	free(job.problems);
	return ok || ic_fail_memory(err);
}

uint32_t ic_place_rows_from(const struct ic_place_rows *places, uint32_t line)
{
	uint32_t first;

	IC_SEARCH(first, places->list.count, at, places->list.items[at].line < line);
	return first;
}

void ic_place_rows_free(struct ic_place_rows *places)
{
	IC_ARRAY_FREE(&places->list);
	ic_arena_free(&places->arena);
}
