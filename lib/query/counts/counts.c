#include "query/counts/counts.h"

#include <stdlib.h>

#include "query/counts/coverage.h"
#include "query/find/names.h"
#include "text/clone_name.h"

struct counter {
	const struct ic_sites *sites;
	bool parts; // parts count
	struct ic_definitions *definitions;
	struct ic_statistic *numbers; // by definition
	struct ic_coverage coverage;
};

static bool count_inlined(struct counter *counter, const struct ic_site_place *place,
			  uint32_t definition)
{
	const struct ic_unit_model *unit = &counter->sites->index->units[place->unit];
	const struct ic_instance *instance = &unit->instances[place->number];

	if (!ic_instance_has_code(unit, instance)) {
		counter->numbers[definition].without_code++;
		return true;
	}
	counter->numbers[definition].copies++;
	for (uint32_t i = 0; !unit->has_only_entries && i < instance->range_count; i++) {
		const struct ic_covered covered = { unit->ranges[instance->first_range + i],
						    definition, 1, 0 };
		if (!ic_coverage_add(&counter->coverage, &covered))
			return false;
	}
	return true;
}

static bool has_copies(const struct ic_statistic *numbers)
{
	return numbers->copies > 0 || numbers->without_code > 0 || numbers->out_of_line > 0;
}

// Sites of one DIE are adjacent; `first` is that of the place. Of the DIEs of a function, the first
// with copies describes it: the definition rather than a declaration.
static bool count_place(struct counter *counter, const struct ic_site_place *place,
			const struct ic_site_place *first)
{
	const struct ic_index *index = counter->sites->index;
	uint32_t definition = ic_definition_of_function(counter->definitions, place->unit,
							ic_site_function_number(index, place));
	struct ic_statistic *numbers = &counter->numbers[definition];

	if (place->is_part && !counter->parts)
		return true;
	if (place->kind == IC_SITE_CALL) {
		numbers->calls++;
		return true;
	}
	if (!has_copies(numbers))
		counter->definitions->items.items[definition] = ic_site_function(index, first);
	numbers->out_of_line += place->kind == IC_SITE_OUT_OF_LINE;
	return place->kind == IC_SITE_OUT_OF_LINE || count_inlined(counter, place, definition);
}

// Copies may be nested, as for recursive functions.
static bool sum_sizes(struct counter *counter)
{
	uint32_t count = counter->definitions->items.count;
	uint64_t *sizes = ic_items_zeroed(count * (uint64_t)IC_COVERAGE_LAYERS + 1, sizeof(*sizes));
	bool ok = sizes && ic_coverage_count(&counter->coverage, count, sizes);

	for (uint32_t i = 0; ok && i < count; i++)
		counter->numbers[i].size = sizes[(uint64_t)i * IC_COVERAGE_LAYERS];
	free(sizes);
	return ok;
}

static const char *symbol_of(const struct counter *counter, uint32_t definition)
{
	return ic_function_symbol(counter->definitions->items.items[definition]);
}

// Adds the calls of a declaration, which has nothing else, to the definition, if exactly one
// candidate has the symbol name.
static void join_declarations(struct counter *counter)
{
	uint32_t count = counter->definitions->items.count;

	for (uint32_t i = 0, end; i < count; i = end) {
		uint32_t definitions = 0, definition = i;
		for (end = i; end < count &&
			      ic_clone_compare(symbol_of(counter, end), symbol_of(counter, i)) == 0;
		     end++) {
			if (!has_copies(&counter->numbers[end]))
				continue;
			definitions++;
			definition = end;
		}
		if (definitions != 1 || !*symbol_of(counter, i))
			continue;
		for (; i < end; i++) {
			uint64_t calls = counter->numbers[i].calls;
			counter->numbers[i].calls = 0;
			counter->numbers[definition].calls += calls;
		}
	}
}

static bool count_sites(struct counter *counter)
{
	const struct ic_site_place *places = counter->sites->places.items;
	uint32_t first = 0;

	if (!ic_definitions_build(counter->definitions, counter->sites->index, counter->sites))
		return false;
	counter->numbers =
		ic_items_zeroed(counter->definitions->items.count, sizeof(*counter->numbers));
	for (uint32_t i = 0; counter->numbers && i < counter->sites->places.count; i++) {
		if (places[i].function_off != places[first].function_off)
			first = i;
		if (!count_place(counter, &places[i], &places[first]))
			return false;
	}
	if (!counter->numbers || !sum_sizes(counter))
		return false;
	join_declarations(counter);
	return true;
}

struct ic_statistic *ic_counts_find(const struct ic_index *index,
				    const struct ic_sites_query *query,
				    struct ic_definitions *definitions, struct ic_error *err)
{
	struct ic_sites_query every_kind = { .function = NULL };

	if (query)
		every_kind = *query;
	// Including parts: a function has the name of its inlined copies, and parts are among them.
	every_kind.out_of_line = every_kind.calls = every_kind.parts = true;
	struct ic_sites *sites = ic_sites_select(index, &every_kind, err);
	if (!sites)
		return NULL;
	struct counter counter = { .sites = sites,
				   .parts = query && query->parts,
				   .definitions = definitions };
	if (!count_sites(&counter)) {
		free(counter.numbers);
		counter.numbers = NULL;
		ic_fail_memory(err);
	}
	ic_coverage_free(&counter.coverage);
	ic_sites_free(sites);
	return counter.numbers;
}
