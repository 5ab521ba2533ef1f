// Runs of bytes, each stored once, and numbered in the order of their addition.
#ifndef BASE_BYTE_POOL_H
#define BASE_BYTE_POOL_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/map.h"

struct ic_byte_run {
	uint32_t off, size; // in `bytes`
	uint32_t next;      // another one with the same hash; IC_NONE if there is none
};

struct ic_byte_pool { // empty if zero-initialised
	IC_ARRAY(uint8_t) bytes;
	IC_ARRAY(struct ic_byte_run) runs;
	struct ic_map by_hash; // the last run with each hash
	bool too_large;        // there would be 4 GiB or more
};

// Adds a run unless it is there, and returns its number; IC_NONE if memory runs out, or the pool
// would be too large.
uint32_t ic_byte_pool_add(struct ic_byte_pool *pool, const void *bytes, uint32_t size);

// The number of a run; IC_NONE if it has not been added.
uint32_t ic_byte_pool_find(const struct ic_byte_pool *pool, const void *bytes, uint32_t size);

// Gets run `number`, valid until the next one is added.
static inline struct ic_bytes ic_byte_pool_get(const struct ic_byte_pool *pool, uint32_t number)
{
	const struct ic_byte_run *run = &pool->runs.items[number];

	return (struct ic_bytes){ pool->bytes.items + run->off, run->size };
}

void ic_byte_pool_free(struct ic_byte_pool *pool);

struct ic_byte_map { // runs with a value each; zero-initialised is empty
	struct ic_byte_pool keys;
	IC_ARRAY(uint32_t) values; // by the number of the run
};

// The place of a run's value, until the next one is added; of a new one it is IC_NONE. NULL if
// memory is out.
uint32_t *ic_byte_map_at(struct ic_byte_map *map, const void *bytes, uint32_t size);

// The value of a run; IC_NONE if it was not added.
uint32_t ic_byte_map_find(const struct ic_byte_map *map, const void *bytes, uint32_t size);

void ic_byte_map_free(struct ic_byte_map *map);

#endif
