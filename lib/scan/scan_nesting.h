// Checks that inlined code lies in the code of what it was inlined into.
#ifndef SCAN_SCAN_NESTING_H
#define SCAN_SCAN_NESTING_H

#include "scan/scan_stream.h"

// Reports the first inlined instance whose first range is not in one of the instance around it:
// compilers nest them, so one of the two was damaged. Checking more ranges would cost too much.
// DWARF 2 cannot describe functions in several parts, and is not checked.
void ic_scan_nesting_check(struct ic_scan_stream *stream);

#endif
