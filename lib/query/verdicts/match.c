// Finds the functions that have the requested names.
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sort.h"
#include "query/find/matcher.h"
#include "query/verdicts/verdict.h"

enum { MOST_CODE = 16 }; // most symbols for one name

struct matcher {
	struct ic_verdict_drafts *drafts;
	const uint32_t *numbers; // index of the requested name for each pattern
	struct ic_map known;     // pairs of a definition and a name that already have a draft
};

static uint64_t pair_of(uint32_t definition, uint32_t name)
{
	return (uint64_t)definition << 32 | name;
}

static bool add_draft(struct ic_verdict_drafts *drafts, const struct ic_function *function,
		      uint32_t definition, uint32_t name)
{
	struct ic_verdict_draft *draft = IC_ARRAY_PUSH(&drafts->items);
	const char *asked = drafts->asked[name].name;

	if (!draft)
		return false;
	*draft = (struct ic_verdict_draft){ .item.function = function,
					    .name = name,
					    .definition = definition,
					    .next = IC_NONE,
					    .symbol = function ? ic_function_symbol(function)
							       : asked };
	struct ic_verdict *verdict = &draft->item.verdict;
	verdict->inlining = IC_INLINING_ABSENT;
	verdict->asked = verdict->function = asked;
	if (!function)
		return true;
	verdict->function = ic_function_name(function);
	verdict->linkage_name = function->linkage_name;
	verdict->decl_file = function->decl_file;
	verdict->decl_line = function->decl_line;
	verdict->inlining = (enum ic_inlining)function->inlining;
	return true;
}

// Whether a pair has no draft yet; *ok is false if memory runs out.
static bool is_new(struct matcher *matcher, uint32_t definition, uint32_t name, bool *ok)
{
	uint32_t *known = ic_map_at(&matcher->known, pair_of(definition, name));

	*ok = known != NULL;
	if (!known || *known != IC_NONE)
		return false;
	*known = 0;
	return true;
}

static bool add_function(struct matcher *matcher, struct ic_matchers *matchers,
			 const struct ic_function *function, uint32_t definition)
{
	uint32_t count;
	const uint32_t *found = ic_matchers_find(matchers, function, &count);
	bool ok = true;

	if (definition != IC_NONE)
		function = matcher->drafts->definitions->items.items[definition];
	for (uint32_t i = 0; ok && i < count; i++) {
		uint32_t name = matcher->numbers[found[i]];
		if (definition == IC_NONE || is_new(matcher, definition, name, &ok))
			ok = ok && add_draft(matcher->drafts, function, definition, name);
	}
	return ok;
}

// Adds the functions that match patterns; each pattern belongs to the name of a given number.
static bool match_functions(struct ic_verdict_drafts *drafts, const char *const *patterns,
			    const uint32_t *numbers, struct ic_error *err)
{
	struct matcher matcher = { .drafts = drafts, .numbers = numbers };
	struct ic_matchers matchers;
	bool ok = true;

	if (!patterns[0])
		return true;
	if (!ic_matchers_init(&matchers, drafts->index, patterns[0], patterns + 1, IC_MATCH_NAME,
			      err))
		return false;
	for (uint32_t i = 0; ok && i < drafts->index->unit_count; i++) {
		const struct ic_unit_model *unit = &drafts->index->units[i];
		const uint32_t *definitions =
			drafts->definitions->numbers + drafts->definitions->firsts[i];
		for (uint32_t j = 0; ok && j < unit->function_count; j++)
			ok = add_function(&matcher, &matchers, &unit->functions[j], definitions[j]);
	}
	ok = ok && ic_matchers_are_sound(&matchers);
	ic_matchers_deinit(&matchers);
	ic_map_free(&matcher.known);
	return ok || ic_fail_memory(err);
}

// ---- Symbols that nothing is described by

struct searched { // names that are still searched for
	const char **patterns;
	uint32_t *numbers; // of the names
	uint32_t count;
	bool *is_left;                  // by name
	IC_ARRAY(struct ic_keyed) code; // names, sorted by the address of a symbol of that name
	struct ic_map at;               // pairs of a name and a definition at one of its symbols
};

// Keeps the names of symbols that no function with copies has. False if memory runs out.
static bool leave_symbols(struct searched *searched, struct ic_verdict_drafts *drafts)
{
	uint32_t count = drafts->asked_count, kept = 0;

	for (uint32_t i = 0; i < count; i++)
		searched->is_left[i] = true;
	for (uint32_t i = 0; i < drafts->items.count; i++)
		if (drafts->items.items[i].definition != IC_NONE)
			searched->is_left[drafts->items.items[i].name] = false;
	for (uint32_t i = 0; i < count; i++) {
		struct ic_verdict_asked *asked = &drafts->asked[i];
		const char *demangled = ic_names_demangled(&drafts->names, asked->name);
		searched->is_left[i] &= demangled != asked->name;
		if (!searched->is_left[i])
			continue;
		asked->pattern = searched->patterns[kept] = demangled;
		searched->numbers[kept++] = i;
	}
	searched->patterns[kept] = NULL;
	searched->count = kept;
	return !drafts->names.out_of_memory;
}

// Drops the drafts of the remaining names: their demangled forms match the same functions and more.
static void drop_left(const struct searched *searched, struct ic_verdict_drafts *drafts)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < drafts->items.count; i++)
		if (!searched->is_left[drafts->items.items[i].name])
			drafts->items.items[kept++] = drafts->items.items[i];
	drafts->items.count = kept;
}

struct code { // for the symbols of one name
	struct searched *searched;
	uint32_t name, count;
	bool ok;
};

static bool note_addr(void *context, const struct ic_symbol *symbol)
{
	struct code *code = context;
	struct ic_keyed *place = IC_ARRAY_PUSH(&code->searched->code);

	code->ok = place != NULL;
	if (place)
		*place = (struct ic_keyed){ symbol->start, code->name };
	return place && ++code->count < MOST_CODE;
}

static bool note_definition(struct searched *searched, uint64_t addr, uint32_t definition)
{
	const struct ic_keyed *code = searched->code.items;
	uint32_t count = searched->code.count;

	for (uint32_t i = ic_keyed_find(code, count, addr); i < count && code[i].key == addr; i++) {
		uint32_t *at = ic_map_at(&searched->at, pair_of(definition, code[i].number));
		if (!at)
			return false;
		*at = 0;
	}
	return true;
}

// Finds the functions whose code starts at the symbols.
static bool find_code(struct searched *searched, const struct ic_verdict_drafts *drafts)
{
	const struct ic_index *index = drafts->index;

	for (uint32_t i = 0; i < searched->count; i++) {
		struct code code = { searched, searched->numbers[i], 0, true };
		ic_index_symbols_named(index, drafts->asked[code.name].name, note_addr, &code);
		if (!code.ok)
			return false;
	}
	if (!ic_keyed_sort(searched->code.items, searched->code.count))
		return false;
	for (uint32_t i = 0; searched->code.count > 0 && i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *host = &unit->instances[j];
			if (host->kind == IC_INSTANCE_HOST && host->range_count > 0 &&
			    !note_definition(searched, ic_verdict_addr(unit, host),
					     ic_definition_of(drafts->definitions, i, host)))
				return false;
		}
	}
	return true;
}

static bool is_of_symbol(const struct searched *searched, struct ic_verdict_drafts *drafts,
			 const struct ic_verdict_draft *draft)
{
	const struct ic_function symbol = { .linkage_name = drafts->asked[draft->name].name };

	if (draft->item.function->linkage_name)
		return ic_verdict_source(&drafts->names, draft->item.function) ==
		       ic_verdict_source(&drafts->names, &symbol);
	return draft->definition != IC_NONE &&
	       ic_map_find(&searched->at, pair_of(draft->definition, draft->name));
}

// Keeps the drafts that a symbol belongs to, not those of other functions with the same spelling.
// If a draft has no linkage name, the symbol must be at its code.
static bool keep_own(struct searched *searched, struct ic_verdict_drafts *drafts)
{
	uint32_t kept = 0;

	if (!find_code(searched, drafts))
		return false;
	for (uint32_t i = 0; i < drafts->items.count; i++) {
		const struct ic_verdict_draft draft = drafts->items.items[i];
		if (!searched->is_left[draft.name] || is_of_symbol(searched, drafts, &draft))
			drafts->items.items[kept++] = draft;
	}
	drafts->items.count = kept;
	return !drafts->names.out_of_memory;
}

// A symbol may belong to a function that is described without a linkage name, or with a different
// one: GCC gives none to static C++ functions, and constructors have several.
static bool match_symbols(struct searched *searched, struct ic_verdict_drafts *drafts,
			  struct ic_error *err)
{
	if (!leave_symbols(searched, drafts))
		return ic_fail_memory(err);
	if (searched->count == 0)
		return true;
	drop_left(searched, drafts);
	return match_functions(drafts, searched->patterns, searched->numbers, err) &&
	       (keep_own(searched, drafts) || ic_fail_memory(err));
}

// ---- All of it

// Adds a draft without a function for each name that was not found.
static bool add_unknown(struct searched *searched, struct ic_verdict_drafts *drafts)
{
	bool ok = true;

	for (uint32_t i = 0; i < drafts->asked_count; i++)
		searched->is_left[i] = true;
	for (uint32_t i = 0; i < drafts->items.count; i++)
		searched->is_left[drafts->items.items[i].name] = false;
	for (uint32_t i = 0; ok && i < drafts->asked_count; i++)
		ok = !searched->is_left[i] || add_draft(drafts, NULL, IC_NONE, i);
	return ok;
}

static bool match_all(struct searched *searched, struct ic_verdict_drafts *drafts,
		      struct ic_error *err)
{
	for (uint32_t i = 0; i < drafts->asked_count; i++) {
		searched->patterns[i] = drafts->asked[i].name;
		searched->numbers[i] = i;
	}
	searched->patterns[drafts->asked_count] = NULL;
	return match_functions(drafts, searched->patterns, searched->numbers, err) &&
	       match_symbols(searched, drafts, err) &&
	       (add_unknown(searched, drafts) || ic_fail_memory(err));
}

bool ic_verdict_drafts_match(struct ic_verdict_drafts *drafts, struct ic_error *err)
{
	uint64_t count = drafts->asked_count + 1ull;
	struct searched searched = {
		.patterns = ic_items_alloc(count, sizeof(*searched.patterns)),
		.numbers = ic_items_alloc(count, sizeof(*searched.numbers)),
		.is_left = ic_items_alloc(count, sizeof(*searched.is_left)),
	};
	bool ok = searched.patterns && searched.numbers && searched.is_left
			  ? match_all(&searched, drafts, err)
			  : ic_fail_memory(err);

	free(searched.patterns);
	free(searched.numbers);
	free(searched.is_left);
	IC_ARRAY_FREE(&searched.code);
	ic_map_free(&searched.at);
	return ok;
}
