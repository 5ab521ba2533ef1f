// Whether a message with OpenTelemetry's profiles is of a version that is read.
#ifndef RECORDING_PROTOBUF_OTEL_CHECK_H
#define RECORDING_PROTOBUF_OTEL_CHECK_H

#include "base/cursor.h"

// Why a message is not of versions 1.10 and 1.11 of the protocol; NULL if it can be. Finds its
// dictionary, which is empty if it has none, and nothing that needs one. What is not whole is
// checked as far as it goes.
const char *ic_otel_check(struct ic_cursor message, struct ic_cursor *dictionary);

#endif
