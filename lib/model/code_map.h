// What a unit says of addresses: which instance is there, and which place in the source.
#ifndef MODEL_CODE_MAP_H
#define MODEL_CODE_MAP_H

#include "model/index.h"

// Builds ic_code_map::instances of the unit in the arena, from its instances and their ranges. The
// innermost at an address is the one with most instances around it, of several the first in the
// file: by its own ranges, whatever those of the instances around it say, but only within those
// of its host. False where memory is out.
bool ic_code_map_build_instances(struct ic_unit_model *unit, struct ic_arena *arena);

// The same of ic_code_map::lines, from the sequences; where two overlap the first in the table is
// meant.
bool ic_code_map_build_lines(struct ic_code_map *map, struct ic_arena *arena);

// The row that holds an address, NULL where there is none. Time: O(log n).
const struct ic_code_row *ic_code_map_row(const struct ic_code_map *map, uint64_t addr);

#endif
