// Checks the units of an image, and merges the findings. The type is declared in
// inlinecall/extra/lint.h.
#include <inlinecall/extra/lint.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/workers.h"
#include "index/build.h"
#include "index/scan.h"
#include "lint/unit.h"

enum { DEFAULT_LIMIT = 3 };

struct ic_lint {
	struct ic_index index; // for reading: code, and an arena
	struct ic_debug *debug;
	struct ic_scan scan;
	struct ic_shared_tables tables; // of its units, including all tags
	struct ic_problems problems;
	struct ic_lint_want want;
	struct ic_lint_unit *units;
	struct ic_lint_count *counts;
	size_t count_count;
	struct ic_lint_finding *findings;
	size_t finding_count;
};

// ---- Reading

struct job {
	struct ic_lint *lint;
	atomic_bool out_of_memory;
};

// Reads the roots of all units before any is checked: DIEs refer to those of other units, which
// another thread may be checking at the same time.
static void read_roots(struct ic_items *items, uint32_t worker, void *context)
{
	struct job *job = context;
	struct ic_lint *lint = job->lint;
	struct ic_reader *reader = &ic_scan_stream(&lint->scan, worker)->reader;

	for (uint32_t i; ic_items_take(items, &i);) {
		bool is_read = ic_reader_open_root(reader, i);
		struct ic_problems problems = ic_reader_problems_take(reader);
		if (is_read)
			lint->units[i].problems = problems;
		else // it is tried again later, and then reported
			IC_ARRAY_FREE(&problems.list);
		if (reader->out_of_memory)
			atomic_store(&job->out_of_memory, true);
	}
}

static void check_units(struct ic_items *items, uint32_t worker, void *context)
{
	struct job *job = context;
	struct ic_lint *lint = job->lint;
	const struct ic_unit_list *list = &lint->scan.context.units;
	struct ic_lint_checker checker = {
		.reader = &ic_scan_stream(&lint->scan, worker)->reader,
		.want = &lint->want,
		.tables = &lint->tables,
	};
	struct ic_memory *memory = lint->index.arena.memory;

	checker.unit_ranges.memory = memory;
	checker.ranges.memory = checker.copies.memory = checker.targets.memory = memory;
	checker.formals.memory = checker.sequences.memory = checker.kept.memory = memory;
	for (uint32_t i; ic_items_take(items, &i);) {
		const struct ic_unit *unit = &list->units.items[i];
		if (unit->dwarf->source->has_dies && !unit->is_passive)
			ic_lint_unit_check(&checker, i, &lint->units[i]);
		if (checker.reader->out_of_memory)
			atomic_store(&job->out_of_memory, true);
	}
	ic_lint_checker_free(&checker);
}

static bool has_dies(const struct ic_unit_list *list)
{
	for (uint32_t i = 0; i < list->units.count; i++)
		if (list->units.items[i].dwarf->source->has_dies)
			return true;
	return false;
}

static bool read_units(struct ic_lint *lint, struct ic_image *image, uint32_t jobs,
		       struct ic_error *err)
{
	const struct ic_read_options want = { .jobs = jobs };
	struct ic_scan *scan = &lint->scan;
	struct job job = { .lint = lint };

	lint->index.arena.memory = &image->memory;
	lint->problems.arena = &lint->index.arena;
	lint->debug = ic_debug_hold(image, err);
	if (!lint->debug || !ic_index_begin(&lint->index, image, &lint->problems, err) ||
	    !ic_debug_load(lint->debug, jobs, &lint->problems, err) ||
	    !ic_dwarf_file_need_all(&lint->debug->main, jobs, err) ||
	    !ic_scan_open(scan, &lint->index, lint->debug, &want, &lint->problems, err))
		return false;
	uint32_t count = scan->context.units.units.count;
	if (count > 0 && !has_dies(&scan->context.units))
		return ic_fail(err, IC_ERROR_NO_DEBUG,
			       "%s: no DIEs to check, only line tables or the like",
			       ic_image_path(image));
	lint->units = ic_items_zeroed(count + 1ull, sizeof(*lint->units));
	if (!lint->units)
		return ic_fail_memory(err);
	if (!ic_shared_tables_build(&lint->tables, &scan->context.units, &ic_lint_tags, jobs, err))
		return false;
	ic_scan_prepare(scan);
	if (count > 0) {
		ic_workers_run(scan->worker_count, count, read_roots, &job);
		ic_workers_run(scan->worker_count, count, check_units, &job);
	}
	for (uint32_t i = 0; i < count; i++)
		ic_problems_append(&lint->problems, &lint->units[i].problems);
	ic_scan_report(scan, &lint->problems);
	return (!job.out_of_memory && !lint->problems.out_of_memory) || ic_fail_memory(err);
}

// ---- Merging

struct named_unit {
	const char *producer; // NULL sorts first
	uint32_t unit;
};

static int compare_named(const void *left, const void *right)
{
	const struct named_unit *a = left, *b = right;

	if (!a->producer || !b->producer)
		return (a->producer != NULL) - (b->producer != NULL);
	int order = strcmp(a->producer, b->producer);
	return order ? order : (a->unit > b->unit) - (a->unit < b->unit);
}

// Numbers the producers of the units, with their names in *names. False if memory runs out.
static bool number_producers(struct ic_lint *lint, uint32_t *number_of, const char ***names,
			     uint32_t *count)
{
	uint32_t unit_count = lint->scan.context.units.units.count;
	struct named_unit *named = ic_items_alloc(unit_count + 1ull, sizeof(*named));

	*names = ic_items_alloc(unit_count + 1ull, sizeof(**names));
	*count = 0;
	for (uint32_t i = 0; named && i < unit_count; i++)
		named[i] = (struct named_unit){ lint->units[i].producer, i };
	if (named && *names) {
		qsort(named, unit_count, sizeof(*named), compare_named);
		for (uint32_t i = 0; i < unit_count; i++) {
			const char *last = *count > 0 ? (*names)[*count - 1] : NULL;
			const char *own = named[i].producer;
			bool is_same = *count > 0 &&
				       (own && last ? strcmp(own, last) == 0 : own == last);
			if (!is_same)
				(*names)[(*count)++] = own;
			number_of[named[i].unit] = *count - 1;
		}
	}
	bool ok = named && *names;
	free(named);
	return ok;
}

// Fills in the counts of one rule, and its findings: for each producer in unit order.
static void join_rule(struct ic_lint *lint, enum ic_lint_rule_number rule,
		      const uint32_t *number_of, const char *const *names, uint32_t producers,
		      struct ic_lint_count *sums)
{
	uint32_t unit_count = lint->scan.context.units.units.count;

	for (uint32_t i = 0; i < producers; i++)
		sums[i] = (struct ic_lint_count){ &ic_lint_rules[rule], names[i], 0, 0, 0 };
	for (uint32_t i = 0; i < unit_count; i++) {
		struct ic_lint_count *sum = &sums[number_of[i]];
		uint32_t count = lint->units[i].counts[rule];
		uint64_t kept = count < lint->want.limit ? count : lint->want.limit;
		sum->count += count;
		sum->kept += kept < lint->want.limit - sum->kept ? kept
								 : lint->want.limit - sum->kept;
	}
	for (uint32_t i = 0; i < producers; i++) {
		if (sums[i].count == 0)
			continue;
		sums[i].first = lint->finding_count;
		lint->finding_count += sums[i].kept;
		lint->counts[lint->count_count++] = sums[i];
		sums[i].kept = 0; // from here on, the number filled in
	}
}

// Where to put the next finding for a rule and producer; NULL if there are enough.
static struct ic_lint_finding *next_place(struct ic_lint *lint, uint64_t *filled, size_t number)
{
	const struct ic_lint_count *count = &lint->counts[number];

	return filled[number] < count->kept ? &lint->findings[count->first + filled[number]++]
					    : NULL;
}

static size_t find_count(const struct ic_lint *lint, enum ic_lint_rule_number rule,
			 const char *producer)
{
	size_t low = 0, high = lint->count_count;

	while (low + 1 < high) { // find the last one that is not after it
		size_t middle = low + (high - low) / 2;
		const struct ic_lint_count *count = &lint->counts[middle];
		const struct named_unit a = { count->producer, 0 }, b = { producer, 0 };
		bool is_behind = count->rule > &ic_lint_rules[rule] ||
				 (count->rule == &ic_lint_rules[rule] && compare_named(&a, &b) > 0);
		if (is_behind)
			high = middle;
		else
			low = middle;
	}
	return low;
}

static bool place_findings(struct ic_lint *lint)
{
	uint32_t unit_count = lint->scan.context.units.units.count;
	uint64_t *filled = ic_items_zeroed(lint->count_count + 1ull, sizeof(*filled));

	lint->findings = ic_arena_items(&lint->index.arena, lint->finding_count + 1ull,
					sizeof(*lint->findings));
	for (uint32_t i = 0; filled && lint->findings && i < unit_count; i++) {
		const struct ic_lint_unit *unit = &lint->units[i];
		for (uint32_t j = 0; j < unit->kept_count; j++) {
			size_t number = find_count(lint, unit->kept[j].rule, unit->producer);
			struct ic_lint_finding *place = next_place(lint, filled, number);
			if (place)
				*place = unit->kept[j].finding;
		}
	}
	bool ok = filled && lint->findings;
	free(filled);
	return ok;
}

static bool join_findings(struct ic_lint *lint, struct ic_error *err)
{
	uint32_t unit_count = lint->scan.context.units.units.count, producers = 0;
	uint32_t *number_of = ic_items_alloc(unit_count + 1ull, sizeof(*number_of));
	const char **names = NULL;
	bool ok = number_of && number_producers(lint, number_of, &names, &producers);
	struct ic_lint_count *sums = ok ? ic_items_alloc(producers + 1ull, sizeof(*sums)) : NULL;

	if (sums)
		lint->counts = ic_arena_items(&lint->index.arena,
					      (uint64_t)producers * IC_LINT_RULES + 1,
					      sizeof(*lint->counts));
	for (int rule = 0; sums && lint->counts && rule < IC_LINT_RULES; rule++)
		join_rule(lint, (enum ic_lint_rule_number)rule, number_of, names, producers, sums);
	ok = sums && lint->counts && place_findings(lint);
	free(sums);
	free(names);
	free(number_of);
	return ok || ic_fail_memory(err);
}

// ---- Public functions

static bool choose_rules(struct ic_lint_want *want, const struct ic_lint_options *options,
			 struct ic_error *err)
{
	for (int i = 0; i < IC_LINT_RULES; i++)
		want->rules[i] = !options->rules && ic_lint_rules[i].severity >= options->least;
	for (size_t j = 0; options->rules && j < options->rule_count; j++) {
		bool found = false;
		for (int i = 0; i < IC_LINT_RULES && !found; i++) {
			found = strcmp(ic_lint_rules[i].name, options->rules[j]) == 0;
			want->rules[i] |= found;
		}
		if (!found)
			return ic_fail(err, IC_ERROR_NOT_FOUND, "unknown rule '%.100s'",
				       options->rules[j]);
	}
	return true;
}

struct ic_lint *ic_lint_run(struct ic_image *image, const struct ic_lint_options *options,
			    struct ic_error *err)
{
	static const struct ic_lint_options defaults = { .limit = DEFAULT_LIMIT };
	struct ic_lint *lint = calloc(1, sizeof(*lint));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!options)
		options = &defaults;
	if (!lint) {
		ic_fail_memory(err);
		return NULL;
	}
	lint->want.limit = options->limit;
	if (choose_rules(&lint->want, options, err) &&
	    read_units(lint, image, options->jobs, err) && join_findings(lint, err))
		return lint;
	if (err->code == IC_ERROR_MEMORY)
		(void)ic_image_fail_memory(image, err);
	ic_lint_free(lint);
	return NULL;
}

uint64_t ic_lint_copies(const struct ic_lint *lint)
{
	uint64_t copies = 0;

	for (uint32_t i = 0; i < lint->scan.context.units.units.count; i++)
		copies += lint->units[i].copies;
	return copies;
}

bool ic_lint_count_get(const struct ic_lint *lint, size_t number, struct ic_lint_count *count)
{
	if (number >= lint->count_count)
		return false;
	*count = lint->counts[number];
	return true;
}

bool ic_lint_finding_get(const struct ic_lint *lint, size_t number, struct ic_lint_finding *finding)
{
	if (number >= lint->finding_count)
		return false;
	*finding = lint->findings[number];
	return true;
}

bool ic_lint_problem_get(const struct ic_lint *lint, size_t number,
			 struct ic_index_problem *problem)
{
	// Nothing is added any more, so casting const away is safe.
	return ic_problems_get((struct ic_problems *)&lint->problems, number, problem);
}

void ic_lint_free(struct ic_lint *lint)
{
	if (!lint)
		return;
	ic_shared_tables_free(&lint->tables);
	ic_scan_close(&lint->scan);
	ic_debug_release(lint->debug);
	IC_ARRAY_FREE(&lint->problems.list);
	free(lint->units);
	ic_arena_free(&lint->index.arena);
	free(lint);
}
