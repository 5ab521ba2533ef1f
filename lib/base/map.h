// A map from 64-bit keys to 32-bit values, for the scratch memory of one unit: it is cleared and
// reused.
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct ic_map_slot {
	uint64_t key;
	uint32_t value; // IC_NONE in a free slot
};

struct ic_map {
	struct ic_map_slot *slots;
	uint32_t count, capacity; // capacity is 0 or a power of two
	uint64_t seed;
};

// The slot for the value of `key`; NULL if memory runs out. It holds IC_NONE if the key is new, and
// the caller must then set it. Valid until the next call.
uint32_t *ic_map_at(struct ic_map *map, uint64_t key);

// The slot for the value of `key`; NULL if there is none.
const uint32_t *ic_map_find(const struct ic_map *map, uint64_t key);

void ic_map_clear(struct ic_map *map);
void ic_map_free(struct ic_map *map);

#endif
