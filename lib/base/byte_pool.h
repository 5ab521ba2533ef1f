// Runs of bytes, each kept once and numbered in the order in which they come.
#ifndef BASE_BYTE_POOL_H
#define BASE_BYTE_POOL_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/map.h"

struct ic_byte_run {
	uint32_t off, size; // in `bytes`
	uint32_t next;      // another one with the same hash; IC_NONE if there is none
};

struct ic_byte_pool { // zero-initialised is empty
	IC_ARRAY(uint8_t) bytes;
	IC_ARRAY(struct ic_byte_run) runs;
	struct ic_map by_hash; // the last run with a hash
};

// The number of a run; IC_NONE if memory runs out, or there are 4 GiB.
uint32_t ic_byte_pool_add(struct ic_byte_pool *pool, const void *bytes, uint32_t size);

// The number of a run that was added; IC_NONE if there is none.
uint32_t ic_byte_pool_find(const struct ic_byte_pool *pool, const void *bytes, uint32_t size);

// Run `number`, until the next one is added.
static inline struct ic_bytes ic_byte_pool_get(const struct ic_byte_pool *pool, uint32_t number)
{
	const struct ic_byte_run *run = &pool->runs.items[number];

	return (struct ic_bytes){ pool->bytes.items + run->off, run->size };
}

void ic_byte_pool_free(struct ic_byte_pool *pool);

#endif
