// The FDEs of one section, by address.
#ifndef UNWIND_FRAMES_TABLE_H
#define UNWIND_FRAMES_TABLE_H

#include "base/map.h"
#include "base/problems.h"
#include "dwarf/frames/entry.h"

struct ic_cfi_place {        // of an FDE
	uint64_t start, end; // addresses
	uint64_t reach;      // the highest end so far, in the order of addresses
	uint64_t off;        // in the section
	uint32_t cie;        // in the table
};

struct ic_cfi_table {
	struct ic_cfi_section section;
	IC_ARRAY(struct ic_cfi_place) places; // by start, then by offset
	IC_ARRAY(struct ic_cie) cies;         // all that could be read
	uint32_t fde_count; // that could be read, with those of no code, which have no place
};

// Reads the headers of all entries. What cannot be read is left out and becomes a problem. False if
// memory runs out. The section must be set; what it has is borrowed.
bool ic_cfi_table_build(struct ic_cfi_table *table, struct ic_memory *memory,
			struct ic_problems *problems);

// The FDE whose code has the address; of several the one that begins last. NULL if there is none.
// Time: O(log n), and the FDEs that begin between the one found and the address.
const struct ic_cfi_place *ic_cfi_table_find(const struct ic_cfi_table *table, uint64_t addr);

void ic_cfi_table_free(struct ic_cfi_table *table);

#endif
