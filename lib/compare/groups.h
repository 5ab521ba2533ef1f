// Changes of functions, added up by source file, directory or template.
#ifndef COMPARE_GROUPS_H
#define COMPARE_GROUPS_H

#include "compare/match.h"

struct ic_changed_function { // or a group of functions, with the numbers of the first
	struct ic_change change;
	uint32_t number;         // as from ic_path_pairs_function()
	uint32_t first_path;     // in ic_comparison::changed_paths
	uint32_t first_argument; // in ic_comparison::arguments.changed
	bool is_small;           // see ic_comparison_query::min_size
};

struct ic_grouping {
	enum ic_comparison_by by;
	const struct ic_build *before, *after;
	const struct ic_build_match *functions;
	struct ic_arena *arena; // for the names of groups
};

// Replaces the changes of functions by those of groups, in any order. A group is small if all its
// functions are. False if memory runs out.
bool ic_changes_group(const struct ic_grouping *grouping, struct ic_changed_function *changes,
		      uint32_t *count) IC_CHECKED;

#endif
