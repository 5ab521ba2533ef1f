// The rules by which a frame is left, for one address.
#ifndef UNWIND_FRAMES_ROW_H
#define UNWIND_FRAMES_ROW_H

#include "unwind/frames/call_frames.h"
#include "unwind/frames/machine.h"

#include <inlinecall/extra/call_frames.h>
#include <inlinecall/unwind.h>

enum { IC_UNWIND_MOST_RULES = 40 }; // those of signal frames have most

// As unwind/frames/row_cache.h keeps it: one cache line, and its rules elsewhere.
struct ic_unwind_row {
	uint64_t found_in; // the period of the cache; 0 if it is not in it
	uint64_t addr, bias;
	const struct ic_register_rule *rules;
	struct ic_register_rule cfa;
	uint16_t return_reg, rule_count;
	uint16_t room; // where its rules are, for how many
	int16_t mode;  // where the code segment is from the CFA; 0 if it is not saved
	bool of_exact; // `addr` is that of the code, not 1 less
	bool begins;   // the code that follows `addr` has not been called
	bool is_signal, keeps_none;
	bool is_orc;
	bool switches;         // the caller may have another stack, which may be anywhere
	bool is_exact;         // the caller's address is no return address
	bool is_program_entry; // of the function that the kernel enters the program in
};

// While it is read.
struct ic_unwind_row_draft {
	struct ic_unwind_row row; // whose rules are not set
	struct ic_call_frames *frames;
	uint64_t end; // of the FDE that it is from; 0 if it is from none
	struct ic_register_rule rules[IC_UNWIND_MOST_RULES];
	uint8_t bytes[IC_ORC_MOST_BYTES]; // expressions of ORC
};

// Reads the row for an address; its `addr`, `bias` and `keeps_none`, and `frames` are set, the rest
// is zero. False if there is none (IC_ERROR_NOT_FOUND), or it cannot be read.
bool ic_unwind_row_read(struct ic_unwind_row_draft *draft, const struct ic_unwind_machine *machine,
			struct ic_call_frame_reader *reader, struct ic_error *err) IC_CHECKED;

// Makes the row of code that returns from a signal handler (unwind/frames/signal_code.h), for the
// address that is set. False, and the row as it was, if that is not what begins at `pc`.
bool ic_unwind_row_make(struct ic_unwind_row_draft *draft, const struct ic_unwind_machine *machine,
			const struct ic_unwind_options *options, uint64_t pc) IC_CHECKED;

#endif
