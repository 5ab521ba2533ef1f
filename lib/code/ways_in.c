#include "code/ways_in.h"

#include <stdlib.h>

#include "base/sort.h"

bool ic_ways_in_add(struct ic_ways_in *ways, uint64_t addr)
{
	uint64_t *place = IC_ARRAY_PUSH(&ways->addrs);

	if (place)
		*place = addr;
	return place != NULL;
}

bool ic_ways_in_has(const struct ic_ways_in *ways, uint64_t addr)
{
	for (uint32_t i = 0; i < ways->addrs.count; i++)
		if (ways->addrs.items[i] == addr)
			return true;
	return false;
}

static int compare_addrs(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

void ic_ways_in_order(struct ic_ways_in *ways, uint64_t entry)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < ways->addrs.count; i++) {
		if (ways->addrs.items[i] != entry)
			continue;
		ways->addrs.items[i] = ways->addrs.items[0];
		ways->addrs.items[0] = entry;
		first = 1;
	}
	if (ways->addrs.count > first + 1)
		qsort(ways->addrs.items + first, ways->addrs.count - first,
		      sizeof(*ways->addrs.items), compare_addrs);
}
