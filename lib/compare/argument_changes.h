// Which arguments became readable or unreadable, in copies that both builds have.
#ifndef COMPARE_ARGUMENT_CHANGES_H
#define COMPARE_ARGUMENT_CHANGES_H

#include "base/sort.h"
#include "compare/path_pairs.h"

struct ic_argument_changes { // zero-initialised is empty
	// The arguments of all functions of both builds.
	IC_ARRAY(struct ic_argument_change) items;
	// The numbers of those that changed: by function, numbered as in the pairs.
	IC_ARRAY(struct ic_keyed) changed;
};

// Finds the changes, if both builds have arguments. False if memory runs out; must be freed in any
// case. Time: O(n) for n arguments of call paths.
bool ic_argument_changes_find(struct ic_argument_changes *changes,
			      const struct ic_path_pairs *pairs) IC_CHECKED;

void ic_argument_changes_free(struct ic_argument_changes *changes);

#endif
