// The trees that a query selects. The public part is inlinecall/extra/tree.h.
#ifndef QUERY_COUNTS_TREE_H
#define QUERY_COUNTS_TREE_H

#include "base/array.h"
#include "model/index.h"

#include <inlinecall/extra/tree.h>

struct ic_tree_place { // the place of an instance in the model, and computed values
	uint64_t size, own_size;
	uint32_t unit, number;
	uint32_t host; // IC_NONE if there is none
	uint32_t depth;
	bool is_last; // among its siblings
};

struct ic_trees {
	const struct ic_index *index;
	IC_ARRAY(struct ic_tree_place) places; // a root has depth 0 and starts a tree
	uint64_t left_out;                     // instances below the lowest level of the query
	bool has_parts;                        // some of the functions are parts
};

// The function of an instance in a tree, and the one that contains its code; NULL if unknown.
const struct ic_function *ic_tree_function(const struct ic_index *index,
					   const struct ic_tree_place *place);
const struct ic_function *ic_tree_host(const struct ic_index *index,
				       const struct ic_tree_place *place);

#endif
