// Reads recordings of perf into a profile.
#ifndef RECORDING_PERF_READ_H
#define RECORDING_PERF_READ_H

#include "profile/profile.h"

// Adds the samples of a recording, whose bytes must stay as long as the profile. What cannot be
// read is a problem. False if it is no recording (IC_ERROR_UNSUPPORTED), or memory runs out.
bool ic_perf_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
	IC_CHECKED;

#endif
