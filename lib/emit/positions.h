// The source positions of a piece of code, from its start to its end, without columns.
#ifndef EMIT_POSITIONS_H
#define EMIT_POSITIONS_H

#include "model/index.h"

struct ic_position {
	struct ic_range range;
	uint32_t file; // index in ic_unit_model::files, IC_NONE if unknown
	uint32_t line; // 0 if unknown
};

struct ic_positions {
	const struct ic_code_map *map;
	struct ic_range left;  // the code after `next`
	uint32_t segment, row; // of the last position
	struct ic_position next;
	bool has_next;
};

void ic_positions_begin(struct ic_positions *positions, const struct ic_code_map *map,
			struct ic_range range);

// Gets the next position, which differs from the last one. The ranges leave no gap: code without a
// row has an unknown position. False at the end. Time: O(log n) for each sequence, O(1) for each
// row.
bool ic_positions_next(struct ic_positions *positions, struct ic_position *position);

#endif
