#include "base/array.h"

#include <stdlib.h>

void *ic_items_alloc(uint64_t count, size_t item_size)
{
	size_t size;

	return __builtin_mul_overflow(count, item_size, &size) ? NULL : malloc(size);
}

void *ic_items_zeroed(uint64_t count, size_t item_size)
{
	size_t size;

	return __builtin_mul_overflow(count, item_size, &size) ? NULL : calloc(1, size);
}

bool ic_array_grow(void **items, uint32_t *capacity, uint64_t wanted, size_t item_size,
		   struct ic_memory *memory)
{
	uint64_t target = *capacity < 16 ? 16 : *capacity * 2ull;
	size_t size;

	if (target < wanted)
		target = wanted;
	if (target > UINT32_MAX || __builtin_mul_overflow((size_t)target, item_size, &size))
		return false;
	size_t more = size - *capacity * item_size;
	if (!ic_memory_take(memory, more))
		return false;
	void *grown = realloc(*items, size);
	if (!grown) {
		ic_memory_release(memory, more);
		return false;
	}
	*items = grown;
	*capacity = (uint32_t)target;
	return true;
}

void ic_array_release(void **items, uint32_t *count, uint32_t *capacity, size_t item_size,
		      struct ic_memory *memory)
{
	free(*items);
	ic_memory_release(memory, *capacity * (uint64_t)item_size);
	*items = NULL;
	*count = *capacity = 0;
}
