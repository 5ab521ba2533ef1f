#include "query/counts/coverage.h"

#include <stdlib.h>

#include "base/sort.h"

bool ic_coverage_add(struct ic_coverage *coverage, const struct ic_covered *range)
{
	return IC_ARRAY_ADD(&coverage->ranges, *range);
}

// In order of start, each range adds what is beyond the largest end so far.
static void add_bytes(const struct ic_range *range, uint64_t *end, uint64_t *size)
{
	uint64_t start = range->start > *end ? range->start : *end;

	if (range->end <= start)
		return;
	*size += range->end - start;
	*end = range->end;
}

static void sweep_ranges(struct ic_coverage *coverage, const struct ic_keyed *sorted,
			 uint64_t *ends, uint64_t *sizes)
{
	uint64_t last[IC_COVERAGE_LAYERS] = { 0 };

	for (uint32_t i = 0; i < coverage->ranges.count; i++) {
		const struct ic_covered *covered = &coverage->ranges.items[sorted[i].number];
		uint64_t first = (uint64_t)covered->group * IC_COVERAGE_LAYERS;

		for (unsigned layer = 0; layer < IC_COVERAGE_LAYERS; layer++) {
			if (covered->layers & 1u << layer)
				add_bytes(&covered->range, &ends[first + layer],
					  &sizes[first + layer]);
			if (covered->totals & 1u << layer)
				add_bytes(&covered->range, &last[layer], &coverage->totals[layer]);
		}
	}
}

bool ic_coverage_count(struct ic_coverage *coverage, uint32_t group_count, uint64_t *sizes)
{
	uint32_t count = coverage->ranges.count;
	uint64_t *ends =
		ic_items_zeroed(group_count * (uint64_t)IC_COVERAGE_LAYERS + 1, sizeof(*ends));
	struct ic_keyed *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));

	for (uint32_t i = 0; sorted && i < count; i++)
		sorted[i] = (struct ic_keyed){ coverage->ranges.items[i].range.start, i };
	bool ok = ends && sorted && ic_keyed_sort(sorted, count);
	if (ok)
		sweep_ranges(coverage, sorted, ends, sizes);
	free(ends);
	free(sorted);
	return ok;
}

void ic_coverage_free(struct ic_coverage *coverage)
{
	IC_ARRAY_FREE(&coverage->ranges);
}
