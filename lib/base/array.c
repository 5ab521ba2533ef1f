#include "base/array.h"

#include <stdlib.h>

bool ic_array_grow(void **items, uint32_t *capacity, uint64_t wanted, size_t item_size)
{
	uint64_t target = *capacity < 16 ? 16 : *capacity * 2ull;
	size_t size;

	if (target < wanted)
		target = wanted;
	if (target > UINT32_MAX || __builtin_mul_overflow((size_t)target, item_size, &size))
		return false;
	void *grown = realloc(*items, size);
	if (!grown)
		return false;
	*items = grown;
	*capacity = (uint32_t)target;
	return true;
}

void ic_array_release(void **items, uint32_t *count, uint32_t *capacity)
{
	free(*items);
	*items = NULL;
	*count = *capacity = 0;
}
