// Functions that a line table itself names for its rows, as in nvcc -lineinfo and two-level tables,
// for files without other debug information. Part of a program's state (line_rows.h).
#ifndef DWARF_LINES_FUNCTIONS_H
#define DWARF_LINES_FUNCTIONS_H

#include "dwarf/lines/header.h"

struct ic_line_functions {
	const struct ic_unit *unit; // of the table; borrowed
	uint64_t names_off;         // see ic_line_header
	// Of the last row. Rows are numbered from 1 in the table, including those that end a
	// sequence.
	uint64_t row_number;
	// For inlined code: the number of an earlier row with the position of the call and the
	// caller; in a two-level table, of a logical. 0 if not known to be inlined.
	uint64_t context;
	struct ic_line_function function; // the function of the code
	uint64_t sequence_start;          // row_number at its start
	const char *doubt;                // see ic_line_functions_ok(); NULL if there is none
	uint64_t doubt_off;               // in .debug_line
};

// Decodes the operands of NVIDIA's opcodes at the cursor. They apply to the following rows of the
// sequence.
void ic_line_functions_begin_inlined(struct ic_line_functions *functions, struct ic_cursor *cur);
void ic_line_functions_set_name(struct ic_line_functions *functions, struct ic_cursor *cur);

// Records the first impossible value and its offset in .debug_line.
void ic_line_functions_doubt(struct ic_line_functions *functions, uint64_t off, const char *what);

// Whether all values so far are possible. If not, *err has the first impossible one; its rows only
// lack their context or name.
bool ic_line_functions_ok(const struct ic_line_functions *functions, struct ic_error *err)
	IC_CHECKED;

#endif
