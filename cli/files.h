// What commands share that open files: the options that say where debug files are, and the opening.
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <getopt.h>

#include <inlinecall/inlinecall.h>

#include "cli.h"

enum {
	CLI_FILES_MOST_DIRS = 32, // of one kind
	CLI_OPTION_DEBUG_DIR = 1024,
	CLI_OPTION_DWO_DIR,
	CLI_OPTION_DWP,
	CLI_OPTION_DEBUGINFOD,
};

// Their rows in a command's table of options, and their lines in its --help.
// clang-format off
#define CLI_FILES_OPTIONS                                                \
	{ "debug-dir",  required_argument, NULL, CLI_OPTION_DEBUG_DIR }, \
	{ "dwo-dir",    required_argument, NULL, CLI_OPTION_DWO_DIR },   \
	{ "dwp",        required_argument, NULL, CLI_OPTION_DWP },       \
	{ "debuginfod", optional_argument, NULL, CLI_OPTION_DEBUGINFOD }
// clang-format on

#define CLI_FILES_HELP                                                                            \
	"      --debug-dir=DIR     look for debug files here before /usr/lib/debug;\n"            \
	"                          may be given several times\n"                                  \
	"      --dwo-dir=DIR       look for .dwo files (split DWARF) here first; may be given\n"  \
	"                          several times\n"                                               \
	"      --dwp=FILE          the package of .dwo files, in place of FILE.dwp\n"             \
	"      --debuginfod[=S]    ask the servers of DEBUGINFOD_URLS for debug files that are\n" \
	"                          not found, for S seconds in all (90)\n"

struct cli_files {
	struct ic_image_options image; // borrows from what follows: not to be copied
	const char *debug_dirs[CLI_FILES_MOST_DIRS], *dwo_dirs[CLI_FILES_MOST_DIRS];
	struct ic_debuginfod_options servers;
	struct cli_progress download;
	bool ask_servers;
	// Of cli_files_open_one(): whether symbols are worth opening a file for that has no debug
	// information, and whether any was one, which was complained about.
	bool symbols_do, lacks_debug;
};

void cli_files_init(struct cli_files *files);

// Takes an option that is one of CLI_FILES_OPTIONS; *status is CLI_ANSWERED, or CLI_USAGE after a
// complaint. False where it is none of them.
bool cli_files_take(struct cli_files *files, int option, const char *argument,
		    enum cli_status *status);

// Behind all options, before the first file; other than CLI_ANSWERED after a complaint. Nobody is
// asked yet: that is up to the first file whose debug file is not here.
enum cli_status cli_files_begin(struct cli_files *files);

void cli_files_end(struct cli_files *files);

// ic_image_open(), with progress where a server is asked.
struct ic_image *cli_files_open(struct cli_files *files, const char *path, struct ic_error *err);

// The same for a command for which a file is one image, perhaps a member of an archive. NULL after
// a complaint.
struct ic_image *cli_files_open_one(struct cli_files *files, const char *path);

// Complains about what a symbolizer of the file could not read; whether there was anything.
bool cli_files_print_problems(struct ic_symbolizer *symbolizer, const char *path);

#endif
