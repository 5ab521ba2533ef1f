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
	struct ic_placement *placement; // NULL if it could not be found
	bool is_relocatable;
	const char *base_name;             // of its path
	char module[CLI_MODULE_NAME_SIZE]; // empty if it is not a module
	char release[CLI_RELEASE_SIZE];    // of the kernel, by its directory; empty if not known
	char build_id[CLI_BUILD_ID_SIZE];  // in hexadecimal; empty if it has none
	bool is_kernel;
	uint64_t kernel_start;   // of its code, by a symbol
	bool is_learned;         // its load address is from the text, not from an option
	uint64_t unplaced_lines; // of perf's, with an address in memory but no offset in the file
	// NULL until a signal frame is looked for, and if there are none.
	struct ic_call_frames *call_frames;
	struct ic_call_frame_reader *reader;
	bool sought_call_frames;
	bool is_named; // by the text, not by an operand: only what names it is in it
};

struct cli_filter_place {             // in a file
	struct cli_filter_file *file; // NULL if it is in none
	uint64_t addr;                // the file's own; a return address as it is
};

struct cli_filter_last {               // answer
	struct cli_filter_place place; // that was mentioned
	struct ic_frame *frames;
	size_t frame_capacity;
	struct ic_frame *others; // to compare with
	size_t other_capacity;
};

struct cli_filter_kernel {
	char release[CLI_RELEASE_SIZE];
	char build_id[CLI_BUILD_ID_SIZE];
};

struct cli_filter_files {
	struct cli_filter_file **files; // that are open
	size_t count;
	struct ic_module_files *modules; // named ones and found ones
	const char **directories;        // to look for modules in
	size_t directory_count;
	struct cli_files *opening;
	struct cli_running *running;
	const struct ic_symbolizer_options *options;
	unsigned stage;  // up to which modules have been looked for
	bool has_loaded; // the modules of the running kernel are open
	bool has_kernel;
	bool left_out;   // some file cannot be read
	bool misplaced;  // the load address of some file cannot be known, after a complaint
	bool base_names; // of sources, in notes
	struct cli_filter_kernel kernel; // that printed the text, as far as it says
	// Files that the text names: see filter_open.h.
	const char *sysroot; // that their paths are below; NULL for none
	bool open_none;
	struct cli_filter_named *named;
	size_t named_count, named_last, opened_count;
	struct cli_filter_file *named_file; // by the mention that is answered
	char *executable;                   // a path that the text gives for a name; or NULL
	char missing[256];                  // modules that were mentioned but not found
	struct cli_filter_last last;
};

// Opens the files that are not modules, and notes modules and directories. What cannot be opened is
// complained about and left out. False after a complaint if none is left, or if the load address
// that an option asks for cannot be found; `files` must be deinitialized all the same.
bool cli_filter_files_open(struct cli_filter_files *files, char *const *paths, size_t count,
			   struct cli_files *opening, struct cli_running *running,
			   const struct ic_symbolizer_options *options);

// Takes over an image that was opened otherwise, and closes it if out of memory.
struct cli_filter_file *cli_filter_files_add(struct cli_filter_files *files,
					     struct ic_image *image);

void cli_filter_files_deinit(struct cli_filter_files *files);

// Opens the files of a module: those that were named; else those in a directory that was named;
// else those of the text's release, where distributions put them. If there are none, it is noted as
// missing, unless it is `optional`.
void cli_filter_files_need_module(struct cli_filter_files *files, struct ic_span name,
				  bool optional);

// Opens all modules that were named, for a text that does not say which module it means.
void cli_filter_files_need_named(struct cli_filter_files *files);

// Opens all modules that the running kernel has loaded, as the options say: an address may be in
// any of them.
void cli_filter_files_need_loaded(struct cli_filter_files *files);

// Takes what the text says of its kernel.
void cli_filter_files_learn(struct cli_filter_files *files, const struct ic_kernel_fact *fact);

// Whether the file's load address is known.
bool cli_filter_file_is_placed(const struct cli_filter_file *file);

// Sets the load address of a kernel, learned from the text. False, after a complaint, if out of
// memory.
bool cli_filter_file_place(struct cli_filter_file *file, uint64_t kernel_start);

// From an address in memory to one of the file. If the load address of a linked file is not known,
// they are the same. False if the address is outside of the file as far as that is known.
bool cli_filter_file_find(const struct cli_filter_file *file, uint64_t loaded, uint64_t *addr);

// Whether a file may be of the text's release.
bool cli_filter_file_is_current(const struct cli_filter_files *files,
				const struct cli_filter_file *file);

#endif
