// Which functions have a name.
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "query/facts.h"
#include "query/matcher.h"
#include "query/names.h"
#include "query/verdict.h"

enum { MOST_ASKED = 16 }; // symbols of one name

static bool add_draft(struct ic_verdict_drafts *drafts, const struct ic_function *function,
		      uint32_t definition)
{
	struct ic_verdict_draft *draft = IC_ARRAY_PUSH(&drafts->items);

	if (!draft)
		return false;
	*draft = (struct ic_verdict_draft){ .item.function = function,
					    .definition = definition,
					    .symbol = function ? ic_function_symbol(function)
							       : drafts->name };
	struct ic_verdict *verdict = &draft->item.verdict;
	verdict->inlining = IC_INLINING_UNSAID;
	verdict->function = drafts->name;
	if (!function)
		return true;
	verdict->function = ic_function_name(function);
	verdict->linkage_name = function->linkage_name;
	verdict->decl_file = function->decl_file;
	verdict->decl_line = function->decl_line;
	verdict->inlining = (enum ic_inlining)function->inlining;
	return true;
}

// Adds the functions that a name matches.
static bool match_functions(struct ic_verdict_drafts *drafts, const char *name,
			    struct ic_error *err)
{
	struct ic_matchers matchers;
	bool ok = true;

	if (!ic_matchers_init(&matchers, drafts->index, name, NULL, IC_MATCH_NAME, err))
		return false;
	for (uint32_t i = 0; ok && i < drafts->index->unit_count; i++) {
		const struct ic_unit_model *unit = &drafts->index->units[i];
		const uint32_t *definitions =
			drafts->definitions->numbers + drafts->definitions->firsts[i];
		for (uint32_t j = 0; ok && j < unit->function_count; j++) {
			const struct ic_function *function = &unit->functions[j];
			uint32_t definition = definitions[j];
			if ((definition != IC_NONE &&
			     drafts->facts[definition] & IC_FACT_IS_WANTED) ||
			    !ic_matchers_match(&matchers, function))
				continue;
			if (definition != IC_NONE) {
				drafts->facts[definition] |= IC_FACT_IS_WANTED;
				function = drafts->definitions->items.items[definition];
			}
			ok = add_draft(drafts, function, definition);
		}
	}
	ok = ok && ic_matchers_are_sound(&matchers);
	ic_matchers_deinit(&matchers);
	return ok || ic_fail_memory(err);
}

static bool has_definition(const struct ic_verdict_drafts *drafts)
{
	for (uint32_t i = 0; i < drafts->items.count; i++)
		if (drafts->items.items[i].definition != IC_NONE)
			return true;
	return false;
}

struct asked { // the code of a symbol
	uint64_t addrs[MOST_ASKED];
	size_t count;
};

static bool note_addr(void *context, const struct ic_symbol *symbol)
{
	struct asked *asked = context;

	asked->addrs[asked->count++] = symbol->start;
	return asked->count < MOST_ASKED;
}

static bool is_asked(const struct asked *asked, uint64_t addr)
{
	for (size_t i = 0; i < asked->count; i++)
		if (asked->addrs[i] == addr)
			return true;
	return false;
}

// By definition, whether its code begins where the symbol is; to be freed. NULL if memory is out.
static bool *find_asked(const struct ic_verdict_drafts *drafts)
{
	const struct ic_index *index = drafts->index;
	bool *found = ic_items_zeroed(drafts->definitions->items.count, sizeof(*found));
	struct asked asked = { .count = 0 };

	ic_index_symbols_named(index, drafts->name, note_addr, &asked);
	for (uint32_t i = 0; found && i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *host = &unit->instances[j];
			if (host->kind == IC_INSTANCE_HOST && host->range_count > 0 &&
			    is_asked(&asked, ic_verdict_addr(unit, host)))
				found[ic_definition_of(drafts->definitions, i, host)] = true;
		}
	}
	return found;
}

// Keeps the drafts that the symbol is of: not those of other functions that are spelled alike. One
// without a linkage name is of it if the symbol is at its code.
static bool keep_asked(struct ic_verdict_drafts *drafts)
{
	const struct ic_function symbol = { .linkage_name = drafts->name };
	bool *is_at = find_asked(drafts);
	uint32_t kept = 0;
	uint64_t wanted, source;
	bool ok = is_at && ic_verdict_source(&symbol, &wanted);

	for (uint32_t i = 0; ok && i < drafts->items.count; i++) {
		const struct ic_verdict_draft draft = drafts->items.items[i];
		bool is_kept = draft.definition != IC_NONE && is_at[draft.definition];
		if (draft.item.function->linkage_name) {
			ok = ic_verdict_source(draft.item.function, &source);
			is_kept = ok && source == wanted;
		}
		if (is_kept)
			drafts->items.items[kept++] = draft;
		else if (draft.definition != IC_NONE)
			drafts->facts[draft.definition] = 0;
	}
	drafts->items.count = kept;
	free(is_at);
	return ok;
}

// A symbol may be of a function that is described without a linkage name, or with another one: GCC
// gives none to static functions of C++, and constructors have several.
static bool match_demangled(struct ic_verdict_drafts *drafts, struct ic_error *err)
{
	if (!ic_demangle(drafts->name, IC_DEMANGLE_FULL, &drafts->demangled))
		return ic_fail_memory(err);
	if (!drafts->demangled)
		return true;
	drafts->items.count = 0; // this name matches them, too
	drafts->pattern = drafts->demangled;
	return match_functions(drafts, drafts->demangled, err) &&
	       (keep_asked(drafts) || ic_fail_memory(err));
}

bool ic_verdict_drafts_match(struct ic_verdict_drafts *drafts, struct ic_error *err)
{
	drafts->facts = ic_items_zeroed(drafts->definitions->items.count, sizeof(*drafts->facts));
	if (!drafts->facts)
		return ic_fail_memory(err);
	if (!match_functions(drafts, drafts->name, err) ||
	    (!has_definition(drafts) && !match_demangled(drafts, err)))
		return false;
	return drafts->items.count > 0 || add_draft(drafts, NULL, IC_NONE) || ic_fail_memory(err);
}
