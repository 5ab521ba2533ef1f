// What sizes are grouped by: the group of code by its function, unit and address.
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
	struct ic_path_groups files; // by source, directory or unit
	struct ic_names names;       // by template
	struct ic_byte_pool texts;   // those of groups that are told apart by one, by number
	uint32_t *of_definitions;    // likewise: the group of each, IC_NONE if it is not known yet
	bool out_of_memory;
};

// False if memory runs out; to be freed in any case. Paths are copied into the arena.
bool ic_size_groups_init(struct ic_size_groups *groups, const struct ic_index *index,
			 const struct ic_definitions *definitions, enum ic_sizes_by by,
			 struct ic_arena *arena) IC_CHECKED;

// The number of a group. If memory runs out, some number, and groups->out_of_memory.
uint32_t ic_size_groups_of(struct ic_size_groups *groups, uint32_t unit, uint32_t definition,
			   uint64_t addr);

// Names a group that has code. Texts are copied into the arena. False if memory runs out.
bool ic_size_groups_name(const struct ic_size_groups *groups, uint32_t number,
			 struct ic_arena *arena, struct ic_size *size) IC_CHECKED;

void ic_size_groups_free(struct ic_size_groups *groups);

#endif
