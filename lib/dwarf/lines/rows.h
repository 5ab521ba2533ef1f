// The rows of a line table: its program, run step by step (DWARF 5, 6.2; the same for DWARF 2 to
// 4).
#ifndef DWARF_LINES_ROWS_H
#define DWARF_LINES_ROWS_H

#include "dwarf/lines/logicals.h"

enum ic_line_event {
	IC_LINE_END,  // of the program, or a fault: see ic_line_program_ok
	IC_LINE_ROW,  // a row
	IC_LINE_FILE, // a file that the program adds to the header's
};

struct ic_line_program { // the state of one run; borrows the header, the unit and the sections
	struct ic_cursor cur;
	const struct ic_line_header *header;
	struct ic_line_row registers;
	uint64_t addr_mask;
	// Precomputed for the fast path (run_plain in line_rows.c); valid only if is_plain.
	uint32_t reciprocal;  // of line_range: 65536 divided by it, rounded up
	uint32_t special_255; // bytes that the special opcode 255 advances by
	bool is_plain;
	bool in_sequence;
	bool is_dead; // rows are for code that a linker discarded, in a sequence of other code
	uint64_t alive_addr; // if so, the end of the preceding code, as far as known
	bool keeps_rows, is_actual, out_of_memory;
	struct ic_line_functions functions; // of the last row
	struct ic_line_file file;           // of the last IC_LINE_FILE
	struct ic_line_logicals logicals;   // the rows that contexts refer to
};

// Starts the program of the unit's line table, or its first `budget` bytes; ic_line_program_close()
// must follow. The header must have been parsed for the unit; if its beginning could not be read,
// there is no program, and the first event is the end.
//
// The rows of a two-level table (DWARF issue 140906.1) are its actuals, each with the position and
// the function of its logical. The logicals are run here, and kept: at most some 60 bytes per byte
// of their program. Without actuals the rows are the logicals.
void ic_line_program_open(struct ic_line_program *program, const struct ic_line_header *header,
			  const struct ic_unit *unit, uint64_t budget);

// Makes the program keep its rows, so that contexts can be looked up; to be called before the first
// event. Those of a two-level table are always kept.
void ic_line_program_keep_rows(struct ic_line_program *program);

// Runs to the next event, and fills in *row if that is a row. A file is in program->file; its
// number is the header's count of files, to which the caller may append it. Every event takes at
// least a byte of the program, which bounds their number; nothing is allocated unless rows are
// kept.
enum ic_line_event ic_line_program_next(struct ic_line_program *program, struct ic_line_row *row);

// Whether the program could be run so far. The rows before a fault are valid.
bool ic_line_program_ok(const struct ic_line_program *program, struct ic_error *err) IC_CHECKED;

void ic_line_program_close(struct ic_line_program *program);

#endif
