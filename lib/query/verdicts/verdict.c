#include "query/verdicts/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/range.h"
#include "base/sort.h"
#include "query/counts/facts.h"
#include "query/counts/statistics.h"
#include "query/find/matcher.h"

struct finder {
	const struct ic_index *index;
	struct ic_definitions definitions;
	struct ic_verdict_drafts drafts;
	struct ic_map by_definition; // the first draft of each
	struct ic_parts parts;
	uint8_t *facts;           // indexed by definition
	IC_ARRAY(uint32_t) hosts; // indexed by the instances of a unit
	struct ic_verdicts *verdicts;
};

// ---- What there is of them

static bool number_drafts(struct finder *finder)
{
	finder->facts = ic_items_zeroed(finder->definitions.items.count, sizeof(*finder->facts));
	for (uint32_t i = 0; finder->facts && i < finder->drafts.items.count; i++) {
		struct ic_verdict_draft *draft = &finder->drafts.items.items[i];
		if (draft->definition == IC_NONE)
			continue;
		uint32_t *first = ic_map_at(&finder->by_definition, draft->definition);
		if (!first)
			return false;
		draft->next = *first;
		*first = i;
		finder->facts[draft->definition] |= IC_FACT_IS_WANTED;
	}
	return finder->facts != NULL;
}

// Adds an instance's site to those of the verdicts, and returns its number; IC_NONE if memory runs
// out.
static uint32_t add_site(struct finder *finder, const struct ic_site_place *place)
{
	struct ic_site_place *site = IC_ARRAY_PUSH(&finder->verdicts->sites.places);

	if (site)
		*site = *place;
	return site ? finder->verdicts->sites.places.count - 1 : IC_NONE;
}

static struct ic_site_place place_of(const struct finder *finder, uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &finder->index->units[unit];
	const struct ic_instance *instance = &model->instances[number];

	return (struct ic_site_place){ .function_off = model->functions[instance->function].die_off,
				       .unit = unit,
				       .number = number,
				       .kind = instance->kind == IC_INSTANCE_HOST
						       ? IC_SITE_OUT_OF_LINE
						       : IC_SITE_INLINED };
}

static bool add_code(struct finder *finder, struct ic_verdict_draft *draft, uint32_t unit,
		     uint32_t number)
{
	const struct ic_unit_model *model = &finder->index->units[unit];
	const struct ic_instance *host = &model->instances[number];

	if (host->range_count == 0) {
		draft->item.verdict.left_out++;
		return true;
	}
	const struct ic_site_place site_place = place_of(finder, unit, number);
	uint32_t site = add_site(finder, &site_place);
	struct ic_verdict_place *place = IC_ARRAY_PUSH(&draft->code);
	if (!place || site == IC_NONE)
		return false;
	*place = (struct ic_verdict_place){ .kind = IC_VERDICT_ENTRY,
					    .addr = ic_verdict_addr(model, host),
					    .site = site };
	for (uint32_t i = 0; i < host->range_count; i++) {
		struct ic_range *range = IC_ARRAY_PUSH(&draft->described);
		if (!range)
			return false;
		*range = model->ranges[host->first_range + i];
		if (place->addr >= range->start && place->addr < range->end)
			place->size = range->end - place->addr;
	}
	return true;
}

static bool add_copy(struct finder *finder, struct ic_verdict_draft *draft, uint32_t unit,
		     uint32_t number)
{
	const struct ic_unit_model *model = &finder->index->units[unit];
	const struct ic_instance *instance = &model->instances[number];
	uint32_t host = finder->hosts.items[number];

	if (ic_instance_is_part(model, instance))
		return true;
	if (instance->range_count == 0) {
		draft->item.verdict.without_code++;
		return true;
	}
	uint32_t *caller = IC_ARRAY_PUSH(&draft->callers);
	struct ic_site_place *copy = IC_ARRAY_PUSH(&draft->copies);
	if (!caller || !copy)
		return false;
	draft->item.verdict.copies++;
	*caller = host == IC_NONE
			  ? IC_NONE
			  : ic_definition_of(&finder->definitions, unit, &model->instances[host]);
	*copy = place_of(finder, unit, number);
	for (uint32_t i = 0; i < instance->range_count; i++) {
		if (!IC_ARRAY_ADD(&draft->ranges, model->ranges[instance->first_range + i]))
			return false;
	}
	return true;
}

static bool add_unit(struct finder *finder, uint32_t number)
{
	const struct ic_unit_model *unit = &finder->index->units[number];

	if (!IC_ARRAY_RESERVE(&finder->hosts, unit->instance_count))
		return false;
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		finder->hosts.items[i] = ic_instance_host(unit, i, finder->hosts.items);
		const uint32_t *first =
			ic_map_find(&finder->by_definition,
				    ic_definition_of(&finder->definitions, number, instance));
		for (uint32_t j = first ? *first : IC_NONE; j != IC_NONE;) {
			struct ic_verdict_draft *item = &finder->drafts.items.items[j];
			if (!(instance->kind == IC_INSTANCE_HOST
				      ? add_code(finder, item, number, i)
				      : add_copy(finder, item, number, i)))
				return false;
			j = item->next;
		}
	}
	return true;
}

static int compare_places(const void *left, const void *right)
{
	const struct ic_verdict_place *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->site > b->site) - (a->site < b->site);
}

// A header's function is described once in each unit that had code of it: linkers keep the code of
// one, and some let all of them describe it.
static void join_code(struct ic_verdict_draft *draft)
{
	struct ic_verdict_place *code = draft->code.items;
	uint32_t kept = 0;

	if (draft->code.count > 1)
		qsort(code, draft->code.count, sizeof(*code), compare_places);
	for (uint32_t i = 0; i < draft->code.count; i++)
		if (kept == 0 || code[kept - 1].addr != code[i].addr)
			code[kept++] = code[i];
	draft->code.count = kept;
}

static uint64_t mix_key(uint64_t source, uint32_t name)
{
	return (source ^ name) * 0x9e3779b97f4a7c15ull;
}

// Calls are unknown for drafts that share their source with others.
static bool find_sources(struct ic_verdict_drafts *drafts, struct ic_map *by_source)
{
	for (uint32_t i = 0; i < drafts->items.count; i++) {
		struct ic_verdict_draft *draft = &drafts->items.items[i];
		uint32_t *first = ic_map_at(by_source, mix_key(draft->source, draft->name));

		if (!first)
			return false;
		bool is_first = *first == IC_NONE;
		if (is_first)
			*first = i;
		else
			drafts->items.items[*first].item.verdict.calls = IC_STATISTIC_NONE;
		if (!is_first || !draft->item.function)
			draft->item.verdict.calls = IC_STATISTIC_NONE;
	}
	return true;
}

// Calls name a declaration, or the function: the calls of everything that is one function in the
// source are added up.
static bool count_calls(struct ic_verdict_drafts *drafts, const struct ic_statistics *counts,
			struct ic_matchers *matchers)
{
	struct ic_map by_source = { .slots = NULL };
	bool ok = find_sources(drafts, &by_source);

	for (uint32_t i = 0; ok && i < counts->groups.count; i++) {
		const struct ic_statistics_group *count = &counts->groups.items[i];
		uint64_t source = ic_verdict_source(&drafts->names, count->function);
		uint32_t name_count;
		const uint32_t *names = ic_matchers_find(matchers, count->function, &name_count);
		for (uint32_t j = 0; j < name_count; j++) {
			const uint32_t *draft = ic_map_find(&by_source, mix_key(source, names[j]));
			uint64_t *calls = draft ? &drafts->items.items[*draft].item.verdict.calls
						: NULL;
			if (calls && *calls != IC_STATISTIC_NONE)
				*calls += count->numbers.calls;
		}
	}
	ic_map_free(&by_source);
	return ok && !drafts->names.out_of_memory && ic_matchers_are_sound(matchers);
}

static bool add_calls_of(struct finder *finder, const char *const *patterns, struct ic_error *err)
{
	const struct ic_sites_query sites = { .function = patterns[0],
					      .more_functions = patterns + 1 };
	const struct ic_statistics_query query = { .sites = &sites, .only_sites = true };
	struct ic_statistics *counts = ic_statistics_find(finder->index, &query, err);
	struct ic_matchers matchers;

	if (!counts)
		return false;
	bool ok = ic_matchers_init(&matchers, finder->index, patterns[0], patterns + 1,
				   IC_MATCH_NAME, err);
	if (ok) {
		ok = count_calls(&finder->drafts, counts, &matchers) || ic_fail_memory(err);
		ic_matchers_deinit(&matchers);
	}
	ic_statistics_free(counts);
	return ok;
}

static bool add_calls(struct finder *finder, struct ic_error *err)
{
	uint32_t count = finder->drafts.asked_count;
	const char **patterns = ic_items_alloc(count + 1ull, sizeof(*patterns));

	for (uint32_t i = 0; patterns && i < count; i++)
		patterns[i] = finder->drafts.asked[i].pattern;
	if (patterns)
		patterns[count] = NULL;
	bool ok = patterns ? add_calls_of(finder, patterns, err) : ic_fail_memory(err);
	free(patterns);
	return ok;
}

// ---- Numbers

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static uint64_t count_callers(struct ic_verdict_draft *draft)
{
	uint64_t count = 0;

	if (draft->callers.count > 1)
		qsort(draft->callers.items, draft->callers.count, sizeof(*draft->callers.items),
		      compare_numbers);
	for (uint32_t i = 0; i < draft->callers.count; i++)
		count += i == 0 || draft->callers.items[i] != draft->callers.items[i - 1];
	return count;
}

static uint64_t copy_addr(const struct finder *finder, const struct ic_site_place *copy)
{
	const struct ic_unit_model *unit = &finder->index->units[copy->unit];

	return ic_verdict_addr(unit, &unit->instances[copy->number]);
}

static bool count_entries(struct finder *finder, struct ic_verdict_draft *draft)
{
	uint32_t count = draft->copies.count;
	struct ic_keyed *entries = ic_items_alloc(count + 1ull, sizeof(*entries));
	uint64_t *entered = &draft->item.verdict.entered;

	for (uint32_t i = 0; entries && i < count; i++)
		entries[i] = (struct ic_keyed){ copy_addr(finder, &draft->copies.items[i]), i };
	bool ok = entries && ic_keyed_sort(entries, count);
	for (uint32_t i = 0; ok && i < count; i++)
		*entered += i == 0 || entries[i].key != entries[i - 1].key;
	free(entries);
	return ok;
}

// The host's symbol is preferred as the symbol that contains a copy.
static void name_entry(struct finder *finder, const struct ic_site_place *copy,
		       struct ic_verdict_place *place)
{
	const struct ic_function *host = ic_site_host(finder->index, copy);
	struct ic_symbol symbol;

	if (!ic_index_symbol_of(finder->index, (struct ic_range){ place->addr, place->addr + 1 },
				ic_function_symbol(host), &symbol))
		return;
	place->symbol = symbol.name;
	place->offset = place->addr - symbol.start;
}

static bool add_copies(struct finder *finder, struct ic_verdict_draft *draft)
{
	draft->item.verdict.first_copy = finder->verdicts->sites.places.count;
	draft->item.verdict.copy_count = draft->copies.count;
	for (uint32_t i = 0; i < draft->copies.count; i++)
		if (add_site(finder, &draft->copies.items[i]) == IC_NONE)
			return false;
	return true;
}

static bool list_entries(struct finder *finder, struct ic_verdict_draft *draft)
{
	struct ic_verdict_place *entries =
		ic_arena_items(&finder->verdicts->arena, IC_VERDICT_MOST_COPIES, sizeof(*entries));
	size_t count = 0;

	for (uint32_t i = 0; entries && i < draft->copies.count && count < IC_VERDICT_MOST_COPIES;
	     i++) {
		const struct ic_site_place *copy = &draft->copies.items[i];
		uint64_t addr = copy_addr(finder, copy);
		bool is_new = true;

		for (size_t j = 0; j < count; j++)
			is_new &= entries[j].addr != addr;
		if (!is_new)
			continue;
		entries[count] = (struct ic_verdict_place){
			.kind = IC_VERDICT_COPY,
			.addr = addr,
			.site = draft->item.verdict.first_copy + i,
		};
		name_entry(finder, copy, &entries[count++]);
	}
	draft->item.verdict.entries = entries;
	draft->item.verdict.entry_count = count;
	return entries != NULL;
}

static bool end_draft(struct finder *finder, struct ic_verdict_draft *draft)
{
	struct ic_verdict *verdict = &draft->item.verdict;
	struct ic_arena *arena = &finder->verdicts->arena;
	const struct ic_range_set ranges =
		ic_range_set_build(draft->ranges.items, draft->ranges.count);

	verdict->size = ic_range_set_size(&ranges);
	verdict->callers = count_callers(draft);
	if (draft->definition != IC_NONE)
		verdict->inlined = ic_facts_inlined(finder->facts[draft->definition]);
	verdict->kind = ic_verdict_judge(draft);
	verdict->code = ic_arena_copy(arena, draft->code.items, draft->code.count,
				      sizeof(*draft->code.items));
	verdict->code_count = draft->code.count;
	verdict->others = ic_arena_copy(arena, draft->others.items, draft->others.count,
					sizeof(*draft->others.items));
	verdict->other_count = draft->others.count;
	if (!verdict->code || !verdict->others || !count_entries(finder, draft) ||
	    !add_copies(finder, draft) || !list_entries(finder, draft))
		return false;
	// Nothing is known about a name without even a symbol.
	if (!draft->item.function && draft->code.count == 0)
		return true;
	struct ic_verdict_item *item = IC_ARRAY_PUSH(&finder->verdicts->items);
	if (item)
		*item = draft->item;
	return item != NULL;
}

// ---- All of it

static bool find_verdicts(struct finder *finder, struct ic_error *err)
{
	const struct ic_index *index = finder->index;

	if (!ic_definitions_build(&finder->definitions, index, NULL))
		return ic_fail_memory(err);
	if (!ic_verdict_drafts_match(&finder->drafts, err))
		return false;
	if (!ic_verdict_drafts_join(&finder->drafts) || !number_drafts(finder))
		return ic_fail_memory(err);
	if (!ic_facts_note(finder->facts, &finder->definitions, &finder->parts))
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < index->unit_count; i++)
		if (!add_unit(finder, i))
			return ic_fail_memory(err);
	for (uint32_t i = 0; i < finder->drafts.items.count; i++)
		join_code(&finder->drafts.items.items[i]);
	if (!ic_verdict_symbols_add(&finder->drafts))
		return ic_fail_memory(err);
	if (!add_calls(finder, err))
		return false;
	for (uint32_t i = 0; i < finder->drafts.items.count; i++)
		if (!end_draft(finder, &finder->drafts.items.items[i]))
			return ic_fail_memory(err);
	if (!ic_verdict_names_check(finder->verdicts))
		return ic_fail_memory(err);
	return true;
}

static void release_finder(struct finder *finder)
{
	for (uint32_t i = 0; i < finder->drafts.items.count; i++) {
		struct ic_verdict_draft *draft = &finder->drafts.items.items[i];
		IC_ARRAY_FREE(&draft->code);
		IC_ARRAY_FREE(&draft->described);
		IC_ARRAY_FREE(&draft->others);
		IC_ARRAY_FREE(&draft->copies);
		IC_ARRAY_FREE(&draft->ranges);
		IC_ARRAY_FREE(&draft->callers);
	}
	IC_ARRAY_FREE(&finder->drafts.items);
	IC_ARRAY_FREE(&finder->hosts);
	free(finder->drafts.asked);
	ic_names_free(&finder->drafts.names);
	ic_parts_free(&finder->parts);
	free(finder->facts);
	ic_map_free(&finder->by_definition);
	ic_definitions_free(&finder->definitions);
}

static bool ask_names(struct finder *finder, const char *const *names, struct ic_error *err)
{
	struct ic_verdict_drafts *drafts = &finder->drafts;
	uint64_t count = 0;

	while (names[count])
		count++;
	if (count == 0)
		return true;
	drafts->asked = ic_items_alloc(count, sizeof(*drafts->asked));
	if (!drafts->asked || count >= IC_NONE)
		return ic_fail_memory(err);
	drafts->asked_count = (uint32_t)count;
	for (uint64_t i = 0; i < count; i++)
		drafts->asked[i] = (struct ic_verdict_asked){ names[i], names[i], 0, 0 };
	return find_verdicts(finder, err);
}

struct ic_verdicts *ic_verdicts_find(const struct ic_index *index, const char *const *names,
				     struct ic_error *err)
{
	struct finder finder = { .index = index };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (index->inline_table) {
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"a table of inlined calls has no other information about a function");
		return NULL;
	}
	struct ic_verdicts *verdicts = calloc(1, sizeof(*verdicts));
	if (!verdicts) {
		ic_fail_memory(err);
		return NULL;
	}
	verdicts->index = verdicts->sites.index = index;
	finder.verdicts = verdicts;
	ic_parts_init(&finder.parts, index);
	finder.drafts.index = finder.drafts.names.index = index;
	finder.drafts.names.style = IC_DEMANGLE_FULL;
	finder.drafts.definitions = &finder.definitions;
	if (!ask_names(&finder, names, err)) {
		ic_verdicts_free(verdicts);
		verdicts = NULL;
	}
	release_finder(&finder);
	return verdicts;
}

void ic_verdicts_free(struct ic_verdicts *verdicts)
{
	if (!verdicts)
		return;
	IC_ARRAY_FREE(&verdicts->items);
	IC_ARRAY_FREE(&verdicts->sites.places);
	ic_arena_free(&verdicts->arena);
	free(verdicts);
}

size_t ic_verdicts_count(const struct ic_verdicts *verdicts)
{
	return verdicts->items.count;
}

bool ic_verdicts_get(const struct ic_verdicts *verdicts, size_t number, struct ic_verdict *verdict)
{
	if (number >= verdicts->items.count)
		return false;
	*verdict = verdicts->items.items[number].verdict;
	return true;
}

const struct ic_sites *ic_verdicts_sites(const struct ic_verdicts *verdicts)
{
	return &verdicts->sites;
}
