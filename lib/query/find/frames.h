// The frames at an address, from its instance and its row.
#ifndef QUERY_FIND_FRAMES_H
#define QUERY_FIND_FRAMES_H

#include "model/index.h"

#include <inlinecall/symbolizer.h>

// Writes the frames of an instance of the unit, the innermost first, as many as fit in `capacity`;
// returns how many there are. The position of the innermost is the row's, unless that is NULL.
// Cannot fail. Time: O(d) for d frames.
size_t ic_frames_of(const struct ic_unit_model *unit, uint32_t instance,
		    const struct ic_code_row *row, struct ic_frame *frames, size_t capacity);

// The frame at an address without an instance: the position of the row, which may be NULL.
struct ic_frame ic_frame_of_row(const struct ic_unit_model *unit, const struct ic_code_row *row);

#endif
