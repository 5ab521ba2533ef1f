#include "profile/timeline.h"

#include <stdlib.h>

static const struct ic_profile_cell *cell_of(const struct ic_profile *profile, uint32_t moment)
{
	return &profile->cells.items[profile->moments.items[moment].cell];
}

// Whether the times of all samples are known.
static bool list_moments(struct ic_profile_timeline *timeline, const struct ic_profile *profile,
			 size_t event)
{
	struct ic_keyed *list = timeline->list;
	uint32_t count = 0;

	for (uint32_t i = 0; i < profile->moments.count; i++)
		if (cell_of(profile, i)->event == event)
			list[count++] = (struct ic_keyed){ profile->moments.items[i].time, i };
	if (count == 0 || count != profile->events.items[event].samples ||
	    !ic_keyed_sort(list, count))
		return false;
	timeline->first_time = list[0].key;
	for (uint32_t i = 0; i < count; i++)
		list[i].key = cell_of(profile, list[i].number)->thread;
	timeline->count = count;
	return true;
}

static void list_cells(struct ic_profile_timeline *timeline, const struct ic_profile *profile,
		       size_t event)
{
	for (uint32_t i = 0; i < profile->cells.count; i++)
		if (profile->cells.items[i].event == event)
			timeline->list[timeline->count++] =
				(struct ic_keyed){ profile->cells.items[i].thread, i };
}

bool ic_profile_timeline_make(struct ic_profile_timeline *timeline,
			      const struct ic_profile *profile, size_t event)
{
	uint64_t most = profile->cells.count > profile->moments.count ? profile->cells.count
								      : profile->moments.count;

	*timeline = (struct ic_profile_timeline){
		.list = ic_items_alloc(most + 1, sizeof(*timeline->list)),
	};
	if (!timeline->list)
		return false;
	timeline->has_times = list_moments(timeline, profile, event);
	if (!timeline->has_times)
		list_cells(timeline, profile, event);
	return ic_keyed_sort(timeline->list, timeline->count);
}

void ic_profile_timeline_free(struct ic_profile_timeline *timeline)
{
	free(timeline->list);
}
