#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define PASS_BITS 11
enum { PASS_SIZE = 1 << PASS_BITS };

bool ic_keyed_sort(struct ic_keyed *items, uint32_t count)
{
	struct ic_keyed *other = malloc((count + 1ull) * sizeof(*other));
	struct ic_keyed *from = items, *to = other;
	uint64_t differing = 0;

	if (!other)
		return false;
	for (uint32_t i = 1; i < count; i++)
		differing |= items[i].key ^ items[0].key;
	for (unsigned shift = 0; shift < 64 && differing >> shift; shift += PASS_BITS) {
		uint32_t places[PASS_SIZE + 1] = { 0 };
		for (uint32_t i = 0; i < count; i++)
			places[(from[i].key >> shift & (PASS_SIZE - 1)) + 1]++;
		for (uint32_t i = 0; i < PASS_SIZE; i++)
			places[i + 1] += places[i];
		for (uint32_t i = 0; i < count; i++)
			to[places[from[i].key >> shift & (PASS_SIZE - 1)]++] = from[i];
		struct ic_keyed *swapped = from;
		from = to;
		to = swapped;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
	free(other);
	return true;
}
