// The kernel of a recording, which may differ from the running one.
#ifndef PROFILE_RECORDED_KERNEL_H
#define PROFILE_RECORDED_KERNEL_H

#include "profile/profile.h"

// The kernel of the recording being read.
static inline struct ic_profile_kernel *ic_profile_kernel(struct ic_profile *profile)
{
	return &profile->kernels.items[profile->kernels.count - 1];
}

// Index of the file that stands for all its code; IC_NONE if memory runs out.
uint32_t ic_profile_kernel_file(struct ic_profile *profile);

// Adds a kernel mapping of the recording: of the kernel itself, as "[kernel.kallsyms]_text" with
// the address of that symbol as the offset, or of a module, by its file or in brackets. False if
// memory runs out.
bool ic_profile_kernel_map(struct ic_profile *profile, const char *path, uint64_t start,
			   uint64_t size, uint64_t offset, struct ic_bytes build_id) IC_CHECKED;

// Whether it has the release of the running kernel.
bool ic_profile_kernel_is_of_this_release(const struct ic_profile_kernel *kernel);

// Fills its space: from the running kernel if it is the same, at its address then; otherwise from
// files. False if nothing is known of it.
bool ic_profile_kernel_open(struct ic_profile *profile, struct ic_profile_kernel *kernel,
			    struct ic_error *err) IC_CHECKED;

// Why there is no file for an address, once for the kernel and for each module. NULL if there is a
// file, or it was already reported.
const char *ic_profile_kernel_missing(struct ic_profile_kernel *kernel, uint64_t addr);

#endif
