#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"

enum { FIRST_CAPACITY = 64 };

static uint32_t slot_of(const struct ic_map *map, uint64_t key)
{
	// A file determines its keys, but not the seed, which is the table's address: collisions in
	// one run do not recur in the next. No output depends on the order of slots.
	uint64_t mixed = (key ^ map->seed) * 0x9e3779b97f4a7c15ull;
	mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93ull;
	uint32_t i = (uint32_t)(mixed >> 32) & (map->capacity - 1);

	while (map->slots[i].value != IC_NONE && map->slots[i].key != key)
		i = (i + 1) & (map->capacity - 1);
	return i;
}

static bool grow_slots(struct ic_map *map)
{
	struct ic_map grown = { .capacity = map->capacity ? map->capacity * 2 : FIRST_CAPACITY };

	if (grown.capacity == 0)
		return false;
	grown.slots = ic_items_alloc(grown.capacity, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	grown.seed = (uintptr_t)grown.slots;
	memset(grown.slots, 0xff, grown.capacity * sizeof(*grown.slots));
	for (uint32_t i = 0; i < map->capacity; i++)
		if (map->slots[i].value != IC_NONE)
			grown.slots[slot_of(&grown, map->slots[i].key)] = map->slots[i];
	grown.count = map->count;
	free(map->slots);
	*map = grown;
	return true;
}

uint32_t *ic_map_at(struct ic_map *map, uint64_t key)
{
	if (map->count >= map->capacity / 2 && !grow_slots(map))
		return NULL;
	struct ic_map_slot *slot = &map->slots[slot_of(map, key)];
	if (slot->value == IC_NONE) {
		slot->key = key;
		map->count++;
	}
	return &slot->value;
}

const uint32_t *ic_map_find(const struct ic_map *map, uint64_t key)
{
	const struct ic_map_slot *slot = map->capacity > 0 ? &map->slots[slot_of(map, key)] : NULL;

	return slot && slot->value != IC_NONE ? &slot->value : NULL;
}

void ic_map_clear(struct ic_map *map)
{
	// Clearing takes time proportional to the capacity, so a table that has grown for a large
	// unit shrinks to the size needed last; the rest of its memory stays unused until it is
	// replaced.
	while (map->capacity > FIRST_CAPACITY && map->capacity / 4 > map->count)
		map->capacity /= 2;
	if (map->capacity > 0)
		memset(map->slots, 0xff, map->capacity * sizeof(*map->slots));
	map->count = 0;
}

void ic_map_free(struct ic_map *map)
{
	free(map->slots);
	*map = (struct ic_map){ 0 };
}
