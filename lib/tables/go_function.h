// Functions of Go's table to the instances, ranges and rows of a unit.
#ifndef TABLES_GO_FUNCTION_H
#define TABLES_GO_FUNCTION_H

#include "go/inline_tree.h"
#include "read/stream.h"

struct ic_go_unit {
	const struct ic_go_pclntab *table;
	const struct ic_go_memory *memory;
	uint32_t first, end; // functions, by number
	uint64_t steps;      // that may be taken
};

// Builds the functions of a unit. One that cannot be read is left out, which is a problem, as are
// inlined calls that cannot be. Time: O(n log n) for n values, within the unit's steps.
void ic_go_functions_build(struct ic_stream *stream, const struct ic_go_unit *unit);

#endif
