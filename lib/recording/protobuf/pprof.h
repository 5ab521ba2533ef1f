// Reads pprof profiles (github.com/google/pprof, proto/profile.proto).
#ifndef RECORDING_PROTOBUF_PPROF_H
#define RECORDING_PROTOBUF_PPROF_H

#include "profile/profile.h"

// Adds the samples of an uncompressed profile. Unreadable data is a problem. False if it is not a
// profile (IC_ERROR_UNSUPPORTED), or memory runs out.
bool ic_pprof_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
	IC_CHECKED;

#endif
