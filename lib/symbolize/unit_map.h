// Which units claim which addresses.
#ifndef SYMBOLIZE_UNIT_MAP_H
#define SYMBOLIZE_UNIT_MAP_H

#include "base/segments.h"
#include "scan/scan_claims.h"

struct ic_unit_map {
	struct ic_segments segments; // owners are units: of several that claim an address the first
	// What follows is empty where no address is claimed by several.
	struct ic_range_set shared;    // the addresses that are
	const struct ic_layer *claims; // sorted by unit
	uint32_t claim_count;
};

// Makes the map in the arena. False where memory is out.
bool ic_unit_map_build(struct ic_unit_map *map, const struct ic_scan_claims *claims,
		       struct ic_arena *arena);

// The first unit that claims an address, or the next one after `unit` where that is not IC_NONE;
// IC_NONE where there is none. Time: O(log n), and, where several units claim the address, O(n) for
// going through all of them.
uint32_t ic_unit_map_find(const struct ic_unit_map *map, uint64_t addr, uint32_t unit);

#endif
