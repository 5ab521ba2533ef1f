// What is one function, of those that have a name.
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/map.h"
#include "base/text.h"
#include "query/verdict.h"

// By symbol names; functions with copies come before those that are only declared.
static int compare_drafts(const void *left, const void *right)
{
	const struct ic_verdict_draft *a = left, *b = right;
	int order = strcmp(a->symbol, b->symbol);

	if (order == 0)
		order = (a->definition == IC_NONE) - (b->definition == IC_NONE);
	return order != 0 ? order : ic_function_compare(a->item.function, b->item.function);
}

// A function that is only declared is one with what has its symbol name.
static void join_names(struct ic_verdict_drafts *drafts)
{
	struct ic_verdict_draft *items = drafts->items.items;
	uint32_t kept = 0;

	if (drafts->items.count > 1)
		qsort(items, drafts->items.count, sizeof(*items), compare_drafts);
	for (uint32_t i = 0; i < drafts->items.count; i++)
		if (kept == 0 || items[i].definition != IC_NONE ||
		    strcmp(items[kept - 1].symbol, items[i].symbol) != 0)
			items[kept++] = items[i]; // others own nothing yet
	drafts->items.count = kept;
}

// Constructors and destructors have variants: their linkage names differ only in these digits, and
// are spelled in one way.
static bool is_variant(const char *name, size_t at)
{
	return at > 0 && (name[at - 1] == 'C' || name[at - 1] == 'D') && name[at] >= '0' &&
	       name[at] <= '5' && name[at + 1] == 'E';
}

bool ic_verdict_source(const struct ic_function *function, uint64_t *source)
{
	const char *name = function ? function->linkage_name : NULL;
	char *demangled = NULL;

	*source = ic_text_hash(ic_function_symbol(function));
	if (!name)
		return true;
	if (!ic_demangle(name, IC_DEMANGLE_FULL, &demangled))
		return false;
	if (demangled) {
		*source = ic_text_hash(demangled);
		for (size_t i = 0; name[i]; i++) // FNV
			*source = (*source ^ (uint8_t)(is_variant(name, i) ? '4' : name[i])) *
				  0x100000001b3;
	}
	free(demangled);
	return true;
}

struct known { // of the drafts so far
	struct ic_map sources, names;
};

static uint64_t name_hash(const struct ic_verdict_draft *draft)
{
	const struct ic_function *function = draft->item.function;

	return ic_text_hash(function && function->name ? function->name : draft->symbol);
}

// What is only declared need not be unused if something that may be the same is defined: Clang
// gives declarations of constructors no linkage name.
static bool is_known(const struct known *known, const struct ic_verdict_draft *draft)
{
	const struct ic_function *function = draft->item.function;

	if (draft->definition != IC_NONE)
		return false;
	return ic_map_find(&known->sources, draft->source) ||
	       (function && !function->linkage_name &&
		ic_map_find(&known->names, name_hash(draft)));
}

static bool note(struct known *known, const struct ic_verdict_draft *draft)
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

static bool join_sources(struct ic_verdict_drafts *drafts)
{
	struct known known = { .sources.slots = NULL };
	uint32_t kept = 0, count = drafts->items.count;
	bool ok = true;

	for (uint32_t i = 0; ok && i < count; i++) {
		struct ic_verdict_draft *draft = &drafts->items.items[i];
		ok = ic_verdict_source(draft->item.function, &draft->source) &&
		     (draft->definition == IC_NONE || note(&known, draft));
	}
	for (uint32_t i = 0; ok && i < count; i++) {
		struct ic_verdict_draft *draft = &drafts->items.items[i];
		if (is_known(&known, draft))
			continue;
		ok = note(&known, draft);
		drafts->items.items[kept++] = *draft;
	}
	if (ok)
		drafts->items.count = kept;
	ic_map_free(&known.sources);
	ic_map_free(&known.names);
	return ok;
}

bool ic_verdict_drafts_join(struct ic_verdict_drafts *drafts)
{
	join_names(drafts);
	if (!join_sources(drafts))
		return false;
	for (uint32_t i = 0; i < drafts->items.count; i++) {
		struct ic_verdict_draft *draft = &drafts->items.items[i];
		bool is_next = i > 0 && strcmp(draft[-1].symbol, draft->symbol) == 0;

		draft->first = is_next ? draft[-1].first : i;
		draft->is_alone = !is_next;
		if (is_next)
			draft[-1].is_alone = false;
	}
	return true;
}
