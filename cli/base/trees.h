// Visits the files of a build: a file, an archive, or a directory with everything below it.
#ifndef CLI_BASE_TREES_H
#define CLI_BASE_TREES_H

#include <inlinecall/extra.h>

#include "base/files.h"

struct cli_tree {
	struct cli_files *files;
	// Takes an image with debug information, to be freed. Returns false to visit no more.
	bool (*visit)(void *context, struct ic_image *image);
	// Unless NULL: takes a file that cannot be visited, and why. Without it, a directory's
	// files that have no debug information are counted.
	void (*refuse)(void *context, const char *path, const struct ic_error *err);
	void *context;
	bool incomplete; // something could not be read; an error was printed

	unsigned long file_count;    // that were visited
	unsigned long without_debug; // of these
	bool stopped;
};

// Whether a path is that of an ELF file, rather than an archive or a directory.
bool cli_tree_is_file(const char *path);

// Prints an error for each file that cannot be read. Symbolic links in directories are not
// followed, so each file is visited once; files that are neither ELF nor archives are skipped
// there.
void cli_tree_visit(struct cli_tree *tree, const char *path);

#endif
