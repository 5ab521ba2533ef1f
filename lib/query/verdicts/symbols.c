// The symbols at the code of functions.
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sort.h"
#include "query/find/names.h"
#include "query/verdicts/verdict.h"
#include "text/clone_name.h"
#include "text/name_parts.h"
#include "text/text.h"

// A file may have any number of symbols and functions at one address: these limit the comparisons
// for each name in total, and the symbols demangled at one address. If several functions may have
// the same symbols, MOST_SHARED limits them for all but the first.
enum { MOST_COMPARED = 1 << 24, MOST_DEMANGLED = 64, MOST_SHARED = 16, LONGEST_NAME = 4096 };

// How a symbol relates to a function's name.
enum way { EXACT, OLD_VERSION, CLONE, DEMANGLED, OTHER };

struct known { // a symbol with the name of a draft, or at its code
	struct ic_symbol symbol;
	uint32_t draft; // only if it has the draft's name
	uint8_t way, kind;
};

struct finder {
	struct ic_verdict_drafts *drafts;
	struct ic_map by_stem; // the first draft with a hash
	uint32_t *next;        // by draft: the next with the same hash, or IC_NONE
	IC_ARRAY(struct known) named;
	IC_ARRAY(struct ic_keyed) starts; // drafts, sorted by the starts of their code
	IC_ARRAY(struct known) at_starts;
	IC_ARRAY(struct ic_keyed) order; // `at_starts`, sorted by address
	uint64_t compared;
	bool out_of_memory;
};

// Counts a comparison; returns whether the limit was exceeded.
static bool is_spent(struct finder *finder)
{
	return finder->compared++ >= (uint64_t)MOST_COMPARED * finder->drafts->asked_count;
}

// ---- Names

static size_t stem_length(const char *name)
{
	return strcspn(name, ".@");
}

static enum way way_of(const char *name, const char *symbol)
{
	size_t length = strlen(name);

	if (strncmp(symbol, name, length) != 0)
		return OTHER;
	const char *rest = symbol + length;
	if (!*rest || (rest[0] == '@' && rest[1] == '@'))
		return EXACT;
	return *rest == '@' ? OLD_VERSION : *rest == '.' ? CLONE : OTHER;
}

static bool is_spelled(const struct finder *finder, const struct ic_function *function,
		       const char *demangled)
{
	char text[LONGEST_NAME];
	struct ic_name_parts wanted, parts;
	const char *name = ic_function_name(function);

	if (ic_function_qualified_name(finder->drafts->index, function, text, sizeof(text)))
		name = text;
	if (!name)
		return false;
	ic_name_parts_split(&wanted, name);
	ic_name_parts_split(&parts, demangled);
	return ic_name_parts_match(&wanted, &parts);
}

// A symbol may belong to the function although its name differs: GCC does not record the linkage
// names of static C++ functions, and constructors and destructors have several symbols.
static bool is_demangled_alike(struct finder *finder, const struct ic_function *function,
			       const char *symbol)
{
	if (function->name && strcmp(function->name, symbol) == 0)
		return true;
	struct ic_names *names = &finder->drafts->names;
	const char *demangled = ic_names_demangled(names, symbol);
	if (demangled == symbol)
		return false;
	if (!function->linkage_name)
		return is_spelled(finder, function, demangled);
	const char *own = ic_names_demangled(names, function->linkage_name);
	return own != function->linkage_name && strcmp(own, demangled) == 0;
}

// ---- Symbols of the names

static bool hash_names(struct finder *finder)
{
	const struct ic_verdict_drafts *drafts = finder->drafts;

	finder->next = ic_items_alloc(drafts->items.count + 1ull, sizeof(*finder->next));
	for (uint32_t i = 0; finder->next && i < drafts->items.count; i++) {
		const char *name = drafts->items.items[i].symbol;
		uint32_t *first =
			ic_map_at(&finder->by_stem, ic_text_hash_up_to(name, stem_length(name)));
		if (!first)
			return false;
		finder->next[i] = *first;
		*first = i;
	}
	return finder->next != NULL;
}

// Only the first draft with a symbol name collects its symbols.
static void take_named(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	struct finder *finder = context;
	uint64_t hash = ic_text_hash_up_to(symbol->name, stem_length(symbol->name));
	const uint32_t *first = ic_map_find(&finder->by_stem, hash);

	for (uint32_t i = first ? *first : IC_NONE; i != IC_NONE; i = finder->next[i]) {
		const struct ic_verdict_draft *draft = &finder->drafts->items.items[i];
		enum way way = draft->first == i && *draft->symbol
				       ? way_of(draft->symbol, symbol->name)
				       : OTHER;
		// Go's "main.f" is not a clone of "main".
		if (way == OTHER || (way == CLONE && ic_clone_suffix(symbol->name) !=
							     symbol->name + strlen(draft->symbol)))
			continue;
		struct known *known = IC_ARRAY_PUSH(&finder->named);
		finder->out_of_memory |= !known;
		if (known)
			*known = (struct known){ *symbol, i, (uint8_t)way, (uint8_t)kind };
	}
}

static uint32_t group_end(const struct ic_verdict_drafts *drafts, uint32_t first)
{
	uint32_t end = first;

	while (end < drafts->items.count && drafts->items.items[end].first == first)
		end++;
	return end;
}

// Whether an address is in code described as a draft's.
static bool is_described_at(struct finder *finder, uint32_t first, uint64_t addr)
{
	const struct ic_verdict_drafts *drafts = finder->drafts;

	for (uint32_t i = first, end = group_end(drafts, first); i < end; i++) {
		const struct ic_verdict_draft *draft = &drafts->items.items[i];
		for (uint32_t j = 0; j < draft->described.count; j++)
			if (addr - draft->described.items[j].start <
				    draft->described.items[j].end -
					    draft->described.items[j].start ||
			    is_spent(finder))
				return true;
	}
	return false;
}

static bool has_described_code(const struct ic_verdict_drafts *drafts, uint32_t first)
{
	for (uint32_t i = first, end = group_end(drafts, first); i < end; i++)
		if (drafts->items.items[i].code.count > 0)
			return true;
	return false;
}

static bool add_code(struct ic_verdict_draft *draft, const struct known *known)
{
	struct ic_verdict_place *place = IC_ARRAY_PUSH(&draft->code);

	if (place)
		*place = (struct ic_verdict_place){
			.kind = known->kind == IC_SYMBOL_RESOLVER ? IC_VERDICT_CHOOSING
								  : IC_VERDICT_ENTRY,
			.addr = known->symbol.start,
			.size = known->symbol.end > known->symbol.start
					? known->symbol.end - known->symbol.start
					: 0,
			.site = IC_VERDICT_NO_SITE,
		};
	return place != NULL;
}

// As in ic_facts_note(): if functions of one name have described code, symbols elsewhere do not
// belong to them, unless there is only one such function. Symbols with the same name and address
// count once.
static bool add_undescribed(struct finder *finder, uint32_t first, const struct known *known,
			    uint32_t count, bool is_described)
{
	struct ic_verdict_drafts *drafts = finder->drafts;
	bool has_new = false, ok = true;

	for (uint32_t i = 0; i < count; i++)
		has_new |= known[i].way == EXACT;
	for (uint32_t i = first, end = group_end(drafts, first); ok && i < end; i++) {
		struct ic_verdict_draft *draft = &drafts->items.items[i];
		for (uint32_t j = 0; ok && j < count; j++) {
			if ((is_described && !draft->is_alone) ||
			    (i > first && draft->code.count >= MOST_SHARED) ||
			    (has_new && known[j].way == OLD_VERSION) ||
			    is_described_at(finder, first, known[j].symbol.start) ||
			    (j > 0 && known[j - 1].symbol.start == known[j].symbol.start))
				continue;
			ok = add_code(draft, &known[j]);
		}
	}
	return ok;
}

static int compare_known(const void *left, const void *right)
{
	const struct known *a = left, *b = right;

	if (a->draft != b->draft)
		return a->draft < b->draft ? -1 : 1;
	if (a->symbol.start != b->symbol.start)
		return a->symbol.start < b->symbol.start ? -1 : 1;
	return a->way != b->way ? (a->way > b->way) - (a->way < b->way) : a->kind - b->kind;
}

static bool add_named(struct finder *finder)
{
	const struct known *named = finder->named.items;
	uint32_t count = finder->named.count;

	if (count > 1)
		qsort(finder->named.items, count, sizeof(*named), compare_known);
	for (uint32_t i = 0, end; i < count; i = end) {
		uint32_t first = named[i].draft;
		for (end = i; end < count && named[end].draft == first;)
			end++;
		if (!add_undescribed(finder, first, &named[i], end - i,
				     has_described_code(finder->drafts, first)))
			return false;
	}
	return true;
}

// Whether a symbol with exactly the draft's name is at code other than the draft's.
static bool is_bypassed(struct finder *finder, const struct ic_verdict_draft *draft)
{
	for (uint32_t i = 0; i < finder->named.count; i++) {
		const struct known *known = &finder->named.items[i];
		bool is_own = known->draft != draft->first || known->way != EXACT;
		for (uint32_t j = 0; !is_own && j < draft->code.count; j++) {
			const struct ic_verdict_place *place = &draft->code.items[j];
			is_own = (place->site != IC_VERDICT_NO_SITE &&
				  known->symbol.start - place->addr < place->size) ||
				 is_spent(finder);
		}
		if (!is_own)
			return true;
	}
	return false;
}

// ---- Symbols at the code

static bool find_starts(struct finder *finder)
{
	for (uint32_t i = 0; i < finder->drafts->items.count; i++) {
		const struct ic_verdict_draft *draft = &finder->drafts->items.items[i];
		for (uint32_t j = 0; j < draft->code.count; j++) {
			if (!IC_ARRAY_ADD(&finder->starts,
					  (struct ic_keyed){ draft->code.items[j].addr, i }))
				return false;
		}
	}
	return ic_keyed_sort(finder->starts.items, finder->starts.count);
}

static bool is_start(const struct finder *finder, uint64_t addr)
{
	uint32_t at = ic_keyed_find(finder->starts.items, finder->starts.count, addr);

	return at < finder->starts.count && finder->starts.items[at].key == addr;
}

static void take_at_start(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	struct finder *finder = context;

	if (!is_start(finder, symbol->start))
		return;
	struct known *known = IC_ARRAY_PUSH(&finder->at_starts);
	struct ic_keyed *place = known ? IC_ARRAY_PUSH(&finder->order) : NULL;
	finder->out_of_memory |= !place;
	if (!place)
		return;
	*known = (struct known){ .symbol = *symbol, .kind = (uint8_t)kind };
	*place = (struct ic_keyed){ symbol->start, finder->at_starts.count - 1 };
}

static bool add_other(struct ic_verdict_draft *draft, const char *name)
{
	if (draft->others.count >= IC_VERDICT_MOST_OTHERS)
		return true;
	for (uint32_t i = 0; i < draft->others.count; i++)
		if (strcmp(draft->others.items[i], name) == 0)
			return true;
	const char **other = IC_ARRAY_PUSH(&draft->others);
	if (other)
		*other = name;
	return other != NULL;
}

// The kind of code that a clone's symbol marks. Link-time optimisation renames functions.
static enum ic_verdict_place_kind kind_of_clone(const char *symbol)
{
	static const char *const new_names[] = { ".lto_priv.", ".llvm.", ".__uniq.",
						 ".localalias" };
	const char *suffix = ic_clone_suffix(symbol);

	if (ic_clone_is_part(symbol))
		return IC_VERDICT_PART;
	for (size_t i = 0; suffix && i < sizeof(new_names) / sizeof(*new_names); i++)
		if (strncmp(suffix, new_names[i], strlen(new_names[i])) == 0)
			return IC_VERDICT_ENTRY;
	return IC_VERDICT_CLONE;
}

// Takes the best symbol at a place: the function's, or else a clone's, or else any.
static bool name_place(struct finder *finder, struct ic_verdict_draft *draft,
		       struct ic_verdict_place *place)
{
	uint32_t first = ic_keyed_find(finder->order.items, finder->order.count, place->addr);
	const char *names[OTHER + 1] = { NULL };
	bool ok = true;

	for (uint32_t i = first; ok && i < finder->order.count &&
				 finder->order.items[i].key == place->addr && !is_spent(finder);
	     i++) {
		const struct known *known = &finder->at_starts.items[finder->order.items[i].number];
		const char *name = known->symbol.name;
		enum way way = way_of(draft->symbol, name);
		if (way == OTHER && draft->item.function && i - first < MOST_DEMANGLED &&
		    is_demangled_alike(finder, draft->item.function, name))
			way = ic_clone_suffix(name) ? CLONE : DEMANGLED;
		if (way == OTHER && known->kind != IC_SYMBOL_FUNCTION)
			continue;
		if (!names[way])
			names[way] = name;
		if (way == OTHER && place->kind != IC_VERDICT_CHOOSING)
			ok = add_other(draft, name);
	}
	const char *own = names[EXACT] ? names[EXACT] : names[DEMANGLED];
	if (!own)
		own = names[OLD_VERSION];
	if (!own && names[CLONE] && place->kind == IC_VERDICT_ENTRY)
		place->kind = kind_of_clone(names[CLONE]);
	else if (!own && !names[CLONE] && is_bypassed(finder, draft))
		place->kind = IC_VERDICT_BYPASSED;
	place->symbol = own ? own : names[CLONE] ? names[CLONE] : names[OTHER];
	return ok;
}

static bool name_places(struct finder *finder)
{
	if (!ic_keyed_sort(finder->order.items, finder->order.count))
		return false;
	for (uint32_t i = 0; i < finder->drafts->items.count; i++) {
		struct ic_verdict_draft *draft = &finder->drafts->items.items[i];
		for (uint32_t j = 0; j < draft->code.count; j++)
			if (!name_place(finder, draft, &draft->code.items[j]))
				return false;
	}
	return true;
}

// ---- Functions at the code

static bool has_symbol_at(struct finder *finder, const struct ic_function *function, uint64_t addr)
{
	for (uint32_t i = ic_keyed_find(finder->order.items, finder->order.count, addr), from = i;
	     i < finder->order.count && finder->order.items[i].key == addr && !is_spent(finder);
	     i++) {
		const char *name =
			finder->at_starts.items[finder->order.items[i].number].symbol.name;
		if (way_of(ic_function_symbol(function), name) != OTHER ||
		    (i - from < MOST_DEMANGLED && is_demangled_alike(finder, function, name)))
			return true;
	}
	return false;
}

// Adds a function described at the start of others' code that has no symbol there.
static bool add_sharing(struct finder *finder, const struct ic_function *function,
			uint32_t definition, uint64_t addr)
{
	const struct ic_keyed *starts = finder->starts.items;
	const char *name = ic_function_symbol(function);
	bool ok = true, is_known = !*name || has_symbol_at(finder, function, addr);

	for (uint32_t i = ic_keyed_find(starts, finder->starts.count, addr);
	     ok && !is_known && i < finder->starts.count && starts[i].key == addr &&
	     !is_spent(finder);
	     i++) {
		struct ic_verdict_draft *draft = &finder->drafts->items.items[starts[i].number];
		if (draft->definition != definition)
			ok = add_other(draft, name);
	}
	return ok;
}

static bool add_folded(struct finder *finder)
{
	const struct ic_verdict_drafts *drafts = finder->drafts;

	for (uint32_t i = 0; i < drafts->index->unit_count; i++) {
		const struct ic_unit_model *unit = &drafts->index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *instance = &unit->instances[j];
			if (instance->kind != IC_INSTANCE_HOST || instance->range_count == 0 ||
			    instance->function == IC_NONE)
				continue;
			uint64_t addr = ic_verdict_addr(unit, instance);
			if (is_start(finder, addr) &&
			    !add_sharing(finder, &unit->functions[instance->function],
					 ic_definition_of(drafts->definitions, i, instance), addr))
				return false;
		}
	}
	return true;
}

// ---- All of it

static bool add_all(struct finder *finder)
{
	const struct ic_index *index = finder->drafts->index;

	if (!hash_names(finder))
		return false;
	ic_index_symbols_each(index, take_named, finder);
	if (finder->out_of_memory || !add_named(finder) || !find_starts(finder))
		return false;
	ic_index_symbols_each(index, take_at_start, finder);
	return !finder->out_of_memory && name_places(finder) && add_folded(finder) &&
	       !finder->out_of_memory && !finder->drafts->names.out_of_memory;
}

bool ic_verdict_symbols_add(struct ic_verdict_drafts *drafts)
{
	struct finder finder = { .drafts = drafts };
	bool ok = add_all(&finder);

	ic_map_free(&finder.by_stem);
	free(finder.next);
	IC_ARRAY_FREE(&finder.named);
	IC_ARRAY_FREE(&finder.starts);
	IC_ARRAY_FREE(&finder.at_starts);
	IC_ARRAY_FREE(&finder.order);
	return ok;
}
