// The rows of a unit's line table, for looking up addresses.
#ifndef READ_ROWS_H
#define READ_ROWS_H

#include "read/stream.h"

// Fills the stream's sequences and rows from the line table, if the unit has one. Omits sequences
// that the linker discarded, and all but the last of several rows at one address. A fault in the
// table becomes a problem; the rows before it are kept.
void ic_unit_rows_read(struct ic_stream *stream);

// Takes bytes from the allowance for line programs. Returns how many it got, at most `size`.
uint64_t ic_allowance_take(atomic_ullong *allowance, uint64_t size);

#endif
