// Files that get their name only when they are complete. Until then, they have a temporary name in
// the same directory, and are removed if a signal ends the program.
#ifndef CLI_BASE_OUTPUT_FILE_H
#define CLI_BASE_OUTPUT_FILE_H

#include "base/cli.h"

#define CLI_OUTPUT_MOST_FILES 2 // open at the same time

struct cli_output_file {
	const char *path;
	char *target;    // the file to replace in the end
	char *temporary; // in the same directory
	FILE *stream;
};

// Whether writing the output would replace the file at this path.
bool cli_output_is(const char *output, const char *path);

// Whether the output is the file that standard output or standard error is redirected to, and would
// replace that.
bool cli_output_is_standard(const char *output);

// Opens a temporary file for the path. Its permissions are those of the file it will replace or, if
// there is none, those of the file `like`, or the default ones if that is NULL. Prints an error and
// returns false on failure; the path must not be anything but a regular file.
bool cli_output_file_open(struct cli_output_file *file, const char *path, const char *like);

// Gives the files their names if all were written; removes them if not `ok`. Returns false after an
// error message, or if not `ok`.
bool cli_output_files_close(struct cli_output_file *files, size_t count, bool ok);

// Removes the open files. For signal handlers.
void cli_output_files_abandon(void);

#endif
