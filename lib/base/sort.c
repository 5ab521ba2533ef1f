#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"

#define PASS_BITS 11
enum {
	PASS_SIZE = 1 << PASS_BITS,
	MOST_MERGED = 2048, // above this, a pass by digits costs less than the merges it replaces
	RUN = 8,            // length of a run sorted by insertion
};

static void sort_run(struct ic_keyed *items, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct ic_keyed item = items[i];
		uint32_t place = i;

		for (; place > 0 && items[place - 1].key > item.key; place--)
			items[place] = items[place - 1];
		items[place] = item;
	}
}

static void merge_runs(struct ic_keyed *to, const struct ic_keyed *left, uint32_t left_count,
		       const struct ic_keyed *right, uint32_t right_count)
{
	while (left_count > 0 && right_count > 0) {
		bool takes_right = right->key < left->key;
		*to++ = takes_right ? *right : *left;
		right += takes_right;
		right_count -= takes_right;
		left += !takes_right;
		left_count -= !takes_right;
	}
	memcpy(to, left, left_count * sizeof(*to));
	memcpy(to + left_count, right, right_count * sizeof(*to));
}

// Both functions return where the sorted items are: `items` or `other`.

static struct ic_keyed *sort_by_merging(struct ic_keyed *items, struct ic_keyed *other,
					uint32_t count)
{
	for (uint32_t i = 0; i < count; i += RUN)
		sort_run(items + i, count - i < RUN ? count - i : RUN);
	for (uint32_t size = RUN; size < count; size *= 2) {
		for (uint32_t i = 0; i < count; i += 2 * size) {
			uint32_t left = count - i < size ? count - i : size;
			uint32_t right = count - i - left < size ? count - i - left : size;
			merge_runs(other + i, items + i, left, items + i + left, right);
		}
		struct ic_keyed *swapped = items;
		items = other;
		other = swapped;
	}
	return items;
}

static struct ic_keyed *sort_by_digits(struct ic_keyed *items, struct ic_keyed *other,
				       uint32_t count)
{
	uint64_t differing = 0;

	for (uint32_t i = 1; i < count; i++)
		differing |= items[i].key ^ items[0].key;
	for (unsigned shift = 0; shift < 64 && differing >> shift; shift += PASS_BITS) {
		uint32_t places[PASS_SIZE + 1] = { 0 };
		for (uint32_t i = 0; i < count; i++)
			places[(items[i].key >> shift & (PASS_SIZE - 1)) + 1]++;
		for (uint32_t i = 0; i < PASS_SIZE; i++)
			places[i + 1] += places[i];
		for (uint32_t i = 0; i < count; i++)
			other[places[items[i].key >> shift & (PASS_SIZE - 1)]++] = items[i];
		struct ic_keyed *swapped = items;
		items = other;
		other = swapped;
	}
	return items;
}

bool ic_keyed_sort(struct ic_keyed *items, uint32_t count)
{
	struct ic_keyed *other = ic_items_alloc(count + 1ull, sizeof(*other));

	if (!other)
		return false;
	struct ic_keyed *sorted = count <= MOST_MERGED ? sort_by_merging(items, other, count)
						       : sort_by_digits(items, other, count);
	if (sorted != items)
		memcpy(items, sorted, count * sizeof(*items));
	free(other);
	return true;
}

uint32_t ic_keyed_find(const struct ic_keyed *items, uint32_t count, uint64_t key)
{
	uint32_t first;

	IC_SEARCH(first, count, at, items[at].key < key);
	return first;
}
