// Files that appear under their name only when they are complete.
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include "cli.h"

struct cli_output_file {
	const char *path;
	char *target;    // what is replaced in the end
	char *temporary; // beside it
	FILE *stream;
};

// Opens a file beside the path, with the permissions of the file `like`, or NULL for the usual
// ones. False after a complaint: the path may not be something other than a regular file.
bool cli_output_file_open(struct cli_output_file *file, const char *path, const char *like);

// Gives the file its name; if not `ok`, removes it. False after a complaint, or if not `ok`.
bool cli_output_file_close(struct cli_output_file *file, bool ok);

// Writes a whole file. False after a complaint.
bool cli_output_file_write(const char *path, const void *bytes, size_t size);

#endif
