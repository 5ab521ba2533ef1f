// The rows of a line table: its program, run step by step (DWARF 5, 6.2; DWARF 2 to 4 alike).
#ifndef DWARF_LINE_ROWS_H
#define DWARF_LINE_ROWS_H

#include "dwarf/line_logicals.h"

enum ic_line_event {
	IC_LINE_END,  // of the program, or a fault: see ic_line_program_ok
	IC_LINE_ROW,  // a row
	IC_LINE_FILE, // a file that the program adds to those of the header
};

struct ic_line_program { // the state of one run; borrows the header, the unit and the sections
	struct ic_cursor cur;
	const struct ic_line_header *header;
	struct ic_line_row registers;
	uint64_t addr_mask;
	// Of the opcodes that have a short way (run_plain in line_rows.c), if they have.
	uint32_t reciprocal;  // of line_range: 65536 divided by it, rounded up
	uint32_t special_255; // bytes that the special opcode 255 advances by
	bool is_plain;
	bool in_sequence;
	bool keeps_rows, is_actual, out_of_memory;
	struct ic_line_functions functions; // of the last row
	struct ic_line_file file;           // of the last IC_LINE_FILE
	struct ic_line_logicals logicals;   // the rows that contexts are numbers of
};

// Begins the program of the unit's line table, or its first `budget` bytes, to be closed with
// ic_line_program_close(). The header must have been parsed for the unit; one of which the
// beginning could not be read has no program, and the first event is the end.
//
// A two-level table (DWARF issue 140906.1) gives the rows of its actuals, each with the place and
// the function that the logicals have for it. These are run here and now, and kept: some 60 bytes
// for a byte of their program at most. Without actuals its rows are the logicals.
void ic_line_program_open(struct ic_line_program *program, const struct ic_line_header *header,
			  const struct ic_unit *unit, uint64_t budget);

// Has the program keep its rows, so that those that contexts are numbers of are found: before the
// first event. Those of a two-level table are kept anyway.
void ic_line_program_keep_rows(struct ic_line_program *program);

// Runs to the next event, and fills in *row if that is a row. A file is in program->file; its
// number is the header's count of files, whose list the caller may extend with it. Every event
// takes a byte of the program or more, so there are at most as many; nothing is allocated unless
// rows are kept.
enum ic_line_event ic_line_program_next(struct ic_line_program *program, struct ic_line_row *row);

// Whether the program could be run to where it now is. The rows before a fault stay true.
bool ic_line_program_ok(const struct ic_line_program *program, struct ic_error *err) IC_CHECKED;

void ic_line_program_close(struct ic_line_program *program);

#endif
