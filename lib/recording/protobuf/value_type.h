// Types of sample values, as in pprof: "cpu" in "milliseconds", "samples" in "count".
#ifndef RECORDING_PROTOBUF_VALUE_TYPE_H
#define RECORDING_PROTOBUF_VALUE_TYPE_H

#include "profile/profile.h"

struct ic_value_type {
	const char *name, *unit; // NULL if unknown; `unit` also for counts
	uint64_t scale;          // to multiply values with: times become nanoseconds
};

// Strings are not copied, and may be NULL.
struct ic_value_type ic_value_type_of(const char *name, const char *unit);

// Whether it only counts samples.
bool ic_value_type_is_of_samples(const struct ic_value_type *type);

// Adds an event to a profile and returns its index; IC_NONE if memory runs out.
uint32_t ic_value_type_event(const struct ic_value_type *type, struct ic_profile *profile);

// Converts a value to the event's unit. A negative one, as in differences of profiles, becomes 0,
// and is counted in `negative`.
uint64_t ic_value_type_scale(const struct ic_value_type *type, uint64_t value, uint64_t *negative);

// Adds a problem about negative values.
void ic_value_type_tell_negative(struct ic_profile *profile, uint64_t negative);

#endif
