// Finding symbols and addresses in text: in the logs of a kernel, in stack traces, in what perf
// script prints.
#ifndef CLI_TRACE_TEXT_H
#define CLI_TRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_slice { // of a line; `text` is NULL where there is none
	const char *text;
	size_t size;
};

struct cli_mention {           // of a place in the code
	size_t start;          // where it begins in the line
	struct cli_slice name; // of the symbol, as in NAME+0xOFF/0xSIZE
	uint64_t off, size;
	bool has_size;
	bool has_addr; // beside the symbol, or alone
	uint64_t addr;
	bool is_plain;           // the address is digits alone, as registers are printed
	struct cli_slice module; // as in "[xfs]"
	struct cli_slice object; // as in perf script's "(/usr/lib/libc.so.6)", without parentheses
	struct cli_slice label;  // a symbol without an offset, as perf script has it
	bool is_return;          // a return address: what is meant is the call before it
};

// What lines before have said: a call trace has return addresses, but for its first entry where
// that is the program counter.
struct cli_trace {
	bool return_addresses; // where nothing says otherwise
	bool in_trace, at_first;
	// Of perf script's stacks: whether the line before was a frame, and whether this one is.
	bool behind_frame, is_frame;
	uint64_t counter; // hash of the last program counter that was mentioned; 0 for none
	const char *line;
	size_t size, at;
	bool mentioned; // anything, in this line
};

// Begins a line, without its end; the line before is done with.
void cli_trace_line(struct cli_trace *trace, const char *line, size_t size);

// The next mention in the line, from left to right; false where there is none left. All mentions of
// all lines take time in proportion to their text.
bool cli_trace_next(struct cli_trace *trace, struct cli_mention *mention);

#endif
