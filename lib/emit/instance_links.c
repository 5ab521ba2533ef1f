#include "emit/instance_links.h"

#include <stdlib.h>

#include "base/array.h"

bool ic_instance_links_build(struct ic_instance_links *links, const struct ic_unit_model *unit)
{
	size_t count = (size_t)unit->instance_count + 1;

	*links = (struct ic_instance_links){
		.unit = unit,
		.first_child = ic_items_alloc(count, sizeof(*links->first_child)),
		.next = ic_items_alloc(count, sizeof(*links->next)),
	};
	if (!links->first_child || !links->next) {
		ic_instance_links_free(links);
		return false;
	}
	memset(links->first_child, 0xff, count * sizeof(*links->first_child));
	memset(links->next, 0xff, count * sizeof(*links->next));
	for (uint32_t i = unit->instance_count; i-- > 0;) {
		uint32_t parent = unit->instances[i].parent;
		if (parent == IC_NONE)
			continue;
		links->next[i] = links->first_child[parent];
		links->first_child[parent] = i;
	}
	return true;
}

void ic_instance_links_free(struct ic_instance_links *links)
{
	free(links->first_child);
	free(links->next);
	links->first_child = links->next = NULL;
}

static bool has_code(const struct ic_inlined_walk *walk, uint32_t number)
{
	const struct ic_unit_model *unit = walk->links->unit;
	const struct ic_instance *instance = &unit->instances[number];
	const struct ic_range *ranges = unit->ranges + instance->first_range;
	uint64_t steps = instance->range_count + 1ull;

	if (*walk->steps < steps) {
		*walk->steps = 0;
		return false;
	}
	*walk->steps -= steps;
	for (uint32_t i = 0; i < instance->range_count; i++)
		if (ranges[i].start < walk->range.end && ranges[i].end > walk->range.start)
			return true;
	return false;
}

bool ic_inlined_walk_next(struct ic_inlined_walk *walk)
{
	const struct ic_instance_links *links = walk->links;
	uint32_t around = walk->at, next = links->first_child[around], depth = walk->depth + 1;

	for (;;) {
		while (next == IC_NONE) {
			if (around == walk->host)
				return false;
			next = links->next[around];
			around = links->unit->instances[around].parent;
			depth--;
		}
		if (has_code(walk, next))
			break;
		if (*walk->steps == 0)
			return false;
		next = links->next[next];
	}
	walk->at = next;
	walk->depth = depth;
	return true;
}
