// Reads profiles of OpenTelemetry (github.com/open-telemetry/opentelemetry-proto,
// profiles/v1development), as of its versions 1.10 and 1.11.
#ifndef RECORDING_PROTOBUF_OTEL_H
#define RECORDING_PROTOBUF_OTEL_H

#include "profile/profile.h"

// Whether it is a message of profiles, or a file of the Collector with any number of them. A
// profile of pprof is neither, whatever is wrong with it.
bool ic_otel_is(struct ic_bytes bytes);

// Adds the samples of all profiles. What cannot be read is a problem. False if no message can be
// read at all, or memory runs out.
bool ic_otel_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
	IC_CHECKED;

#endif
