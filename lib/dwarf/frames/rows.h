// Executes the instructions of an FDE: the rows of the table that they make (DWARF 5, 6.4.1).
#ifndef DWARF_FRAMES_ROWS_H
#define DWARF_FRAMES_ROWS_H

#include "base/array.h"
#include "dwarf/frames/entry.h"

#include <inlinecall/extra/call_frames.h>

enum {
	// A register of AArch64 that is not one. 1: return addresses are signed with SP; 2: with SP
	// and PC.
	IC_AARCH64_RA_SIGN_STATE = 34,
	IC_CFI_MOST_RULES = 256,     // registers of a row; no processor has so many to save
	IC_CFI_MOST_REMEMBERED = 64, // states at the same time; compilers nest two
};

struct ic_cfi_state {
	struct ic_register_rule cfa;
	uint32_t count;
	struct ic_register_rule rules[IC_CFI_MOST_RULES]; // by register
};

struct ic_cfi_rows { // one is used for one FDE after another; zero-initialised, with a section
	const struct ic_cfi_section *section;
	struct ic_cfi_state state, initial;
	// The rules of states that were remembered, one after another; of each its CFA is the last.
	IC_ARRAY(struct ic_register_rule) remembered;
	uint32_t remembered_counts[IC_CFI_MOST_REMEMBERED], remembered_count;
	const struct ic_cie *cie; // whose instructions made the initial state, if is_ready
	bool is_ready;
	struct ic_cursor cur;
	uint64_t start, end; // of what is left of the code
	bool out_of_memory;
};

// Begins with an FDE. False if its CIE's instructions are wrong.
bool ic_cfi_rows_begin(struct ic_cfi_rows *rows, const struct ic_cie *cie, const struct ic_fde *fde,
		       struct ic_error *err) IC_CHECKED;

// The next row, which is valid until the one after it is asked for. False after the last one, with
// err->code IC_ERROR_NONE, and at a fault.
bool ic_cfi_rows_next(struct ic_cfi_rows *rows, struct ic_call_frame_row *row,
		      struct ic_error *err);

void ic_cfi_rows_free(struct ic_cfi_rows *rows);

#endif
