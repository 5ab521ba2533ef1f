// Which units claim which addresses.
#ifndef SYMBOLIZE_UNIT_MAP_H
#define SYMBOLIZE_UNIT_MAP_H

#include "base/segments.h"
#include "scan/scan_claims.h"

struct ic_unit_map {
	struct ic_segments segments;   // owners are claims: of several at an address the first
	const struct ic_layer *claims; // by rank; owners are units
	uint32_t claim_count;
	struct ic_range_set shared; // the addresses that several claim
};

// Makes the map in the arena; claims of one rank stay in their order. False where memory is out.
bool ic_unit_map_build(struct ic_unit_map *map, const struct ic_scan_claims *claims,
		       struct ic_arena *arena);

// The first claim to an address, behind `claim` where that is not IC_NONE; IC_NONE where there is
// none. Time: O(log n) for the first of all; the others together O(n), where claims overlap.
uint32_t ic_unit_map_find(const struct ic_unit_map *map, uint64_t addr, uint32_t claim);

#endif
