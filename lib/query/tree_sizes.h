// How many bytes the instances of a forest take up.
#ifndef QUERY_TREE_SIZES_H
#define QUERY_TREE_SIZES_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/range.h"

// An instance. In a forest each is followed by all that is inside it, and that by the rest.
struct ic_tree_item {
	uint32_t parent; // IC_NONE of a root
	uint64_t size;   // of its ranges and all of those inside it, taken together
	uint64_t own_size;
};

struct ic_tree_range {
	struct ic_range range;
	uint32_t item; // whose it is
};

// Fills in the sizes. The ranges may be in any order, lie anywhere and overlap. False where memory
// is out. Time: O(n log n), however deep they nest.
bool ic_tree_sizes_count(struct ic_tree_item *items, uint32_t item_count,
			 const struct ic_tree_range *ranges, uint32_t range_count);

#endif
