#include "query/counts/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/range.h"
#include "query/find/definitions.h"
#include "query/find/names.h"
#include "query/find/sites.h"
#include "text/clone_name.h"

struct group { // the sites of one DIE of a function
	struct ic_function_count count;
	uint32_t first, end; // in the places
};

struct counter {
	const struct ic_index *index;
	const struct ic_site_place *places;
	bool parts; // count
	IC_ARRAY(struct group) groups;
	IC_ARRAY(struct ic_range) ranges; // of one function after another
};

static void count_place(struct ic_function_count *count, const struct ic_index *index,
			const struct ic_site_place *place)
{
	const struct ic_unit_model *unit = &index->units[place->unit];

	switch ((enum ic_site_kind)place->kind) {
	case IC_SITE_INLINED:
		if (ic_instance_has_code(unit, &unit->instances[place->number]))
			count->inlined++;
		else
			count->without_code++;
		break;
	case IC_SITE_OUT_OF_LINE: count->out_of_line++; break;
	case IC_SITE_CALL: count->calls++; break;
	}
}

static bool is_counted(const struct counter *counter, const struct ic_site_place *place)
{
	return counter->parts || !place->is_part;
}

static bool make_groups(struct counter *counter, uint32_t place_count)
{
	const struct ic_site_place *places = counter->places;

	for (uint32_t i = 0; i < place_count;) {
		struct group *group = IC_ARRAY_PUSH(&counter->groups);
		if (!group)
			return false;
		*group = (struct group){ .first = i };
		group->count.function = ic_site_function(counter->index, &places[i]);
		for (;
		     i < place_count && places[i].function_off == places[group->first].function_off;
		     i++)
			if (is_counted(counter, &places[i]))
				count_place(&group->count, counter->index, &places[i]);
		group->end = i;
	}
	return true;
}

static bool has_copies(const struct ic_function_count *count)
{
	return count->inlined > 0 || count->without_code > 0 || count->out_of_line > 0;
}

// Of one function those with copies come first: its definition before its declarations.
static int compare_groups(const void *left, const void *right)
{
	const struct group *a = left, *b = right;
	int order = ic_function_compare(a->count.function, b->count.function);

	if (order == 0)
		order = has_copies(&b->count) - has_copies(&a->count);
	return order != 0 ? order : (a->first > b->first) - (a->first < b->first);
}

static bool add_ranges(struct counter *counter, const struct group *group)
{
	for (uint32_t i = group->first; i < group->end; i++) {
		const struct ic_site_place *place = &counter->places[i];
		const struct ic_unit_model *unit = &counter->index->units[place->unit];

		if (place->kind != IC_SITE_INLINED)
			break; // these come first
		if (!is_counted(counter, place))
			continue;
		const struct ic_instance *instance = &unit->instances[place->number];
		for (uint32_t j = 0; j < instance->range_count; j++) {
			struct ic_range *range = IC_ARRAY_PUSH(&counter->ranges);
			if (!range)
				return false;
			*range = unit->ranges[instance->first_range + j];
		}
	}
	return true;
}

// The copies may be nested, as those of a recursive function are.
static uint64_t distinct_bytes(struct counter *counter)
{
	const struct ic_range_set set =
		ic_range_set_build(counter->ranges.items, counter->ranges.count);
	uint64_t size = 0;

	for (uint32_t i = 0; i < set.count; i++)
		size += set.ranges[i].end - set.ranges[i].start;
	counter->ranges.count = 0;
	return size;
}

// Joins the groups from `first` that are one function. Returns the end of them.
static uint32_t add_function(struct ic_counts *counts, struct counter *counter, uint32_t first)
{
	const struct group *groups = counter->groups.items;
	struct ic_function_count *count = IC_ARRAY_PUSH(&counts->items);
	uint32_t end = first;

	if (!count)
		return IC_NONE;
	*count = (struct ic_function_count){ .function = groups[first].count.function };
	for (; end < counter->groups.count &&
	       ic_function_compare(groups[end].count.function, count->function) == 0;
	     end++) {
		const struct ic_function_count *part = &groups[end].count;

		count->inlined += part->inlined;
		count->without_code += part->without_code;
		count->out_of_line += part->out_of_line;
		count->calls += part->calls;
		if (!add_ranges(counter, &groups[end]))
			return IC_NONE;
	}
	count->size = distinct_bytes(counter);
	return end;
}

// The counts from `first` on have the same name. Adds those of declarations, which have only calls,
// to the definition, if there is exactly one candidate.
static void join_declarations(struct ic_counts *counts, uint32_t first)
{
	struct ic_function_count *items = counts->items.items, *definition = NULL;
	uint32_t definitions = 0, kept = first;

	for (uint32_t i = first; i < counts->items.count; i++) {
		definitions += has_copies(&items[i]);
		if (has_copies(&items[i]))
			definition = &items[i];
	}
	if (definitions != 1)
		return;
	for (uint32_t i = first; i < counts->items.count; i++)
		if (&items[i] != definition)
			definition->calls += items[i].calls;
	items[kept++] = *definition;
	counts->items.count = kept;
}

static bool add_functions(struct ic_counts *counts, struct counter *counter)
{
	const struct group *groups = counter->groups.items;

	if (counter->groups.count > 0)
		qsort(counter->groups.items, counter->groups.count, sizeof(*groups),
		      compare_groups);
	for (uint32_t i = 0; i < counter->groups.count;) {
		uint32_t first = counts->items.count;
		const char *symbol = ic_function_symbol(groups[i].count.function);

		while (i < counter->groups.count &&
		       ic_clone_compare(ic_function_symbol(groups[i].count.function), symbol) ==
			       0) {
			i = add_function(counts, counter, i);
			if (i == IC_NONE)
				return false;
		}
		if (*symbol)
			join_declarations(counts, first);
	}
	return true;
}

// Leaves out functions of which there are only parts. Without names, the query means every function
// that was inlined.
static void keep_counted(struct ic_counts *counts, bool inlined_only)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < counts->items.count; i++) {
		const struct ic_function_count *count = &counts->items.items[i];
		if (count->inlined > 0 || count->without_code > 0 ||
		    (!inlined_only && (count->out_of_line > 0 || count->calls > 0)))
			counts->items.items[kept++] = *count;
	}
	counts->items.count = kept;
}

// A table of inlined calls has nothing else.
static void forget_unknown(struct ic_counts *counts)
{
	for (uint32_t i = 0; counts->index->inline_table && i < counts->items.count; i++) {
		struct ic_function_count *count = &counts->items.items[i];
		count->without_code = count->calls = count->size = IC_NO_ADDR;
	}
}

static const char *name_of(const struct ic_function_count *count)
{
	const char *name = count->function ? ic_function_name(count->function) : NULL;

	return name ? name : "";
}

static int compare_names(const void *left, const void *right)
{
	const struct ic_function_count *a = left, *b = right;
	int order = strcmp(name_of(a), name_of(b));

	return order != 0 ? order : ic_function_compare(a->function, b->function);
}

static int compare_copies(const void *left, const void *right)
{
	const struct ic_function_count *a = left, *b = right;

	if (a->inlined != b->inlined)
		return a->inlined > b->inlined ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return compare_names(left, right);
}

static int compare_sizes(const void *left, const void *right)
{
	const struct ic_function_count *a = left, *b = right;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return compare_copies(left, right);
}

static void sort_counts(struct ic_counts *counts, enum ic_counts_order order)
{
	if (counts->items.count > 1)
		qsort(counts->items.items, counts->items.count, sizeof(*counts->items.items),
		      order == IC_COUNTS_BY_NAME    ? compare_names
		      : order == IC_COUNTS_BY_BYTES ? compare_sizes
						    : compare_copies);
}

struct ic_counts *ic_counts_find(const struct ic_index *index, const struct ic_sites_query *query,
				 enum ic_counts_order order, struct ic_error *err)
{
	struct ic_sites_query every_kind = { .function = NULL };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (query)
		every_kind = *query;
	// Parts too: a function has the name that its inlined copies have, parts among them.
	every_kind.out_of_line = every_kind.calls = every_kind.parts = true;
	struct ic_sites *sites = ic_sites_select(index, &every_kind, err);
	if (!sites)
		return NULL;
	struct counter counter = { .index = index,
				   .places = sites->places.items,
				   .parts = query && query->parts };
	struct ic_counts *counts = calloc(1, sizeof(*counts));
	if (counts && make_groups(&counter, sites->places.count) &&
	    add_functions(counts, &counter)) {
		counts->index = index;
		keep_counted(counts, !every_kind.function);
		forget_unknown(counts);
		sort_counts(counts, order);
	} else {
		ic_counts_free(counts);
		counts = NULL;
		ic_fail_memory(err);
	}
	IC_ARRAY_FREE(&counter.groups);
	IC_ARRAY_FREE(&counter.ranges);
	ic_sites_free(sites);
	return counts;
}

void ic_counts_free(struct ic_counts *counts)
{
	if (!counts)
		return;
	IC_ARRAY_FREE(&counts->items);
	free(counts);
}

size_t ic_counts_count(const struct ic_counts *counts)
{
	return counts->items.count;
}

bool ic_counts_get(const struct ic_counts *counts, size_t number, struct ic_count *count)
{
	if (number >= counts->items.count)
		return false;
	const struct ic_function_count *item = &counts->items.items[number];

	*count = (struct ic_count){ .inlined = item->inlined,
				    .without_code = item->without_code,
				    .out_of_line = item->out_of_line,
				    .calls = item->calls,
				    .size = item->size };
	if (item->function) {
		count->function = ic_function_name(item->function);
		count->linkage_name = item->function->linkage_name;
		count->decl_file = item->function->decl_file;
		count->decl_line = item->function->decl_line;
	}
	return true;
}
