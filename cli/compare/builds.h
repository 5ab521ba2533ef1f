// Reads the files of builds: a file, an archive, or a directory with everything below it.
#ifndef CLI_COMPARE_BUILDS_H
#define CLI_COMPARE_BUILDS_H

#include <pthread.h>

#include <inlinecall/extra.h>

#include "base/entry_parameters.h"
#include "base/files.h"

// Adds a file to its build while the next one is read, also the first one of the next build.
struct cli_build_adder {
	struct ic_build *build;
	struct ic_index *index; // NULL: there is nothing to add
	struct ic_image *image;
	struct cli_entry_parameters entry; // empty if arguments are not wanted
	pthread_t thread;
	bool has_thread, ok;
	struct ic_error err;
};

struct cli_builds {
	struct cli_files files;
	struct ic_index_options index;
	struct cli_build_adder adder;
	bool incomplete; // something could not be read; an error was printed
	bool failed;     // memory ran out
};

// Reads a build. Prints an error for each file that cannot be read, and for a directory one for all
// files without debug information. NULL, after an error message, if it has no file that can be
// read. A build is complete once cli_builds_end() has been called.
struct ic_build *cli_build_read(struct cli_builds *builds, const char *path);

// Waits until all builds are complete. False, after an error message, if memory ran out: they can
// then only be freed. Must be called before they are freed.
bool cli_builds_end(struct cli_builds *builds);

#endif
