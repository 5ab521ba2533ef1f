#include "scan/scan_places.h"

#include <limits.h>
#include <stdlib.h>

#include "base/workers.h"
#include "dwarf/line_rows.h"
#include "scan/scan_lines.h"
#include "scan/scan_pc.h"
#include "scan/scan_rows.h"

struct place_search { // of one worker
	struct ic_scan_stream *stream;
	const char *file, *base_name; // what is sought; its last part
	uint32_t line;
	struct ic_scan_places found;
	IC_ARRAY(bool) matches; // by number of the file in the table that is being read
};

struct places_job {
	struct ic_scan *scan;
	struct place_search *searches; // by worker
	struct ic_problems *problems;  // likewise
	const uint32_t *numbers;       // of the units
	atomic_ullong allowance;       // bytes of line programs that may still be run
};

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

// Whether a path is the one that is sought, or ends with it behind a slash.
static bool is_sought(const char *path, const char *file)
{
	size_t length = strlen(path), wanted = strlen(file);

	return length >= wanted && strcmp(path + length - wanted, file) == 0 &&
	       (length == wanted || path[length - wanted - 1] == '/');
}

// Says of the files that have been listed since the last call which are sought.
static bool match_files(struct place_search *search)
{
	struct ic_scan_stream *stream = search->stream;
	const struct ic_line_header *header = &stream->lines;
	char path[PATH_MAX];
	bool any = false;

	for (uint32_t i = search->matches.count; i < header->files.count; i++) {
		bool *match = IC_ARRAY_PUSH(&search->matches);
		if (!match) {
			stream->out_of_memory = true;
			return false;
		}
		*match = strcmp(last_part(header->files.items[i].name), search->base_name) == 0 &&
			 ic_line_file_path(header, ic_scan_lines_unit(stream), i, path,
					   sizeof(path)) < sizeof(path) &&
			 is_sought(path, search->file);
		any |= *match;
	}
	return any;
}

static void push_place(struct place_search *search, const struct ic_line_row *row, uint64_t end)
{
	struct ic_scan_stream *stream = search->stream;
	uint32_t file = ic_scan_lines_file(stream, row->file, stream->unit->die_off);
	struct ic_scan_place *place = IC_ARRAY_PUSH(&search->found.list);

	if (!place) {
		stream->out_of_memory = true;
		return;
	}
	*place = (struct ic_scan_place){ .range = { row->addr, end },
					 .file = file == IC_NONE ? NULL : stream->files.items[file],
					 .line = row->line,
					 .column = row->column,
					 .discriminator = row->discriminator,
					 .is_stmt = row->flags & IC_LINE_IS_STMT };
}

// Takes a row that holds up to `end`, which is its own address where another row is there.
static void take_row(struct place_search *search, const struct ic_line_row *row, uint64_t end)
{
	struct ic_scan_places *found = &search->found;

	if (row->file >= search->matches.count || !search->matches.items[row->file])
		return;
	found->has_file = true;
	if (row->line == search->line)
		push_place(search, row, end);
	else if (row->line > search->line &&
		 (found->next_line == 0 || row->line < found->next_line))
		found->next_line = row->line;
}

static void run_program(struct place_search *search, uint64_t budget)
{
	struct ic_scan_stream *stream = search->stream;
	struct ic_line_row row, last = { .flags = IC_LINE_END_SEQUENCE };
	struct ic_line_program program;
	enum ic_line_event event;
	struct ic_error err;
	bool dead = false;

	ic_line_program_open(&program, &stream->lines, ic_scan_lines_unit(stream), budget);
	while (!stream->out_of_memory &&
	       (event = ic_line_program_next(&program, &row)) != IC_LINE_END) {
		if (event == IC_LINE_FILE) {
			ic_scan_lines_add_file(stream, program.file);
			match_files(search);
			continue;
		}
		if (last.flags & IC_LINE_END_SEQUENCE)
			dead = !ic_scan_is_code(stream, row.addr);
		else if (!dead && last.addr <= row.addr)
			take_row(search, &last, row.addr);
		last = row;
	}
	if (!stream->out_of_memory && !ic_line_program_ok(&program, &err))
		ic_scan_problem(stream, stream->unit->off, &err);
}

static void search_unit(struct places_job *job, struct place_search *search, uint32_t number)
{
	struct ic_scan_stream *stream = search->stream;

	stream->file_of.count = stream->files.count = search->matches.count = 0;
	if (!ic_scan_unit_open_root(stream, number) || !ic_scan_lines_unit(stream)->has_stmt_list ||
	    stream->unit->type == DW_UT_partial)
		return;
	ic_scan_lines_read(stream);
	// A program may define files of its own; those before DWARF 5 alone, and none that is
	// known.
	if (!match_files(search))
		return;
	run_program(search, ic_scan_take_allowance(&job->allowance, stream->lines.program_size));
}

static void search_units(struct ic_items *items, uint32_t worker, void *context)
{
	struct places_job *job = context;
	struct place_search *search = &job->searches[worker];
	struct ic_scan_stream *stream = search->stream;

	for (uint32_t i; ic_items_take(items, &i);) {
		uint32_t number = job->numbers[i];
		const struct ic_unit *unit = &job->scan->context.units.units.items[number];

		stream->problems = (struct ic_problems){ .arena = stream->arena };
		search_unit(job, search, number);
		ic_problems_finish(&stream->problems, unit->dwarf->info_name, unit->off);
		ic_problems_append(&job->problems[worker], &stream->problems);
		stream->problems = (struct ic_problems){ .arena = stream->arena };
	}
}

static int compare_places(const void *left, const void *right)
{
	const struct ic_scan_place *a = left, *b = right;

	if (a->range.start != b->range.start)
		return a->range.start < b->range.start ? -1 : 1;
	if (a->range.end != b->range.end) // the empty ones last
		return a->range.end > b->range.end ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	if (a->discriminator != b->discriminator)
		return a->discriminator < b->discriminator ? -1 : 1;
	return b->is_stmt - a->is_stmt;
}

static bool same_place(const struct ic_scan_place *a, const struct ic_scan_place *b)
{
	return a->column == b->column && a->discriminator == b->discriminator && a->file &&
	       b->file && strcmp(a->file, b->file) == 0;
}

// Joins what is one run of code, and leaves out empty ones where the line has code at their
// address.
static void join(struct ic_scan_places *places)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < places->list.count; i++) {
		struct ic_scan_place *place = &places->list.items[i];
		struct ic_scan_place *last = kept > 0 ? &places->list.items[kept - 1] : NULL;
		bool is_empty = place->range.start == place->range.end;

		if (last && is_empty && last->range.start <= place->range.start &&
		    (place->range.start < last->range.end ||
		     place->range.start == last->range.start)) {
			last->is_stmt |= place->is_stmt && last->range.start == place->range.start;
		} else if (last && same_place(last, place) &&
			   last->range.end >= place->range.start) {
			if (last->range.end < place->range.end)
				last->range.end = place->range.end;
		} else {
			places->list.items[kept++] = *place;
		}
	}
	places->list.count = kept;
}

static bool gather(struct ic_scan_places *places, const struct place_search *search)
{
	const struct ic_scan_places *found = &search->found;

	places->has_file |= found->has_file;
	if (found->next_line > 0 &&
	    (places->next_line == 0 || found->next_line < places->next_line))
		places->next_line = found->next_line;
	for (uint32_t i = 0; i < found->list.count; i++) {
		struct ic_scan_place *place = IC_ARRAY_PUSH(&places->list);
		if (!place)
			return false;
		*place = found->list.items[i];
	}
	return !search->stream->out_of_memory;
}

static bool run(struct ic_scan_places *places, struct places_job *job, uint32_t workers,
		uint32_t count, struct ic_problems *problems)
{
	bool ok = true;

	ic_workers_run(workers, count, search_units, job);
	for (uint32_t i = 0; i < workers; i++) {
		ok = ok && gather(places, &job->searches[i]);
		ic_problems_append(problems, &job->problems[i]);
		IC_ARRAY_FREE(&job->searches[i].matches);
		ic_scan_places_free(&job->searches[i].found);
	}
	if (places->list.count > 0)
		qsort(places->list.items, places->list.count, sizeof(*places->list.items),
		      compare_places);
	join(places);
	return ok;
}

bool ic_scan_places_find(struct ic_scan_places *places, struct ic_scan *scan, const char *file,
			 uint32_t line, struct ic_problems *problems, struct ic_error *err)
{
	const struct ic_unit_list *list = &scan->context.units;
	uint32_t *numbers = malloc((list->units.count + 1ull) * sizeof(*numbers)), count = 0;
	struct places_job job = {
		.scan = scan,
		.searches = calloc(scan->worker_count + 1ull, sizeof(*job.searches)),
		.problems = calloc(scan->worker_count + 1ull, sizeof(*job.problems)),
		.numbers = numbers,
		.allowance = 65536 + 4 * scan->context.line_bytes,
	};
	bool ok = numbers && job.searches && job.problems;

	ic_scan_prepare(scan);
	for (uint32_t i = 0; ok && i < scan->worker_count; i++)
		job.searches[i] = (struct place_search){ .stream = &scan->workers[i].streams[0],
							 .file = file,
							 .base_name = last_part(file),
							 .line = line };
	for (uint32_t i = 0; ok && i < list->units.count; i++)
		if (!list->units.items[i].is_passive)
			numbers[count++] = i;
	uint32_t workers = scan->worker_count < count ? scan->worker_count : count;
	ok = ok && (count == 0 || run(places, &job, workers, count, problems));
	free(numbers);
	free(job.searches);
	free(job.problems);
	return ok || ic_fail_memory(err);
}

void ic_scan_places_free(struct ic_scan_places *places)
{
	IC_ARRAY_FREE(&places->list);
}
