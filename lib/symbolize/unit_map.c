#include "symbolize/unit_map.h"

#include <stdlib.h>

#include "base/sort.h"

// The addresses that several claims have, from the claims in the order of their starts.
static bool find_shared(struct ic_unit_map *map, const struct ic_layer *claims,
			const struct ic_keyed *order, uint32_t claim_count, struct ic_arena *arena)
{
	struct ic_range *shared = ic_arena_alloc(arena, claim_count * sizeof(*shared));
	uint32_t count = 0;
	uint64_t end = 0;

	for (uint32_t i = 0; shared && i < claim_count; i++) {
		struct ic_range range = claims[order[i].number].range;
		if (range.start < end)
			shared[count++] =
				(struct ic_range){ range.start, range.end < end ? range.end : end };
		end = range.end > end ? range.end : end;
	}
	if (shared)
		map->shared = ic_range_set_build(shared, count);
	return shared != NULL;
}

static bool order_by_unit(struct ic_unit_map *map, const struct ic_layer *claims,
			  struct ic_keyed *order, uint32_t count, struct ic_arena *arena)
{
	struct ic_layer *ordered = ic_arena_alloc(arena, count * sizeof(*ordered));

	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct ic_keyed){ claims[i].owner, i };
	if (!ordered || !ic_keyed_sort(order, count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		ordered[i] = claims[order[i].number];
	map->claims = ordered;
	map->claim_count = count;
	return true;
}

// What is needed where several units claim an address.
static bool build_shared(struct ic_unit_map *map, const struct ic_layer *claims, uint32_t count,
			 struct ic_arena *arena)
{
	struct ic_keyed *order = malloc((count + 1ull) * sizeof(*order));

	for (uint32_t i = 0; order && i < count; i++)
		order[i] = (struct ic_keyed){ claims[i].range.start, i };
	bool ok = order && ic_keyed_sort(order, count) &&
		  find_shared(map, claims, order, count, arena) &&
		  order_by_unit(map, claims, order, count, arena);
	free(order);
	return ok;
}

bool ic_unit_map_build(struct ic_unit_map *map, const struct ic_scan_claims *claims,
		       struct ic_arena *arena)
{
	uint32_t count = claims->list.count;

	*map = (struct ic_unit_map){ .claim_count = 0 };
	return ic_segments_build(&map->segments, claims->list.items, count, arena) &&
	       (!map->segments.overlapping || build_shared(map, claims->list.items, count, arena));
}

uint32_t ic_unit_map_find(const struct ic_unit_map *map, uint64_t addr, uint32_t unit)
{
	uint32_t first = 0, count = map->claim_count;

	if (unit == IC_NONE)
		return ic_segments_find(&map->segments, addr);
	if (!ic_range_set_find(&map->shared, addr))
		return IC_NONE;
	while (count > 0) { // the first claim of a unit behind it
		uint32_t half = count / 2;
		if (map->claims[first + half].owner <= unit) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	for (; first < map->claim_count; first++) {
		const struct ic_range *range = &map->claims[first].range;
		if (range->start <= addr && addr < range->end)
			return map->claims[first].owner;
	}
	return IC_NONE;
}
