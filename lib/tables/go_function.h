// Turns functions of Go's table into the instances, ranges and rows of a unit.
#ifndef TABLES_GO_FUNCTION_H
#define TABLES_GO_FUNCTION_H

#include "go/inline_tree.h"
#include "read/stream.h"

struct ic_go_unit {
	const struct ic_go_pclntab *table;
	const struct ic_go_memory *memory;
	uint32_t first, end; // numbers of its functions
	uint64_t steps;      // limit on the steps taken
};

// Builds the functions of a unit. An unreadable function, or its inlined calls if they are
// unreadable, is left out, and reported as a problem. Time: O(n log n) for n values, within the
// unit's steps.
void ic_go_functions_build(struct ic_stream *stream, const struct ic_go_unit *unit);

#endif
