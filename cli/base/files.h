// Opening files, and the options that say where debug files are.
#ifndef CLI_BASE_FILES_H
#define CLI_BASE_FILES_H

#include <inlinecall/extra.h>

#include "base/options.h"

enum {
	CLI_FILES_MOST_DIRS = 32, // of one kind, by options
	CLI_FILES_MOST_ADDED = 2, // and by commands
};

struct cli_files {
	struct ic_image_options image; // borrows from what follows: not to be copied
	const char *debug_dirs[CLI_FILES_MOST_DIRS + CLI_FILES_MOST_ADDED];
	const char *dwo_dirs[CLI_FILES_MOST_DIRS];
	char *added_dirs[CLI_FILES_MOST_ADDED]; // of the debug directories, those that are owned
	size_t added_count;
	struct ic_debuginfod_options servers;
	struct cli_progress download;
	bool ask_servers;
	// For cli_files_open_one() and cli_files_open_symbols(): whether to open a file without
	// debug information for its symbols, and whether there was one, after a complaint.
	bool symbols_do, lacks_debug;
};

void cli_files_init(struct cli_files *files);

// Takes an option that says where debug files are; *status is
// CLI_ANSWERED, or CLI_USAGE after a complaint. False if it is none of them.
bool cli_files_take(struct cli_files *files, enum cli_option option, const char *argument,
		    enum cli_status *status);

// Adds a debug directory that is below another one, as where another machine has them below a root:
// at most CLI_FILES_MOST_ADDED times, after all options. False after a complaint.
bool cli_files_add_debug_dir(struct cli_files *files, const char *root, const char *below);

// To be called after all options and before the first file; other than CLI_ANSWERED after a
// complaint. Asks no server yet.
enum cli_status cli_files_begin(struct cli_files *files);

void cli_files_end(struct cli_files *files);

// ic_image_open(), with progress if a server is asked.
struct ic_image *cli_files_open(struct cli_files *files, const char *path, struct ic_error *err);

// The same for commands that need exactly one image, which may be a member of an archive. NULL
// after a complaint.
struct ic_image *cli_files_open_one(struct cli_files *files, const char *path);

// The same after cli_files_open() failed for the reason in *err, which may be replaced.
struct ic_image *cli_files_open_other(struct cli_files *files, const char *path,
				      struct ic_error *err);

// The same for the symbols of a file, if they do: NULL without a complaint.
struct ic_image *cli_files_open_symbols(struct cli_files *files, const char *path,
					const struct ic_error *err);

// The same of a file that a text names, not the user: without debug information it is opened for
// its symbols, which is no complaint. NULL for the reason in *err.
struct ic_image *cli_files_open_quietly(struct cli_files *files, int fd, const char *path,
					struct ic_error *err);

// Prints a problem of a file, and returns true; or a note, the first time only, and returns false.
bool cli_files_print_problem(const struct ic_index_problem *problem, const char *path);

// Prints the problems of an index or a symbolizer of the file; whether there were any.
bool cli_files_print_index_problems(const struct ic_index *index, const char *path);
bool cli_files_print_parameter_problems(const struct ic_parameters *parameters, const char *path);
bool cli_files_print_problems(struct ic_symbolizer *symbolizer, const char *path);

#endif
