// A comparison of two builds. The public part is inlinecall/extra/compare.h.
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "base/sort.h"
#include "compare/path_pairs.h"

struct ic_changed_function {
	struct ic_change change;
	uint32_t number;     // as from ic_path_pairs_function()
	uint32_t first_path; // in ic_comparison::changed_paths
};

struct ic_comparison {
	const struct ic_build *before, *after;
	struct ic_build_match functions;
	struct ic_path_pairs pairs;
	// Pairs whose number of copies changed: by function, then by number.
	IC_ARRAY(struct ic_keyed) changed_paths;
	IC_ARRAY(struct ic_changed_function) changes;
	struct ic_comparison_total total;
};

#endif
