// Reads perf recordings into a profile.
#ifndef RECORDING_PERF_READ_H
#define RECORDING_PERF_READ_H

#include "profile/profile.h"

// Adds the samples of a recording, whose bytes must outlive the profile. Unreadable data is a
// problem. False if it is not a recording (IC_ERROR_UNSUPPORTED), or memory runs out.
bool ic_perf_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
	IC_CHECKED;

#endif
