// Ranges of addresses.
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include <inlinecall/range.h>

struct ic_range_set { // sorted, disjoint, not touching
	struct ic_range *ranges;
	uint32_t count;
};

// The range in the set that contains the address; NULL if there is none. Time: O(log n).
const struct ic_range *ic_range_set_find(const struct ic_range_set *set, uint64_t addr);

// Sorts `ranges` and merges those that overlap or touch, in place; returns the set.
struct ic_range_set ic_range_set_build(struct ic_range *ranges, uint32_t count);

// For qsort(): compares the starts of two ranges.
int ic_range_compare(const void *left, const void *right);

// The number of bytes in a set.
uint64_t ic_range_set_size(const struct ic_range_set *set);

#endif
