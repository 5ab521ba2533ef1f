// Which units claim which addresses.
#ifndef SYMBOLIZE_UNIT_MAP_H
#define SYMBOLIZE_UNIT_MAP_H

#include "base/segments.h"
#include "index/claims.h"

struct ic_unit_map {
	struct ic_segments segments;   // owners are claims: the first of several at an address
	const struct ic_layer *claims; // by rank; owners are units
	uint32_t claim_count;
	struct ic_range_set shared; // the addresses with several claims
};

// Builds the map in the arena; claims of equal rank stay in their order. False if memory runs out.
bool ic_unit_map_build(struct ic_unit_map *map, const struct ic_claims *claims,
		       struct ic_arena *arena);

// The first claim to an address, after `claim` if that is not IC_NONE; IC_NONE if there is none.
// Time: O(log n) for the first; for the others together O(n), if claims overlap.
uint32_t ic_unit_map_find(const struct ic_unit_map *map, uint64_t addr, uint32_t claim);

// Up to which address the claims after the first are the same ones. Time: O(log n); O(n) if there
// are any.
uint64_t ic_unit_map_others_end(const struct ic_unit_map *map, uint64_t addr);

#endif
