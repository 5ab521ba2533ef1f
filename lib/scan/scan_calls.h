// The places of calls that were not inlined.
#ifndef SCAN_SCAN_CALLS_H
#define SCAN_SCAN_CALLS_H

#include "scan/scan_reader.h"

// Gives the calls of the reader's unit, of which compilers seldom say where they are, the place
// that the line table has for their addresses. Time: O((rows + calls) log calls), where any has
// none.
void ic_scan_calls_place(struct ic_scan_reader *reader, struct ic_call *calls, uint32_t count);

#endif
