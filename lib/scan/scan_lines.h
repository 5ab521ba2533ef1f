// The line table of a unit: paths of files, and the places of calls.
#ifndef SCAN_SCAN_LINES_H
#define SCAN_SCAN_LINES_H

#include "scan/scan_stream.h"

// The path of a file of the unit's line table, whose number an attribute gives, as an index in the
// stream's files; IC_NONE where there is none.
uint32_t ic_scan_file_of(struct ic_scan_stream *stream, const struct ic_value *value,
			 uint64_t die_off);

// Gives the calls of the stream's unit, of which compilers seldom say where they are, the place
// that the line table has for their addresses. Time: O((rows + calls) log calls), where there are
// any.
void ic_scan_lines_place_calls(struct ic_scan_stream *stream);

#endif
