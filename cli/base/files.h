// Opens files, according to the options that locate debug files.
#ifndef CLI_BASE_FILES_H
#define CLI_BASE_FILES_H

#include <inlinecall/extra.h>

#include "base/options.h"

enum {
	CLI_FILES_MOST_DIRS = 32, // of each kind, from options
	CLI_FILES_MOST_ADDED = 2, // more, from commands
};

struct cli_files {
	struct ic_image_options image; // points to the members below: do not copy this struct
	const char *debug_dirs[CLI_FILES_MOST_DIRS + CLI_FILES_MOST_ADDED];
	const char *dwo_dirs[CLI_FILES_MOST_DIRS];
	char *added_dirs[CLI_FILES_MOST_ADDED]; // the debug directories that are owned
	size_t added_count;
	struct ic_debuginfod_options servers;
	struct cli_progress download;
	bool ask_servers;
	// For cli_files_open_one() and cli_files_open_symbols(): whether to open a file without
	// debug information for its symbols, and whether there was such a file, for which an error
	// was printed.
	bool symbols_do, lacks_debug;
};

void cli_files_init(struct cli_files *files);

// Takes an option that locates debug files; *status is CLI_ANSWERED, or CLI_USAGE after an error
// message. Returns false for other options.
bool cli_files_take(struct cli_files *files, enum cli_option option, const char *argument,
		    enum cli_status *status);

// Adds a debug directory that is below another directory, such as the root of another machine's
// files. At most CLI_FILES_MOST_ADDED times, after all options. Prints an error and returns false
// on failure.
bool cli_files_add_debug_dir(struct cli_files *files, const char *root, const char *below);

// Call this after all options and before the first file. Does not ask servers yet. Returns
// something other than CLI_ANSWERED after an error message.
enum cli_status cli_files_begin(struct cli_files *files);

void cli_files_end(struct cli_files *files);

// Like ic_image_open(), showing the progress if a server is asked.
struct ic_image *cli_files_open(struct cli_files *files, const char *path, struct ic_error *err);

// The same for commands that need exactly one image, which may be a member of an archive. NULL
// after an error message.
struct ic_image *cli_files_open_one(struct cli_files *files, const char *path);

// The same, after cli_files_open() has failed with *err, which may be replaced.
struct ic_image *cli_files_open_other(struct cli_files *files, const char *path,
				      struct ic_error *err);

// The same, to read a file's symbols if `symbols_do`; otherwise NULL without a message.
struct ic_image *cli_files_open_symbols(struct cli_files *files, const char *path,
					const struct ic_error *err);

// The same for a file named by a text instead of the user: if it has no debug information, it is
// opened for its symbols without a message. On failure returns NULL and sets *err.
struct ic_image *cli_files_open_quietly(struct cli_files *files, int fd, const char *path,
					struct ic_error *err);

// Prints a problem of a file and returns true; or prints a note, only once, and returns false.
bool cli_files_print_problem(const struct ic_index_problem *problem, const char *path);

// Print the problems of an index or a symbolizer of the file; return whether there were any.
bool cli_files_print_index_problems(const struct ic_index *index, const char *path);
bool cli_files_print_parameter_problems(const struct ic_parameters *parameters, const char *path);
bool cli_files_print_problems(struct ic_symbolizer *symbolizer, const char *path);

// Whether it is a GSYM or Breakpad file.
bool cli_files_is_symbol_file(struct ic_image *image);

#endif
