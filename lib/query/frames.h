// The frames at an address, of what one unit says.
#ifndef QUERY_FRAMES_H
#define QUERY_FRAMES_H

#include "model/index.h"

#include <inlinecall/symbolizer.h>

// Writes the frames at an address, the innermost first, as far as they fit in `capacity`; returns
// how many there are. Where only the line table knows the address that is one, without a function.
// The unit must have its code map. Cannot fail. Time: O(log n + d).
size_t ic_frames_at(const struct ic_unit_model *unit, uint64_t addr, struct ic_frame *frames,
		    size_t capacity);

#endif
