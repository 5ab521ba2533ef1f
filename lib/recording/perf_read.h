// Reads recordings of perf into a profile.
#ifndef RECORDING_PERF_READ_H
#define RECORDING_PERF_READ_H

#include "profile/profile.h"

// ic_profile_read_perf() of a file's bytes, which must stay as long as the profile. `path` is for
// messages.
bool ic_profile_read_perf_bytes(struct ic_profile *profile, struct ic_bytes bytes, const char *path,
				struct ic_error *err) IC_CHECKED;

#endif
