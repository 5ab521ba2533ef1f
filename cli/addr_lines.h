// Lines of standard input, as many at a time as there are, so that a program on the other end of a
// pipe gets its answer before it writes the next one.
#ifndef CLI_ADDR_LINES_H
#define CLI_ADDR_LINES_H

#include <stdbool.h>
#include <stddef.h>

// What is answered at once, if it is there: it pays to know all addresses of a unit of the source.
enum { CLI_ADDR_LINES_SIZE = 1 << 22 };

// To be zero-initialised, but for what says otherwise.
struct cli_addr_lines {
	bool is_verbatim; // from the first call on: blanks around lines are left
	char **texts;     // the lines, without newlines and blanks around them
	size_t count;
	int os_error; // why it could not be read on, or 0
	// The rest is its own.
	char *buffer; // of CLI_ADDR_LINES_SIZE, and one for a NUL
	size_t used, taken, capacity;
	bool at_end;
	bool is_cut; // the rest of a line that was too long is to be passed over
};

// Waits for a line, and takes all whole ones that are there. Those before are gone. False at the
// end, or where it cannot be read on.
bool cli_addr_lines_next(struct cli_addr_lines *lines);

void cli_addr_lines_free(struct cli_addr_lines *lines);

// The text without blanks around it, cut in place.
char *cli_addr_trimmed(char *text);

#endif
