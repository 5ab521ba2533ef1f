// Turns inlining that only line tables describe, such as those of nvcc -lineinfo and two-level
// ones, into the model of a unit.
#ifndef TABLES_LINE_CONTEXTS_H
#define TABLES_LINE_CONTEXTS_H

#include "read/stream.h"

// Units that are line tables: functions, instances and their ranges come from the rows. A sequence
// without inlined functions gets no instances, unless the table names the function of its rows. If
// it does not, a host has no function, and its symbol must name it. Time: O(rows * depth), limited
// by a budget for the size of the table.
extern const struct ic_unit_source ic_unit_source_lines;

#endif
