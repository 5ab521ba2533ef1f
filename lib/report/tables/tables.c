#include "report/tables/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"

struct source { // a path while the sources are numbered
	const char *path;
	uint32_t slot; // its index in ic_tables::sources
};

struct sources {
	IC_ARRAY(struct source) found; // each address once
	IC_ARRAY(bool) used;           // by file of a unit
};

// ---- Units

// Finds the number of each unit's first rows; the last item, after all units, has their counts.
// False if there are too many.
static bool count_rows(struct ic_tables *tables, struct ic_error *err)
{
	const struct ic_index *index = tables->index;
	uint64_t functions = 0, instances = 0, calls = 0, ranges = 0;

	for (uint32_t i = 0; i <= index->unit_count; i++) {
		tables->firsts[i] = (struct ic_table_firsts){ .function = (uint32_t)functions,
							      .instance = (uint32_t)instances,
							      .call = (uint32_t)calls };
		if (i == index->unit_count)
			break;
		functions += index->units[i].function_count;
		instances += index->units[i].instance_count;
		calls += index->units[i].call_count;
		ranges += index->units[i].range_count;
	}
	if (functions >= UINT32_MAX || instances >= UINT32_MAX || calls >= UINT32_MAX ||
	    ranges >= UINT32_MAX)
		return ic_fail(err, IC_ERROR_LIMIT, "more rows than 32 bits can count");
	return true;
}

// ---- Functions

struct clone { // a function of a unit
	const char *linkage_name;
	uint32_t function; // its index in ic_tables::functions
};

typedef IC_ARRAY(struct clone) clone_list;

// The unit with a function, by its index in ic_tables::functions.
static uint32_t unit_of_function(const struct ic_tables *tables, uint32_t function)
{
	uint32_t low = 0, high = tables->index->unit_count; // the last one that starts at or before

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (tables->firsts[middle].function <= function)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct ic_table_function place_function(const struct ic_tables *tables, uint32_t function)
{
	uint32_t unit = unit_of_function(tables, function);

	return (struct ic_table_function){ unit, function - tables->firsts[unit].function };
}

static int compare_clones(const void *left, const void *right)
{
	const struct clone *a = left, *b = right;
	int order = a->linkage_name && b->linkage_name ? strcmp(a->linkage_name, b->linkage_name)
						       : !!a->linkage_name - !!b->linkage_name;

	return order != 0 ? order : (a->function > b->function) - (a->function < b->function);
}

// Numbers the functions with one abstract instance root: those that several units have, and the
// variants of a constructor or destructor, which differ in their linkage names.
static bool number_clones(struct ic_tables *tables, clone_list *found,
			  const struct ic_keyed *sorted, uint32_t count)
{
	found->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct ic_table_function place = place_function(tables, sorted[i].number);
		const struct ic_function *function =
			&tables->index->units[place.unit].functions[place.number];
		if (!IC_ARRAY_ADD(found,
				  (struct clone){ function->linkage_name, sorted[i].number }))
			return false;
	}
	const struct clone *items = found->items;
	if (count > 1)
		qsort(found->items, count, sizeof(*items), compare_clones);
	for (uint32_t i = 0; i < count; i++) {
		bool is_new = i == 0 || !items[i].linkage_name != !items[i - 1].linkage_name ||
			      (items[i].linkage_name &&
			       strcmp(items[i].linkage_name, items[i - 1].linkage_name) != 0);
		if (is_new &&
		    !IC_ARRAY_ADD(&tables->distinct, place_function(tables, items[i].function)))
			return false;
		tables->functions[items[i].function] = tables->distinct.count;
	}
	return true;
}

static bool number_sorted(struct ic_tables *tables, const struct ic_keyed *sorted, uint32_t count)
{
	clone_list found = { .items = NULL };
	bool ok = true;

	for (uint32_t i = 0, end; ok && i < count; i = end) {
		for (end = i + 1; end < count && sorted[end].key == sorted[i].key;)
			end++;
		ok = number_clones(tables, &found, sorted + i, end - i);
	}
	IC_ARRAY_FREE(&found);
	return ok;
}

// Functions that were only declared, which some indexes have, are in no table.
enum { UNUSED, USED };

static void use_function(uint32_t *functions, uint32_t function)
{
	if (function != IC_NONE)
		functions[function] = USED;
}

// Marks the functions of a unit that have an instance or a call.
static void mark_used(uint32_t *functions, const struct ic_unit_model *unit)
{
	for (uint32_t i = 0; i < unit->instance_count; i++)
		use_function(functions, unit->instances[i].function);
	for (uint32_t i = 0; i < unit->call_count; i++)
		use_function(functions, unit->calls[i].function);
}

// Adds the used functions of a unit to those that are to be sorted; their numbers are 0 until then.
static void add_used(const struct ic_tables *tables, uint32_t unit, struct ic_keyed *sorted,
		     uint32_t *count)
{
	const struct ic_unit_model *model = &tables->index->units[unit];
	uint32_t first = tables->firsts[unit].function;

	mark_used(tables->functions + first, model);
	for (uint32_t i = 0; i < model->function_count; i++) {
		if (tables->functions[first + i] == USED)
			sorted[(*count)++] =
				(struct ic_keyed){ model->functions[i].die_off, first + i };
		tables->functions[first + i] = 0;
	}
}

static bool number_functions(struct ic_tables *tables)
{
	const struct ic_index *index = tables->index;
	uint32_t most = tables->firsts[index->unit_count].function, count = 0;
	struct ic_keyed *sorted = ic_items_alloc((uint64_t)most + 1, sizeof(*sorted));

	tables->functions = ic_items_zeroed((uint64_t)most + 1, sizeof(*tables->functions));
	bool ok = sorted && tables->functions;
	for (uint32_t i = 0; ok && i < index->unit_count; i++)
		add_used(tables, i, sorted, &count);
	ok = ok && ic_keyed_sort(sorted, count) && number_sorted(tables, sorted, count);
	free(sorted);
	return ok;
}

// ---- Sources

static bool add_source(struct ic_tables *tables, struct sources *sources, const char *path)
{
	if (!path)
		return true;
	uint32_t *slot = ic_map_at(&tables->source_slots, (uintptr_t)path);
	if (!slot)
		return false;
	if (*slot != IC_NONE)
		return true;
	struct source *source = IC_ARRAY_PUSH(&sources->found);
	if (!source)
		return false;
	*slot = sources->found.count - 1;
	*source = (struct source){ path, *slot };
	return true;
}

static void use_file(struct sources *sources, uint32_t file)
{
	if (file != IC_NONE)
		sources->used.items[file] = true;
}

static bool add_unit_sources(struct ic_tables *tables, struct sources *sources, uint32_t number)
{
	const struct ic_unit_model *unit = &tables->index->units[number];
	const uint32_t *functions = tables->functions + tables->firsts[number].function;

	if (!IC_ARRAY_RESERVE(&sources->used, unit->file_count + 1ull))
		return false;
	memset(sources->used.items, 0, unit->file_count * sizeof(bool));
	for (uint32_t i = 0; i < unit->instance_count; i++)
		use_file(sources, unit->instances[i].call_file);
	for (uint32_t i = 0; i < unit->call_count; i++)
		use_file(sources, unit->calls[i].call_file);
	for (uint32_t i = 0; i < unit->file_count; i++)
		if (sources->used.items[i] && !add_source(tables, sources, unit->files[i]))
			return false;
	for (uint32_t i = 0; i < unit->function_count; i++)
		if (functions[i] > 0 && !add_source(tables, sources, unit->functions[i].decl_file))
			return false;
	return true;
}

static int compare_sources(const void *left, const void *right)
{
	const struct source *a = left, *b = right;

	return strcmp(a->path, b->path);
}

// Paths at different addresses may be the same.
static bool number_found(struct ic_tables *tables, struct sources *sources)
{
	struct source *found = sources->found.items;
	uint32_t count = sources->found.count;

	tables->sources = ic_items_alloc(count + 1ull, sizeof(*tables->sources));
	if (!tables->sources)
		return false;
	if (count > 1)
		qsort(found, count, sizeof(*found), compare_sources);
	for (uint32_t i = 0; i < count; i++) {
		if ((i == 0 || strcmp(found[i].path, found[i - 1].path) != 0) &&
		    !IC_ARRAY_ADD(&tables->paths, found[i].path))
			return false;
		tables->sources[found[i].slot] = tables->paths.count;
	}
	return true;
}

static bool number_sources(struct ic_tables *tables)
{
	struct sources sources = { .found.items = NULL };
	bool ok = true;

	for (uint32_t i = 0; ok && i < tables->index->unit_count; i++)
		ok = add_unit_sources(tables, &sources, i);
	ok = ok && number_found(tables, &sources);
	IC_ARRAY_FREE(&sources.found);
	IC_ARRAY_FREE(&sources.used);
	return ok;
}

// ---- All of them

struct ic_tables *ic_tables_make(const struct ic_index *index, struct ic_error *err)
{
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (index->inline_table) {
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"a table of inlined calls has no ranges, which a database needs");
		return NULL;
	}
	struct ic_tables *tables = calloc(1, sizeof(*tables));
	if (tables) {
		tables->index = index;
		tables->firsts = ic_items_alloc(index->unit_count + 1ull, sizeof(*tables->firsts));
	}
	if (!tables || !tables->firsts) {
		ic_fail_memory(err);
	} else if (count_rows(tables, err)) {
		if (number_functions(tables) && number_sources(tables))
			return tables;
		ic_fail_memory(err);
	}
	ic_tables_free(tables);
	return NULL;
}

void ic_tables_free(struct ic_tables *tables)
{
	if (!tables)
		return;
	free(tables->firsts);
	free(tables->functions);
	free(tables->sources);
	ic_map_free(&tables->source_slots);
	IC_ARRAY_FREE(&tables->distinct);
	IC_ARRAY_FREE(&tables->paths);
	free(tables);
}

uint32_t ic_table_function_number(const struct ic_tables *tables, uint32_t unit, uint32_t function)
{
	return function == IC_NONE ? 0
				   : tables->functions[tables->firsts[unit].function + function];
}

uint32_t ic_table_instance_number(const struct ic_tables *tables, uint32_t unit, uint32_t instance)
{
	return instance == IC_NONE ? 0 : tables->firsts[unit].instance + instance + 1;
}

uint32_t ic_table_source_number(const struct ic_tables *tables, const char *path)
{
	const uint32_t *slot = path ? ic_map_find(&tables->source_slots, (uintptr_t)path) : NULL;

	return slot ? tables->sources[*slot] : 0;
}
