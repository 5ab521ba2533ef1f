// What line tables alone say was inlined, as those of nvcc -lineinfo and two-level ones do, made
// into the model of a unit.
#ifndef SCAN_SCAN_LINE_CONTEXTS_H
#define SCAN_SCAN_LINE_CONTEXTS_H

#include "scan/scan_stream.h"

// Fills the functions, the instances and their ranges of the stream's unit, which is a line table,
// from its rows. Of a sequence without any inlined function there are none, unless the table names
// the function that its rows are of. A host has no function where it does not: that is for its
// symbol to say. Time: O(rows * depth), within a budget for the size of the table.
void ic_scan_line_contexts_read(struct ic_scan_stream *stream);

#endif
