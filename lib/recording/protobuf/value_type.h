// What the values of samples are, as pprof has it: "cpu" in "milliseconds", "samples" in "count".
#ifndef RECORDING_PROTOBUF_VALUE_TYPE_H
#define RECORDING_PROTOBUF_VALUE_TYPE_H

#include "profile/profile.h"

struct ic_value_type {
	const char *name, *unit; // NULL if not known; `unit` also if it counts
	uint64_t scale;          // of values in the recording: times are in nanoseconds
};

// Strings are not copied. They may be NULL.
struct ic_value_type ic_value_type_of(const char *name, const char *unit);

// Whether it counts samples, and nothing else.
bool ic_value_type_is_of_samples(const struct ic_value_type *type);

// The number of a new event in a profile; IC_NONE if memory runs out.
uint32_t ic_value_type_event(const struct ic_value_type *type, struct ic_profile *profile);

// A value as events have it. One below 0, as in differences of profiles, is 0, and counted in
// `negative`.
uint64_t ic_value_type_scale(const struct ic_value_type *type, uint64_t value, uint64_t *negative);

// Adds the problem that there were such values.
void ic_value_type_tell_negative(struct ic_profile *profile, uint64_t negative);

#endif
