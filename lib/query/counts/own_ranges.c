#include "query/counts/own_ranges.h"

#include <string.h>

// Whether the contents of an instance belong to the one around it: compilers leave instances
// without code around some that have code.
static bool is_transparent(const struct ic_unit_model *unit, const struct ic_instance *instance)
{
	return instance->range_count == 0 || ic_instance_is_part(unit, instance);
}

static uint32_t find_around(const struct ic_own_ranges *ranges, const struct ic_unit_model *unit,
			    const struct ic_instance *instance)
{
	if (instance->kind == IC_INSTANCE_HOST || instance->parent == IC_NONE)
		return IC_NONE;
	return is_transparent(unit, &unit->instances[instance->parent])
		       ? ranges->around.items[instance->parent]
		       : instance->parent;
}

// Whether the instance's ranges differ from those around it.
static bool is_inside(const struct ic_own_ranges *ranges, const struct ic_unit_model *unit,
		      uint32_t number)
{
	return ranges->around.items[number] != IC_NONE &&
	       !is_transparent(unit, &unit->instances[number]);
}

bool ic_own_ranges_begin(struct ic_own_ranges *ranges, const struct ic_unit_model *unit)
{
	uint32_t count = unit->instance_count, first = 0;

	if (!IC_ARRAY_RESERVE(&ranges->around, count) ||
	    !IC_ARRAY_RESERVE(&ranges->firsts, count + 1ull))
		return false;
	uint32_t *around = ranges->around.items, *firsts = ranges->firsts.items;
	memset(firsts, 0, (count + 1ull) * sizeof(*firsts));
	for (uint32_t i = 0; i < count; i++) {
		around[i] = find_around(ranges, unit, &unit->instances[i]);
		if (is_inside(ranges, unit, i))
			firsts[around[i]] += unit->instances[i].range_count;
	}
	// These are now the ends; filling in moves them back to the starts.
	for (uint32_t i = 0; i <= count; i++) {
		first += firsts[i];
		firsts[i] = first;
	}
	if (!IC_ARRAY_RESERVE(&ranges->inside, first))
		return false;
	for (uint32_t i = count; i-- > 0;) {
		const struct ic_instance *instance = &unit->instances[i];
		if (!is_inside(ranges, unit, i))
			continue;
		firsts[around[i]] -= instance->range_count;
		for (uint32_t j = 0; j < instance->range_count; j++)
			ranges->inside.items[firsts[around[i]] + j] =
				unit->ranges[instance->first_range + j];
	}
	return true;
}

static bool add_range(struct ic_own_ranges *ranges, uint64_t start, uint64_t end)
{
	if (start >= end)
		return true;
	return IC_ARRAY_ADD(&ranges->own, (struct ic_range){ start, end });
}

// Adds the parts of a range outside the set, from `*next` on: ranges come sorted by address.
static bool add_rest(struct ic_own_ranges *ranges, const struct ic_range *range,
		     const struct ic_range_set *inside, uint32_t *next)
{
	uint64_t start = range->start;

	while (*next < inside->count && inside->ranges[*next].end <= start)
		++*next;
	for (uint32_t i = *next; i < inside->count && inside->ranges[i].start < range->end; i++) {
		if (!add_range(ranges, start, inside->ranges[i].start))
			return false;
		start = inside->ranges[i].end;
		*next = i;
	}
	return add_range(ranges, start, range->end);
}

bool ic_own_ranges_find(struct ic_own_ranges *ranges, const struct ic_unit_model *unit,
			uint32_t number)
{
	const struct ic_instance *instance = &unit->instances[number];
	uint32_t first = ranges->firsts.items[number];
	uint32_t count = ranges->firsts.items[number + 1] - first, next = 0;

	ranges->own.count = 0;
	if (!IC_ARRAY_RESERVE(&ranges->whole, instance->range_count))
		return false;
	if (instance->range_count > 0)
		memcpy(ranges->whole.items, unit->ranges + instance->first_range,
		       instance->range_count * sizeof(*ranges->whole.items));
	const struct ic_range_set whole =
		ic_range_set_build(ranges->whole.items, instance->range_count);
	const struct ic_range_set inside =
		ic_range_set_build(count > 0 ? ranges->inside.items + first : NULL, count);
	for (uint32_t i = 0; i < whole.count; i++)
		if (!add_rest(ranges, &whole.ranges[i], &inside, &next))
			return false;
	return true;
}

void ic_own_ranges_free(struct ic_own_ranges *ranges)
{
	IC_ARRAY_FREE(&ranges->around);
	IC_ARRAY_FREE(&ranges->firsts);
	IC_ARRAY_FREE(&ranges->inside);
	IC_ARRAY_FREE(&ranges->whole);
	IC_ARRAY_FREE(&ranges->own);
}
