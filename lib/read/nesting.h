// Checks that inlined code lies in the code of what it was inlined into.
#ifndef READ_NESTING_H
#define READ_NESTING_H

#include "read/stream.h"

// Whether the first range of each inlined instance is in one of the instance around it. False for
// the reason in *err, and where the DIE of the first is that is not, from the start of its unit. An
// instance's parent is before it.
bool ic_is_nested(const struct ic_instance *instances, uint32_t count,
		  const struct ic_range *ranges, uint32_t range_count, uint32_t *die_off,
		  struct ic_error *err);

// Reports the first inlined instance whose first range is not in one of the instance around it:
// compilers nest them, so one of the two was damaged. Checking more ranges would cost too much.
// DWARF 2 cannot describe functions in several parts, and is not checked.
void ic_nesting_check(struct ic_stream *stream);

#endif
