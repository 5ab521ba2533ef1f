// Reads lines of standard input, as many at a time as are available, so that a program at the other
// end of a pipe gets its result before it writes the next line.
#ifndef CLI_BASE_ADDR_LINES_H
#define CLI_BASE_ADDR_LINES_H

#include <stdbool.h>
#include <stddef.h>

// The most bytes to read at once: it is best to look up all addresses of a unit together.
enum { CLI_ADDR_LINES_SIZE = 1 << 22 };

// Zero-initialise; only is_verbatim may be set before the first call.
struct cli_addr_lines {
	bool is_verbatim; // keep blanks around lines
	char **texts;     // the lines, without newlines or blanks around them
	size_t count;
	int os_error; // errno of a failed read, or 0
	// The rest is private.
	char *buffer; // CLI_ADDR_LINES_SIZE bytes, and one for a NUL
	size_t used, taken, capacity;
	bool at_end;
	bool is_cut; // the rest of a line that was too long must be skipped
};

// Waits for a line, and takes all complete ones that are available; earlier ones become invalid.
// Returns false at the end of the input, or if it cannot be read.
bool cli_addr_lines_next(struct cli_addr_lines *lines);

void cli_addr_lines_free(struct cli_addr_lines *lines);

// Trims blanks from both ends of the text, in place.
char *cli_addr_trimmed(char *text);

#endif
