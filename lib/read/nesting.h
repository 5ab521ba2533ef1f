// Checks that inlined code lies within the code it was inlined into.
#ifndef READ_NESTING_H
#define READ_NESTING_H

#include "read/stream.h"

// Whether the first range of each inlined instance is inside a range of its parent. If not, sets
// *err, and *die_off to the offset of the first wrong instance's DIE in its unit. Parents must come
// before their children.
bool ic_is_nested(const struct ic_instance *instances, uint32_t count,
		  const struct ic_range *ranges, uint32_t range_count, uint32_t *die_off,
		  struct ic_error *err);

// Reports the first inlined instance whose first range is not inside a range of its parent:
// compilers nest them, so one of the two is damaged. Checking more ranges would cost too much.
// DWARF 2 cannot describe functions in several parts, and is not checked.
void ic_nesting_check(struct ic_stream *stream);

#endif
