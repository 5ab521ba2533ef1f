// Sorting by numbers of 64 bits, and finding one.
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

struct ic_keyed {
	uint64_t key;
	uint32_t number; // whatever the key is of
};

// A stable sort by key. False where memory is out, and they are as they were. Time: O(n) for many,
// O(n log n) for few.
bool ic_keyed_sort(struct ic_keyed *items, uint32_t count);

// Of sorted items the first with the key; where there is none, the first with a larger one, or the
// count.
uint32_t ic_keyed_find(const struct ic_keyed *items, uint32_t count, uint64_t key);

#endif
