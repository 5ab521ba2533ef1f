// The kernel of a recording, which need not be the one that runs.
#ifndef PROFILE_RECORDED_KERNEL_H
#define PROFILE_RECORDED_KERNEL_H

#include "profile/profile.h"

// The kernel of the recording that is being read.
static inline struct ic_profile_kernel *ic_profile_kernel(struct ic_profile *profile)
{
	return &profile->kernels.items[profile->kernels.count - 1];
}

// The number of the file that all of its code is; IC_NONE if memory runs out.
uint32_t ic_profile_kernel_file(struct ic_profile *profile);

// What the recording has mapped of the kernel: itself, as "[kernel.kallsyms]_text" with the address
// of that symbol as the offset, or a module, by its file or in brackets. False if memory runs out.
bool ic_profile_kernel_map(struct ic_profile *profile, const char *path, uint64_t start,
			   uint64_t size, uint64_t offset, struct ic_bytes build_id) IC_CHECKED;

// Whether it is of the version of the kernel that runs.
bool ic_profile_kernel_is_of_this_release(const struct ic_profile_kernel *kernel);

// Fills its space: with the running kernel if it is that one, where it was then; else with what
// files have of it. False if nothing is known of it.
bool ic_profile_kernel_open(struct ic_profile *profile, struct ic_profile_kernel *kernel,
			    struct ic_error *err) IC_CHECKED;

// Why there is no file of what is at an address, which is said once of the kernel and of each
// module. NULL if there is a file, or it was said.
const char *ic_profile_kernel_missing(struct ic_profile_kernel *kernel, uint64_t addr);

#endif
