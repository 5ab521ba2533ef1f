// Finds symbols of places that share their name with others.
#include <string.h>

#include "base/map.h"
#include "query/verdicts/verdict.h"
#include "text/text.h"

struct used_name {
	const char *name;
	uint64_t start; // of the first symbol with the name; IC_NO_ADDR if not found yet
	bool is_ambiguous;
};

struct used_names {
	IC_ARRAY(struct used_name) items;
	struct ic_map by_hash;
};

static uint64_t hash_without_version(const char *name)
{
	return ic_text_hash_up_to(name, strcspn(name, "@"));
}

static bool is_same_name(const char *a, const char *b)
{
	size_t length = strcspn(a, "@");

	return strcspn(b, "@") == length && memcmp(a, b, length) == 0;
}

// NULL if there is none of that name, or memory runs out.
static struct used_name *find_used(const struct used_names *names, const char *name)
{
	const uint32_t *number = ic_map_find(&names->by_hash, hash_without_version(name));
	struct used_name *used = number ? &names->items.items[*number] : NULL;

	return used && is_same_name(used->name, name) ? used : NULL;
}

static bool use_names(struct used_names *names, const struct ic_verdict_place *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = places[i].symbol;
		uint32_t *number = name ? ic_map_at(&names->by_hash, hash_without_version(name))
					: NULL;
		if (!name || (number && *number != IC_NONE))
			continue;
		struct used_name *used = number ? IC_ARRAY_PUSH(&names->items) : NULL;
		if (!used)
			return false;
		*used = (struct used_name){ name, IC_NO_ADDR, false };
		*number = names->items.count - 1;
	}
	return true;
}

static void take_used(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	struct used_name *used = find_used(context, symbol->name);

	(void)kind;
	if (!used)
		return;
	used->is_ambiguous |= used->start != IC_NO_ADDR && used->start != symbol->start;
	used->start = symbol->start;
}

static void mark_ambiguous(const struct used_names *names, struct ic_verdict_place *places,
			   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct used_name *used = places[i].symbol ? find_used(names, places[i].symbol)
								: NULL;
		places[i].is_ambiguous = used && used->is_ambiguous;
	}
}

bool ic_verdict_names_check(struct ic_verdicts *verdicts)
{
	struct used_names names = { .items.items = NULL };
	bool ok = true;

	for (uint32_t i = 0; ok && i < verdicts->items.count; i++) {
		const struct ic_verdict *verdict = &verdicts->items.items[i].verdict;
		ok = use_names(&names, verdict->code, verdict->code_count) &&
		     use_names(&names, verdict->entries, verdict->entry_count);
	}
	if (ok && names.items.count > 0)
		ic_index_symbols_each(verdicts->index, take_used, &names);
	for (uint32_t i = 0; ok && i < verdicts->items.count; i++) {
		const struct ic_verdict *verdict = &verdicts->items.items[i].verdict;
		mark_ambiguous(&names, (struct ic_verdict_place *)verdict->code,
			       verdict->code_count);
		mark_ambiguous(&names, (struct ic_verdict_place *)verdict->entries,
			       verdict->entry_count);
	}
	ic_map_free(&names.by_hash);
	IC_ARRAY_FREE(&names.items);
	return ok;
}
