// Names of functions compiled at run time.
#ifndef PROFILE_JIT_NAMES_H
#define PROFILE_JIT_NAMES_H

#include "profile/profile.h"

// Names the locations in the memory of processes with the functions that the processes recorded: in
// a jitdump that was mapped according to the recording, or in /tmp/perf-PID.map. False if memory
// runs out.
bool ic_profile_name_jit_code(struct ic_profile *profile, struct ic_error *err) IC_CHECKED;

#endif
