// Whether a message with OpenTelemetry profiles has a supported version.
#ifndef RECORDING_PROTOBUF_OTEL_CHECK_H
#define RECORDING_PROTOBUF_OTEL_CHECK_H

#include "base/cursor.h"

// Why a message is not of version 1.10 or 1.11 of the protocol; NULL if it may be. Finds its
// dictionary, which is empty if it has none, and nothing that needs one. A truncated message is
// checked as far as it goes.
const char *ic_otel_check(struct ic_cursor message, struct ic_cursor *dictionary);

#endif
