#include "base/range.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/search.h"

const struct ic_range *ic_range_set_find(const struct ic_range_set *set, uint64_t addr)
{
	uint32_t first = ic_search_up_to(set->ranges, sizeof(*set->ranges), set->count, addr);

	return first > 0 && addr < set->ranges[first - 1].end ? &set->ranges[first - 1] : NULL;
}

int ic_range_compare(const void *left, const void *right)
{
	const struct ic_range *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

// Most sets have one range, or are already sorted.
static bool are_sorted(const struct ic_range *ranges, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (ranges[i].start < ranges[i - 1].start)
			return false;
	return true;
}

struct ic_range_set ic_range_set_build(struct ic_range *ranges, uint32_t count)
{
	struct ic_range_set set = { ranges, 0 };

	if (!are_sorted(ranges, count))
		qsort(ranges, count, sizeof(*ranges), ic_range_compare);
	for (uint32_t i = 0; i < count; i++) {
		struct ic_range *last = set.count > 0 ? &ranges[set.count - 1] : NULL;
		if (ranges[i].start >= ranges[i].end)
			continue;
		if (last && ranges[i].start <= last->end) {
			if (ranges[i].end > last->end)
				last->end = ranges[i].end;
		} else {
			ranges[set.count++] = ranges[i];
		}
	}
	return set;
}

uint64_t ic_range_set_size(const struct ic_range_set *set)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < set->count; i++)
		size += set->ranges[i].end - set->ranges[i].start;
	return size;
}
