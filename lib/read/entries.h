// The rows of the line table that may be entries of inlined copies.
#ifndef READ_ENTRIES_H
#define READ_ENTRIES_H

#include "read/stream.h"

// Records the empty ranges that ic_pc_resolve() has just left out of an inlined instance, the last
// one of the stream.
bool ic_entry_rows_note_empty(struct ic_stream *stream) IC_CHECKED;

// Fills the stream's entry rows from the line table, if the unit has one. For each inlined
// instance, these are the rows at the start of each range, including empty ones, and the first
// statement in each range; if the function's declarator has no column, also the rows that cover
// these starts, and those soon after, behind padding. For every instance, they are the rows with
// the position of its first statement, and for an out-of-line one its first row. A fault in the
// table becomes a problem; the rows before it are kept.
void ic_entry_rows_read(struct ic_stream *stream);

#endif
