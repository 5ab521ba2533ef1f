// DWARF to model: reads every unit, several at a time on each of several threads.
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#include "dwarf/unit.h"
#include "model/index.h"

// Fills in the units, their problems and the arena of an index that has its `code` already: ranges
// outside it are of functions that the linker threw away. The order of everything is that of the
// file, whatever the number of threads. False only where memory is out: what cannot be read is a
// problem of the index.
bool ic_scan(struct ic_index *index, const struct ic_dwarf *sections,
	     const struct ic_index_options *options, struct ic_error *err) IC_CHECKED;

#endif
