// Which functions of two builds are the same.
#ifndef COMPARE_MATCH_H
#define COMPARE_MATCH_H

#include "compare/build.h"

struct ic_build_match { // indexed by function of a build: the same function of the other; IC_NONE
	uint32_t *new_of_old, *old_of_new;
	bool *has_moved; // by function of the old build: to a file that is not the old one
	// By function of the old build: the path of the file of the new build that its file became;
	// NULL if there is none.
	const char **new_files;
};

// Matches functions by key and source file. Files match by path or, like renamed ones, by most of
// their functions; a function that has left its file matches if it is the only one of its name.
// False if memory runs out; must be freed in any case. Time: O(n log n).
bool ic_build_match(struct ic_build_match *match, const struct ic_build *old,
		    const struct ic_build *new) IC_CHECKED;

void ic_build_match_free(struct ic_build_match *match);

#endif
