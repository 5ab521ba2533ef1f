// Reads OpenTelemetry profiles (github.com/open-telemetry/opentelemetry-proto,
// profiles/v1development), versions 1.10 and 1.11.
#ifndef RECORDING_PROTOBUF_OTEL_H
#define RECORDING_PROTOBUF_OTEL_H

#include "profile/profile.h"

// Whether this is a message with profiles, or a Collector file with any number of them. A pprof
// profile is neither, however damaged it is.
bool ic_otel_is(struct ic_bytes bytes);

// Adds the samples of all profiles. Unreadable data is a problem. False if no message can be read
// at all, or memory runs out.
bool ic_otel_read(struct ic_profile *profile, struct ic_bytes bytes, struct ic_error *err)
	IC_CHECKED;

#endif
