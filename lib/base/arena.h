// Memory that is freed all at once. An arena is for one thread at a time; in the end, the index
// adopts the blocks of the workers' arenas, so that nothing is copied.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct ic_arena_block;

struct ic_arena {
	struct ic_arena_block *blocks; // newest first
	uint8_t *pos, *end;            // the free part of the newest block
	size_t next_size;              // size of the next block; grows with the arena
	struct ic_memory *memory;      // the limit for its blocks; NULL for none
};

// Allocates `size` bytes, uninitialised and aligned to 8; NULL if memory runs out.
void *ic_arena_alloc(struct ic_arena *arena, size_t size);

// Allocates `count` items, uninitialised; NULL if memory runs out, or the size is too large.
void *ic_arena_items(struct ic_arena *arena, uint64_t count, size_t item_size);

// Copies `count` items; the result is not NULL even if `count` is 0.
void *ic_arena_copy(struct ic_arena *arena, const void *items, uint64_t count, size_t item_size);

// Moves all blocks of `from` to `arena`; both must have the same limit.
void ic_arena_adopt(struct ic_arena *arena, struct ic_arena *from);

void ic_arena_free(struct ic_arena *arena);

#endif
