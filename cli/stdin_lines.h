// Standard input line by line, for commands that answer over a pipe.
#ifndef CLI_STDIN_LINES_H
#define CLI_STDIN_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct cli_stdin_lines {
	char *text;
	size_t begin, end; // of what was read and not yet given out
	bool ended, failed;
};

// The next line without its end; NULL behind the last one. It stays until the next call. Lines that
// are there already come without waiting; before more is waited for, what was written to standard
// output is sent.
char *cli_stdin_lines_next(struct cli_stdin_lines *lines);

// Whether all could be read, after a complaint where not.
bool cli_stdin_lines_end(struct cli_stdin_lines *lines);

#endif
