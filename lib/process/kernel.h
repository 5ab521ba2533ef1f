// What a running kernel has loaded: its own code and that of its modules, and the files of both.
#ifndef PROCESS_KERNEL_H
#define PROCESS_KERNEL_H

#include "base/array.h"
#include "process/kernel_names.h"
#include "process/modules.h"

#include <inlinecall/space.h>

struct ic_kernel_part {           // code that is loaded
	uint64_t start, end;      // in memory
	uint64_t addr;            // of the file, at `start`
	struct ic_module *module; // taken
};

struct ic_kernel {
	IC_ARRAY(struct ic_kernel_part) parts; // sorted; one may begin in another
	struct ic_kernel_names *names;         // of what no file has
};

// Finds the files and where they are loaded; opens each of them once. To be freed in any case.
bool ic_kernel_read(struct ic_kernel *kernel, struct ic_modules *modules,
		    const struct ic_space_kernel_options *options, struct ic_error *err) IC_CHECKED;

void ic_kernel_free(struct ic_kernel *kernel, struct ic_modules *modules);

#endif
