// The own code of instances: what is in nothing that was inlined into them.
#ifndef QUERY_COUNTS_OWN_RANGES_H
#define QUERY_COUNTS_OWN_RANGES_H

#include "base/array.h"
#include "model/index.h"

struct ic_own_ranges {                    // of one unit after another; zero-initialised is empty
	IC_ARRAY(uint32_t) around;        // by instance: the next one around it that has code
	IC_ARRAY(uint32_t) firsts;        // by instance: where those inside it begin in `inside`
	IC_ARRAY(struct ic_range) inside; // the ranges inside each instance
	IC_ARRAY(struct ic_range) whole;  // those of one instance
	IC_ARRAY(struct ic_range) own;    // of the instance that was asked for last
};

// Prepares a unit; before the first instance of it. False if memory runs out. Time: O(instances +
// ranges).
bool ic_own_ranges_begin(struct ic_own_ranges *ranges, const struct ic_unit_model *unit);

// Finds the own ranges of an instance, which may be asked for once: ranges->own. False if memory is
// out. Time: O(n log n) for the ranges of it and of those directly inside it.
bool ic_own_ranges_find(struct ic_own_ranges *ranges, const struct ic_unit_model *unit,
			uint32_t number);

void ic_own_ranges_free(struct ic_own_ranges *ranges);

#endif
