// Sorting by 64-bit keys, and searching.
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

struct ic_keyed {
	uint64_t key;
	uint32_t number; // the caller's number
};

// Sorts by key, keeping the order of equal keys. If memory runs out, returns false without sorting.
// Time: O(n) for many, O(n log n) for few.
bool ic_keyed_sort(struct ic_keyed *items, uint32_t count);

// The index of the first of the sorted items with the key or, if there is none, with a larger one;
// the count if there is none either.
uint32_t ic_keyed_find(const struct ic_keyed *items, uint32_t count, uint64_t key);

#endif
