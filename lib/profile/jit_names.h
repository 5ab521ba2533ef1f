// Names of what processes have compiled while they ran.
#ifndef PROFILE_JIT_NAMES_H
#define PROFILE_JIT_NAMES_H

#include "profile/profile.h"

// Gives the locations in the memory of processes the functions that these have written down: in a
// jitdump that the recording says was mapped, or in /tmp/perf-PID.map. False if memory runs out.
bool ic_profile_name_jit_code(struct ic_profile *profile, struct ic_error *err) IC_CHECKED;

#endif
