#include "query/counts/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "query/counts/counts.h"
#include "query/counts/coverage.h"
#include "query/counts/facts.h"
#include "query/counts/own_ranges.h"
#include "query/find/definitions.h"
#include "query/find/names.h"
#include "query/find/parts.h"
#include "query/find/path_groups.h"
#include "query/find/sites.h"

enum layer { SELF = 1 << 0, BYTES = 1 << 1, OUT_OF_LINE = 1 << 2 }; // of the coverage
enum { SELF_PLACE, BYTES_PLACE, OUT_OF_LINE_PLACE }; // the same, as indexes into sizes

struct pairs { // of a group and a definition
	IC_ARRAY(struct ic_keyed) items;
};

struct counting {
	const struct ic_index *index;
	const struct ic_statistics_query *query;
	struct ic_statistics *statistics;
	struct ic_definitions definitions;
	uint8_t *facts;               // indexed by definition; NULL if only sites are counted
	struct ic_path_groups files;  // of definitions or units; only if these are the groups
	bool *selected;               // indexed by instance, unit after unit; NULL for all
	uint64_t *first_instances;    // the index of each unit's first instance
	struct ic_statistic *numbers; // indexed by group
	uint32_t group_count;
	struct ic_coverage coverage;
	struct ic_own_ranges own;
	struct ic_parts parts;
	IC_ARRAY(uint32_t) hosts; // indexed by the instances of a unit: the host, or IC_NONE
	struct pairs functions, callers;
};

static uint32_t unknown_of(const struct counting *counting)
{
	return counting->definitions.items.count - 1;
}

static uint32_t group_of(const struct counting *counting, uint32_t unit, uint32_t definition,
			 uint32_t host)
{
	switch (counting->query->by) {
	case IC_STATISTICS_BY_CALLER: return host;
	case IC_STATISTICS_BY_FILE: return counting->files.numbers[definition];
	case IC_STATISTICS_BY_UNIT: return counting->files.numbers[unit];
	case IC_STATISTICS_BY_FUNCTION:
	case IC_STATISTICS_OF_ALL: break;
	}
	return definition;
}

// ---- What counts

static bool is_selected(const struct counting *counting, uint32_t unit, uint32_t instance)
{
	return !counting->selected ||
	       counting->selected[counting->first_instances[unit] + instance];
}

static bool prepare_selection(struct counting *counting)
{
	const struct ic_index *index = counting->index;
	uint64_t count = 0;

	counting->first_instances = ic_items_alloc(index->unit_count + 1ull, sizeof(uint64_t));
	if (!counting->first_instances)
		return false;
	for (uint32_t i = 0; i < index->unit_count; i++) {
		counting->first_instances[i] = count;
		count += index->units[i].instance_count;
	}
	counting->selected = ic_items_zeroed(count + 1, sizeof(bool));
	return counting->selected != NULL;
}

// A function with only out-of-line copies is selected if the query names it and nothing else.
static void select_places(struct counting *counting, const struct ic_sites *sites)
{
	const struct ic_sites_query *query = counting->query->sites;
	bool with_hosts = query->function && !query->hosts && !query->call_file_glob;

	for (uint32_t i = 0; i < sites->places.count; i++) {
		const struct ic_site_place *place = &sites->places.items[i];
		const struct ic_instance *instance =
			&counting->index->units[place->unit].instances[place->number];
		bool is_inlined = place->kind == IC_SITE_INLINED;

		if (is_inlined)
			counting->selected[counting->first_instances[place->unit] + place->number] =
				true;
		if (is_inlined || with_hosts)
			counting->facts[ic_definition_of(&counting->definitions, place->unit,
							 instance)] |= IC_FACT_IS_WANTED;
	}
}

// Selects as if the query named every function: those with code of their own, or copies. If the
// linker discarded a function's code, its symbol may belong to another one, as a destructor has
// several.
static void select_all(struct counting *counting)
{
	for (uint32_t i = 0; i < counting->index->unit_count; i++) {
		const struct ic_unit_model *unit = &counting->index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *instance = &unit->instances[j];
			if (instance->kind == IC_INSTANCE_INLINED || instance->range_count > 0)
				counting->facts[ic_definition_of(&counting->definitions, i,
								 instance)] |= IC_FACT_IS_WANTED;
		}
	}
}

static bool select_sites(struct counting *counting, struct ic_error *err)
{
	const struct ic_sites_query *given = counting->query->sites;

	if (!given || (!given->function && !given->hosts && !given->call_file_glob)) {
		select_all(counting);
		return true;
	}
	struct ic_sites_query query = *given;
	query.out_of_line = true;
	query.calls = false;
	struct ic_sites *sites = ic_sites_select(counting->index, &query, err);
	if (!sites)
		return false;
	bool ok = prepare_selection(counting) || ic_fail_memory(err);
	if (ok)
		select_places(counting, sites);
	ic_sites_free(sites);
	return ok;
}

// ---- What is known of functions

static enum ic_inlined inlined_of(const struct counting *counting, uint32_t definition)
{
	return definition == unknown_of(counting) || !counting->facts
		       ? IC_INLINED_UNKNOWN
		       : ic_facts_inlined(counting->facts[definition]);
}

static void count_inlined(const struct counting *counting, uint32_t definition,
			  struct ic_statistic *numbers)
{
	switch (inlined_of(counting, definition)) {
	case IC_INLINED_NEVER: numbers->never++; break;
	case IC_INLINED_PARTLY: numbers->partly++; break;
	case IC_INLINED_FULLY: numbers->fully++; break;
	case IC_INLINED_UNKNOWN: break;
	}
}

// ---- Instances

// A pair of a group and a definition.
static bool add_pair(struct pairs *pairs, uint32_t group, uint32_t definition)
{
	const uint64_t key = (uint64_t)group << 32 | definition;

	if (pairs->items.count > 0 && pairs->items.items[pairs->items.count - 1].key == key)
		return true; // as often as the previous one
	return IC_ARRAY_ADD(&pairs->items, (struct ic_keyed){ key, 0 });
}

static bool cover_range(struct counting *counting, const struct ic_range *range, uint32_t group,
			uint8_t layers, uint8_t totals)
{
	const struct ic_covered covered = { *range, group, layers, totals };

	return ic_coverage_add(&counting->coverage, &covered);
}

static bool count_host(struct counting *counting, uint32_t number,
		       const struct ic_instance *instance)
{
	const struct ic_unit_model *unit = &counting->index->units[number];
	uint32_t definition = ic_definition_of(&counting->definitions, number, instance);
	enum ic_statistics_by by = counting->query->by;
	bool is_wanted = counting->facts[definition] & IC_FACT_IS_WANTED;
	bool is_place = by == IC_STATISTICS_BY_CALLER || by == IC_STATISTICS_BY_UNIT;
	uint32_t group = group_of(counting, number, definition, definition);
	uint8_t layers = is_wanted || is_place ? OUT_OF_LINE : 0;

	if (layers && !ic_parts_has(&counting->parts, unit, instance)) {
		counting->numbers[group].out_of_line++;
		counting->statistics->total.numbers.out_of_line += is_wanted;
	}
	for (uint32_t i = 0; layers && i < instance->range_count; i++)
		if (!cover_range(counting, &unit->ranges[instance->first_range + i], group, layers,
				 is_wanted ? OUT_OF_LINE : 0))
			return false;
	return true;
}

static bool cover_copy(struct counting *counting, const struct ic_unit_model *unit, uint32_t number,
		       uint32_t group)
{
	const struct ic_instance *instance = &unit->instances[number];

	for (uint32_t i = 0; i < instance->range_count; i++)
		if (!cover_range(counting, &unit->ranges[instance->first_range + i], group, BYTES,
				 BYTES))
			return false;
	if (!ic_own_ranges_find(&counting->own, unit, number))
		return false;
	for (uint32_t i = 0; i < counting->own.own.count; i++)
		if (!cover_range(counting, &counting->own.own.items[i], group, SELF, SELF))
			return false;
	return true;
}

static bool count_copy(struct counting *counting, uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &counting->index->units[unit];
	const struct ic_instance *instance = &model->instances[number];
	uint32_t definition = ic_definition_of(&counting->definitions, unit, instance);
	uint32_t host_number = counting->hosts.items[number];
	uint32_t host = host_number == IC_NONE ? unknown_of(counting)
					       : ic_definition_of(&counting->definitions, unit,
								  &model->instances[host_number]);
	uint32_t group = group_of(counting, unit, definition, host);
	struct ic_statistic *numbers = &counting->numbers[group];
	struct ic_statistic *total = &counting->statistics->total.numbers;

	if (!ic_instance_has_code(model, instance)) {
		numbers->without_code++;
		total->without_code++;
		return true;
	}
	numbers->copies++;
	total->copies++;
	counting->facts[definition] |= IC_FACT_HAS_COPIES;
	counting->facts[host] |= IC_FACT_IS_CALLER;
	return add_pair(&counting->functions, group, definition) &&
	       add_pair(&counting->callers, group, host) &&
	       cover_copy(counting, model, number, group);
}

static bool find_hosts(struct counting *counting, const struct ic_unit_model *unit)
{
	if (!IC_ARRAY_RESERVE(&counting->hosts, unit->instance_count))
		return false;
	for (uint32_t i = 0; i < unit->instance_count; i++)
		counting->hosts.items[i] = ic_instance_host(unit, i, counting->hosts.items);
	return true;
}

static bool count_unit(struct counting *counting, uint32_t number)
{
	const struct ic_unit_model *unit = &counting->index->units[number];

	if (!find_hosts(counting, unit) || !ic_own_ranges_begin(&counting->own, unit))
		return false;
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		bool ok = true;
		if (instance->kind == IC_INSTANCE_INLINED)
			ok = ic_instance_is_part(unit, instance) ||
			     !is_selected(counting, number, i) || count_copy(counting, number, i);
		else if (instance->range_count > 0)
			ok = count_host(counting, number, instance);
		if (!ok)
			return false;
	}
	return true;
}

// ---- Sums

// Calls `add` for each pair once. False if memory runs out.
static bool each_pair(struct counting *counting, struct pairs *pairs,
		      void (*add)(const struct counting *counting, uint32_t group,
				  uint32_t definition))
{
	if (!ic_keyed_sort(pairs->items.items, pairs->items.count))
		return false;
	for (uint32_t i = 0; i < pairs->items.count; i++) {
		uint64_t key = pairs->items.items[i].key;
		if (i == 0 || key != pairs->items.items[i - 1].key)
			add(counting, (uint32_t)(key >> 32), (uint32_t)key);
	}
	return true;
}

static void add_function(const struct counting *counting, uint32_t group, uint32_t definition)
{
	enum ic_statistics_by by = counting->query->by;

	counting->numbers[group].functions++;
	if (by == IC_STATISTICS_BY_CALLER || by == IC_STATISTICS_BY_UNIT)
		count_inlined(counting, definition, &counting->numbers[group]);
}

static void add_caller(const struct counting *counting, uint32_t group, uint32_t definition)
{
	(void)definition;
	counting->numbers[group].callers++;
}

static void sum_definitions(struct counting *counting)
{
	enum ic_statistics_by by = counting->query->by;
	struct ic_statistic *total = &counting->statistics->total.numbers;

	for (uint32_t i = 0; i < counting->definitions.items.count; i++) {
		uint8_t facts = counting->facts[i];
		total->functions += (facts & IC_FACT_HAS_COPIES) != 0;
		total->callers += (facts & IC_FACT_IS_CALLER) != 0;
		if (!(facts & IC_FACT_IS_WANTED))
			continue;
		count_inlined(counting, i, total);
		if (by == IC_STATISTICS_BY_FUNCTION || by == IC_STATISTICS_BY_FILE)
			count_inlined(counting, i, &counting->numbers[group_of(counting, 0, i, i)]);
	}
}

static bool sum_sizes(struct counting *counting)
{
	struct ic_statistic *total = &counting->statistics->total.numbers;
	uint64_t *sizes = ic_items_zeroed(counting->group_count * (uint64_t)IC_COVERAGE_LAYERS + 1,
					  sizeof(*sizes));

	if (!sizes || !ic_coverage_count(&counting->coverage, counting->group_count, sizes)) {
		free(sizes);
		return false;
	}
	for (uint32_t i = 0; i < counting->group_count; i++) {
		const uint64_t *of = sizes + (uint64_t)i * IC_COVERAGE_LAYERS;
		counting->numbers[i].self_size = of[SELF_PLACE];
		counting->numbers[i].size = of[BYTES_PLACE];
		counting->numbers[i].out_of_line_size = of[OUT_OF_LINE_PLACE];
	}
	free(sizes);
	total->self_size = counting->coverage.totals[SELF_PLACE];
	total->size = counting->coverage.totals[BYTES_PLACE];
	total->out_of_line_size = counting->coverage.totals[OUT_OF_LINE_PLACE];
	return true;
}

static bool count_all(struct counting *counting)
{
	for (uint32_t i = 0; i < counting->index->unit_count; i++)
		if (!count_unit(counting, i))
			return false;
	if (!each_pair(counting, &counting->functions, add_function) ||
	    !each_pair(counting, &counting->callers, add_caller) || !sum_sizes(counting))
		return false;
	sum_definitions(counting);
	return true;
}

// ---- Groups

static void name_group(const struct counting *counting, uint32_t number,
		       struct ic_statistics_group *group)
{
	struct ic_statistic *numbers = &group->numbers;

	numbers->by = counting->query->by;
	numbers->code_size = IC_STATISTIC_NONE;
	switch (numbers->by) {
	case IC_STATISTICS_BY_FUNCTION:
		numbers->inlined = inlined_of(counting, number);
		group->function = counting->definitions.items.items[number];
		break;
	case IC_STATISTICS_BY_CALLER:
		numbers->never = IC_STATISTIC_NONE;
		group->function = counting->definitions.items.items[number];
		break;
	case IC_STATISTICS_BY_FILE: numbers->decl_file = counting->files.paths[number]; break;
	case IC_STATISTICS_BY_UNIT:
		numbers->never = IC_STATISTIC_NONE;
		numbers->unit = counting->files.paths[number];
		break;
	case IC_STATISTICS_OF_ALL: break;
	}
	if (!group->function)
		return;
	numbers->function = ic_function_name(group->function);
	numbers->linkage_name = group->function->linkage_name;
	numbers->decl_file = group->function->decl_file;
	numbers->decl_line = group->function->decl_line;
}

static uint64_t key_of(enum ic_statistics_order order, const struct ic_statistic *numbers)
{
	switch (order) {
	case IC_STATISTICS_MOST_COPIES: return numbers->copies;
	case IC_STATISTICS_MOST_SELF: return numbers->self_size;
	case IC_STATISTICS_MOST_BYTES: return numbers->size;
	case IC_STATISTICS_MOST_CALLERS: return numbers->callers;
	case IC_STATISTICS_BY_NAME: break;
	}
	return 0;
}

// Breaks ties in the first key.
static uint64_t second_key_of(enum ic_statistics_order order, const struct ic_statistic *numbers)
{
	return order == IC_STATISTICS_BY_NAME       ? 0
	       : order == IC_STATISTICS_MOST_COPIES ? numbers->size
						    : numbers->copies;
}

static const char *name_of(const struct ic_statistic *numbers)
{
	const char *name = numbers->by == IC_STATISTICS_BY_FILE   ? numbers->decl_file
			   : numbers->by == IC_STATISTICS_BY_UNIT ? numbers->unit
								  : numbers->function;
	return name ? name : "";
}

static int compare_groups(const void *left, const void *right)
{
	const struct ic_statistics_group *a = left, *b = right;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	if (a->second != b->second)
		return a->second > b->second ? -1 : 1;
	int order = strcmp(name_of(&a->numbers), name_of(&b->numbers));
	if (order == 0)
		order = ic_function_compare(a->function, b->function);
	return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

// A function that was never inlined has a group only if the query names it.
static bool has_group(const struct counting *counting, const struct ic_statistic *numbers)
{
	const struct ic_statistics_query *query = counting->query;
	bool is_function = query->by == IC_STATISTICS_BY_FUNCTION;
	bool is_named = is_function && query->sites && query->sites->function;

	if (query->with_code && numbers->copies == 0 && !(is_function && numbers->out_of_line > 0))
		return false;
	return numbers->copies > 0 || numbers->without_code > 0 ||
	       (is_named && (numbers->out_of_line > 0 || numbers->calls > 0));
}

static bool make_groups(struct counting *counting)
{
	struct ic_statistics *statistics = counting->statistics;

	for (uint32_t i = 0; i < counting->group_count; i++) {
		if (!has_group(counting, &counting->numbers[i]))
			continue;
		struct ic_statistics_group *group = IC_ARRAY_PUSH(&statistics->groups);
		if (!group)
			return false;
		*group = (struct ic_statistics_group){ .numbers = counting->numbers[i],
						       .number = i };
		name_group(counting, i, group);
		group->key = key_of(counting->query->order, &group->numbers);
		group->second = second_key_of(counting->query->order, &group->numbers);
	}
	if (statistics->groups.count > 1)
		qsort(statistics->groups.items, statistics->groups.count,
		      sizeof(*statistics->groups.items), compare_groups);
	statistics->left_out = ic_items_limit(&statistics->groups.count, counting->query->limit);
	statistics->total.numbers.by = IC_STATISTICS_OF_ALL;
	// Without any section or segment of code, everything counts as code, which is
	// IC_STATISTIC_NONE.
	statistics->total.numbers.code_size = ic_range_set_size(&statistics->index->code);
	return true;
}

static bool group_paths(struct counting *counting)
{
	struct ic_arena *arena = &counting->statistics->arena;

	return counting->query->by == IC_STATISTICS_BY_FILE
		       ? ic_path_groups_build(&counting->files, &counting->definitions, arena)
		       : counting->query->by != IC_STATISTICS_BY_UNIT ||
				 ic_path_groups_of_units(&counting->files, counting->index, arena);
}

static bool count_sites(struct counting *counting, struct ic_error *err)
{
	counting->numbers = ic_counts_find(counting->index, counting->query->sites,
					   &counting->definitions, err);
	counting->group_count = counting->definitions.items.count;
	return counting->numbers && (make_groups(counting) || ic_fail_memory(err));
}

static bool count_all_sites(struct counting *counting, struct ic_error *err)
{
	const struct ic_definitions *definitions = &counting->definitions;

	if (!ic_definitions_build(&counting->definitions, counting->index, NULL))
		return ic_fail_memory(err);
	counting->facts = ic_items_zeroed(definitions->items.count, sizeof(*counting->facts));
	if (!counting->facts)
		return ic_fail_memory(err);
	if (!select_sites(counting, err))
		return false;
	if (!group_paths(counting))
		return ic_fail_memory(err);
	counting->group_count = counting->files.count > 0 ? counting->files.count
							  : definitions->items.count;
	counting->numbers =
		ic_items_zeroed(counting->group_count + 1ull, sizeof(*counting->numbers));
	if (!counting->numbers)
		return ic_fail_memory(err);
	return (ic_facts_note(counting->facts, &counting->definitions, &counting->parts) &&
		count_all(counting) && make_groups(counting) && !counting->parts.out_of_memory) ||
	       ic_fail_memory(err);
}

static void release_counting(struct counting *counting)
{
	ic_definitions_free(&counting->definitions);
	ic_path_groups_free(&counting->files);
	ic_coverage_free(&counting->coverage);
	ic_own_ranges_free(&counting->own);
	ic_parts_free(&counting->parts);
	IC_ARRAY_FREE(&counting->hosts);
	IC_ARRAY_FREE(&counting->functions.items);
	IC_ARRAY_FREE(&counting->callers.items);
	free(counting->facts);
	free(counting->selected);
	free(counting->first_instances);
	free(counting->numbers);
}

struct ic_statistics *ic_statistics_find(const struct ic_index *index,
					 const struct ic_statistics_query *query,
					 struct ic_error *err)
{
	static const struct ic_statistics_query everything = { .limit = 0 };
	struct counting counting = { .index = index, .query = query ? query : &everything };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (counting.query->by >= IC_STATISTICS_OF_ALL ||
	    (counting.query->only_sites && counting.query->by != IC_STATISTICS_BY_FUNCTION)) {
		ic_fail(err, IC_ERROR_ARGUMENT, "statistics cannot be grouped by %d",
			(int)counting.query->by);
		return NULL;
	}
	if (index->inline_table && !ic_statistics_table_check(counting.query, err))
		return NULL;
	struct ic_statistics *statistics = calloc(1, sizeof(*statistics));
	if (!statistics) {
		ic_fail_memory(err);
		return NULL;
	}
	statistics->index = index;
	statistics->arena.memory = index->arena.memory;
	ic_parts_init(&counting.parts, index);
	counting.statistics = statistics;
	if (!(counting.query->only_sites ? count_sites(&counting, err)
					 : count_all_sites(&counting, err))) {
		ic_statistics_free(statistics);
		statistics = NULL;
	} else if (index->inline_table) {
		ic_statistics_table_forget(statistics, counting.query);
	}
	release_counting(&counting);
	return statistics;
}

void ic_statistics_free(struct ic_statistics *statistics)
{
	if (!statistics)
		return;
	IC_ARRAY_FREE(&statistics->groups);
	ic_arena_free(&statistics->arena);
	free(statistics);
}

size_t ic_statistics_count(const struct ic_statistics *statistics)
{
	return statistics->groups.count;
}

bool ic_statistics_get(const struct ic_statistics *statistics, size_t number,
		       struct ic_statistic *statistic)
{
	if (number >= statistics->groups.count)
		return false;
	*statistic = statistics->groups.items[number].numbers;
	return true;
}

void ic_statistics_total(const struct ic_statistics *statistics, struct ic_statistic *statistic)
{
	*statistic = statistics->total.numbers;
}
