#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct ic_arena_block {
	struct ic_arena_block *next;
	uint64_t size;
	_Alignas(8) uint64_t data[]; // aligned to 8 on 32-bit machines too
};

enum {
	FIRST_BLOCK = 16 << 10,
	LARGEST_BLOCK = 2 << 20, // a huge page on most machines
};

// Large blocks are huge pages if the system supports them, which takes one page fault instead of
// five hundred.
static struct ic_arena_block *new_block(size_t size)
{
#ifdef MADV_HUGEPAGE
	if (size % LARGEST_BLOCK == 0) {
		void *block = aligned_alloc(LARGEST_BLOCK, size);
		if (block)
			madvise(block, size, MADV_HUGEPAGE);
		return block;
	}
#endif
	return malloc(size);
}

static void *alloc_from_new_block(struct ic_arena *arena, size_t size)
{
	const size_t head = sizeof(struct ic_arena_block);
	size_t block_size = arena->next_size ? arena->next_size : FIRST_BLOCK;

	if (size > SIZE_MAX - head)
		return NULL;
	if (block_size < size + head)
		block_size = size + head;
	if (block_size > LARGEST_BLOCK && block_size <= SIZE_MAX - LARGEST_BLOCK)
		block_size += -block_size % LARGEST_BLOCK;
	if (!ic_memory_take(arena->memory, block_size))
		return NULL;
	struct ic_arena_block *block = new_block(block_size);
	if (!block) {
		ic_memory_release(arena->memory, block_size);
		return NULL;
	}
	block->next = arena->blocks;
	block->size = block_size;
	arena->blocks = block;
	arena->pos = (uint8_t *)block->data + size;
	arena->end = (uint8_t *)block + block_size;
	arena->next_size = block_size < LARGEST_BLOCK / 2 ? block_size * 2 : LARGEST_BLOCK;
	return block->data;
}

void *ic_arena_alloc(struct ic_arena *arena, size_t size)
{
	if (size > SIZE_MAX - 7)
		return NULL;
	size = (size + 7) & ~(size_t)7;
	if (!arena->pos || size > (size_t)(arena->end - arena->pos))
		return alloc_from_new_block(arena, size);
	void *start = arena->pos;
	arena->pos += size;
	return start;
}

void *ic_arena_items(struct ic_arena *arena, uint64_t count, size_t item_size)
{
	size_t size;

	return __builtin_mul_overflow(count, item_size, &size) ? NULL : ic_arena_alloc(arena, size);
}

void *ic_arena_copy(struct ic_arena *arena, const void *items, uint64_t count, size_t item_size)
{
	void *copy = ic_arena_items(arena, count, item_size);

	if (copy && count > 0)
		memcpy(copy, items, (size_t)count * item_size);
	return copy;
}

void ic_arena_adopt(struct ic_arena *arena, struct ic_arena *from)
{
	struct ic_arena_block **last = &from->blocks;

	while (*last)
		last = &(*last)->next;
	*last = arena->blocks;
	arena->blocks = from->blocks;
	if (from->pos) { // continue in its last block
		arena->pos = from->pos;
		arena->end = from->end;
		arena->next_size = from->next_size;
	}
	*from = (struct ic_arena){ .memory = from->memory };
}

void ic_arena_free(struct ic_arena *arena)
{
	for (struct ic_arena_block *block = arena->blocks, *next; block; block = next) {
		next = block->next;
		ic_memory_release(arena->memory, block->size);
		free(block);
	}
	*arena = (struct ic_arena){ .memory = arena->memory };
}
