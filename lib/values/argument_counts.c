// Counts where the arguments of copies are: see inlinecall/extra/statistics.h.
#include <inlinecall/extra/parameters.h>
#include <inlinecall/extra/statistics.h>

#include <stdlib.h>

#include "base/sort.h"
#include "query/find/definitions.h"
#include "query/find/sites.h"

enum { FEW = 1, ALL = 2 }; // for a definition: which sums include it

struct counting {
	struct ic_parameters *parameters;
	const struct ic_index *index;
	struct ic_argument_statistics *sums;
	struct ic_definitions definitions;
	uint32_t *copies; // by definition, in the whole file
	uint8_t *counted; // by definition
	struct ic_sites *sites;
	struct ic_keyed *order; // of `sites`
};

static bool is_copy(const struct ic_unit_model *unit, const struct ic_instance *instance)
{
	return instance->kind == IC_INSTANCE_INLINED && ic_instance_has_code(unit, instance) &&
	       !ic_instance_is_part(unit, instance);
}

static void count_copies(struct counting *counting)
{
	for (uint32_t i = 0; i < counting->index->unit_count; i++) {
		const struct ic_unit_model *unit = &counting->index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *instance = &unit->instances[j];
			if (is_copy(unit, instance))
				counting->copies[ic_definition_of(&counting->definitions, i,
								  instance)]++;
		}
	}
}

// Sites that are near in the file share data that is read.
static bool order_sites(struct counting *counting)
{
	uint32_t count = counting->sites->places.count;

	counting->order = ic_items_alloc(count + 1ull, sizeof(*counting->order));
	if (!counting->order)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct ic_site_place *place = &counting->sites->places.items[i];
		counting->order[i] =
			(struct ic_keyed){ (uint64_t)place->unit << 32 | place->number, i };
	}
	return ic_keyed_sort(counting->order, count);
}

static void add_argument(struct ic_argument_counts *sum, const struct ic_parameter *parameter,
			 bool is_of_table)
{
	sum->arguments++;
	sum->categories[parameter->category]++;
	sum->shapes[parameter->shape]++;
	if (parameter->shape != IC_SHAPE_EMPTY)
		return;
	if (is_of_table && parameter->location.why == IC_LOCATION_WHY_KNOWN) {
		sum->without_reason++;
		return;
	}
	switch (parameter->location.why) {
	case IC_LOCATION_WHY_NOT_STORED:
	case IC_LOCATION_WHY_NOT_HERE: sum->not_here++; break;
	case IC_LOCATION_WHY_NOT_READ:
	case IC_LOCATION_WHY_UNREADABLE: sum->unreadable++; break;
	case IC_LOCATION_WHY_OPTIMISED_OUT:
	case IC_LOCATION_WHY_NO_ADDRESS:                         // of members, which do not count
	case IC_LOCATION_WHY_KNOWN: sum->optimised_out++; break; // nothing gives a value
	}
}

static void add_copy(const struct counting *counting, uint32_t definition, uint8_t which,
		     struct ic_argument_counts *sum)
{
	const struct ic_parameter *list;
	size_t count = ic_parameters_list(counting->parameters, &list);

	sum->functions += (counting->counted[definition] & which) == 0;
	counting->counted[definition] |= which;
	sum->copies++;
	for (size_t i = 0; i < count; i++)
		if (!list[i].is_result)
			add_argument(sum, &list[i], counting->index->inline_table);
}

static bool count_site(struct counting *counting, uint32_t number, struct ic_error *err)
{
	const struct ic_site_place *place = &counting->sites->places.items[number];
	const struct ic_unit_model *unit = &counting->index->units[place->unit];
	const struct ic_instance *instance = &unit->instances[place->number];
	struct ic_site site;

	if (!is_copy(unit, instance))
		return true;
	ic_sites_get(counting->sites, number, &site);
	if (!ic_parameters_find(counting->parameters, &site, IC_NO_ADDR, err))
		return false;
	if (ic_parameters_is_undescribed(counting->parameters)) {
		counting->sums->undescribed++;
		return true;
	}
	uint32_t definition = ic_definition_of(&counting->definitions, place->unit, instance);
	add_copy(counting, definition, ALL, &counting->sums->all);
	if (counting->copies[definition] <= IC_ARGUMENTS_FEW)
		add_copy(counting, definition, FEW, &counting->sums->few);
	return true;
}

static bool prepare_counting(struct counting *counting)
{
	struct ic_definitions *definitions = &counting->definitions;

	if (!ic_definitions_build(definitions, counting->index, NULL))
		return false;
	counting->copies = ic_items_zeroed(definitions->items.count, sizeof(*counting->copies));
	counting->counted = ic_items_zeroed(definitions->items.count, sizeof(*counting->counted));
	return counting->copies && counting->counted;
}

static bool count_sites(struct counting *counting, const struct ic_sites_query *sites,
			struct ic_error *err)
{
	struct ic_sites_query query = sites ? *sites : (struct ic_sites_query){ .function = NULL };

	query.out_of_line = query.calls = false;
	counting->sites = ic_sites_find(counting->index, &query, err);
	if (!counting->sites)
		return false;
	if (!prepare_counting(counting) || !order_sites(counting))
		return ic_fail_memory(err);
	count_copies(counting);
	for (uint32_t i = 0; i < counting->sites->places.count; i++)
		if (!count_site(counting, counting->order[i].number, err))
			return false;
	return true;
}

bool ic_arguments_count(struct ic_parameters *parameters, const struct ic_index *index,
			const struct ic_sites_query *sites,
			struct ic_argument_statistics *statistics, struct ic_error *err)
{
	struct counting counting = { .parameters = parameters, .index = index, .sums = statistics };
	struct ic_error unwanted;

	*statistics = (struct ic_argument_statistics){ .all = { 0 } };
	bool ok = count_sites(&counting, sites, err ? err : &unwanted);
	ic_definitions_free(&counting.definitions);
	ic_sites_free(counting.sites);
	free(counting.copies);
	free(counting.counted);
	free(counting.order);
	return ok;
}
