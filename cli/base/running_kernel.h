// Options that tell where a file is loaded in the memory of a running kernel or a process.
#ifndef CLI_BASE_RUNNING_KERNEL_H
#define CLI_BASE_RUNNING_KERNEL_H

#include <inlinecall/extra.h>

#include "base/options.h"

enum {
	CLI_MOST_SECTION_ADDRS = 64,
};

struct cli_running { // points into itself: do not copy
	struct ic_placement_options options;
	struct ic_placement_section sections[CLI_MOST_SECTION_ADDRS];
	struct ic_placements *placements; // NULL until the first file
};

void cli_running_init(struct cli_running *running);

// Takes an option that tells where files are loaded; *status is CLI_ANSWERED, or CLI_USAGE after an
// error message. Returns false for other options.
bool cli_running_take(struct cli_running *running, enum cli_option option, const char *argument,
		      enum cli_status *status);

// Rejects a FILE of -k, --kallsyms or --modules that is not attached to the option: it would be
// taken for further letters, or for the file whose addresses are meant. Returns CLI_USAGE after an
// error message.
enum cli_status cli_running_check(int argc, char *const *argv);

// Whether any option told where files are loaded.
bool cli_running_is_given(const struct cli_running *running);

// Finds where a file is loaded, as far as the options tell; free it with ic_placement_free().
// Prints an error and returns NULL if the kernel's files cannot be read, hide addresses, or belong
// to another kernel or module than the file.
struct ic_placement *cli_running_place(struct cli_running *running, const struct ic_image *image,
				       struct ic_symbolizer *symbolizer);

// Whether a placement, which may be NULL, includes the load address.
bool cli_running_is_known(const struct ic_placement *placement);

// Prints an error about a placement without a load address.
void cli_running_complain(const struct cli_running *running, const struct ic_image *image,
			  const struct ic_placement *placement);

// Like cli_running_place(), but also prints an error and returns NULL if the load address is not
// known.
struct ic_placement *cli_running_find(struct cli_running *running, struct ic_image *image,
				      unsigned jobs);

// Calls `visit` with the name of each loaded module, as far as the options tell; some names may
// occur several times. Prints an error and returns false if the list cannot be read.
bool cli_running_list_modules(struct cli_running *running,
			      void (*visit)(void *context, const char *name), void *context);

void cli_running_deinit(struct cli_running *running);

#endif
