// DWARF to model: reads every unit, several at a time on each of several threads.
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#include "dwarf/unit.h"
#include "elf/image.h"
#include "model/index.h"

struct ic_scan_input {
	// Of the file itself, then of its supplementary file. Numbers of entries are written to
	// them.
	struct ic_dwarf *const *dwarfs;
	uint32_t dwarf_count;
	struct ic_image *image; // in whose surroundings split units are looked for, or NULL
};

// Fills in the units, their problems and the arena of an index that has its `code` already: ranges
// outside it are of functions that the linker threw away. The order of everything is that of the
// file, whatever the number of threads. False only where memory is out: what cannot be read is a
// problem of the index, after `problems`, which this takes over.
bool ic_scan(struct ic_index *index, const struct ic_scan_input *input,
	     const struct ic_index_options *options, struct ic_problems *problems,
	     struct ic_error *err) IC_CHECKED;

#endif
