// Functions of a running kernel that are in no file, from the kernel's list of symbols.
#ifndef PROCESS_KERNEL_NAMES_H
#define PROCESS_KERNEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "process/placement/proc_text.h"

struct ic_kernel_name {
	uint64_t start, end; // in memory; the end is a guess: the list has no sizes
	const char *function;
	const char *owner; // "[NAME]" for a module, another name that the kernel has for it, or
			   // "[kernel]"
};

// Reference-counted: names in answers are valid as long as the answers.
struct ic_kernel_names;

// Reads the functions in the list, except those for which `has_file` returns true. NULL if memory
// runs out, or the list cannot be read.
struct ic_kernel_names *ic_kernel_names_read(struct ic_proc_text *kallsyms,
					     bool (*has_file)(void *context, uint64_t addr),
					     void *context, struct ic_error *err);

// Adds a reference; NULL is allowed, as below.
struct ic_kernel_names *ic_kernel_names_hold(struct ic_kernel_names *names);

void ic_kernel_names_release(struct ic_kernel_names *names);

// The function at an address; NULL if there is none. Time: O(log n).
const struct ic_kernel_name *ic_kernel_names_find(const struct ic_kernel_names *names,
						  uint64_t addr);

#endif
