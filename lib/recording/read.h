// Reads a file with samples that is in memory: see ic_profile_read().
#ifndef RECORDING_READ_H
#define RECORDING_READ_H

#include "profile/profile.h"

// The bytes, which are not compressed, must stay as long as the profile. `name` is for messages.
bool ic_profile_read_bytes(struct ic_profile *profile, struct ic_bytes bytes, const char *name,
			   struct ic_error *err) IC_CHECKED;

#endif
