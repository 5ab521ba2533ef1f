// Reads a patch in unified format: which lines of the old files it changes.
#ifndef CLI_COMPARE_PATCH_H
#define CLI_COMPARE_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_patch_line { // of an old file
	uint32_t file;  // index in cli_patch::files
	uint32_t line;  // from 1
	char *text;     // without its newline; NULL for an insertion
	// Of a line that the patch shows: whether it is removed. Lines are inserted before an
	// insertion's line, of which nothing else is said.
	bool is_removed;
	// The line is removed or inserted, and may change code, even if it is outside of functions:
	// a type, for example. Comments and new functions change no code.
	bool may_matter;
};

struct cli_patch {
	char **files; // paths of the old files, without the first component, as for patch -p1
	size_t file_count;
	struct cli_patch_line *lines; // by file, then by line; an insertion comes first
	size_t line_count, line_capacity;
};

// Reads a patch; `path` may be "-" for standard input. Prints an error and returns false if it
// cannot be read, or changes no file; must be freed in any case.
bool cli_patch_read(struct cli_patch *patch, const char *path);

// The text of a line of an old file; NULL if the patch does not show it.
const char *cli_patch_text(const struct cli_patch *patch, uint32_t file, uint32_t line);

void cli_patch_free(struct cli_patch *patch);

#endif
