// Resolves overlapping ranges: finds the one in front at each address.
#ifndef BASE_SEGMENTS_H
#define BASE_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/range.h"
#include "base/search.h"

struct ic_layer { // a range with an owner
	struct ic_range range;
	uint64_t rank; // at each address, the lowest rank is in front, then the lowest owner
	uint32_t owner;
};

struct ic_segment { // from here to the start of the next one
	uint64_t start;
	uint32_t owner; // IC_NONE if there is none
};

struct ic_segments { // sorted by start; the last one has no owner
	const struct ic_segment *items;
	uint32_t count;
	bool overlapping; // some layers overlap
};

// Builds the segments in the arena, from at most 2^30 layers. Empty and inverted ranges are
// ignored. Returns false if memory runs out. Time: O(n log n).
bool ic_segments_build(struct ic_segments *segments, const struct ic_layer *layers, uint32_t count,
		       struct ic_arena *arena);

// The owner in front at an address; IC_NONE if there is none. Time: O(log n).
static inline uint32_t ic_segments_find(const struct ic_segments *segments, uint64_t addr)
{
	uint32_t first =
		ic_search_up_to(segments->items, sizeof(*segments->items), segments->count, addr);

	return first > 0 ? segments->items[first - 1].owner : UINT32_MAX;
}

// The address up to which the owner in front stays the same; UINT64_MAX after the last segment.
// Time: O(log n).
static inline uint64_t ic_segments_end(const struct ic_segments *segments, uint64_t addr)
{
	uint32_t next =
		ic_search_up_to(segments->items, sizeof(*segments->items), segments->count, addr);

	return next < segments->count ? segments->items[next].start : UINT64_MAX;
}

#endif
