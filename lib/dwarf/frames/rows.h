// Executes the instructions of an FDE, which make the rows of a table (DWARF 5, 6.4.1).
#ifndef DWARF_FRAMES_ROWS_H
#define DWARF_FRAMES_ROWS_H

#include "base/array.h"
#include "dwarf/frames/entry.h"

#include <inlinecall/extra/call_frames.h>

enum {
	// A pseudo-register of AArch64. 1: return addresses are signed with SP; 2: with SP and PC.
	IC_AARCH64_RA_SIGN_STATE = 34,
	IC_CFI_MOST_RULES = 256,     // registers in a row; no processor has that many to save
	IC_CFI_MOST_REMEMBERED = 64, // states at the same time; compilers nest two
};

struct ic_cfi_state {
	struct ic_register_rule cfa;
	uint32_t count;
	struct ic_register_rule rules[IC_CFI_MOST_RULES]; // by register
};

struct ic_cfi_rows { // reused from FDE to FDE; zero-initialised, with a section
	const struct ic_cfi_section *section;
	struct ic_cfi_state state, initial;
	// The rules of remembered states, concatenated; the last of each is the CFA's.
	IC_ARRAY(struct ic_register_rule) remembered;
	uint32_t remembered_counts[IC_CFI_MOST_REMEMBERED], remembered_count;
	const struct ic_cie *cie; // its instructions made the initial state, if is_ready
	bool is_ready;
	struct ic_cursor cur;
	uint64_t start, end; // range of the remaining code
	bool out_of_memory;
};

// Starts an FDE. False if its CIE's instructions are invalid.
bool ic_cfi_rows_begin(struct ic_cfi_rows *rows, const struct ic_cie *cie, const struct ic_fde *fde,
		       struct ic_error *err) IC_CHECKED;

// Gets the next row, valid until the next call. False after the last one, with err->code
// IC_ERROR_NONE, and at an error.
bool ic_cfi_rows_next(struct ic_cfi_rows *rows, struct ic_call_frame_row *row,
		      struct ic_error *err);

void ic_cfi_rows_free(struct ic_cfi_rows *rows);

#endif
