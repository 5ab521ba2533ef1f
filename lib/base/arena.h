// Memory that is released all at once. One thread allocates from an arena at a time; the blocks
// of a worker's arena are adopted by the index at the end, so that nothing is copied.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct ic_arena_block;

struct ic_arena {
	struct ic_arena_block *blocks; // the newest first
	uint8_t *pos, *end;            // what is left of it
	size_t next_size;              // of the block after it; grows with the arena
	struct ic_memory *memory;      // that its blocks count against; NULL for no limit
};

// `size` bytes, unset, aligned to 8; NULL where memory is out.
void *ic_arena_alloc(struct ic_arena *arena, size_t size);

// Room for `count` items, unset; NULL if memory is out, or cannot be so large.
void *ic_arena_items(struct ic_arena *arena, uint64_t count, size_t item_size);

// A copy of `count` items; a pointer that is not NULL where `count` is 0.
void *ic_arena_copy(struct ic_arena *arena, const void *items, uint64_t count, size_t item_size);

// Moves everything that `from` holds to `arena`; both count against the same limit.
void ic_arena_adopt(struct ic_arena *arena, struct ic_arena *from);

void ic_arena_free(struct ic_arena *arena);

#endif
