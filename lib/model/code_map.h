// What a unit says of addresses: which instance is there, and which place in the source.
#ifndef MODEL_CODE_MAP_H
#define MODEL_CODE_MAP_H

#include "model/index.h"

// Builds ic_code_map::instances of the unit in the arena, from its instances and their ranges. Of
// several hosts that have an address the first in the file is meant, as where functions were
// folded; of what was inlined into it, by its own ranges and whatever those of the instances around
// it say, the one with most instances around it, of several the first. False where memory is out.
bool ic_code_map_build_instances(struct ic_unit_model *unit, struct ic_arena *arena);

// The same of ic_code_map::lines, from the sequences; where two overlap the first in the table is
// meant.
bool ic_code_map_build_lines(struct ic_code_map *map, struct ic_arena *arena);

// The row that holds an address, NULL where there is none. Time: O(log n).
const struct ic_code_row *ic_code_map_row(const struct ic_code_map *map, uint64_t addr);

#endif
