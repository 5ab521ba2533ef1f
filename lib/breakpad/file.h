// A Breakpad symbol file as a whole: where its functions and names are.
#ifndef BREAKPAD_FILE_H
#define BREAKPAD_FILE_H

#include "base/array.h"
#include "base/error.h"
#include "base/map.h"
#include "breakpad/records.h"

struct ic_breakpad_names {       // files, or inlined functions
	struct ic_map of;        // by number: index in `offs`
	IC_ARRAY(uint64_t) offs; // of their lines
};

struct ic_breakpad_part { // consecutive functions, with their rows and calls
	uint64_t off, end_off;
	struct ic_range code; // from the first to the last function
	uint32_t count;
	bool is_sorted; // each function is after the previous one
};

struct ic_breakpad {
	struct ic_bytes text;             // borrowed; without a last line that has no end
	bool is_cut;                      // there is such a line: the file may have been cut short
	bool has_calls, calls_have_files; // what the first line of an inlined call shows
	struct ic_breakpad_module module;
	struct ic_bytes id; // build ID in hexadecimal digits; empty if there is none
	IC_ARRAY(struct ic_breakpad_part) parts;
	struct ic_breakpad_names files, origins;
	IC_ARRAY(uint64_t) symbols; // offsets of the lines of functions and symbols
	struct ic_range code;       // from the first to the last function or symbol
	uint64_t stack_off; // of the first STACK line; the size of the text if there is none
	uint64_t bad_count,
		bad_off; // lines that are malformed or of an unknown kind; the first one
};

// Whether a file begins as a Breakpad symbol file does.
bool ic_breakpad_begins(struct ic_bytes text);

// Goes through a file, ignoring the rows and calls of functions. False if it does not begin as it
// should, or memory runs out. Time: O(n).
bool ic_breakpad_survey(struct ic_breakpad *breakpad, struct ic_bytes text, struct ic_error *err)
	IC_CHECKED;

// The name of file, or of inlined function, number `number`; an empty one if there is none.
struct ic_bytes ic_breakpad_name_of(const struct ic_breakpad *breakpad,
				    const struct ic_breakpad_names *names, uint64_t number);

void ic_breakpad_free(struct ic_breakpad *breakpad);

#endif
