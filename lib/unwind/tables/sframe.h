// SFrame (sframe/table.h) in the form of call frame information: FDEs for a table, rules for a row.
#ifndef UNWIND_TABLES_SFRAME_H
#define UNWIND_TABLES_SFRAME_H

#include "sframe/rows.h"
#include "unwind/tables/table.h"

#include <inlinecall/extra/call_frames.h>

enum {
	IC_SFRAME_MOST_RULES = 3,
	IC_SFRAME_EXPRESSION_SIZE = 16, // at most, of a rule or of the CFA
};

// The rules of a row, which borrow from each other.
struct ic_sframe_rules {
	struct ic_register_rule rules[IC_SFRAME_MOST_RULES];
	uint32_t count;
	uint8_t bytes[(IC_SFRAME_MOST_RULES + 1) * IC_SFRAME_EXPRESSION_SIZE]; // of expressions
	uint32_t size; // number of bytes used
};

// Adds the FDEs that cover any code to an empty table, whose section is set. Malformed ones are
// left out and become problems. False if memory runs out.
bool ic_sframe_list(const struct ic_sframe *sframe, struct ic_cfi_table *table,
		    struct ic_memory *memory, struct ic_problems *problems) IC_CHECKED;

// What a CIE would describe for an FDE.
struct ic_cie ic_sframe_cie(const struct ic_sframe *sframe, const struct ic_sframe_fde *fde);

// Makes call frame information from a row. It borrows from `rules`.
void ic_sframe_convert(const struct ic_sframe *sframe, const struct ic_sframe_row *row,
		       struct ic_sframe_rules *rules, struct ic_call_frame_row *made);

#endif
