#include "read/reference.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/workers.h"
#include "read/function.h"
#include "read/model.h"
#include "read/unit.h"

struct references {
	IC_ARRAY(struct ic_reference) list;
};

struct follow_job {
	struct ic_read_context *context;
	const struct ic_reference *references; // sorted by offset, and therefore by unit
	const uint32_t *groups; // start of each unit's references, and the end of all
	struct ic_read_worker *workers;
	struct ic_problems *problems; // by group
};

static int compare_references(const void *left, const void *right)
{
	const struct ic_reference *a = left, *b = right;

	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	if (a->is_scope != b->is_scope)
		return a->is_scope - b->is_scope;
	return (a->number > b->number) - (a->number < b->number);
}

// The starts of each unit's references in the sorted list, and the end of all; to be freed. NULL if
// memory runs out.
static uint32_t *group_by_unit(const struct ic_unit_list *units,
			       const struct ic_reference *references, uint32_t count,
			       uint32_t *group_count)
{
	uint32_t *groups = ic_items_alloc(count + 1ull, sizeof(*groups));
	const struct ic_unit *unit = NULL;

	*group_count = 0;
	for (uint32_t i = 0; groups && i < count; i++) {
		const struct ic_unit *holder = ic_unit_list_find(units, references[i].off);
		if (i == 0 || holder != unit)
			groups[(*group_count)++] = i;
		unit = holder;
	}
	if (groups)
		groups[*group_count] = count;
	return groups;
}

// Reads the declarations of a unit that others refer to, to find the scopes of its DIEs.
static void walk_unit(struct ic_stream *stream, uint32_t unit)
{
	if (ic_model_begin(stream, unit))
		while (ic_unit_event(stream, ic_walk_step(&stream->walk))) {}
	ic_model_end(stream);
}

// Opens a unit from which only some DIEs are needed.
static bool open_unit(struct ic_stream *stream, uint32_t number)
{
	const struct ic_read_context *context = stream->reader.context;
	const struct ic_unit *unit = &context->units.units.items[number];

	if (unit->dwarf->is_supplementary && ic_read_wants_scopes(&context->want) &&
	    !context->index->units[number].declarations)
		walk_unit(stream, number);
	return ic_stream_open(stream, number);
}

// Names a scope of whose type only the signature is known.
static void name_scope(struct ic_stream *stream, const struct ic_reference *reference)
{
	struct ic_scope *scope =
		&stream->reader.context->index->units[reference->unit].scopes[reference->number];
	uint64_t off = reference->off - stream->reader.unit->dwarf->info_base;
	struct ic_value value;
	struct ic_error err;
	struct ic_die die;

	if (!ic_die_open(&die, stream->reader.unit, stream->reader.table, off, &err)) {
		ic_reader_problem(&stream->reader, off, &err);
		return;
	}
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		if (name == DW_AT_name &&
		    !ic_value_string(&value, stream->reader.unit, &scope->name, &err))
			ic_reader_problem(&stream->reader, off, &err);
}

static void follow_reference(struct ic_stream *stream, const struct ic_reference *reference)
{
	struct ic_unit_model *unit = &stream->reader.context->index->units[reference->unit];

	if (reference->is_scope)
		name_scope(stream, reference);
	else
		ic_function_follow(stream, &unit->functions[reference->number], *reference);
}

// Reports a reference to no listed unit.
static void report_lost(struct ic_problems *problems, const struct ic_unit_list *units,
			const struct ic_reference *reference)
{
	const struct ic_dwarf *from = units->units.items[reference->unit].dwarf;
	const struct ic_dwarf *other = from->supplementary;
	bool leads_there = other && reference->off - other->info_base < other->info.size;
	const struct ic_dwarf *to = leads_there ? other : from;
	struct ic_error err;

	ic_fail_at(&err, to->info_name, reference->off - to->info_base,
		   "reference points outside all units");
	problems->file = to->file;
	ic_problems_add(problems, &err, NULL, 0);
}

static void follow_group(struct follow_job *job, struct ic_stream *stream, uint32_t group)
{
	const struct ic_reference *first = &job->references[job->groups[group]];
	const struct ic_reference *end = &job->references[job->groups[group + 1]];
	const struct ic_unit_list *units = &job->context->units;
	const struct ic_unit *unit = ic_unit_list_find(units, first->off);
	struct ic_problems *problems = &job->problems[group];

	if (!unit) {
		*problems = (struct ic_problems){ .arena = stream->reader.arena };
		for (const struct ic_reference *i = first; i < end; i++)
			report_lost(problems, units, i);
		ic_problems_finish(problems, ".debug_info", first->off);
		return;
	}
	if (open_unit(stream, (uint32_t)(unit - units->units.items)))
		for (const struct ic_reference *i = first; i < end; i++)
			follow_reference(stream, i);
	*problems = ic_reader_problems_take(&stream->reader);
}

static void follow_groups(struct ic_items *items, uint32_t worker, void *context)
{
	struct follow_job *job = context;

	for (uint32_t i; ic_items_take(items, &i);)
		follow_group(job, &job->workers[worker].streams[0], i);
}

// Collects the references in the streams. Returns false if memory runs out, or ran out in the walk
// of the last unit, whose tables are then gone.
static bool gather_references(struct references *references, struct ic_read_worker *workers,
			      uint32_t worker_count)
{
	references->list.count = 0;
	for (uint32_t i = 0; i < worker_count * IC_MOST_STREAMS; i++) {
		struct ic_stream *stream =
			&workers[i / IC_MOST_STREAMS].streams[i % IC_MOST_STREAMS];
		if (stream->reader.out_of_memory)
			return false;
		for (uint32_t j = 0; j < stream->references.count; j++) {
			if (!IC_ARRAY_ADD(&references->list, stream->references.items[j]))
				return false;
		}
		stream->references.count = 0;
	}
	return true;
}

static bool follow_round(struct ic_read_context *context, struct ic_read_worker *workers,
			 uint32_t worker_count, struct references *references,
			 struct ic_problems *problems)
{
	uint32_t group_count;

	qsort(references->list.items, references->list.count, sizeof(*references->list.items),
	      compare_references);
	uint32_t *groups = group_by_unit(&context->units, references->list.items,
					 references->list.count, &group_count);
	struct ic_problems *group_problems =
		ic_items_zeroed(group_count + 1ull, sizeof(*group_problems));
	bool ok = groups && group_problems;
	if (ok) {
		struct follow_job job = { context, references->list.items, groups, workers,
					  group_problems };
		ic_workers_run(worker_count, group_count, follow_groups, &job);
		for (uint32_t i = 0; i < group_count; i++)
			ic_problems_append(problems, &group_problems[i]);
	}
	free(groups);
	free(group_problems);
	return ok;
}

bool ic_references_follow(struct ic_read_context *context, struct ic_read_worker *workers,
			  uint32_t worker_count, struct ic_problems *problems, struct ic_error *err)
{
	struct references references = { 0 };
	bool ok;

	// The number of links that each reference may follow is limited, so this ends.
	while ((ok = gather_references(&references, workers, worker_count)) &&
	       references.list.count > 0)
		if (!(ok = follow_round(context, workers, worker_count, &references, problems)))
			break;
	IC_ARRAY_FREE(&references.list);
	return ok || ic_fail_memory(err);
}
