// Arguments from files: "@FILE".
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>

struct cli_arguments {
	char **values; // ends with NULL
	int count;
	int files; // that were read
};

// The arguments, of which each "@FILE" is replaced by what stands in the file, split at white
// space; a word may have quotes and backslashes, and be such an argument itself. What is no file
// stays as it is. False, after a complaint, where memory is out or files include each other without
// end.
bool cli_arguments_begin(struct cli_arguments *arguments, int argc, char **argv);

// Puts the words of a text behind argument number 0; false where memory is out.
bool cli_arguments_insert(struct cli_arguments *arguments, const char *text);

void cli_arguments_end(struct cli_arguments *arguments);

#endif
