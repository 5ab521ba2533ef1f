#include "symbolize/unit_map.h"

bool ic_unit_map_build(struct ic_unit_map *map, const struct ic_scan_claims *claims,
		       struct ic_arena *arena)
{
	uint32_t count = claims->list.count;

	*map = (struct ic_unit_map){ .claim_count = count };
	if (!ic_segments_build(&map->segments, claims->list.items, count, arena))
		return false;
	map->claims = ic_arena_copy(arena, claims->list.items, count, sizeof(*map->claims));
	return map->claims != NULL;
}

uint32_t ic_unit_map_find(const struct ic_unit_map *map, uint64_t addr, uint32_t unit)
{
	uint32_t found = IC_NONE;

	if (unit == IC_NONE)
		return ic_segments_find(&map->segments, addr);
	for (uint32_t i = 0; map->segments.overlapping && i < map->claim_count; i++) {
		const struct ic_layer *claim = &map->claims[i];
		if (claim->range.start <= addr && addr < claim->range.end && claim->owner > unit &&
		    claim->owner < found)
			found = claim->owner;
	}
	return found;
}
