// The samples of an event by their threads, and in these by their times.
#ifndef PROFILE_TIMELINE_H
#define PROFILE_TIMELINE_H

#include "base/sort.h"
#include "profile/profile.h"

struct ic_profile_timeline {
	struct ic_keyed *list; // by threads, which are the keys: numbers of samples, or of cells
	uint32_t count;
	bool has_times; // they are samples: the times of all are known
	uint64_t first_time;
};

// False if memory runs out. To be freed in any case.
bool ic_profile_timeline_make(struct ic_profile_timeline *timeline,
			      const struct ic_profile *profile, size_t event) IC_CHECKED;

void ic_profile_timeline_free(struct ic_profile_timeline *timeline);

#endif
