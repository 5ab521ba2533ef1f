// Sorting by 64-bit keys, and searching.
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

struct ic_keyed {
	uint64_t key;
	uint32_t number; // the caller's number
};

// A stable sort by key. If memory runs out, returns false and leaves them unsorted. Time: O(n) for
// many, O(n log n) for few.
bool ic_keyed_sort(struct ic_keyed *items, uint32_t count);

// The index, in sorted items, of the first with the key; if there is none, of the first with a
// larger one, or the count.
uint32_t ic_keyed_find(const struct ic_keyed *items, uint32_t count, uint64_t key);

#endif
