// The files that a text mentions places in, and what is known of such a place.
#ifndef CLI_FILTER_FILES_H
#define CLI_FILTER_FILES_H

#include "files.h"
#include "running_kernel.h"
#include "trace_text.h"

struct cli_filter_file {
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	struct cli_placement placement;
	const char *base_name; // of its path
	char module[128];      // empty where it is none
	bool is_kernel;
	uint64_t kernel_start; // of its code, by a symbol
	bool is_learned;       // where it is loaded: by the text, not by an option
};

struct cli_filter_files {
	struct cli_filter_file *files;
	size_t count;
	bool has_kernel;
	bool left_out;   // one that cannot be read
	bool base_names; // of sources, in notes
	struct ic_frame *frames;
	size_t frame_capacity;
	struct ic_frame *others; // to compare with
	size_t other_capacity;
	char missing[256]; // modules that were mentioned and are none of the files
};

// Opens files, and finds where they are loaded. What cannot be opened is complained about and left
// out. False after a complaint where none is left, or what an option asks for cannot be known; the
// files are to be deinitialized all the same.
bool cli_filter_files_open(struct cli_filter_files *files, char *const *paths, size_t count,
			   struct cli_files *opening, struct cli_running *running,
			   const struct ic_symbolizer_options *options);

void cli_filter_files_deinit(struct cli_filter_files *files);

struct cli_answer { // to a mention; valid until the next one
	const struct ic_frame *frames;
	size_t frame_count;
	const struct cli_filter_file *file; // with the address, tells places apart
	uint64_t addr;
	char note[1024]; // empty, or why there are no frames
};

// False where there is nothing to say: nothing is known of the place, or nothing that the mention
// does not say itself.
bool cli_filter_files_answer(struct cli_filter_files *files, const struct cli_mention *mention,
			     struct cli_answer *answer);

#endif
