// The source files that declare functions, and those of units. A file with several paths counts
// once.
#ifndef QUERY_FIND_PATH_GROUPS_H
#define QUERY_FIND_PATH_GROUPS_H

#include "base/arena.h"
#include "query/find/definitions.h"

struct ic_path_groups {
	uint32_t *numbers;  // of its file, indexed by definition or unit
	const char **paths; // by file number: in plain form; NULL for the first, the unknown file
	uint32_t count;
};

// Paths are copied into the arena. False if memory runs out. Time: O(f + p log p), for f functions
// and p paths.
bool ic_path_groups_build(struct ic_path_groups *groups, const struct ic_definitions *definitions,
			  struct ic_arena *arena) IC_CHECKED;

// The same for units, whose names are their paths: with directories only if units of the same name
// were compiled in different ones.
bool ic_path_groups_of_units(struct ic_path_groups *groups, const struct ic_index *index,
			     struct ic_arena *arena) IC_CHECKED;

void ic_path_groups_free(struct ic_path_groups *groups);

#endif
