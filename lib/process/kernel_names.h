// The functions of a running kernel that no file describes, by the kernel's own list of symbols.
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
	const char *owner; // "[NAME]" of a module, or what else the kernel calls it; "[kernel]"
};

// Counted references: whatever answers have of them lives as long as they do.
struct ic_kernel_names;

// Reads the functions of the list but for those that `has_file` knows a file of. NULL if memory is
// out, or the list cannot be read.
struct ic_kernel_names *ic_kernel_names_read(struct ic_proc_text *kallsyms,
					     bool (*has_file)(void *context, uint64_t addr),
					     void *context, struct ic_error *err);

// One more reference; NULL is allowed, as below.
struct ic_kernel_names *ic_kernel_names_hold(struct ic_kernel_names *names);

void ic_kernel_names_release(struct ic_kernel_names *names);

// The function at an address; NULL if none is known there. Time: O(log n).
const struct ic_kernel_name *ic_kernel_names_find(const struct ic_kernel_names *names,
						  uint64_t addr);

#endif
