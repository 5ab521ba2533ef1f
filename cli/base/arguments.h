// Arguments from files: "@FILE".
#ifndef CLI_BASE_ARGUMENTS_H
#define CLI_BASE_ARGUMENTS_H

#include <stdbool.h>

struct cli_arguments {
	char **values; // NULL-terminated
	int count;
	int files; // number of files read
};

// Copies the arguments, replacing each "@FILE" with the words in the file. Words may contain quotes
// and backslashes, and may be an "@FILE" themselves. If a file cannot be opened, the argument is
// left unchanged. Prints an error and returns false if out of memory, if an open file cannot be
// read, or if files include each other endlessly.
bool cli_arguments_begin(struct cli_arguments *arguments, int argc, char **argv);

// Inserts the words of a text after argument 0; returns false if out of memory.
bool cli_arguments_insert(struct cli_arguments *arguments, const char *text);

void cli_arguments_end(struct cli_arguments *arguments);

#endif
