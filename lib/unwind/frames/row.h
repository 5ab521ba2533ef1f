// The rules for leaving a frame, for one address.
#ifndef UNWIND_FRAMES_ROW_H
#define UNWIND_FRAMES_ROW_H

#include "unwind/frames/call_frames.h"
#include "unwind/frames/machine.h"

#include <inlinecall/extra/call_frames.h>
#include <inlinecall/unwind.h>

enum { IC_UNWIND_MOST_RULES = 40 }; // signal frames have the most

enum ic_unwind_beginning { // if the code after `addr` has not been called
	IC_UNWIND_CALLED,
	IC_UNWIND_BEGINS, // a stack starts there
	// Go's runtime makes functions return to others, to show where a signal came from, or where
	// a goroutine continues.
	IC_UNWIND_CONTINUES
};

// The form kept by unwind/frames/row_cache.h: one cache line, with its rules elsewhere.
struct ic_unwind_row {
	uint64_t found_in; // period of the cache in which it was added; 0 if it is not in the cache
	uint64_t addr, bias;
	const struct ic_register_rule *rules;
	struct ic_register_rule cfa;
	uint16_t return_reg, rule_count;
	uint16_t room;  // capacity of its space for rules
	int16_t mode;   // offset of the code segment from the CFA; 0 if it is not saved
	bool of_exact;  // `addr` is the code address, not 1 less
	uint8_t begins; // enum ic_unwind_beginning
	bool is_signal, keeps_none;
	bool is_orc;
	bool switches;         // the caller may be on another stack, which may be anywhere
	bool is_exact;         // the caller's address is not a return address
	bool is_program_entry; // of the function where the kernel enters the program
};

// A row that is being read.
struct ic_unwind_row_draft {
	struct ic_unwind_row row; // without its rules
	struct ic_call_frames *frames;
	struct ic_image *image; // NULL if unknown
	uint64_t end;           // end of the FDE that it comes from; 0 if there is none
	struct ic_register_rule rules[IC_UNWIND_MOST_RULES];
	uint8_t bytes[IC_ORC_MOST_BYTES]; // for expressions of ORC
};

// Reads the row for an address. The row's `addr`, `bias` and `keeps_none`, and `frames`, must be
// set, and the rest zero. False if there is none (IC_ERROR_NOT_FOUND), or it cannot be read.
bool ic_unwind_row_read(struct ic_unwind_row_draft *draft, const struct ic_unwind_machine *machine,
			struct ic_call_frame_reader *reader, struct ic_error *err) IC_CHECKED;

// Makes the row for code that is recognised without call frame information, for the address that is
// set: code that returns from a signal handler (unwind/frames/signal_code.h), and, if it was
// interrupted, a stub of dynamic linking (unwind/frames/plt_code.h). False, with the row unchanged,
// if there is no such code at `pc`.
bool ic_unwind_row_make(struct ic_unwind_row_draft *draft, const struct ic_unwind_machine *machine,
			const struct ic_unwind_options *options, uint64_t pc) IC_CHECKED;

#endif
