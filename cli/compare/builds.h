// Reads the files of builds: a file, an archive, or a directory with everything below it.
#ifndef CLI_COMPARE_BUILDS_H
#define CLI_COMPARE_BUILDS_H

#include <inlinecall/extra.h>

#include "base/files.h"

struct cli_builds {
	struct cli_files files;
	struct ic_index_options index;
	bool incomplete; // something could not be read; an error was printed
};

// Reads a build. Prints an error for each file that cannot be read, and for a directory one for all
// files without debug information. NULL, after an error message, if it has no file that can be
// read.
struct ic_build *cli_build_read(struct cli_builds *builds, const char *path);

#endif
