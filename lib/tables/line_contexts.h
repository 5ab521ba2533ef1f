// Inlining that is known only from line tables, as of nvcc -lineinfo and two-level ones, made into
// the model of a unit.
#ifndef TABLES_LINE_CONTEXTS_H
#define TABLES_LINE_CONTEXTS_H

#include "read/stream.h"

// Units that are line tables: functions, instances and their ranges come from the rows. A sequence
// without any inlined function gets no instances, unless the table names the function of its rows.
// Otherwise a host has no function: its symbol must name it. Time: O(rows * depth), within a budget
// for the size of the table.
extern const struct ic_unit_source ic_unit_source_lines;

#endif
