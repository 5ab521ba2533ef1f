// The own code of instances: code in nothing that was inlined into them.
#ifndef QUERY_COUNTS_OWN_RANGES_H
#define QUERY_COUNTS_OWN_RANGES_H

#include "base/array.h"
#include "model/index.h"

struct ic_own_ranges {                    // for one unit at a time; zero-initialised is empty
	IC_ARRAY(uint32_t) around;        // by instance: the nearest enclosing one that has code
	IC_ARRAY(uint32_t) firsts;        // by instance: where its part of `inside` starts
	IC_ARRAY(struct ic_range) inside; // the ranges inside each instance
	IC_ARRAY(struct ic_range) whole;  // the ranges of one instance
	IC_ARRAY(struct ic_range) own;    // the result for the last instance
};

// Prepares a unit, before its first instance. False if memory runs out. Time: O(instances +
// ranges).
bool ic_own_ranges_begin(struct ic_own_ranges *ranges, const struct ic_unit_model *unit);

// Finds the own ranges of an instance, at most once for each: ranges->own. False if memory runs
// out. Time: O(n log n) for its ranges and those directly inside it.
bool ic_own_ranges_find(struct ic_own_ranges *ranges, const struct ic_unit_model *unit,
			uint32_t number);

void ic_own_ranges_free(struct ic_own_ranges *ranges);

#endif
