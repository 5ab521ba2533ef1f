#include "symbolize/unit_map.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/sort.h"

// Finds the addresses with several claims, given the claims sorted by start.
static bool find_shared(struct ic_unit_map *map, struct ic_keyed *order, struct ic_arena *arena)
{
	struct ic_range *shared = ic_arena_items(arena, map->claim_count, sizeof(*shared));
	uint32_t count = 0;
	uint64_t end = 0;

	for (uint32_t i = 0; i < map->claim_count; i++)
		order[i] = (struct ic_keyed){ map->claims[i].range.start, i };
	if (!shared || !ic_keyed_sort(order, map->claim_count))
		return false;
	for (uint32_t i = 0; i < map->claim_count; i++) {
		struct ic_range range = map->claims[order[i].number].range;
		if (range.start < end)
			shared[count++] =
				(struct ic_range){ range.start, range.end < end ? range.end : end };
		end = range.end > end ? range.end : end;
	}
	map->shared = ic_range_set_build(shared, count);
	return true;
}

// Sorts the claims by rank.
static struct ic_layer *sort_claims(const struct ic_claims *claims, struct ic_keyed *order,
				    struct ic_arena *arena)
{
	uint32_t count = claims->list.count;
	struct ic_layer *sorted = ic_arena_items(arena, count, sizeof(*sorted));

	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct ic_keyed){ claims->list.items[i].rank, i };
	if (!sorted || !ic_keyed_sort(order, count))
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = claims->list.items[order[i].number];
	return sorted;
}

bool ic_unit_map_build(struct ic_unit_map *map, const struct ic_claims *claims,
		       struct ic_arena *arena)
{
	uint32_t count = claims->list.count;
	struct ic_layer *layers = ic_items_alloc(count + 1ull, sizeof(*layers));
	struct ic_keyed *order = ic_items_alloc(count + 1ull, sizeof(*order));

	*map = (struct ic_unit_map){ .claim_count = count };
	if (layers && order)
		map->claims = sort_claims(claims, order, arena);
	bool ok = map->claims != NULL;
	for (uint32_t i = 0; ok && i < count; i++)
		layers[i] = (struct ic_layer){ map->claims[i].range, i, i };
	ok = ok && ic_segments_build(&map->segments, layers, count, arena) &&
	     (!map->segments.overlapping || find_shared(map, order, arena));
	free(layers);
	free(order);
	return ok;
}

uint32_t ic_unit_map_find(const struct ic_unit_map *map, uint64_t addr, uint32_t claim)
{
	if (claim == IC_NONE)
		return ic_segments_find(&map->segments, addr);
	if (!ic_range_set_find(&map->shared, addr))
		return IC_NONE;
	for (uint32_t i = claim + 1; i < map->claim_count; i++)
		if (map->claims[i].range.start <= addr && addr < map->claims[i].range.end)
			return i;
	return IC_NONE;
}

uint64_t ic_unit_map_others_end(const struct ic_unit_map *map, uint64_t addr)
{
	const struct ic_range_set *shared = &map->shared;
	uint32_t next =
		ic_search_up_to(shared->ranges, sizeof(*shared->ranges), shared->count, addr);
	uint64_t end = next < shared->count ? shared->ranges[next].start : UINT64_MAX;

	if (!ic_range_set_find(shared, addr))
		return end;
	for (uint32_t i = 0; i < map->claim_count; i++) {
		const struct ic_range *range = &map->claims[i].range;
		if (range->start > addr && range->start < end)
			end = range->start;
		else if (range->end > addr && range->end < end)
			end = range->end;
	}
	return end;
}
