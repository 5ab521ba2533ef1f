// Maps addresses of a unit to instances, and to positions in the source.
#ifndef MODEL_CODE_MAP_H
#define MODEL_CODE_MAP_H

#include "model/index.h"

// Builds ic_code_map::instances of the unit in the arena, from its instances and their ranges. If
// several hosts cover an address (functions may be folded), the first in the file counts. Among the
// instances inlined into it, only their own ranges count, not those of the instances around them:
// the deepest that covers the address, of several the first. False if memory runs out.
bool ic_code_map_build_instances(struct ic_unit_model *unit, struct ic_arena *arena);

// Builds ic_code_map::lines from the sequences; if two overlap, the first in the table counts.
bool ic_code_map_build_lines(struct ic_code_map *map, struct ic_arena *arena);

// The row that covers an address, NULL if there is none. Time: O(log n).
const struct ic_code_row *ic_code_map_row(const struct ic_code_map *map, uint64_t addr);

#endif
