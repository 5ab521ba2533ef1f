// Lines of standard input, as many at a time as are there, so that a program on the other end of a
// pipe gets its answer before it writes the next line.
#ifndef CLI_BASE_ADDR_LINES_H
#define CLI_BASE_ADDR_LINES_H

#include <stdbool.h>
#include <stddef.h>

// Bytes that are read at once, if they are there: all addresses in a unit are best looked up
// together.
enum { CLI_ADDR_LINES_SIZE = 1 << 22 };

// To be zero-initialised; only is_verbatim may be set before the first call.
struct cli_addr_lines {
	bool is_verbatim; // blanks around lines are kept
	char **texts;     // the lines, without newlines and blanks around them
	size_t count;
	int os_error; // why reading failed, or 0
	// The rest is private.
	char *buffer; // of CLI_ADDR_LINES_SIZE, and one for a NUL
	size_t used, taken, capacity;
	bool at_end;
	bool is_cut; // the rest of a line that was too long is to be skipped
};

// Waits for a line, and takes all whole ones that are there; those before become invalid. False at
// the end of the input, or if it cannot be read.
bool cli_addr_lines_next(struct cli_addr_lines *lines);

void cli_addr_lines_free(struct cli_addr_lines *lines);

// The text without blanks around it, cut in place.
char *cli_addr_trimmed(char *text);

#endif
