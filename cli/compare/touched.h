// The functions that contain source lines: those of a place, or those that a patch changes.
#ifndef CLI_COMPARE_TOUCHED_H
#define CLI_COMPARE_TOUCHED_H

#include <inlinecall/extra.h>

#include "compare/patch.h"

struct cli_touched_line {              // a source line, and the functions that it is in
	const char *file;              // borrowed
	const struct cli_patch *patch; // that has it, or NULL
	uint32_t patch_file;           // its number in the patch
	uint32_t line;
	bool is_changed;   // rather than only next to an insertion
	bool is_inserted;  // lines are inserted between the one before it in `lines`, and it
	bool may_matter;   // the change, also outside of functions
	size_t *functions; // their numbers
	size_t function_count;
};

struct cli_touched {
	struct cli_patch **patches;
	size_t patch_count;
	char **files; // of places
	size_t file_count;
	struct cli_touched_line *lines;
	size_t line_count, line_capacity;
	// All functions that a line is in: their strings are owned.
	struct ic_affected_source *functions;
	// By function: it is declared in another file, but has code of a line, which is in no copy
	// that is described.
	bool *are_strays;
	size_t function_count;
	bool failed; // memory ran out
};

// Adds the lines of "FILE:LINE" or "FILE:FIRST-LAST". Prints an error and returns false if it is
// neither.
bool cli_touched_add_place(struct cli_touched *touched, const char *place);

// Adds the lines that a patch changes; "-" is standard input. Prints an error and returns false if
// it cannot be read.
bool cli_touched_add_patch(struct cli_touched *touched, const char *path);

// Whether places or patches were added.
static inline bool cli_touched_is_asked(const struct cli_touched *touched)
{
	return touched->file_count + touched->patch_count > 0;
}

// Looks for the functions that an image has at these lines. Prints an error and returns false on
// failure, also if part of the line tables cannot be read.
bool cli_touched_look(struct cli_touched *touched, struct ic_image *image);

// After all images: keeps the functions that contain changed lines, and prints an error and returns
// false if lines that are changed or inserted are in none.
bool cli_touched_finish(struct cli_touched *touched);

// Whether this is one of the functions with code of a line that is in no copy that is described.
bool cli_touched_is_stray(const struct cli_touched *touched, const char *symbol,
			  uint32_t decl_line);

void cli_touched_free(struct cli_touched *touched);

#endif
