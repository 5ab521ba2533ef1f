// Files that appear under their name only when they are complete. Until then they have another one
// beside it, and are removed if a signal ends the program.
#ifndef CLI_BASE_OUTPUT_FILE_H
#define CLI_BASE_OUTPUT_FILE_H

#include "base/cli.h"

#define CLI_OUTPUT_MOST_FILES 2 // that are open at the same time

struct cli_output_file {
	const char *path;
	char *target;    // what is replaced in the end
	char *temporary; // beside it
	FILE *stream;
};

// Whether writing the output would replace the file with this path.
bool cli_output_is(const char *output, const char *path);

// Whether the output is what standard output or error goes to: it would be replaced by it.
bool cli_output_is_standard(const char *output);

// Opens a file beside the path. It has the permissions of the file that it will replace, if there
// is one, else those of the file `like`, or NULL for the usual ones. False after a complaint: the
// path may not be something other than a regular file.
bool cli_output_file_open(struct cli_output_file *file, const char *path, const char *like);

// Gives the files their names when all are written; if not `ok`, removes them. False after a
// complaint, or if not `ok`.
bool cli_output_files_close(struct cli_output_file *files, size_t count, bool ok);

// Removes the files that are open. For signal handlers.
void cli_output_files_abandon(void);

#endif
