#include "read/nesting.h"

#include <inttypes.h>

enum { COMPARISONS = 256 }; // for each instance and range; compilers' output needs a few

// Clang's lists for microMIPS have odd addresses: the lowest bit marks the instruction set.
static bool ranges_hold(const struct ic_range *ranges, uint32_t count, const struct ic_range *range)
{
	for (uint32_t i = 0; i < count; i++)
		if (ranges[i].start <= (range->start | 1) && (range->end & ~1ull) <= ranges[i].end)
			return true;
	return false;
}

bool ic_is_nested(const struct ic_instance *instances, uint32_t count,
		  const struct ic_range *ranges, uint32_t range_count, uint32_t *die_off,
		  struct ic_error *err)
{
	uint64_t allowance = ((uint64_t)count + range_count) * COMPARISONS;

	for (uint32_t i = 0; i < count; i++) {
		const struct ic_instance *instance = &instances[i];
		if (instance->parent == IC_NONE || instance->range_count == 0)
			continue;
		const struct ic_instance *parent = &instances[instance->parent];
		const struct ic_range *range = &ranges[instance->first_range];
		// Many inlined copies in a function with many ranges must not cost the product of
		// the two.
		if (parent->range_count > allowance)
			return true;
		allowance -= parent->range_count;
		// Before DWARF 5, GCC's lists may begin with an empty pair, which ends them.
		if (parent->range_count == 0 ||
		    ranges_hold(ranges + parent->first_range, parent->range_count, range))
			continue;
		*die_off = instance->die_off;
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "code at 0x%" PRIx64 " is outside the function it was inlined into",
			       range->start);
	}
	return true;
}

void ic_nesting_check(struct ic_stream *stream)
{
	const struct ic_reader *reader = &stream->reader;
	struct ic_error err;
	uint32_t die_off;

	if (!reader->out_of_memory && reader->unit->version >= 3 &&
	    !ic_is_nested(stream->built.instances.items, stream->built.instances.count,
			  reader->ranges.items, reader->ranges.count, &die_off, &err))
		ic_reader_problem(&stream->reader, reader->unit->off + die_off, &err);
}
