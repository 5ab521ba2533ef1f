// Which units claim which addresses.
#ifndef SYMBOLIZE_UNIT_MAP_H
#define SYMBOLIZE_UNIT_MAP_H

#include "base/segments.h"
#include "index/claims.h"

struct ic_unit_map {
	struct ic_segments segments;   // owners are claims: the first one of those at an address
	const struct ic_layer *claims; // by rank; owners are units
	uint32_t claim_count;
	struct ic_range_set shared; // the addresses with several claims
};

// Builds the map in the arena; claims of equal rank keep their order. Returns false if memory runs
// out.
bool ic_unit_map_build(struct ic_unit_map *map, const struct ic_claims *claims,
		       struct ic_arena *arena);

// The first claim to an address, or the next one after `claim` unless that is IC_NONE; IC_NONE if
// there are no more. Time: O(log n) for the first; O(n) for all others together, if claims overlap.
uint32_t ic_unit_map_find(const struct ic_unit_map *map, uint64_t addr, uint32_t claim);

// The address up to which the claims after the first one stay the same. Time: O(log n); O(n) if
// there are any.
uint64_t ic_unit_map_others_end(const struct ic_unit_map *map, uint64_t addr);

#endif
