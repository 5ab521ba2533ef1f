// Sizes in bytes of the instances in a forest.
#ifndef QUERY_COUNTS_TREE_SIZES_H
#define QUERY_COUNTS_TREE_SIZES_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/range.h"

// An instance. In a forest each is followed by all instances inside it, then by the rest.
struct ic_tree_item {
	uint32_t parent; // IC_NONE for a root
	uint64_t size;   // bytes of its ranges and of everything inside it, overlaps counted once
	uint64_t own_size;
};

struct ic_tree_range {
	struct ic_range range;
	uint32_t item; // its owner
};

// Fills in the sizes. The ranges may be in any order and anywhere, and may overlap. False if memory
// runs out. Time: O(n log n), for any depth of nesting.
bool ic_tree_sizes_count(struct ic_tree_item *items, uint32_t item_count,
			 const struct ic_tree_range *ranges, uint32_t range_count);

#endif
