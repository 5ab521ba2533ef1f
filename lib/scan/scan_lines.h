// The line table of a unit: paths of files, and the places of calls.
#ifndef SCAN_SCAN_LINES_H
#define SCAN_SCAN_LINES_H

#include "dwarf/line_rows.h"
#include "scan/scan_stream.h"

// The path of a file of the unit's line table, whose number an attribute gives, as an index in the
// stream's files; IC_NONE where there is none.
uint32_t ic_scan_file_of(struct ic_scan_stream *stream, const struct ic_value *value,
			 uint64_t die_off);

// The same of a number that the line table's own program gives.
uint32_t ic_scan_lines_file(struct ic_scan_stream *stream, uint64_t file, uint64_t die_off);

// The unit whose line table a unit's entries mean: a split one has none (DWARF 5, 3.1.3).
const struct ic_unit *ic_scan_lines_unit(const struct ic_scan_stream *stream);

// Reads the table's header, once for each unit, if there is one.
void ic_scan_lines_read(struct ic_scan_stream *stream);

// Adds a file that the program defines to those of the header.
void ic_scan_lines_add_file(struct ic_scan_stream *stream, struct ic_line_file file);

// Makes a problem of what ended a program early: a fault, or that it was given `budget` bytes and
// has more. Returns whether there was nothing.
bool ic_scan_lines_end(struct ic_scan_stream *stream, const struct ic_line_program *program,
		       uint64_t budget);

// Gives the calls of the stream's unit, of which compilers seldom say where they are, the place
// that the line table has for their addresses. Time: O((rows + calls) log calls), where there are
// any.
void ic_scan_lines_place_calls(struct ic_scan_stream *stream);

#endif
