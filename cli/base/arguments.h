// Arguments from files: "@FILE".
#ifndef CLI_BASE_ARGUMENTS_H
#define CLI_BASE_ARGUMENTS_H

#include <stdbool.h>

struct cli_arguments {
	char **values; // ends with NULL
	int count;
	int files; // that were read
};

// Copies the arguments, and replaces each "@FILE" by the words in the file; a word may have quotes
// and backslashes, and be an "@FILE" itself. If the file cannot be read, the argument stays as it
// is. False, after a complaint, if out of memory or if files include each other without end.
bool cli_arguments_begin(struct cli_arguments *arguments, int argc, char **argv);

// Inserts the words of a text after argument number 0; false if out of memory.
bool cli_arguments_insert(struct cli_arguments *arguments, const char *text);

void cli_arguments_end(struct cli_arguments *arguments);

#endif
