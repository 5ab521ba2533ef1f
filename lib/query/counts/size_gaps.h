// Code without debug information: what symbols name, what linkers made, and padding.
#ifndef QUERY_COUNTS_SIZE_GAPS_H
#define QUERY_COUNTS_SIZE_GAPS_H

#include "base/array.h"
#include "base/range.h"
#include "model/index.h"

struct ic_code_part { // code in one section, or in none
	struct ic_range range;
	uint32_t section; // index among all sections of the index; their count if in none
};

struct ic_code_parts { // sorted; each byte once, even if sections overlap
	IC_ARRAY(struct ic_code_part) items;
};

struct ic_size_symbol {
	const char *name;
	uint64_t start; // of the symbol
	uint64_t size;  // bytes it names, possibly in several parts
};

struct ic_size_gaps {
	IC_ARRAY(struct ic_size_symbol) symbols;
	uint64_t named, linkage, padding, unnamed;
};

// All code of an index; none if its extent is unknown. Must be freed in any case. False if memory
// runs out.
bool ic_code_parts_find(struct ic_code_parts *parts, const struct ic_index *index) IC_CHECKED;

// Finds the code of an index that is not in `covered`. Must be freed in any case. False if memory
// runs out. Time: O(n log n) for n symbols and ranges.
bool ic_size_gaps_find(struct ic_size_gaps *gaps, const struct ic_index *index,
		       const struct ic_code_parts *parts, const struct ic_range_set *covered)
	IC_CHECKED;

void ic_size_gaps_free(struct ic_size_gaps *gaps);

#endif
