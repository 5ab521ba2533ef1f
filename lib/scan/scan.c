#include "scan/scan.h"

#include <stdlib.h>

#include "base/workers.h"
#include "scan/scan_reference.h"
#include "scan/scan_split.h"
#include "scan/scan_unit.h"
#include "scan/scan_units.h"

struct sized_unit {
	uint64_t size;
	uint32_t index;
};

struct scan_job {
	struct ic_scan_context *context;
	struct ic_scan_worker *workers;
	const struct sized_unit *order; // the largest first
	uint64_t total;                 // bytes
	atomic_ullong done;
};

// Gives the stream the next unit that can be walked; false where there are none left.
static bool next_unit(struct scan_job *job, struct ic_items *items, struct ic_scan_stream *stream)
{
	for (uint32_t i; ic_items_take(items, &i);) {
		if (ic_scan_unit_begin(stream, job->order[i].index))
			return true;
		ic_scan_unit_end(stream);
	}
	return false;
}

static void end_unit(struct scan_job *job, struct ic_scan_stream *stream, uint32_t worker)
{
	const struct ic_index_options *options = job->context->options;
	const struct ic_unit *unit = stream->unit;
	uint64_t size = unit->end_off - unit->off;
	uint64_t done = atomic_fetch_add_explicit(&job->done, size, memory_order_relaxed) + size;

	ic_scan_unit_end(stream);
	if (worker == 0 && options->progress)
		options->progress(options->progress_context, done, job->total);
}

static void scan_units(struct ic_items *items, uint32_t number, void *context)
{
	struct scan_job *job = context;
	struct ic_scan_worker *worker = &job->workers[number];
	struct ic_scan_stream *active[SCAN_STREAMS];
	uint32_t count = 0;

	for (uint32_t i = 0; i < SCAN_STREAMS; i++) {
		struct ic_scan_stream *stream = &worker->streams[i];
		if (next_unit(job, items, stream))
			active[count++] = stream;
	}
	while (count > 0) {
		for (uint32_t i = 0; i < count; i++) {
			struct ic_scan_stream *stream = active[i];
			enum ic_walk_event event = ic_walk_step(&stream->walk);

			if (__builtin_expect(event == IC_WALK_ON, 1) ||
			    ic_scan_unit_event(stream, event))
				continue;
			end_unit(job, stream, number);
			if (!next_unit(job, items, stream))
				active[i--] = active[--count];
		}
	}
}

static int compare_sizes(const void *left, const void *right)
{
	const struct sized_unit *a = left, *b = right;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

// The largest units first, so that none of them is begun when the others are done.
static struct sized_unit *order_units(const struct ic_unit_list *list, uint32_t *count,
				      uint64_t *total)
{
	struct sized_unit *order = malloc((list->units.count + 1ull) * sizeof(*order));

	*count = 0;
	*total = 0;
	for (uint32_t i = 0; order && i < list->units.count; i++) {
		const struct ic_unit *unit = &list->units.items[i];
		if (unit->is_passive)
			continue;
		order[(*count)++] = (struct sized_unit){ unit->end_off - unit->off, i };
		*total += unit->end_off - unit->off;
	}
	if (order)
		qsort(order, *count, sizeof(*order), compare_sizes);
	return order;
}

static bool out_of_memory(const struct ic_scan_worker *workers, uint32_t worker_count)
{
	for (uint32_t i = 0; i < worker_count; i++)
		for (uint32_t j = 0; j < SCAN_STREAMS; j++)
			if (workers[i].streams[j].out_of_memory)
				return true;
	return false;
}

static bool run_workers(struct ic_scan_context *context, struct ic_scan_worker *workers,
			uint32_t worker_count, struct ic_problems *problems, struct ic_error *err)
{
	struct scan_job job = { .context = context, .workers = workers };

	for (uint32_t i = 0; i < worker_count; i++) {
		for (uint32_t j = 0; j < SCAN_STREAMS; j++) {
			workers[i].streams[j].context = context;
			workers[i].streams[j].arena = &workers[i].arena;
		}
	}
	uint32_t count;
	struct sized_unit *order = order_units(&context->units, &count, &job.total);
	if (!order)
		return ic_fail_memory(err);
	job.order = order;
	ic_workers_run(worker_count, count, scan_units, &job);
	free(order);

	if (out_of_memory(workers, worker_count))
		return ic_fail_memory(err);
	return ic_scan_references_follow(context, workers, worker_count, problems, err) &&
	       (!out_of_memory(workers, worker_count) || ic_fail_memory(err));
}

static bool scan_all(struct ic_scan_context *context, uint32_t jobs, struct ic_problems *problems,
		     struct ic_error *err)
{
	struct ic_index *index = context->index;
	struct ic_abbrev_reader reader = ic_scan_abbrev_reader(context->options);
	uint32_t unit_count = context->units.units.count;
	uint32_t worker_count = ic_workers_count(jobs, unit_count);
	struct ic_scan_worker *workers = calloc(worker_count, sizeof(*workers));
	bool ok = workers != NULL;

	if (!ok)
		return ic_fail_memory(err);
	ok = ic_scan_tables_build(&context->tables, &context->units, &reader, jobs, err) &&
	     run_workers(context, workers, worker_count, problems, err);
	for (uint32_t i = 0; i < worker_count; i++) {
		for (uint32_t j = 0; j < SCAN_STREAMS; j++)
			ic_scan_stream_free(&workers[i].streams[j]);
		ic_arena_adopt(&index->arena, &workers[i].arena);
	}
	free(workers);
	ic_scan_tables_free(&context->tables);
	return ok;
}

// The problems of the file, then those of each unit, in one table.
static bool collect_problems(struct ic_index *index, const struct ic_problems *of_file)
{
	uint64_t count = of_file->list.count;

	for (uint32_t i = 0; i < index->unit_count; i++)
		count += index->units[i].problem_count;
	if (count > UINT32_MAX)
		return false;
	struct ic_problem *place = ic_arena_alloc(&index->arena, count * sizeof(*place));
	if (!place)
		return false;
	index->problems = place;
	index->problem_count = (uint32_t)count;
	for (uint32_t i = 0; i < of_file->list.count; i++)
		*place++ = of_file->list.items[i];
	for (uint32_t i = 0; i < index->unit_count; i++)
		for (uint32_t j = 0; j < index->units[i].problem_count; j++)
			*place++ = index->units[i].problems[j];
	return true;
}

// Also of units that are never walked, of which nothing but the place is known.
static bool make_models(struct ic_index *index, const struct ic_unit_list *list)
{
	uint32_t count = list->units.count;

	index->units = ic_arena_alloc(&index->arena, count * sizeof(*index->units));
	if (!index->units)
		return false;
	for (uint32_t i = 0; i < count; i++)
		index->units[i] = (struct ic_unit_model){ .off = list->units.items[i].off };
	index->unit_count = count;
	return true;
}

bool ic_scan(struct ic_index *index, const struct ic_scan_input *input,
	     const struct ic_index_options *options, struct ic_problems *problems,
	     struct ic_error *err)
{
	struct ic_scan_context context = {
		.options = options,
		.index = index,
	};
	struct ic_scan_split split = { 0 };
	bool ok = true;

	for (uint32_t i = 0; ok && i < input->dwarf_count; i++)
		ok = ic_scan_units_add(&context, input->dwarfs[i], problems, err);
	ok = ok && ic_scan_split_find(&split, &context, input->image, problems, err);
	ic_problems_finish(problems, ".debug_info", 0);
	ok = ok && ic_scan_units_finish(&context, err) &&
	     (make_models(index, &context.units) || ic_fail_memory(err)) &&
	     scan_all(&context, options->jobs, problems, err) &&
	     ((!problems->out_of_memory && collect_problems(index, problems)) ||
	      ic_fail_memory(err));
	IC_ARRAY_FREE(&problems->list);
	ic_scan_split_free(&split);
	ic_scan_units_free(&context);
	return ok;
}
