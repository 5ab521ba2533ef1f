// The rows of a unit's line table, as addresses are looked up in them.
#ifndef SCAN_SCAN_ROWS_H
#define SCAN_SCAN_ROWS_H

#include "scan/scan_stream.h"

// Fills the stream's sequences and rows from the line table, if the unit has code: without those of
// code that the linker threw away, and of several rows at one address the last alone. What is
// wrong with the table is a problem; the rows before it hold.
void ic_scan_rows_read(struct ic_scan_stream *stream);

// Takes bytes of a line program from those that may still be run; returns how many it is given.
uint64_t ic_scan_take_allowance(atomic_ullong *allowance, uint64_t size);

#endif
