// The files in which a text mentions places. Modules are opened when they are mentioned.
#ifndef CLI_FILTER_FILES_H
#define CLI_FILTER_FILES_H

#include <inlinecall/call_frames.h>
#include <inlinecall/extra/mentions.h>
#include <inlinecall/extra/module_files.h>

#include "base/files.h"
#include "base/running_kernel.h"

enum { CLI_RELEASE_SIZE = 80, CLI_BUILD_ID_SIZE = 80, CLI_MODULE_NAME_SIZE = 128 };

struct cli_filter_file {
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	struct ic_placement *placement; // NULL if that failed
	bool is_relocatable;
	const char *base_name;             // last part of its path
	char module[CLI_MODULE_NAME_SIZE]; // empty if it is not a module
	char release[CLI_RELEASE_SIZE];    // of the kernel, according to its directory; empty if
					   // unknown
	char build_id[CLI_BUILD_ID_SIZE];  // in hexadecimal; empty if there is none
	bool is_kernel;
	uint64_t kernel_start; // start of its code, according to a symbol
	bool is_learned;       // the load address is from the text, not from an option
	// Lines of perf with an address in memory but no offset in the file.
	uint64_t unplaced_lines;
	// NULL until a signal frame is sought, and if there are no call frames.
	struct ic_call_frames *call_frames;
	struct ic_call_frame_reader *reader;
	bool sought_call_frames;
	bool is_named; // by the text, not by an operand: it contains only what the text says is in
		       // it
};

struct cli_filter_place {             // a place in a file
	struct cli_filter_file *file; // NULL if it is in none
	uint64_t addr;                // the file's own; a return address is unchanged
};

struct cli_filter_last {               // the last answer
	struct cli_filter_place place; // the place mentioned
	struct ic_frame *frames;
	size_t frame_capacity;
	struct ic_frame *others; // for comparison
	size_t other_capacity;
};

struct cli_filter_kernel {
	char release[CLI_RELEASE_SIZE];
	char build_id[CLI_BUILD_ID_SIZE];
};

struct cli_filter_files {
	struct cli_filter_file **files; // the open ones
	size_t count;
	struct ic_module_files *modules; // those given, and those found
	const char **directories;        // in which to look for modules
	size_t directory_count;
	struct cli_files *opening;
	struct cli_running *running;
	const struct ic_symbolizer_options *options;
	unsigned stage;  // stages at which modules have been looked for
	bool has_loaded; // the running kernel's modules are open
	bool has_kernel;
	bool left_out;   // some file could not be read
	bool misplaced;  // the load address of some file is unknown, and an error was printed
	bool base_names; // of sources in notes
	// The kernel that printed the text, as far as known from it.
	struct cli_filter_kernel kernel;
	// The files that the text names: see open.h.
	const char *sysroot; // directory that their paths are below; NULL for none
	bool open_none;
	struct cli_filter_named *named;
	size_t named_count, named_last, opened_count;
	struct cli_filter_file *named_file; // the one named by the current mention
	char *executable;                   // the path that the text gives for a program; or NULL
	char missing[256];                  // modules that were mentioned but not found
	struct cli_filter_last last;
};

// Opens the files that are not modules, and records modules and directories. Prints an error for
// each file that cannot be opened, and leaves it out. Prints an error and returns false if none is
// left, or if the load address that an option requires cannot be found; `files` must be
// deinitialised in any case.
bool cli_filter_files_open(struct cli_filter_files *files, char *const *paths, size_t count,
			   struct cli_files *opening, struct cli_running *running,
			   const struct ic_symbolizer_options *options);

// Takes over an image that was opened elsewhere; closes it if out of memory.
struct cli_filter_file *cli_filter_files_add(struct cli_filter_files *files,
					     struct ic_image *image);

void cli_filter_files_deinit(struct cli_filter_files *files);

// Opens the files of a module: those that were given; otherwise those in a given directory;
// otherwise those of the text's release, where distributions put them. If there are none, it is
// recorded as missing unless it is `optional`.
void cli_filter_files_need_module(struct cli_filter_files *files, struct ic_span name,
				  bool optional);

// Opens all modules that were given, for a text that does not tell which module it means.
void cli_filter_files_need_named(struct cli_filter_files *files);

// Opens all modules that the running kernel has loaded, according to the options: an address may be
// in any of them.
void cli_filter_files_need_loaded(struct cli_filter_files *files);

// Takes a fact that the text tells about its kernel.
void cli_filter_files_learn(struct cli_filter_files *files, const struct ic_kernel_fact *fact);

// Whether the file's load address is known.
bool cli_filter_file_is_placed(const struct cli_filter_file *file);

// Sets the load address of a kernel from the text. Prints an error and returns false if out of
// memory.
bool cli_filter_file_place(struct cli_filter_file *file, uint64_t kernel_start);

// Converts an address in memory to one in the file. If the load address of a linked file is
// unknown, they are the same. Returns false if the address is known to be outside the file.
bool cli_filter_file_find(const struct cli_filter_file *file, uint64_t loaded, uint64_t *addr);

// Whether a file may be from the text's release.
bool cli_filter_file_is_current(const struct cli_filter_files *files,
				const struct cli_filter_file *file);

#endif
