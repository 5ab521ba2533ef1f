#include "query/find/definitions.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sort.h"
#include "query/find/names.h"
#include "text/clone_name.h"
#include "text/text.h"

struct origin { // a DIE with copies, represented by a function that describes it
	const struct ic_function *function;
	uint32_t number; // in the order of discovery
};

struct joiner {
	struct ic_definitions *definitions;
	const struct ic_index *index;
	struct ic_map by_die; // the numbers of origins
	IC_ARRAY(struct origin) origins;
};

int ic_function_compare(const struct ic_function *left, const struct ic_function *right)
{
	int order = ic_clone_compare(ic_function_symbol(left), ic_function_symbol(right));

	if (order != 0 || !left || !right)
		return order != 0 ? order : (left != NULL) - (right != NULL);
	if (left->decl_line != right->decl_line)
		return left->decl_line < right->decl_line ? -1 : 1;
	// Units may include a header by different paths ("../a.h").
	return ic_text_compare_paths(left->decl_file, right->decl_file);
}

static bool number_functions(struct ic_definitions *definitions, const struct ic_index *index)
{
	uint64_t count = 0;

	definitions->firsts = ic_items_alloc(index->unit_count + 1ull, sizeof(uint64_t));
	for (uint32_t i = 0; definitions->firsts && i < index->unit_count; i++) {
		definitions->firsts[i] = count;
		count += index->units[i].function_count;
	}
	definitions->numbers = ic_items_alloc(count + 1, sizeof(uint32_t));
	if (!definitions->firsts || !definitions->numbers)
		return false;
	memset(definitions->numbers, 0xff, count * sizeof(uint32_t)); // IC_NONE
	return true;
}

// Numbers the DIE of a function; it is described by the function numbered first.
static bool add_origin(struct joiner *joiner, const struct ic_function *function, uint32_t *number)
{
	uint32_t *known = ic_map_at(&joiner->by_die, function->die_off);

	if (!known)
		return false;
	if (*known == IC_NONE) {
		*known = joiner->origins.count; // before anything fails: it must be set
		struct origin *origin = IC_ARRAY_PUSH(&joiner->origins);
		if (!origin)
			return false;
		*origin = (struct origin){ function, *known };
	}
	*number = *known;
	return true;
}

// Passes over the instances, by which of them describe a function best: symbols of copies that the
// linker threw away may be those of other copies, as a destructor has several.
enum pass { INLINED, WITH_CODE, ANY, PASS_COUNT };

static bool is_in_pass(const struct ic_instance *instance, enum pass pass)
{
	return pass == ANY || (pass == INLINED ? instance->kind == IC_INSTANCE_INLINED
					       : instance->range_count > 0);
}

static bool add_origins(struct joiner *joiner, enum pass pass)
{
	const struct ic_index *index = joiner->index;

	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		uint32_t *numbers = joiner->definitions->numbers + joiner->definitions->firsts[i];

		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *instance = &unit->instances[j];
			uint32_t function = instance->function;
			if (function == IC_NONE || numbers[function] != IC_NONE ||
			    !is_in_pass(instance, pass))
				continue;
			if (!add_origin(joiner, &unit->functions[function], &numbers[function]))
				return false;
		}
	}
	return true;
}

static bool add_origins_of_sites(struct joiner *joiner, const struct ic_sites *sites)
{
	const struct ic_definitions *definitions = joiner->definitions;

	for (uint32_t i = 0; i < sites->places.count; i++) {
		const struct ic_site_place *place = &sites->places.items[i];
		uint32_t function = ic_site_function_number(joiner->index, place);
		if (function != IC_NONE &&
		    !add_origin(joiner, &joiner->index->units[place->unit].functions[function],
				&definitions->numbers[definitions->firsts[place->unit] + function]))
			return false;
	}
	return true;
}

static int compare_origins(const void *left, const void *right)
{
	const struct origin *a = left, *b = right;
	int order = ic_function_compare(a->function, b->function);

	return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

// Sorts origins so that those of one symbol name are neighbours, and those of one function too: by
// hashes first, since few of them are equal.
static bool sort_origins(struct joiner *joiner, struct ic_keyed *keyed, struct origin *sorted)
{
	uint32_t count = joiner->origins.count;

	for (uint32_t i = 0; i < count; i++)
		keyed[i] = (struct ic_keyed){
			ic_clone_hash(ic_function_symbol(joiner->origins.items[i].function)), i
		};
	if (!ic_keyed_sort(keyed, count))
		return false;
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && keyed[end].key == keyed[i].key; end++)
			sorted[end] = joiner->origins.items[keyed[end].number];
		if (end - i > 1)
			qsort(sorted + i, end - i, sizeof(*sorted), compare_origins);
	}
	return true;
}

// Sets by the number of each origin that of its function. Those of one function have one key.
static bool join_origins(struct joiner *joiner, const struct ic_keyed *keyed,
			 const struct origin *sorted, uint32_t *joined)
{
	struct ic_definitions *definitions = joiner->definitions;

	for (uint32_t i = 0; i < joiner->origins.count; i++) {
		bool is_same = i > 0 && keyed[i - 1].key == keyed[i].key &&
			       ic_function_compare(sorted[i - 1].function, sorted[i].function) == 0;
		if (!is_same) {
			const struct ic_function **item = IC_ARRAY_PUSH(&definitions->items);
			if (!item)
				return false;
			*item = sorted[i].function;
		}
		joined[sorted[i].number] = definitions->items.count - 1;
	}
	const struct ic_function **unknown = IC_ARRAY_PUSH(&definitions->items);
	if (unknown)
		*unknown = NULL;
	return unknown != NULL;
}

static void renumber_functions(struct joiner *joiner, const uint32_t *joined)
{
	uint32_t *number = joiner->definitions->numbers;

	for (uint32_t i = 0; i < joiner->index->unit_count; i++)
		for (uint32_t j = 0; j < joiner->index->units[i].function_count; j++, number++)
			if (*number != IC_NONE)
				*number = joined[*number];
}

static bool join_definitions(struct joiner *joiner)
{
	uint64_t count = joiner->origins.count + 1ull; // an empty array is not NULL
	struct ic_keyed *keyed = ic_items_alloc(count, sizeof(*keyed));
	struct origin *sorted = ic_items_alloc(count, sizeof(*sorted));
	uint32_t *joined = ic_items_alloc(count, sizeof(*joined));
	bool ok = keyed && sorted && joined && sort_origins(joiner, keyed, sorted) &&
		  join_origins(joiner, keyed, sorted, joined);

	if (ok)
		renumber_functions(joiner, joined);
	free(keyed);
	free(sorted);
	free(joined);
	return ok;
}

bool ic_definitions_build(struct ic_definitions *definitions, const struct ic_index *index,
			  const struct ic_sites *sites)
{
	struct joiner joiner = { .definitions = definitions, .index = index };

	*definitions = (struct ic_definitions){ .numbers = NULL };
	bool ok = number_functions(definitions, index);
	if (sites)
		ok = ok && add_origins_of_sites(&joiner, sites);
	for (enum pass pass = INLINED; !sites && ok && pass < PASS_COUNT; pass++)
		ok = add_origins(&joiner, pass);
	ok = ok && join_definitions(&joiner);
	ic_map_free(&joiner.by_die);
	IC_ARRAY_FREE(&joiner.origins);
	if (!ok)
		ic_definitions_free(definitions);
	return ok;
}

bool ic_definition_is_nested(const struct ic_definitions *definitions,
			     const struct ic_unit_model *unit, uint32_t unit_number,
			     uint32_t instance)
{
	uint32_t own = ic_definition_of(definitions, unit_number, &unit->instances[instance]);
	uint32_t around = unit->instances[instance].parent;

	while (around != IC_NONE &&
	       ic_definition_of(definitions, unit_number, &unit->instances[around]) != own)
		around = unit->instances[around].parent;
	return around != IC_NONE;
}

void ic_definitions_free(struct ic_definitions *definitions)
{
	IC_ARRAY_FREE(&definitions->items);
	free(definitions->numbers);
	free(definitions->firsts);
	*definitions = (struct ic_definitions){ .numbers = NULL };
}
