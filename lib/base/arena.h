// Memory that is freed all at once. One thread at a time allocates from an arena; the index finally
// adopts the blocks of the workers' arenas, so that nothing is copied.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct ic_arena_block;

struct ic_arena {
	struct ic_arena_block *blocks; // the newest first
	uint8_t *pos, *end;            // the free part of it
	size_t next_size;              // of the next block; grows with the arena
	struct ic_memory *memory;      // the limit for its blocks; NULL for none
};

// `size` bytes, unset, aligned to 8; NULL if memory runs out.
void *ic_arena_alloc(struct ic_arena *arena, size_t size);

// Room for `count` items, unset; NULL if memory runs out, or the size is too large.
void *ic_arena_items(struct ic_arena *arena, uint64_t count, size_t item_size);

// A copy of `count` items; a pointer that is not NULL if `count` is 0.
void *ic_arena_copy(struct ic_arena *arena, const void *items, uint64_t count, size_t item_size);

// Moves all blocks of `from` to `arena`; both must have the same limit.
void ic_arena_adopt(struct ic_arena *arena, struct ic_arena *from);

void ic_arena_free(struct ic_arena *arena);

#endif
