// Where the code of a file is in the memory of a running kernel, or of a process.
//
// A kernel is loaded at an offset to the addresses that it was linked for, and every section of a
// module somewhere else. /proc/kallsyms, /proc/modules and /sys/module say where, as far as the
// reader may know.
#ifndef CLI_RUNNING_KERNEL_H
#define CLI_RUNNING_KERNEL_H

#include <inlinecall/inlinecall.h>
#include <inlinecall/symbolizer.h>

#include "addr_space.h"
#include "options.h"
#include "proc_text.h"

enum {
	CLI_MOST_SECTION_ADDRS = 64,
};

struct cli_section_addr {
	const char *text; // of the option
	size_t name_size; // of the section's name, at its beginning
	uint64_t addr;
};

struct cli_running { // what the options say
	bool use_kallsyms, use_modules, has_base;
	uint64_t base;
	const char *sysfs; // NULL where it says nothing of the kernel that is meant
	struct cli_proc_text kallsyms, modules;
	struct cli_section_addr section_addrs[CLI_MOST_SECTION_ADDRS];
	size_t section_addr_count;
};

struct cli_placement {     // of one file
	bool is_known;     // else addresses are as the file numbers them, and
	char why_not[320]; // says why, where an option was given
	bool is_relocatable;
	// From addresses in memory to those of the file: one of a linked file, and one of each
	// section that is known of a relocatable one.
	struct cli_addr_window *windows;
	size_t window_count;
};

void cli_running_init(struct cli_running *running);

// Takes an option that says where files are loaded; *status is CLI_ANSWERED, or CLI_USAGE after a
// complaint. False if it is none of them.
bool cli_running_take(struct cli_running *running, enum cli_option option, const char *argument,
		      enum cli_status *status);

// Refuses arguments that give -k, --kallsyms or --modules a FILE which is not joined to the option:
// it would be taken for other letters, or for the file whose addresses are meant. CLI_USAGE after a
// complaint.
enum cli_status cli_running_check(int argc, char *const *argv);

// Whether any option said where files are loaded.
bool cli_running_is_given(const struct cli_running *running);

// Finds where a file is loaded, as far as the options say. False after a complaint: what it takes
// to know cannot be read, or is hidden, or is of another kernel or module than the file.
bool cli_running_place(struct cli_running *running, const struct ic_image *image,
		       struct ic_symbolizer *symbolizer, struct cli_placement *placement);

// Calls `visit` with the name of each module that is loaded, as far as the options say; some may be
// named several times. False after a complaint if what it takes to know cannot be read.
bool cli_running_list_modules(struct cli_running *running,
			      void (*visit)(void *context, struct cli_word name), void *context);

void cli_running_deinit(struct cli_running *running);

// Where a linked file is loaded: `start` of it at `given`. False after a complaint.
bool cli_placement_set(struct cli_placement *placement, uint64_t given, uint64_t start);

// From an address in memory to one of the file; false where it is not in what is known of it.
bool cli_placement_find(const struct cli_placement *placement, uint64_t loaded, uint64_t *addr);

void cli_placement_deinit(struct cli_placement *placement);

// The name of the module that a file is by its own name, as the kernel spells it: "nf_nat" for
// "/lib/modules/6.1.0/kernel/net/netfilter/nf-nat.ko.debug". False where it is none, or is longer.
bool cli_module_name(const char *path, size_t path_size, char *name, size_t capacity);

#endif
