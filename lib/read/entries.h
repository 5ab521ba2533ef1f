// The rows of the line table at which copies of inlined functions may be entered.
#ifndef READ_ENTRIES_H
#define READ_ENTRIES_H

#include "read/stream.h"

// Notes that an inlined instance, which is the last one of the stream, has empty ranges: those that
// ic_pc_resolve() has just left out.
bool ic_entry_rows_note_empty(struct ic_stream *stream) IC_CHECKED;

// Fills the stream's rows of entries from the line table, if the unit has one: for each inlined
// instance the rows where its ranges start, the empty ones too, and the first statement of each; if
// the function's declarator has no column, also the rows that these starts are in, and those soon
// after, behind padding. For each instance the rows that have the position of its first statement,
// and of one out of line the first. A fault in the table is a problem; the rows before it stay.
void ic_entry_rows_read(struct ic_stream *stream);

#endif
