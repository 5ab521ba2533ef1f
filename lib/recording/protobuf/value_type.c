#include "recording/protobuf/value_type.h"

#include <inttypes.h>
#include <string.h>

struct ic_value_type ic_value_type_of(const char *name, const char *unit)
{
	static const struct {
		const char *name;
		uint64_t scale;
	} times[] = { { "microseconds", 1000 },
		      { "milliseconds", 1000000 },
		      { "seconds", 1000000000 } };
	struct ic_value_type type = { name, unit, 1 };

	for (size_t i = 0; type.unit && i < sizeof(times) / sizeof(*times); i++) {
		if (strcmp(type.unit, times[i].name) == 0) {
			type.unit = "nanoseconds";
			type.scale = times[i].scale;
		}
	}
	if (type.unit && strcmp(type.unit, "count") == 0)
		type.unit = NULL;
	return type;
}

bool ic_value_type_is_of_samples(const struct ic_value_type *type)
{
	return !type->unit && type->name && strcmp(type->name, "samples") == 0;
}

uint32_t ic_value_type_event(const struct ic_value_type *type, struct ic_profile *profile)
{
	return ic_profile_event_add(profile, ic_value_type_is_of_samples(type) ? NULL : type->name,
				    type->unit);
}

uint64_t ic_value_type_scale(const struct ic_value_type *type, uint64_t value, uint64_t *negative)
{
	uint64_t scaled;

	if (value > INT64_MAX) {
		++*negative;
		return 0;
	}
	return __builtin_mul_overflow(value, type->scale, &scaled) ? UINT64_MAX : scaled;
}

void ic_value_type_tell_negative(struct ic_profile *profile, uint64_t negative)
{
	struct ic_error err;

	if (negative == 0)
		return;
	ic_fail(&err, IC_ERROR_UNSUPPORTED,
		"%" PRIu64 " values are negative, as in a difference of profiles: they count as 0",
		negative);
	ic_problems_add(&profile->problems, &err, NULL, 0);
}
