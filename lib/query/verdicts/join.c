// Joins the functions with a name that are the same function.
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "query/verdicts/verdict.h"
#include "text/clone_name.h"
#include "text/text.h"

// Sorts by requested name, then by symbol name; functions with copies come before declarations.
static int compare_drafts(const void *left, const void *right)
{
	const struct ic_verdict_draft *a = left, *b = right;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	int order = ic_clone_compare(a->symbol, b->symbol);
	if (order == 0)
		order = (a->definition == IC_NONE) - (b->definition == IC_NONE);
	return order != 0 ? order : ic_function_compare(a->item.function, b->item.function);
}

// A function that is only declared is the same as a definition with its symbol name.
static void join_names(struct ic_verdict_drafts *drafts)
{
	struct ic_verdict_draft *items = drafts->items.items;
	uint32_t kept = 0;

	if (drafts->items.count > 1)
		qsort(items, drafts->items.count, sizeof(*items), compare_drafts);
	for (uint32_t i = 0; i < drafts->items.count; i++)
		if (kept == 0 || items[i].definition != IC_NONE ||
		    items[kept - 1].name != items[i].name ||
		    ic_clone_compare(items[kept - 1].symbol, items[i].symbol) != 0)
			items[kept++] = items[i]; // the others own nothing yet
	drafts->items.count = kept;
}

// Constructors and destructors have variants, whose linkage names differ only in these digits and
// have the same demangled name.
static bool is_variant(const char *name, size_t at)
{
	return at > 0 && (name[at - 1] == 'C' || name[at - 1] == 'D') && name[at] >= '0' &&
	       name[at] <= '5' && name[at + 1] == 'E';
}

uint64_t ic_verdict_source(struct ic_names *names, const struct ic_function *function)
{
	const char *name = ic_function_symbol(function), *suffix = ic_clone_suffix(name);
	uint64_t source = ic_text_hash("");
	bool has_variant = false;

	for (size_t i = 0; name[i] && name + i != suffix; i++) { // FNV
		bool is_one = is_variant(name, i);
		has_variant |= is_one;
		source = (source ^ (uint8_t)(is_one ? '4' : name[i])) * 0x100000001b3;
	}
	// What looks like a variant may be part of an identifier.
	return has_variant ? source ^ ic_text_hash(ic_names_demangled(names, name)) : source;
}

struct known { // for the drafts so far
	struct ic_map sources, names;
};

static uint64_t name_hash(const struct ic_verdict_draft *draft)
{
	const struct ic_function *function = draft->item.function;

	return ic_text_hash(function && function->name ? function->name : draft->symbol);
}

// A declaration need not be unused if something that may be the same is defined: Clang gives
// declarations of constructors no linkage name.
static bool is_known(const struct known *known, const struct ic_verdict_draft *draft)
{
	const struct ic_function *function = draft->item.function;

	if (draft->definition != IC_NONE)
		return false;
	return ic_map_find(&known->sources, draft->source) ||
	       (function && !function->linkage_name &&
		ic_map_find(&known->names, name_hash(draft)));
}

static bool note_draft(struct known *known, const struct ic_verdict_draft *draft)
{
	uint32_t *source = ic_map_at(&known->sources, draft->source);

	if (source)
		*source = 0;
	uint32_t *name = source && draft->definition != IC_NONE
				 ? ic_map_at(&known->names, name_hash(draft))
				 : NULL;
	if (name)
		*name = 0;
	return source && (name || draft->definition == IC_NONE);
}

// Drops duplicates among the drafts of one name. The others stay at the front.
static bool join_sources(struct ic_verdict_drafts *drafts, struct ic_verdict_asked *asked,
			 uint32_t *kept)
{
	struct known known = { .sources.slots = NULL };
	uint32_t first = *kept;
	bool ok = true;

	for (uint32_t i = asked->first; ok && i < asked->end; i++) {
		struct ic_verdict_draft *draft = &drafts->items.items[i];
		draft->source = ic_verdict_source(&drafts->names, draft->item.function);
		ok = draft->definition == IC_NONE || note_draft(&known, draft);
	}
	for (uint32_t i = asked->first; ok && i < asked->end; i++) {
		struct ic_verdict_draft *draft = &drafts->items.items[i];
		if (is_known(&known, draft))
			continue;
		ok = note_draft(&known, draft);
		drafts->items.items[(*kept)++] = *draft;
	}
	asked->first = first;
	asked->end = *kept;
	ic_map_free(&known.sources);
	ic_map_free(&known.names);
	return ok;
}

static bool join_all_sources(struct ic_verdict_drafts *drafts)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < drafts->asked_count; i++)
		if (!join_sources(drafts, &drafts->asked[i], &kept))
			return false;
	drafts->items.count = kept;
	return !drafts->names.out_of_memory;
}

// Finds the drafts of each name, which are adjacent.
static void find_ends(struct ic_verdict_drafts *drafts)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < drafts->asked_count; i++) {
		drafts->asked[i].first = next;
		while (next < drafts->items.count && drafts->items.items[next].name == i)
			next++;
		drafts->asked[i].end = next;
	}
}

bool ic_verdict_drafts_join(struct ic_verdict_drafts *drafts)
{
	join_names(drafts);
	find_ends(drafts);
	if (!join_all_sources(drafts))
		return false;
	for (uint32_t i = 0; i < drafts->items.count; i++) {
		struct ic_verdict_draft *draft = &drafts->items.items[i];
		bool is_next = i > 0 && draft[-1].name == draft->name &&
			       ic_clone_compare(draft[-1].symbol, draft->symbol) == 0;

		draft->first = is_next ? draft[-1].first : i;
		draft->is_alone = !is_next;
		if (is_next)
			draft[-1].is_alone = false;
	}
	return true;
}
