// A comparison of two builds. The public part is inlinecall/extra/compare.h.
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "compare/argument_changes.h"
#include "compare/groups.h"

struct ic_comparison {
	const struct ic_build *before, *after;
	enum ic_comparison_by by;
	struct ic_build_match functions;
	struct ic_path_pairs pairs;
	// Pairs whose number of copies changed: by function, then by number.
	IC_ARRAY(struct ic_keyed) changed_paths;
	struct ic_argument_changes arguments;
	IC_ARRAY(struct ic_changed_function) changes;
	struct ic_comparison_total total;
	struct ic_arena arena; // owns the names of groups
};

#endif
