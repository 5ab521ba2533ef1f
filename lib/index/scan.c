#include "index/scan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/workers.h"
#include "debug/split.h"
#include "index/names.h"
#include "read/model.h"
#include "read/reference.h"
#include "read/unit.h"
#include "units/name_needles.h"
#include "units/units.h"

struct scan_job {
	struct ic_read_context *context;
	const struct ic_scan_request *request;
	struct ic_read_worker *workers;
	const uint32_t *order; // units, largest first
	uint64_t total;        // bytes
	atomic_ullong done;
	atomic_bool is_stopped; // start no more units
};

// Gives the stream the next unit that can be walked; returns false if there are no more, or the
// caller stops the scan.
static bool next_unit(struct scan_job *job, struct ic_items *items, struct ic_stream *stream)
{
	for (uint32_t i; !atomic_load_explicit(&job->is_stopped, memory_order_relaxed) &&
			 ic_items_take(items, &i);) {
		if (ic_model_begin(stream, job->order[i]))
			return true;
		ic_model_end(stream);
	}
	return false;
}

static void end_unit(struct scan_job *job, struct ic_stream *stream, uint32_t worker)
{
	const struct ic_scan_request *request = job->request;
	const struct ic_unit *unit = stream->reader.unit;
	uint64_t size = unit->end_off - unit->off;
	uint64_t done = atomic_fetch_add_explicit(&job->done, size, memory_order_relaxed) + size;

	ic_model_end(stream);
	if (worker == 0 && request->progress &&
	    !atomic_load_explicit(&job->is_stopped, memory_order_relaxed) &&
	    !request->progress(request->progress_context, done, job->total))
		atomic_store_explicit(&job->is_stopped, true, memory_order_relaxed);
}

static void scan_units(struct ic_items *items, uint32_t number, void *context)
{
	struct scan_job *job = context;
	struct ic_read_worker *worker = &job->workers[number];
	struct ic_stream *active[IC_MOST_STREAMS];
	uint32_t count = 0;

	for (uint32_t i = 0; i < IC_MOST_STREAMS; i++) {
		struct ic_stream *stream = &worker->streams[i];
		if (next_unit(job, items, stream))
			active[count++] = stream;
	}
	while (count > 0) {
		for (uint32_t i = 0; i < count; i++) {
			struct ic_stream *stream = active[i];
			enum ic_walk_event event = ic_walk_step(&stream->walk);

			if (__builtin_expect(event == IC_WALK_ON, 1) ||
			    ic_unit_event(stream, event))
				continue;
			end_unit(job, stream, number);
			if (!next_unit(job, items, stream))
				active[i--] = active[--count];
		}
	}
}

struct sized_unit {
	uint64_t size;
	uint32_t number;
};

static int compare_sizes(const void *left, const void *right)
{
	const struct sized_unit *a = left, *b = right;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

// Sorts the largest units first, so that none of them starts when the others are done. Returns
// false if memory runs out.
static bool order_units(uint32_t *numbers, uint32_t count, const struct ic_unit_list *list,
			uint64_t *total)
{
	struct sized_unit *order = ic_items_alloc(count + 1ull, sizeof(*order));

	*total = 0;
	for (uint32_t i = 0; order && i < count; i++) {
		const struct ic_unit *unit = &list->units.items[numbers[i]];
		order[i] = (struct sized_unit){ unit->end_off - unit->off, numbers[i] };
		*total += order[i].size;
	}
	if (!order)
		return false;
	qsort(order, count, sizeof(*order), compare_sizes);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = order[i].number;
	free(order);
	return true;
}

static bool out_of_memory(const struct ic_scan *scan)
{
	for (uint32_t i = 0; i < scan->worker_count; i++)
		for (uint32_t j = 0; j < IC_MOST_STREAMS; j++)
			if (scan->workers[i].streams[j].reader.out_of_memory)
				return true;
	return false;
}

void ic_scan_prepare(struct ic_scan *scan)
{
	// A thousand scans of one unit each must not create a thousand arenas.
	if (scan->is_single) {
		scan->workers[0].arena = scan->context.index->arena;
		scan->context.index->arena =
			(struct ic_arena){ .memory = scan->workers[0].arena.memory };
	}
	for (uint32_t i = 0; i < scan->worker_count; i++) {
		for (uint32_t j = 0; j < IC_MOST_STREAMS; j++) {
			struct ic_stream *stream = &scan->workers[i].streams[j];
			stream->reader.context = &scan->context;
			stream->reader.arena = &scan->workers[i].arena;
			stream->reader.out_of_memory = false;
			stream->references.count = 0;
		}
		scan->workers[i].arena.memory = scan->context.index->arena.memory;
	}
}

struct ic_stream *ic_scan_stream(struct ic_scan *scan, uint32_t worker)
{
	return &scan->workers[worker].streams[0];
}

bool ic_scan_begin_unit(struct ic_scan *scan, uint32_t unit, struct ic_reader **reader)
{
	ic_scan_prepare(scan);
	*reader = &ic_scan_stream(scan, 0)->reader;
	bool is_open = ic_reader_open(*reader, unit);
	ic_reader_problems_drop(*reader);
	return is_open && (*reader)->source->has_dies;
}

bool ic_scan_end_unit(struct ic_reader *reader, struct ic_problems *problems, struct ic_error *err)
{
	if (problems) {
		struct ic_problems found = ic_reader_problems_take(reader);
		ic_problems_append(problems, &found);
	} else {
		ic_reader_problems_drop(reader);
	}
	return !reader->out_of_memory || ic_fail_memory(err);
}

static bool read_units(struct ic_scan *scan, uint32_t *numbers, uint32_t count,
		       const struct ic_scan_request *request, struct ic_problems *problems,
		       struct ic_error *err)
{
	struct scan_job job = { .context = &scan->context,
				.request = request,
				.workers = scan->workers,
				.order = numbers };
	uint32_t worker_count = scan->worker_count < count ? scan->worker_count : count;

	ic_scan_prepare(scan);
	if (!order_units(numbers, count, &scan->context.units, &job.total))
		return ic_fail_memory(err);
	if (count > 0)
		ic_workers_run(worker_count, count, scan_units, &job);
	if (job.is_stopped)
		return ic_fail(err, IC_ERROR_STOPPED, "stopped by the caller");
	if (out_of_memory(scan))
		return ic_fail_memory(err);
	if (scan->is_single)
		return true;
	return ic_references_follow(&scan->context, scan->workers, scan->worker_count, problems,
				    err) &&
	       (!out_of_memory(scan) || ic_fail_memory(err));
}

bool ic_scan_read(struct ic_scan *scan, uint32_t *numbers, uint32_t count,
		  const struct ic_scan_request *request, struct ic_problems *problems,
		  struct ic_error *err)
{
	static const struct ic_scan_request everything = { .wanted = NULL };

	if (!request)
		request = &everything;
	unsigned long long row_allowance = scan->context.row_allowance;
	scan->context.wanted = request->wanted;
	bool ok = read_units(scan, numbers, count, request, problems, err);
	scan->context.wanted = NULL;
	if (!ok && err->code == IC_ERROR_STOPPED) // unfinished units are read again
		scan->context.row_allowance = row_allowance;
	return ok;
}

void ic_scan_report(struct ic_scan *scan, struct ic_problems *problems)
{
	ic_units_report(scan->context.listed, scan->context.reported, problems);
}

bool ic_scan_needs_others(const struct ic_scan *scan)
{
	const struct ic_stream *stream = &scan->workers[0].streams[0];

	return scan->is_single && (stream->references.count > 0 ||
				   (stream->reader.unit && stream->reader.unit->root.dwo_name &&
				    !stream->reader.unit->skeleton));
}

// Also for units that are never walked, of which only the offset is known.
static bool make_models(struct ic_index *index, const struct ic_unit_list *list)
{
	uint32_t count = list->units.count;

	index->units = ic_arena_items(&index->arena, count, sizeof(*index->units));
	if (!index->units)
		return false;
	for (uint32_t i = 0; i < count; i++)
		index->units[i] = (struct ic_unit_model){ .off = list->units.items[i].off };
	index->unit_count = count;
	return true;
}

// Makes what is needed after the units are listed.
static bool finish_opening(struct ic_scan *scan, struct ic_error *err)
{
	struct ic_read_context *context = &scan->context;

	context->reported =
		ic_items_zeroed(context->listed->loaders.count + 1ull, sizeof(*context->reported));
	if (!context->reported || !ic_units_copy(&context->units, context->listed) ||
	    !make_models(context->index, &context->units))
		return ic_fail_memory(err);
	context->row_allowance = 65536 + 4 * context->listed->line_bytes;
	uint32_t worker_count = ic_workers_count(context->want.jobs, context->units.units.count);
	scan->workers = calloc(worker_count, sizeof(*scan->workers));
	if (!scan->workers)
		return ic_fail_memory(err);
	scan->worker_count = worker_count; // set only now, when there are workers to close
	for (uint32_t i = 0; i < worker_count; i++)
		for (uint32_t j = 0; j < IC_MOST_STREAMS; j++)
			ic_stream_limit(&scan->workers[i].streams[j], context->index->arena.memory);
	return true;
}

bool ic_scan_open(struct ic_scan *scan, struct ic_index *index, struct ic_debug *debug,
		  const struct ic_read_options *want, struct ic_problems *problems,
		  struct ic_error *err)
{
	*scan = (struct ic_scan){
		.context = { .want = *want, .index = index, .listed = &debug->units },
		.split = &debug->split,
	};
	if (!ic_debug_list(debug, want->jobs, problems, err) || !finish_opening(scan, err))
		return false;
	ic_scan_report(scan, problems);
	ic_problems_finish(problems, ".debug_info", 0);
	return true;
}

bool ic_scan_open_unit(struct ic_scan *scan, struct ic_index *index,
		       const struct ic_scanned_unit *unit, const struct ic_read_options *want,
		       struct ic_problems *problems, struct ic_error *err)
{
	const struct ic_debug *debug = unit->debug;

	*scan = (struct ic_scan){
		.context = { .want = *want, .index = index, .listed = &scan->own_units },
		.split = &scan->own_split,
		.is_single = true,
		.own_units.jobs = want->jobs,
	};
	return ic_units_add_one(&scan->own_units, debug->main_dwarf, unit->off, err) &&
	       ic_split_find(&scan->own_split, &scan->own_units, debug->image, problems, err) &&
	       ic_units_finish(&scan->own_units, err) && finish_opening(scan, err);
}

uint32_t ic_scan_single(const struct ic_scan *scan)
{
	const struct ic_unit_list *list = &scan->context.units;

	for (uint32_t i = 1; i < list->units.count; i++)
		if (list->units.items[i].skeleton)
			return i;
	return 0;
}

void ic_scan_close(struct ic_scan *scan)
{
	for (uint32_t i = 0; i < scan->worker_count; i++) {
		for (uint32_t j = 0; j < IC_MOST_STREAMS; j++)
			ic_stream_free(&scan->workers[i].streams[j]);
		ic_arena_adopt(&scan->context.index->arena, &scan->workers[i].arena);
	}
	free(scan->workers);
	IC_ARRAY_FREE(&scan->context.units.units);
	free(scan->context.reported);
	ic_split_free(&scan->own_split);
	ic_units_free(&scan->own_units);
	*scan = (struct ic_scan){ .worker_count = 0 };
}

// ---- Full scans

// Collects the problems of the file, then those of each unit, in one table.
static bool collect_problems(struct ic_index *index, const struct ic_problems *of_file)
{
	uint64_t count = of_file->list.count;

	for (uint32_t i = 0; i < index->unit_count; i++)
		count += index->units[i].problem_count;
	if (count > UINT32_MAX)
		return false;
	struct ic_problem *place = ic_arena_items(&index->arena, count, sizeof(*place));
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

// Reads the units whose `wanted` is `flag`; all if `wanted` is NULL.
static bool scan_some(struct ic_scan *scan, const struct ic_index_options *options,
		      const atomic_uchar *wanted, unsigned char flag, struct ic_problems *problems,
		      struct ic_error *err)
{
	const struct ic_scan_request request = { .progress = options->progress,
						 .progress_context = options->progress_context };
	const struct ic_unit_list *list = &scan->context.units;
	uint32_t *numbers = ic_items_alloc(list->units.count + 1ull, sizeof(*numbers)), count = 0;

	for (uint32_t i = 0; numbers && i < list->units.count; i++)
		if (!list->units.items[i].is_passive && (!wanted || wanted[i] == flag))
			numbers[count++] = i;
	bool ok = numbers ? ic_scan_read(scan, numbers, count, &request, problems, err)
			  : ic_fail_memory(err);
	free(numbers);
	ic_scan_report(scan, problems);
	return ok;
}

void ic_scan_report_outside(struct ic_problems *problems, uint64_t addr)
{
	struct ic_error err;

	ic_fail_at(&err, ".debug_info", 0,
		   "none of the code it describes is in a code section of this file (for example "
		   "0x%" PRIx64 "); is it for another file?",
		   addr);
	ic_problems_add(problems, &err, NULL, 0);
}

// Whether the debug information describes code, but none that is in the file: then it belongs to
// another file. *addr is an address where some should be.
static bool is_outside(const struct ic_index *index, uint64_t *addr)
{
	*addr = 0;
	for (uint32_t i = 0; i < index->unit_count; i++) {
		if (index->units[i].range_count > 0)
			return false;
		if (*addr == 0)
			*addr = index->units[i].outside_addr;
	}
	return *addr != 0;
}

// Makes the units readable whose `wanted` is `flag`.
static bool need_units(const struct ic_scan *scan, const struct ic_dwarf_file *file,
		       const atomic_uchar *wanted, unsigned char flag, struct ic_error *err)
{
	const struct ic_unit_list *list = &scan->context.units;
	uint64_t size = 0, all = 0;

	for (uint32_t i = 0; i < list->units.count; i++) {
		const struct ic_unit *unit = &list->units.items[i];
		all += unit->end_off - unit->off;
		size += wanted[i] == flag ? unit->end_off - unit->off : 0;
	}
	if (size > all / 2) // all at once, using several threads
		return ic_dwarf_file_need_all(file, scan->context.want.jobs, err);
	for (uint32_t i = 0; i < list->units.count; i++) {
		const struct ic_unit *unit = &list->units.items[i];
		if (wanted[i] == flag && ic_dwarf_file_has_units(file, unit->dwarf) &&
		    !ic_dwarf_file_need(file, unit->off, unit->end_off, err))
			return false;
	}
	return true;
}

// Whether there are so few units that all are read.
static bool is_small(const struct ic_unit_list *list, uint64_t whole_below)
{
	if (list->units.count == 0)
		return true;
	const struct ic_unit *last = &list->units.items[list->units.count - 1];
	return ic_unit_global_off(last, last->end_off) < whole_below;
}

// Selects the units that may have the names.
static bool select_units(struct ic_scan *scan, const struct ic_dwarf_file *file,
			 struct ic_name_needles *needles, atomic_uchar *wanted,
			 struct ic_error *err)
{
	struct ic_read_context *context = &scan->context;
	struct ic_pending_addends addends;

	if (ic_dwarf_file_addends(file, &addends))
		context->addends = &addends;
	else if (!ic_dwarf_file_need_all(file, context->want.jobs, err))
		return false;
	// Another thread may be relocating the bytes searched. Nothing is loaded here.
	if (context->addends)
		ic_elf_file_lock(file->file);
	bool ok = ic_units_select(context, needles, wanted, err);
	if (context->addends)
		ic_elf_file_unlock(file->file);
	context->addends = NULL;
	return ok;
}

// Reads the units that are `wanted`. If none of their code is in the file, reads the others too:
// only all of them can show that nothing matches.
static bool scan_wanted(struct ic_scan *scan, const struct ic_dwarf_file *file,
			const struct ic_index_options *options, const atomic_uchar *wanted,
			struct ic_problems *problems, struct ic_error *err)
{
	uint64_t addr;

	if (!need_units(scan, file, wanted, 1, err) ||
	    !scan_some(scan, options, wanted, 1, problems, err))
		return false;
	return !is_outside(scan->context.index, &addr) ||
	       (need_units(scan, file, wanted, 0, err) &&
		scan_some(scan, options, wanted, 0, problems, err));
}

// Reads the units that may have functions with the requested names; all units if there are no
// names.
static bool scan_with_needles(struct ic_scan *scan, const struct ic_debug *debug,
			      const struct ic_index_options *options,
			      struct ic_name_needles *needles, struct ic_problems *problems,
			      struct ic_error *err)
{
	const struct ic_unit_list *list = &scan->context.units;
	uint32_t count = list->units.count;
	atomic_uchar *wanted = ic_items_alloc(count + 1ull, sizeof(*wanted));
	bool chooses = needles->are_symbols_clear && !options->names_only &&
		       !is_small(list, options->whole_below);
	bool filters = needles->are_names_clear && (options->declarations || options->names_only);

	if (!wanted)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < count; i++)
		wanted[i] = 1;
	bool ok = !chooses || select_units(scan, &debug->main, needles, wanted, err);
	if (ok && filters && !needles->dwarf && debug->main_dwarf)
		ok = ic_name_needles_collect(needles, debug->main_dwarf) || ic_fail_memory(err);
	scan->context.needles = needles->are_names_clear ? needles : NULL;
	ok = ok && scan_wanted(scan, &debug->main, options, wanted, problems, err);
	scan->context.needles = NULL;
	free(wanted);
	return ok;
}

static bool scan_for_names(struct ic_scan *scan, const struct ic_debug *debug,
			   const struct ic_index_options *options, struct ic_problems *problems,
			   struct ic_error *err)
{
	struct ic_name_needles needles = { .names.count = 0 };
	bool ok = ic_name_needles_analyse(&needles, options->functions)
			  ? scan_with_needles(scan, debug, options, &needles, problems, err)
			  : ic_fail_memory(err);

	ic_name_needles_free(&needles);
	return ok;
}

bool ic_scan_all(struct ic_index *index, struct ic_debug *debug,
		 const struct ic_index_options *options, struct ic_problems *problems,
		 struct ic_error *err)
{
	const struct ic_read_options want = {
		.jobs = options->jobs,
		.calls = options->calls,
		.declarations = options->declarations,
		.parameters = options->parameters,
		.entries = options->entries && !options->inline_table,
		.paths = options->paths,
		.functions = options->functions,
		.names_only = options->names_only,
		.without_call_lines = options->without_call_lines,
	};
	bool has_dies = !options->inline_table;
	struct ic_scan scan;
	uint64_t addr;

	index->has_parameters = options->parameters;
	index->has_entries = options->entries;
	bool ok = ic_scan_open(&scan, index, debug, &want, problems, err) &&
		  (options->functions && has_dies
			   ? scan_for_names(&scan, debug, options, problems, err)
			   : scan_some(&scan, options, NULL, 0, problems, err));

	if (ok && is_outside(index, &addr))
		ic_scan_report_outside(problems, addr);
	ok = ok && ((!problems->out_of_memory && collect_problems(index, problems)) ||
		    ic_fail_memory(err));

	IC_ARRAY_FREE(&problems->list);
	ic_scan_close(&scan);
	return ok;
}
