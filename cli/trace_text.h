// Finding symbols and addresses in text: in the logs of a kernel, in stack traces, in what perf
// script prints.
#ifndef CLI_TRACE_TEXT_H
#define CLI_TRACE_TEXT_H

#include "trace_forms.h"

// What lines before have said: a call trace has return addresses, but for its first entry where
// that is the program counter.
struct cli_trace {
	bool return_addresses; // where nothing says otherwise
	bool in_trace, at_first;
	// Of perf script's stacks: whether the line before was a frame, and whether this one is.
	bool behind_frame, is_frame;
	bool behind_interrupt; // the last mention was where interrupted code was entered from
	uint64_t counter;      // hash of the last program counter that was mentioned; 0 for none
	struct cli_slice line;
	size_t at;
	bool mentioned; // anything, in this line
};

// Begins a line, without its end; the line before is done with.
void cli_trace_line(struct cli_trace *trace, const char *line, size_t size);

// The next mention in the line, from left to right; false where there is none left. All mentions of
// all lines take time in proportion to their text.
bool cli_trace_next(struct cli_trace *trace, struct cli_mention *mention);

#endif
