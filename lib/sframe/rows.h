// The rows of a function in SFrame: where the canonical frame address (CFA), the return address and
// the caller's frame pointer are.
#ifndef SFRAME_ROWS_H
#define SFRAME_ROWS_H

#include "base/cursor.h"
#include "sframe/table.h"

enum ic_sframe_base {
	IC_SFRAME_NOWHERE, // not described: the register is unchanged
	IC_SFRAME_CFA,
	IC_SFRAME_REGISTER
};

// A value: base + offset, or what is in memory there.
struct ic_sframe_value {
	enum ic_sframe_base base;
	bool is_memory;
	uint32_t reg; // for REGISTER: DWARF number
	int64_t offset;
};

struct ic_sframe_row {
	uint64_t off; // of its FRE in the section
	uint64_t start, end;
	struct ic_sframe_value cfa, ra, fp;
	bool is_outermost; // there is no caller, and nothing else is known
	bool is_signed;    // AArch64: the return address is signed
};

struct ic_sframe_rows {
	const struct ic_sframe *sframe;
	struct ic_sframe_fde fde;
	uint64_t block; // address from which rows count
	struct ic_cursor cur;
	uint32_t left;    // number of FREs after the cursor
	uint64_t skipped; // number of FREs without code that the last call read
	bool has_any;     // some FRE had code
	bool is_over;
};

// Starts with the first row of an FDE; if its rows are repeated, that of the block that contains an
// address of its code.
void ic_sframe_rows_begin(struct ic_sframe_rows *rows, const struct ic_sframe *sframe,
			  const struct ic_sframe_fde *fde, uint64_t addr);

// Gets the next row that is not empty; its addresses follow those of the previous row, with gaps if
// there are no FREs for some code. False after the last one, with err->code IC_ERROR_NONE, and at
// an error, after which there are no more.
bool ic_sframe_rows_next(struct ic_sframe_rows *rows, struct ic_sframe_row *row,
			 struct ic_error *err);

#endif
