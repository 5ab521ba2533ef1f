// A growing array in scratch memory: when its final size is known, its contents are copied to their
// destination, and the array is reused.
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

// An array of `type`; empty and without a limit if zero-initialised.
#define IC_ARRAY(type)                    \
	struct {                          \
		type *items;              \
		uint32_t count, capacity; \
		struct ic_memory *memory; \
	}

// Adds an uninitialised item and returns a pointer to it; NULL if memory runs out.
#define IC_ARRAY_PUSH(array)                                                                 \
	(((array)->count < (array)->capacity ||                                              \
	  ic_array_grow((void **)&(array)->items, &(array)->capacity, (array)->count + 1ull, \
			sizeof(*(array)->items), (array)->memory))                           \
		 ? &(array)->items[(array)->count++]                                         \
		 : NULL)

// Adds an item; false if memory runs out. The expression for the item must not read or change the
// array.
#define IC_ARRAY_ADD(array, ...)                                                             \
	(((array)->count < (array)->capacity ||                                              \
	  ic_array_grow((void **)&(array)->items, &(array)->capacity, (array)->count + 1ull, \
			sizeof(*(array)->items), (array)->memory))                           \
		 ? ((array)->items[(array)->count++] = (__VA_ARGS__), true)                  \
		 : false)

// Makes room for `wanted` items in total; false if memory runs out.
#define IC_ARRAY_RESERVE(array, wanted)                                      \
	((wanted) <= (array)->capacity ||                                    \
	 ic_array_grow((void **)&(array)->items, &(array)->capacity, wanted, \
		       sizeof(*(array)->items), (array)->memory))

// An initialiser for an empty array with the memory and the limit of `array`.
// clang-format off
#define IC_ARRAY_EMPTIED(array) { (array).items, 0, (array).capacity, (array).memory }
// clang-format on

// Allocates `count` items, uninitialised, to be freed; NULL if memory runs out, or the size is too
// large.
void *ic_items_alloc(uint64_t count, size_t item_size);

// The same, zeroed.
void *ic_items_zeroed(uint64_t count, size_t item_size);

#define IC_ARRAY_FREE(array)                                                            \
	ic_array_release((void **)&(array)->items, &(array)->count, &(array)->capacity, \
			 sizeof(*(array)->items), (array)->memory)

// Keeps the first `limit` of `count` items; 0 for all. Returns the number left out.
static inline uint32_t ic_items_limit(uint32_t *count, size_t limit)
{
	uint32_t left_out = limit > 0 && limit < *count ? *count - (uint32_t)limit : 0;

	*count -= left_out;
	return left_out;
}

bool ic_array_grow(void **items, uint32_t *capacity, uint64_t wanted, size_t item_size,
		   struct ic_memory *memory);
void ic_array_release(void **items, uint32_t *count, uint32_t *capacity, size_t item_size,
		      struct ic_memory *memory);

#endif
