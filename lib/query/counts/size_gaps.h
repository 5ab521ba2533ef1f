// Code that no debugging information describes: what symbols name of it, what linkers made, and
// padding.
#ifndef QUERY_COUNTS_SIZE_GAPS_H
#define QUERY_COUNTS_SIZE_GAPS_H

#include "base/array.h"
#include "base/range.h"
#include "model/index.h"

struct ic_code_part { // code that is in one section, or in none
	struct ic_range range;
	uint32_t section; // its number among all of the index; their count if it is in none
};

struct ic_code_parts { // sorted; each byte once, whatever sections overlap
	IC_ARRAY(struct ic_code_part) items;
};

struct ic_size_symbol {
	const char *name;
	uint64_t start; // of the symbol
	uint64_t size;  // of bytes that it names; they may be there in several parts
};

struct ic_size_gaps {
	IC_ARRAY(struct ic_size_symbol) symbols;
	uint64_t named, linkage, padding, unnamed;
};

// All code of an index; none if it is not known how much that is. To be freed in any case. False if
// memory runs out.
bool ic_code_parts_find(struct ic_code_parts *parts, const struct ic_index *index) IC_CHECKED;

// Finds what of the code of an index is not in `covered`; to be freed in any case. False if memory
// is out. Time: O(n log n) for n symbols and ranges.
bool ic_size_gaps_find(struct ic_size_gaps *gaps, const struct ic_index *index,
		       const struct ic_code_parts *parts, const struct ic_range_set *covered)
	IC_CHECKED;

void ic_size_gaps_free(struct ic_size_gaps *gaps);

#endif
