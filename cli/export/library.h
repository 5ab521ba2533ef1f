// Libraries of databases, which are loaded when they are needed.
#ifndef CLI_EXPORT_LIBRARY_H
#define CLI_EXPORT_LIBRARY_H

#include <stdbool.h>

struct cli_library_function {
	const char *name; // NULL after the last one
	void *pointer;    // to the pointer to set
};

// Loads a library, never to be closed, and finds its functions. Prints an error and returns false
// if it lacks one of them, or cannot be loaded.
bool cli_library_load(const char *soname, const struct cli_library_function *functions);

#endif
