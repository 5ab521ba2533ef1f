#include "query/affected/affected.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "base/sort.h"
#include "query/counts/facts.h"
#include "query/find/matcher.h"
#include "query/find/names.h"
#include "query/verdicts/verdict.h"
#include "text/text.h"

struct finder {
	const struct ic_index *index;
	const struct ic_affected_query *query;
	struct ic_affected *affected;
	struct ic_definitions definitions;
	struct ic_parts parts;
	uint32_t *items;           // by definition; IC_NONE for others
	bool *is_host;             // by definition, if the query names hosts
	IC_ARRAY(uint32_t) around; // by instance of a unit: the out-of-line function
	uint32_t first;            // the number of the unit's first instance among all
	struct ic_map by_place;    // holdings, by item and number of the out-of-line function
};

// ---- Functions

static enum ic_affected_state state_of(enum ic_verdict_kind verdict)
{
	switch (verdict) {
	case IC_VERDICT_PARTLY:
	case IC_VERDICT_NO_COPY_LEFT:
	case IC_VERDICT_NEVER: return IC_AFFECTED_PRESENT;
	case IC_VERDICT_FULLY:
	case IC_VERDICT_OPTIMISED_AWAY: return IC_AFFECTED_INLINED_ONLY;
	case IC_VERDICT_ALIAS: return IC_AFFECTED_FOLDED;
	case IC_VERDICT_RESOLVER:
	case IC_VERDICT_SYMBOL_ONLY: return IC_AFFECTED_UNKNOWN;
	case IC_VERDICT_LEFT_OUT:
	case IC_VERDICT_DECLARED:
	case IC_VERDICT_UNUSED: break;
	}
	return IC_AFFECTED_ABSENT;
}

static bool is_source(const struct ic_affected_source *source, const struct ic_verdict *verdict)
{
	const char *symbol = verdict->linkage_name ? verdict->linkage_name : verdict->function;

	return source->line == verdict->decl_line && symbol &&
	       strcmp(source->function, symbol) == 0 &&
	       strcmp(ic_text_base_name(source->file), ic_text_base_name(verdict->decl_file)) == 0;
}

static bool is_wanted(const struct ic_affected_query *query, const struct ic_verdict *verdict)
{
	bool any = query->source_count == 0 || !verdict->decl_file;

	for (size_t i = 0; !any && i < query->source_count; i++)
		any = is_source(&query->sources[i], verdict);
	return any;
}

static bool add_item(struct finder *finder, const struct ic_verdict *verdict,
		     const struct ic_function *source, uint32_t definition)
{
	struct ic_affected *affected = finder->affected;
	struct ic_affected_item item = {
		.source = source,
		.function = { .state = state_of(verdict->kind),
			      .verdict = verdict->kind,
			      .asked = verdict->asked,
			      .function = verdict->function,
			      .linkage_name = verdict->linkage_name,
			      .decl_file = verdict->decl_file,
			      .decl_line = verdict->decl_line },
	};

	if (definition != IC_NONE)
		finder->items[definition] = affected->items.count;
	return IC_ARRAY_ADD(&affected->items, item);
}

// The definitions by the functions that stand for them.
static bool number_functions(const struct finder *finder, struct ic_map *numbers)
{
	for (uint32_t i = 0; i < finder->definitions.items.count; i++) {
		const struct ic_function *function = finder->definitions.items.items[i];
		uint32_t *number = function ? ic_map_at(numbers, (uintptr_t)function) : NULL;
		if (function && !number)
			return false;
		if (number)
			*number = i;
	}
	return true;
}

// Adds the functions of the verdicts on a name, or else one that is absent.
static bool add_name(struct finder *finder, const struct ic_verdicts *verdicts,
		     const struct ic_map *numbers, const char *name)
{
	bool any = false;

	for (uint32_t i = 0; i < verdicts->items.count; i++) {
		const struct ic_verdict_item *item = &verdicts->items.items[i];
		if (strcmp(item->verdict.asked, name) != 0 ||
		    !is_wanted(finder->query, &item->verdict))
			continue;
		const uint32_t *number =
			item->function ? ic_map_find(numbers, (uintptr_t)item->function) : NULL;
		any = true;
		if (number && finder->items[*number] != IC_NONE)
			continue; // it has another of the names, too
		if (!add_item(finder, &item->verdict, item->function, number ? *number : IC_NONE))
			return false;
	}
	const struct ic_verdict absent = { .kind = IC_VERDICT_UNUSED,
					   .asked = name,
					   .function = name };
	return any || add_item(finder, &absent, NULL, IC_NONE);
}

static bool add_functions(struct finder *finder, struct ic_error *err)
{
	struct ic_verdicts *verdicts =
		ic_verdicts_find(finder->index, finder->query->functions, err);
	struct ic_map numbers = { .slots = NULL };

	if (!verdicts)
		return false;
	bool ok = number_functions(finder, &numbers);
	for (const char *const *name = finder->query->functions; ok && *name; name++)
		ok = add_name(finder, verdicts, &numbers, *name);
	ic_map_free(&numbers);
	ic_verdicts_free(verdicts);
	return ok || ic_fail_memory(err);
}

// ---- The functions that were inlined into others

static bool match_hosts(struct finder *finder, struct ic_error *err)
{
	const char *const *names = finder->query->hosts;
	struct ic_matchers matchers;

	if (!ic_matchers_init(&matchers, finder->index, NULL, names, IC_MATCH_NAME, err))
		return false;
	for (uint32_t i = 0; names[0] && i < finder->definitions.items.count; i++) {
		const struct ic_function *function = finder->definitions.items.items[i];
		finder->is_host[i] = function && ic_matchers_match(&matchers, function);
	}
	bool ok = ic_matchers_are_sound(&matchers);
	ic_matchers_deinit(&matchers);
	return ok || ic_fail_memory(err);
}

// Adds an item for a function that was found in a host.
static bool add_found(struct finder *finder, uint32_t definition)
{
	const struct ic_function *function = finder->definitions.items.items[definition];
	struct ic_verdict verdict = { .kind = IC_VERDICT_FULLY };

	if (function) {
		verdict.function = ic_function_name(function);
		verdict.linkage_name = function->linkage_name;
		verdict.decl_file = function->decl_file;
		verdict.decl_line = function->decl_line;
	}
	return add_item(finder, &verdict, function, definition);
}

// Their states, once all are known.
static bool judge_found(struct finder *finder)
{
	uint32_t count = finder->definitions.items.count;
	uint8_t *facts = ic_items_zeroed(count, sizeof(*facts));

	for (uint32_t i = 0; facts && i < count; i++)
		facts[i] = finder->items[i] != IC_NONE ? IC_FACT_IS_WANTED : 0;
	bool ok = facts && ic_facts_note(facts, &finder->definitions, &finder->parts);
	for (uint32_t i = 0; ok && i < count; i++) {
		if (finder->items[i] == IC_NONE)
			continue;
		struct ic_affected_function *function =
			&finder->affected->items.items[finder->items[i]].function;
		enum ic_inlined inlined = ic_facts_inlined(facts[i]);
		function->verdict = inlined == IC_INLINED_PARTLY  ? IC_VERDICT_PARTLY
				    : inlined == IC_INLINED_FULLY ? IC_VERDICT_FULLY
				    : inlined == IC_INLINED_NEVER ? IC_VERDICT_NO_COPY_LEFT
								  : IC_VERDICT_OPTIMISED_AWAY;
		function->state = state_of(function->verdict);
	}
	free(facts);
	return ok;
}

// ---- The code that contains them

// The holding of an item in an out-of-line function; NULL if memory runs out.
static struct ic_affected_holding *find_holding(struct finder *finder, uint32_t item, uint32_t unit,
						uint32_t host)
{
	struct ic_affected *affected = finder->affected;
	uint32_t *number =
		ic_map_at(&finder->by_place, (uint64_t)item << 32 | (finder->first + host));

	if (!number)
		return NULL;
	if (*number == IC_NONE) {
		*number = affected->holdings.count;
		if (!IC_ARRAY_ADD(&affected->holdings, (struct ic_affected_holding){
							       .item = item,
							       .unit = unit,
							       .host = host,
						       }))
			return NULL;
	}
	return &affected->holdings.items[*number];
}

static bool count_instance(struct finder *finder, uint32_t unit, uint32_t number, uint32_t host,
			   uint32_t definition)
{
	const struct ic_unit_model *model = &finder->index->units[unit];
	const struct ic_instance *instance = &model->instances[number];

	if (ic_instance_is_part(model, instance))
		return true; // of the function around it, which counts
	struct ic_affected_holding *holding =
		find_holding(finder, finder->items[definition], unit, host);
	if (!holding)
		return false;
	holding->is_function |= number == host;
	if (!ic_definition_is_nested(&finder->definitions, model, unit, number))
		holding->size += ic_instance_size(model, instance);
	if (number == host)
		return true;
	*(instance->range_count > 0 ? &holding->copies : &holding->without_code) += 1;
	return true;
}

static bool add_instance(struct finder *finder, uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &finder->index->units[unit];
	uint32_t definition =
		ic_definition_of(&finder->definitions, unit, &model->instances[number]);
	uint32_t host = ic_instance_host(model, number, finder->around.items);

	finder->around.items[number] = host;
	// What is in code that the file does not have is not there either.
	if (host == IC_NONE || model->instances[host].range_count == 0)
		return true;
	if (finder->is_host) {
		uint32_t around =
			ic_definition_of(&finder->definitions, unit, &model->instances[host]);
		if (!finder->is_host[around] || number == host)
			return true;
		if (finder->items[definition] == IC_NONE && !add_found(finder, definition))
			return false;
	}
	return finder->items[definition] == IC_NONE ||
	       count_instance(finder, unit, number, host, definition);
}

static bool add_instances(struct finder *finder)
{
	for (uint32_t i = 0; i < finder->index->unit_count; i++) {
		uint32_t count = finder->index->units[i].instance_count;
		if (!IC_ARRAY_RESERVE(&finder->around, count))
			return false;
		for (uint32_t j = 0; j < count; j++)
			if (!add_instance(finder, i, j))
				return false;
		finder->first += count;
	}
	return true;
}

// ---- Order and symbols

static struct ic_range largest_range(const struct ic_unit_model *unit,
				     const struct ic_instance *instance)
{
	struct ic_range largest = { 0, 0 };

	for (uint32_t i = 0; i < instance->range_count; i++) {
		const struct ic_range *range = &unit->ranges[instance->first_range + i];
		if (range->end - range->start > largest.end - largest.start)
			largest = *range;
	}
	return largest;
}

static struct ic_range holding_range(const struct ic_affected *affected,
				     const struct ic_affected_holding *holding)
{
	const struct ic_unit_model *unit = &affected->index->units[holding->unit];

	return largest_range(unit, &unit->instances[holding->host]);
}

// Sorts by function, then by address. Several units may describe the same code of a header's
// function: only the first one stays.
static bool sort_holdings(struct ic_affected *affected)
{
	uint32_t count = affected->holdings.count, kept = 0;
	struct ic_affected_holding *holdings = affected->holdings.items;
	struct ic_keyed *order = ic_items_alloc(count, sizeof(*order));
	struct ic_affected_holding *sorted = ic_items_alloc(count, sizeof(*sorted));
	bool ok = order && sorted;

	for (uint32_t i = 0; ok && i < count; i++)
		order[i] = (struct ic_keyed){ holding_range(affected, &holdings[i]).start, i };
	ok = ok && ic_keyed_sort(order, count);
	for (uint32_t i = 0; ok && i < count; i++)
		order[i].key = holdings[order[i].number].item;
	ok = ok && ic_keyed_sort(order, count);
	for (uint32_t i = 0; ok && i < count; i++) {
		const struct ic_affected_holding *holding = &holdings[order[i].number];
		if (kept == 0 || sorted[kept - 1].item != holding->item ||
		    holding_range(affected, &sorted[kept - 1]).start !=
			    holding_range(affected, holding).start)
			sorted[kept++] = *holding;
	}
	if (ok && kept > 0)
		memcpy(holdings, sorted, kept * sizeof(*sorted));
	affected->holdings.count = ok ? kept : count;
	free(order);
	free(sorted);
	return ok;
}

static bool name_symbols(struct ic_affected *affected, struct ic_affected_holding *holding)
{
	const struct ic_unit_model *unit = &affected->index->units[holding->unit];
	const struct ic_instance *host = &unit->instances[holding->host];
	const char **symbols =
		ic_arena_items(&affected->arena, host->range_count, sizeof(*symbols));
	const char *name = ic_function_symbol(ic_affected_holder(affected, holding));
	uint32_t count = 0;

	for (uint32_t i = 0; symbols && i < host->range_count; i++) {
		struct ic_symbol symbol;
		bool is_new = ic_index_symbol_of(
			affected->index, unit->ranges[host->first_range + i], name, &symbol);
		for (uint32_t j = 0; is_new && j < count; j++)
			is_new = strcmp(symbols[j], symbol.name) != 0;
		if (is_new)
			symbols[count++] = symbol.name;
	}
	holding->symbols = symbols;
	holding->symbol_count = count;
	return symbols;
}

static bool add_up(struct ic_affected *affected)
{
	for (uint32_t i = 0; i < affected->holdings.count; i++) {
		struct ic_affected_holding *holding = &affected->holdings.items[i];
		struct ic_affected_item *item = &affected->items.items[holding->item];
		if (item->function.host_count++ == 0)
			item->first_holding = i;
		item->function.copies += holding->copies;
		item->function.without_code += holding->without_code;
		if (!name_symbols(affected, holding))
			return false;
	}
	return true;
}

// ---- All of it

static bool find_affected(struct finder *finder, struct ic_error *err)
{
	uint32_t count;

	if (!ic_definitions_build(&finder->definitions, finder->index, NULL))
		return ic_fail_memory(err);
	count = finder->definitions.items.count;
	finder->items = ic_items_alloc(count, sizeof(*finder->items));
	if (finder->query->hosts)
		finder->is_host = ic_items_zeroed(count, sizeof(*finder->is_host));
	if (!finder->items || (finder->query->hosts && !finder->is_host))
		return ic_fail_memory(err);
	memset(finder->items, 0xff, count * sizeof(*finder->items)); // IC_NONE
	if (!(finder->query->hosts ? match_hosts(finder, err) : add_functions(finder, err)))
		return false;
	if (!add_instances(finder) || (finder->query->hosts && !judge_found(finder)) ||
	    !sort_holdings(finder->affected) || !add_up(finder->affected))
		return ic_fail_memory(err);
	return true;
}

static bool check_query(const struct ic_index *index, const struct ic_affected_query *query,
			struct ic_error *err)
{
	if (!query || !query->functions == !query->hosts)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "the query needs either functions or out-of-line functions");
	return !index->inline_table ||
	       ic_fail(err, IC_ERROR_UNSUPPORTED,
		       "a table of inlined calls does not tell what copies are in");
}

struct ic_affected *ic_affected_find(const struct ic_index *index,
				     const struct ic_affected_query *query, struct ic_error *err)
{
	struct finder finder = { .index = index, .query = query };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!check_query(index, query, err))
		return NULL;
	finder.affected = calloc(1, sizeof(*finder.affected));
	if (!finder.affected) {
		ic_fail_memory(err);
		return NULL;
	}
	finder.affected->index = index;
	ic_parts_init(&finder.parts, index);
	if (!find_affected(&finder, err)) {
		ic_affected_free(finder.affected);
		finder.affected = NULL;
	}
	ic_definitions_free(&finder.definitions);
	ic_parts_free(&finder.parts);
	free(finder.items);
	free(finder.is_host);
	IC_ARRAY_FREE(&finder.around);
	ic_map_free(&finder.by_place);
	return finder.affected;
}

void ic_affected_free(struct ic_affected *affected)
{
	if (!affected)
		return;
	IC_ARRAY_FREE(&affected->items);
	IC_ARRAY_FREE(&affected->holdings);
	ic_arena_free(&affected->arena);
	free(affected);
}

size_t ic_affected_count(const struct ic_affected *affected)
{
	return affected->items.count;
}

bool ic_affected_get(const struct ic_affected *affected, size_t number,
		     struct ic_affected_function *function)
{
	if (number >= affected->items.count)
		return false;
	*function = affected->items.items[number].function;
	return true;
}

bool ic_affected_host(const struct ic_affected *affected, size_t function, size_t number,
		      struct ic_affected_host *host)
{
	if (function >= affected->items.count ||
	    number >= affected->items.items[function].function.host_count)
		return false;
	const struct ic_affected_holding *holding =
		&affected->holdings.items[affected->items.items[function].first_holding + number];
	const struct ic_function *holder = ic_affected_holder(affected, holding);
	struct ic_range range = holding_range(affected, holding);
	const struct ic_code_section *section = ic_index_code_section(affected->index, range.start);

	*host = (struct ic_affected_host){ .range = range,
					   .section = section ? section->name : NULL,
					   .symbols = holding->symbols,
					   .symbol_count = holding->symbol_count,
					   .is_function = holding->is_function,
					   .copies = holding->copies,
					   .without_code = holding->without_code,
					   .size = holding->size };
	if (holder) {
		host->function = ic_function_name(holder);
		host->linkage_name = holder->linkage_name;
	}
	return true;
}
