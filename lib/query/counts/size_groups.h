// Grouping of sizes: finds the group of code by its function, unit and address.
#ifndef QUERY_COUNTS_SIZE_GROUPS_H
#define QUERY_COUNTS_SIZE_GROUPS_H

#include "base/byte_pool.h"
#include "query/find/definitions.h"
#include "query/find/names.h"
#include "query/find/path_groups.h"

#include <inlinecall/extra/sizes.h>

struct ic_size_groups {
	const struct ic_index *index;
	const struct ic_definitions *definitions;
	enum ic_sizes_by by;
	struct ic_path_groups files; // for grouping by source, directory or unit
	struct ic_names names;       // for grouping by template
	struct ic_byte_pool texts;   // by group number, for groups identified by a text
	uint32_t *of_definitions; // for the same groups: the group of each definition, IC_NONE if
				  // not determined yet
	bool out_of_memory;
};

// False if memory runs out; must be freed in any case. Paths are copied into the arena.
bool ic_size_groups_init(struct ic_size_groups *groups, const struct ic_index *index,
			 const struct ic_definitions *definitions, enum ic_sizes_by by,
			 struct ic_arena *arena) IC_CHECKED;

// Returns the number of a group. If memory runs out, returns some number, and sets
// groups->out_of_memory.
uint32_t ic_size_groups_of(struct ic_size_groups *groups, uint32_t unit, uint32_t definition,
			   uint64_t addr);

// Fills in the name of a group that has code. Texts are copied into the arena. False if memory runs
// out.
bool ic_size_groups_name(const struct ic_size_groups *groups, uint32_t number,
			 struct ic_arena *arena, struct ic_size *size) IC_CHECKED;

void ic_size_groups_free(struct ic_size_groups *groups);

#endif
