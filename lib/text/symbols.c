#include "text/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/search.h"
#include "text/text.h"

enum {
	FAN = 16,   // nodes of one level per node of the next
	CROWD = 16, // symbols at one address up to which they are compared one by one
};

// ---- The last symbol that reaches far enough

static bool build_levels(struct ic_symbols *symbols, struct ic_arena *arena)
{
	uint64_t *level = ic_arena_items(arena, symbols->count, sizeof(*level));
	uint32_t count = symbols->count;

	for (uint32_t i = 0; level && i < count; i++)
		level[i] = symbols->items[i].reach;
	for (unsigned height = 0; level; height++) {
		symbols->reaches[height] = level;
		if (count <= 1)
			return true;
		uint32_t above_count = (count - 1) / FAN + 1;
		uint64_t *above = ic_arena_items(arena, above_count, sizeof(*above));
		for (uint32_t i = 0; above && i < count; i++)
			if (i % FAN == 0 || level[i] > above[i / FAN])
				above[i / FAN] = level[i];
		level = above;
		count = above_count;
	}
	return false;
}

// The last symbol with an index below `before` that reaches `end`; IC_NONE if there is none.
static uint32_t find_last(const struct ic_symbols *symbols, uint32_t before, uint64_t end)
{
	unsigned height = 0;
	uint32_t at = before;

	while (at > 0 && symbols->reaches[height][at - 1] < end) {
		at--;
		for (; at > 0 && at % FAN == 0; at /= FAN)
			height++;
	}
	if (at == 0)
		return IC_NONE;
	for (at--; height > 0; height--) { // back down, to a node that must exist
		at = at * FAN + FAN - 1;
		while (symbols->reaches[height - 1][at] < end)
			at--;
	}
	return at;
}

const struct ic_symbol *ic_symbols_find(const struct ic_symbols *symbols, struct ic_range range)
{
	uint32_t before = ic_search_up_to(symbols->items, sizeof(*symbols->items), symbols->count,
					  range.start);
	uint32_t found = find_last(symbols, before, range.end);

	return found == IC_NONE ? NULL : &symbols->items[found];
}

uint64_t ic_symbols_next_start(const struct ic_symbols *symbols, uint64_t addr)
{
	uint32_t next =
		ic_search_up_to(symbols->items, sizeof(*symbols->items), symbols->count, addr);

	return next < symbols->count ? symbols->items[next].start : UINT64_MAX;
}

// ---- Lookup by name

// A hash of the start, and of the name up to its first dot, which is the same for a function's
// symbol and its clones.
static uint64_t stem_hash(uint64_t start, const char *name)
{
	return ic_text_hash_up_to(name, strcspn(name, ".")) ^ start * 0x9e3779b97f4a7c15;
}

static uint32_t group_end(const struct ic_symbols *symbols, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < symbols->count && symbols->items[end].start == symbols->items[first].start)
		end++;
	return end;
}

static bool build_crowds(struct ic_symbols *symbols, struct ic_arena *arena)
{
	uint32_t total = 0, count = 0;

	for (uint32_t i = 0, end; i < symbols->count; i = end) {
		end = group_end(symbols, i);
		total += end - i > CROWD ? end - i : 0;
	}
	struct ic_keyed *crowded = ic_arena_items(arena, total, sizeof(*crowded));
	for (uint32_t i = 0, end; crowded && total > 0 && i < symbols->count; i = end) {
		end = group_end(symbols, i);
		for (uint32_t j = i; end - i > CROWD && j < end; j++)
			crowded[count++] = (struct ic_keyed){
				stem_hash(symbols->items[j].start, symbols->items[j].name), j
			};
	}
	symbols->crowded = crowded;
	symbols->crowded_count = count;
	return crowded && ic_keyed_sort(crowded, count);
}

static bool is_symbol_of(const struct ic_symbol *symbol, const char *function)
{
	size_t length = strlen(function);

	return !strncmp(symbol->name, function, length) &&
	       (symbol->name[length] == 0 || symbol->name[length] == '.');
}

const struct ic_symbol *ic_symbols_find_named(const struct ic_symbols *symbols,
					      struct ic_range range, const char *function)
{
	const struct ic_symbol *best = ic_symbols_find(symbols, range), *first = symbols->items;

	if (!best || !function || is_symbol_of(best, function))
		return best;
	uint32_t at = (uint32_t)(best - first), compared = 0;
	for (; at > 0 && first[at - 1].start == best->start && compared < CROWD; compared++)
		if (range.end <= first[--at].reach && is_symbol_of(&first[at], function))
			return &first[at];
	if (compared < CROWD)
		return best;
	uint64_t hash = stem_hash(best->start, function);
	const struct ic_symbol *found = NULL;
	for (uint32_t i = ic_keyed_find(symbols->crowded, symbols->crowded_count, hash);
	     i < symbols->crowded_count && symbols->crowded[i].key == hash; i++) {
		const struct ic_symbol *symbol = &first[symbols->crowded[i].number];
		if (symbol->start == best->start && range.end <= symbol->reach &&
		    is_symbol_of(symbol, function))
			found = symbol; // the last one is the best
	}
	return found ? found : best;
}

bool ic_symbols_build(struct ic_symbols *symbols, const struct ic_symbol *items, uint32_t count,
		      struct ic_arena *arena)
{
	*symbols = (struct ic_symbols){ .items = items, .count = count };
	return build_levels(symbols, arena) && build_crowds(symbols, arena);
}
