// Maps addresses of a unit to instances, and to source positions.
#ifndef MODEL_CODE_MAP_H
#define MODEL_CODE_MAP_H

#include "model/index.h"

// Builds ic_code_map::instances in the arena, from the unit's instances and their ranges. If
// several hosts cover an address (functions may be folded), the first one in the file counts. Among
// the instances inlined into it, the deepest one that covers the address counts, or the first of
// several; an instance covers only its own ranges, not those of the instances around it. Returns
// false if memory runs out.
bool ic_code_map_build_instances(struct ic_unit_model *unit, struct ic_arena *arena);

// Builds ic_code_map::lines from the sequences; if two overlap, the first one in the table counts.
bool ic_code_map_build_lines(struct ic_code_map *map, struct ic_arena *arena);

// The row that covers an address; NULL if there is none. Time: O(log n).
const struct ic_code_row *ic_code_map_row(const struct ic_code_map *map, uint64_t addr);

#endif
