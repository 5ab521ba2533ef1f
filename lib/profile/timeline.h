// The samples of an event, sorted by thread and then by time.
#ifndef PROFILE_TIMELINE_H
#define PROFILE_TIMELINE_H

#include "base/sort.h"
#include "profile/profile.h"

struct ic_profile_timeline {
	// Sorted by thread, which is the key: indexes of samples, or of cells.
	struct ic_keyed *list;
	uint32_t count;
	bool has_times; // they are samples, with known times
	uint64_t first_time;
};

// False if memory runs out. Must be freed in any case.
bool ic_profile_timeline_make(struct ic_profile_timeline *timeline,
			      const struct ic_profile *profile, size_t event) IC_CHECKED;

void ic_profile_timeline_free(struct ic_profile_timeline *timeline);

#endif
