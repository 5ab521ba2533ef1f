// Where the arguments of copies are when these are entered, by the debug information and the code.
#ifndef CLI_ENTRY_PARAMETERS_H
#define CLI_ENTRY_PARAMETERS_H

#include <inlinecall/parameters.h>

struct ic_stored;

struct cli_entry_parameters { // of an index
	struct ic_parameters *parameters;
	struct ic_stored *stored;
};

// Opens a reader. Of the options, `lists` and `members` count. On failure it is all NULL.
bool cli_entry_parameters_open(struct cli_entry_parameters *reader, struct ic_image *image,
			       const struct ic_index *index,
			       const struct ic_parameters_options *options, struct ic_error *err);

// Prints what could not be read of the file at this path, and returns whether there was any.
bool cli_entry_parameters_close(struct cli_entry_parameters *reader, const char *path);

#endif
