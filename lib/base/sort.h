// Sorting by numbers of 64 bits.
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

#endif
