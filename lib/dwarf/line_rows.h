// The rows of a line table: its program, run step by step (DWARF 5, 6.2; DWARF 2 to 4 alike).
#ifndef DWARF_LINE_ROWS_H
#define DWARF_LINE_ROWS_H

#include <assert.h>

#include "dwarf/line_functions.h"
#include "dwarf/line_header.h"

enum ic_line_flag {
	IC_LINE_IS_STMT = 1,        // a good place for a breakpoint
	IC_LINE_BASIC_BLOCK = 2,    // the beginning of one
	IC_LINE_END_SEQUENCE = 4,   // no code: `addr` is the first behind the sequence
	IC_LINE_PROLOGUE_END = 8,   // where a breakpoint at the function's entry goes
	IC_LINE_EPILOGUE_BEGIN = 16 // likewise at its exit
};

// Holds from its address up to that of the next row of its sequence; of several rows at one address
// that is the last one. Sequences have no order among each other.
struct ic_line_row {
	uint64_t addr;
	uint32_t file;         // in ic_line_header::files, if there
	uint32_t line, column; // 0 where not said
	uint32_t discriminator;
	uint32_t isa;
	uint8_t op_index; // of the operation in a VLIW instruction
	uint8_t flags;    // of enum ic_line_flag
};
static_assert(sizeof(struct ic_line_row) == 32, "a kernel has 20,000,000 of them");

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
	struct ic_line_functions functions;
	struct ic_line_file file; // of the last IC_LINE_FILE
};

// Begins the program of the unit's line table, or its first `budget` bytes. The header must have
// been parsed for the unit; one of which the beginning could not be read has no program, and the
// first event is the end.
void ic_line_program_open(struct ic_line_program *program, const struct ic_line_header *header,
			  const struct ic_unit *unit, uint64_t budget);

// Runs to the next event, and fills in *row if that is a row. A file is in program->file; its
// number is the header's count of files, whose list the caller may extend with it. Every event
// takes a byte of the program or more, so there are at most as many; nothing is allocated.
enum ic_line_event ic_line_program_next(struct ic_line_program *program, struct ic_line_row *row);

// Whether the program could be run to where it now is. The rows before a fault stay true.
bool ic_line_program_ok(const struct ic_line_program *program, struct ic_error *err) IC_CHECKED;

#endif
