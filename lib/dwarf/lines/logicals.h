// Rows of a line table that others refer to by number: those of the calls of inlined functions, and
// all logicals of a two-level table. Part of a program's state (line_rows.h).
#ifndef DWARF_LINES_LOGICALS_H
#define DWARF_LINES_LOGICALS_H

#include "dwarf/lines/functions.h"
#include "dwarf/lines/row.h"

struct ic_line_logical {
	struct ic_line_row row;
	struct ic_line_function function; // see ic_line_functions
	uint32_t context;                 // below the row's own number, so chains end
};

struct ic_line_logicals { // zero-initialised is empty
	IC_ARRAY(struct ic_line_logical) rows;
};

// The row with a number, from 1; NULL if there is none.
const struct ic_line_logical *ic_line_logicals_find(const struct ic_line_logicals *logicals,
						    uint64_t number);

// Adds the last row of a program; its number is functions->row_number. False if memory runs out.
bool ic_line_logicals_push(struct ic_line_logicals *logicals, const struct ic_line_row *row,
			   const struct ic_line_functions *functions) IC_CHECKED;

// Runs an opcode that only two-level tables have, with its operands at the cursor: in the program
// of the logicals, or of the actuals.
void ic_line_logicals_run(const struct ic_line_logicals *logicals, uint8_t opcode,
			  struct ic_cursor *cur, const struct ic_line_header *header,
			  struct ic_line_row *registers, struct ic_line_functions *functions);
void ic_line_actuals_run(const struct ic_line_logicals *logicals, uint8_t opcode,
			 struct ic_cursor *cur, const struct ic_line_header *header,
			 struct ic_line_row *registers);

// Fills in a row of the actuals, whose line is the number of a logical, from that logical.
void ic_line_actuals_resolve(const struct ic_line_logicals *logicals, uint64_t off,
			     struct ic_line_row *row, struct ic_line_functions *functions);

// Skips the operands of an unknown opcode, whose number is in the header.
void ic_line_skip_operands(const struct ic_line_header *header, uint8_t opcode,
			   struct ic_cursor *cur);

void ic_line_logicals_free(struct ic_line_logicals *logicals);

#endif
