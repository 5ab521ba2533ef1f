// Reads a file with samples from memory: see ic_profile_read().
#ifndef RECORDING_READ_H
#define RECORDING_READ_H

#include "profile/profile.h"

// The bytes must be uncompressed and outlive the profile. `name` is for messages.
bool ic_profile_read_bytes(struct ic_profile *profile, struct ic_bytes bytes, const char *name,
			   struct ic_error *err) IC_CHECKED;

#endif
