// How many bytes groups of ranges cover, each byte once.
#ifndef QUERY_COUNTS_COVERAGE_H
#define QUERY_COUNTS_COVERAGE_H

#include "base/array.h"
#include "base/range.h"

// Each group is counted in several layers: only ranges in the same layer can overlap.
enum { IC_COVERAGE_LAYERS = 3 };

struct ic_covered {
	struct ic_range range;
	uint32_t group;
	uint8_t layers; // a bit for each layer it is in
	uint8_t totals; // the same, for the totals of all groups
};

struct ic_coverage { // zero-initialised is empty
	IC_ARRAY(struct ic_covered) ranges;
	uint64_t totals[IC_COVERAGE_LAYERS];
};

// Adds a range; empty ranges are ignored. False if memory runs out.
bool ic_coverage_add(struct ic_coverage *coverage, const struct ic_covered *range);

// Counts everything added: the sizes of group `g` start at `g * IC_COVERAGE_LAYERS`. False if
// memory runs out. Time: O(n + groups) for n ranges.
bool ic_coverage_count(struct ic_coverage *coverage, uint32_t group_count, uint64_t *sizes);

void ic_coverage_free(struct ic_coverage *coverage);

#endif
