// One row of a line table.
#ifndef DWARF_LINES_ROW_H
#define DWARF_LINES_ROW_H

#include <assert.h>
#include <stdint.h>

enum ic_line_flag {
	IC_LINE_IS_STMT = 1,        // recommended for a breakpoint
	IC_LINE_BASIC_BLOCK = 2,    // the beginning of one
	IC_LINE_END_SEQUENCE = 4,   // no code: `addr` is the first after the sequence
	IC_LINE_PROLOGUE_END = 8,   // where a breakpoint at the function's entry goes
	IC_LINE_EPILOGUE_BEGIN = 16 // the same for its exit
};

// Extends from its address to that of the next row of its sequence; of several rows at one address
// the last counts. Sequences are in no order.
struct ic_line_row {
	uint64_t addr;
	uint32_t file;         // in ic_line_header::files, if valid
	uint32_t line, column; // 0 if unknown
	uint32_t discriminator;
	uint32_t isa;
	uint8_t op_index; // of the operation in a VLIW instruction
	uint8_t flags;    // of enum ic_line_flag
};
static_assert(sizeof(struct ic_line_row) == 32, "a kernel has 20,000,000 of them");

#endif
