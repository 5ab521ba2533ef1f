#include "base/byte_pool.h"

// A file determines what is added, but not where the pool is: collisions in one run do not recur in
// the next, and no output depends on them.
static uint64_t hash_of(const struct ic_byte_pool *pool, const uint8_t *bytes, uint32_t size)
{
	uint64_t hash = (uintptr_t)pool ^ size;

	for (uint32_t i = 0; i < size; i += 8) {
		uint64_t word = 0;
		memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
		hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93ull;
	}
	return hash ^ hash >> 29;
}

static uint32_t find_value(const struct ic_byte_pool *pool, uint32_t first, const void *bytes,
			   uint32_t size)
{
	for (uint32_t i = first; i != IC_NONE; i = pool->runs.items[i].next) {
		struct ic_bytes run = ic_byte_pool_get(pool, i);
		if (run.size == size && (size == 0 || memcmp(run.data, bytes, size) == 0))
			return i;
	}
	return IC_NONE;
}

uint32_t ic_byte_pool_find(const struct ic_byte_pool *pool, const void *bytes, uint32_t size)
{
	const uint32_t *last = ic_map_find(&pool->by_hash, hash_of(pool, bytes, size));

	return last ? find_value(pool, *last, bytes, size) : IC_NONE;
}

uint32_t ic_byte_pool_add(struct ic_byte_pool *pool, const void *bytes, uint32_t size)
{
	uint32_t *last = ic_map_at(&pool->by_hash, hash_of(pool, bytes, size));

	if (!last)
		return IC_NONE;
	uint32_t off = pool->bytes.count, number = find_value(pool, *last, bytes, size);
	if (number != IC_NONE)
		return number;
	number = pool->runs.count;
	pool->too_large |= (uint64_t)off + size + 1 > UINT32_MAX;
	if (pool->too_large || !IC_ARRAY_RESERVE(&pool->bytes, (uint64_t)off + size + 1))
		return IC_NONE;
	struct ic_byte_run *run = IC_ARRAY_PUSH(&pool->runs);
	if (!run)
		return IC_NONE;
	if (size > 0)
		memcpy(pool->bytes.items + off, bytes, size);
	pool->bytes.count += size;
	*run = (struct ic_byte_run){ off, size, *last };
	*last = number;
	return number;
}

void ic_byte_pool_free(struct ic_byte_pool *pool)
{
	IC_ARRAY_FREE(&pool->bytes);
	IC_ARRAY_FREE(&pool->runs);
	ic_map_free(&pool->by_hash);
}

uint32_t *ic_byte_map_at(struct ic_byte_map *map, const void *bytes, uint32_t size)
{
	uint32_t number = ic_byte_pool_add(&map->keys, bytes, size);

	while (number != IC_NONE && number >= map->values.count)
		if (!IC_ARRAY_ADD(&map->values, IC_NONE))
			return NULL;
	return number == IC_NONE ? NULL : &map->values.items[number];
}

uint32_t ic_byte_map_find(const struct ic_byte_map *map, const void *bytes, uint32_t size)
{
	uint32_t number = ic_byte_pool_find(&map->keys, bytes, size);

	return number < map->values.count ? map->values.items[number] : IC_NONE;
}

void ic_byte_map_free(struct ic_byte_map *map)
{
	ic_byte_pool_free(&map->keys);
	IC_ARRAY_FREE(&map->values);
}
