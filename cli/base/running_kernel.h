// Options that say where the code of a file is in the memory of a running kernel, or of a process.
#ifndef CLI_BASE_RUNNING_KERNEL_H
#define CLI_BASE_RUNNING_KERNEL_H

#include <inlinecall/extra.h>

#include "base/options.h"

enum {
	CLI_MOST_SECTION_ADDRS = 64,
};

struct cli_running { // has pointers into itself: not to be copied
	struct ic_placement_options options;
	struct ic_placement_section sections[CLI_MOST_SECTION_ADDRS];
	struct ic_placements *placements; // NULL until the first file
};

void cli_running_init(struct cli_running *running);

// Takes an option that says where files are loaded; *status is CLI_ANSWERED, or CLI_USAGE after a
// complaint. False if it is not such an option.
bool cli_running_take(struct cli_running *running, enum cli_option option, const char *argument,
		      enum cli_status *status);

// Refuses arguments that give -k, --kallsyms or --modules a FILE which is not joined to the option:
// it would be taken for other letters, or for the file whose addresses are meant. CLI_USAGE after a
// complaint.
enum cli_status cli_running_check(int argc, char *const *argv);

// Whether any option said where files are loaded.
bool cli_running_is_given(const struct cli_running *running);

// Finds where a file is loaded, as far as the options say, to be freed with ic_placement_free().
// NULL after a complaint, if the kernel's files cannot be read, hide addresses, or are of another
// kernel or module than the file.
struct ic_placement *cli_running_place(struct cli_running *running, const struct ic_image *image,
				       struct ic_symbolizer *symbolizer);

// Whether a placement, which may be NULL, has the load address.
bool cli_running_is_known(const struct ic_placement *placement);

// Complains about one that does not have it.
void cli_running_complain(const struct cli_running *running, const struct ic_image *image,
			  const struct ic_placement *placement);

// Finds how much higher a linked file is loaded than its addresses say. False after a complaint.
bool cli_running_find_offset(struct cli_running *running, struct ic_image *image, unsigned jobs,
			     uint64_t *offset);

// Calls `visit` with the name of each module that is loaded, as far as the options say; some names
// may come several times. False after a complaint if the list cannot be read.
bool cli_running_list_modules(struct cli_running *running,
			      void (*visit)(void *context, const char *name), void *context);

void cli_running_deinit(struct cli_running *running);

#endif
