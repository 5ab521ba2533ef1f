// What a running kernel has loaded: its own code, its modules, and their files.
#ifndef PROCESS_KERNEL_H
#define PROCESS_KERNEL_H

#include "base/array.h"
#include "process/kernel_names.h"
#include "process/modules.h"

#include <inlinecall/space.h>

struct ic_kernel_part {           // loaded code
	uint64_t start, end;      // in memory
	uint64_t addr;            // in the file, of the byte at `start`
	struct ic_module *module; // reference held
};

struct ic_kernel {
	IC_ARRAY(struct ic_kernel_part) parts; // sorted; one may start inside another
	struct ic_kernel_names *names;         // of functions in no file
};

// Finds the files and their load addresses; opens each file once. Must be freed in any case.
bool ic_kernel_read(struct ic_kernel *kernel, struct ic_modules *modules,
		    const struct ic_space_kernel_options *options, struct ic_error *err) IC_CHECKED;

void ic_kernel_free(struct ic_kernel *kernel, struct ic_modules *modules);

#endif
