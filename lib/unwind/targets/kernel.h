// Kernel dumps as targets.
#ifndef UNWIND_TARGETS_KERNEL_H
#define UNWIND_TARGETS_KERNEL_H

#include "unwind/targets/target.h"

// Whether a core is a kernel dump: it has notes that only those have, or physical addresses and no
// note about a process.
bool ic_kernel_dump_check(const struct ic_core_file *core);

// Whether dumps of its machine are supported.
bool ic_kernel_dump_is_known(const struct ic_core_file *core, struct ic_error *err) IC_CHECKED;

// Reads the notes of a dump, which is the target's core, and places `vmlinux`, the kernel's file;
// NULL if it is not given. Missing data is a problem. False if memory runs out.
bool ic_target_kernel_read(struct ic_target *target, const char *vmlinux, struct ic_error *err)
	IC_CHECKED;

#endif
