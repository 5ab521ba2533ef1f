// The samples of an event as a call tree: of functions, inlined or not, independent of addresses.
#ifndef PROFILE_CALL_TREE_H
#define PROFILE_CALL_TREE_H

#include "profile/profile.h"

struct ic_call_node {
	uint32_t caller;   // IC_NONE for a root: a program, or the outermost function
	uint32_t depth;    // 0 for a root
	uint32_t function; // IC_NONE for a root that stands for a program
	const char *name;  // of the function, or for a root of the program; NULL if unknown
	const char *file;  // for a function whose name is unknown: the file that contains it
	bool inlined;      // into its caller
	bool is_kernel;    // the function, or the one it was inlined into, is in the kernel
	uint64_t self, self_samples;
	uint64_t total; // including everything below it
};

struct ic_call_tree {
	// Each node is followed by everything below it; the callees of a node are sorted by name.
	IC_ARRAY(struct ic_call_node) nodes;
};

// False if memory runs out; must be freed in any case.
bool ic_call_tree_build(struct ic_call_tree *tree, const struct ic_profile *profile, size_t event,
			struct ic_error *err) IC_CHECKED;

void ic_call_tree_free(struct ic_call_tree *tree);

#endif
