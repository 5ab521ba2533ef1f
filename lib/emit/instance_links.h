// The children of each instance of a unit.
#ifndef EMIT_INSTANCE_LINKS_H
#define EMIT_INSTANCE_LINKS_H

#include "model/index.h"

struct ic_instance_links {
	const struct ic_unit_model *unit;
	uint32_t *first_child, *next; // by instance: numbers, or IC_NONE; `next` is its sibling
};

// Returns false if memory runs out.
bool ic_instance_links_build(struct ic_instance_links *links, const struct ic_unit_model *unit)
	IC_CHECKED;

void ic_instance_links_free(struct ic_instance_links *links);

struct ic_inlined_walk { // through the instances inlined into a host, parents before their children
	const struct ic_instance_links *links;
	uint32_t host;
	struct ic_range range; // only those with code in it
	uint32_t at;           // the current one
	uint32_t depth;        // number of instances around it; 0 for the host, where it starts
	// How many ranges may still be looked at: those of a function in a million parts would be a
	// million times.
	uint64_t *steps;
};

// The steps for all walks through a unit, in practice more than enough.
static inline uint64_t ic_inlined_walk_steps(const struct ic_unit_model *unit)
{
	return (1u << 20) + 64 * ((uint64_t)unit->instance_count + unit->range_count);
}

// Goes to the next one; false after the last one, or if the steps are used up.
bool ic_inlined_walk_next(struct ic_inlined_walk *walk);

#endif
