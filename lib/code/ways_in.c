#include "code/ways_in.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"

bool ic_ways_in_add(struct ic_ways_in *ways, uint64_t addr)
{
	uint64_t *place = IC_ARRAY_PUSH(&ways->addrs);

	if (place)
		*place = addr;
	return place != NULL;
}

bool ic_ways_in_has(const struct ic_ways_in *ways, uint64_t addr)
{
	const uint64_t *addrs = ways->addrs.items;
	uint32_t count = ways->addrs.count;

	if (count == 0 || addrs[0] == addr)
		return count > 0;
	uint32_t up_to = ic_search_up_to(addrs + 1, sizeof(*addrs), count - 1, addr);
	return up_to > 0 && addrs[up_to] == addr;
}

static int compare_addrs(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

void ic_ways_in_order(struct ic_ways_in *ways, uint64_t entry)
{
	uint64_t *addrs = ways->addrs.items;
	uint32_t count = ways->addrs.count, kept = 0, at = 0;

	if (count < 2)
		return;
	qsort(addrs, count, sizeof(*addrs), compare_addrs);
	for (uint32_t i = 0; i < count; i++) {
		if (kept > 0 && addrs[kept - 1] == addrs[i])
			continue;
		if (addrs[i] == entry)
			at = kept;
		addrs[kept++] = addrs[i];
	}
	ways->addrs.count = kept;
	uint64_t first = addrs[at];
	memmove(addrs + 1, addrs, at * sizeof(*addrs));
	addrs[0] = first;
}
