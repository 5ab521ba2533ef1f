// What a line table itself says of the functions that its rows are of, as those of nvcc -lineinfo
// and two-level tables do, where there is no other debugging information. Part of a program's state
// (line_rows.h).
#ifndef DWARF_LINE_FUNCTIONS_H
#define DWARF_LINE_FUNCTIONS_H

#include "dwarf/line_header.h"

struct ic_line_functions {
	const struct ic_unit *unit; // of the table; borrowed
	uint64_t names_off;         // see ic_line_header
	// Of the last row. Rows are numbered from 1 on in the table, those that end a sequence too.
	uint64_t row_number;
	// Of an inlined function's: the number of the row, before it, that has the place of the
	// call and the caller; in a two-level table a logical. 0 where not known to be inlined.
	uint64_t context;
	struct ic_line_function function; // that the code is of
	uint64_t sequence_start;          // row_number at its start
	const char *doubt;                // see ic_line_functions_ok; NULL where there is none
	uint64_t doubt_off;               // in .debug_line
};

// The operands of NVIDIA's opcodes, at the cursor. What they say holds for the rows that follow in
// the sequence.
void ic_line_functions_begin_inlined(struct ic_line_functions *functions, struct ic_cursor *cur);
void ic_line_functions_set_name(struct ic_line_functions *functions, struct ic_cursor *cur);

// Remembers the first thing that cannot be, and where it is in .debug_line.
void ic_line_functions_doubt(struct ic_line_functions *functions, uint64_t off, const char *what);

// Whether all that was said so far can be. False, with the first that cannot, which costs its rows
// no more than this: they have no context, or no name.
bool ic_line_functions_ok(const struct ic_line_functions *functions, struct ic_error *err)
	IC_CHECKED;

#endif
