// The samples of an event as a tree of calls: of functions, inlined or not, whatever addresses they
// were at.
#ifndef PROFILE_CALL_TREE_H
#define PROFILE_CALL_TREE_H

#include "profile/profile.h"

struct ic_call_node {
	uint32_t caller;   // IC_NONE of a root: a program, or the outermost function
	uint32_t depth;    // 0 of a root
	uint32_t function; // IC_NONE of a root that stands for a program
	const char *name;  // of the function; of a root that of the program; NULL if not known
	const char *file;  // of a function whose name is not known: what has it
	bool inlined;      // into its caller
	bool is_kernel;    // it, or what it was inlined into
	uint64_t self, self_samples;
	uint64_t total; // with what is below it
};

struct ic_call_tree {
	// A node is before what it calls, and what is below it comes next; those that one calls are
	// in the order of their names.
	IC_ARRAY(struct ic_call_node) nodes;
};

// False if memory runs out; to be freed in any case.
bool ic_call_tree_build(struct ic_call_tree *tree, const struct ic_profile *profile, size_t event,
			struct ic_error *err) IC_CHECKED;

void ic_call_tree_free(struct ic_call_tree *tree);

#endif
