#include "scan/scan_nesting.h"

#include <inttypes.h>

enum { COMPARISONS = 256 }; // for each instance and range; compilers' functions need a few

// Clang's lists of microMIPS have odd addresses: the lowest bit marks the instruction set.
static bool holds(const struct ic_range *ranges, uint32_t count, const struct ic_range *range)
{
	for (uint32_t i = 0; i < count; i++)
		if (ranges[i].start <= (range->start | 1) && (range->end & ~1ull) <= ranges[i].end)
			return true;
	return false;
}

void ic_scan_nesting_check(struct ic_scan_stream *stream)
{
	const struct ic_instance *instances = stream->built.instances.items;
	const struct ic_range *ranges = stream->reader.ranges.items;
	uint64_t allowance =
		((uint64_t)stream->built.instances.count + stream->reader.ranges.count) *
		COMPARISONS;
	struct ic_error err;

	if (stream->reader.out_of_memory || stream->reader.unit->version < 3)
		return;
	for (uint32_t i = 0, count = stream->built.instances.count; i < count; i++) {
		const struct ic_instance *instance = &instances[i];
		if (instance->parent == IC_NONE || instance->range_count == 0)
			continue;
		const struct ic_instance *parent = &instances[instance->parent];
		const struct ic_range *range = &ranges[instance->first_range];
		// Many inlined copies in a function of many ranges must not cost the product of
		// both.
		if (parent->range_count > allowance)
			return;
		allowance -= parent->range_count;
		// GCC's lists before DWARF 5 may begin with an empty pair, which ends them.
		if (parent->range_count == 0 ||
		    holds(ranges + parent->first_range, parent->range_count, range))
			continue;
		ic_fail(&err, IC_ERROR_MALFORMED,
			"code at 0x%" PRIx64 " was inlined into a function that is not there",
			range->start);
		ic_scan_problem(&stream->reader, stream->reader.unit->off + instance->die_off,
				&err);
		return;
	}
}
