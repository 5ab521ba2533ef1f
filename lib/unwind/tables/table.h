// The FDEs of one section, sorted by address.
#ifndef UNWIND_TABLES_TABLE_H
#define UNWIND_TABLES_TABLE_H

#include "base/map.h"
#include "base/problems.h"
#include "dwarf/frames/entry.h"

struct ic_cfi_place {        // of an FDE
	uint64_t start, end; // addresses
	uint64_t reach;      // the highest end so far, in address order
	uint64_t off;        // in the section
	uint32_t cie;        // index in the table
};

struct ic_cfi_table {
	struct ic_cfi_section section;
	IC_ARRAY(struct ic_cfi_place) places; // sorted by start, then by offset
	IC_ARRAY(struct ic_cie) cies;         // all readable ones
	uint32_t fde_count; // readable ones, including those without code, which have no place
};

// Reads the headers of all entries. Unreadable ones are left out and become problems. False if
// memory runs out. The section must be set; its contents are borrowed.
bool ic_cfi_table_build(struct ic_cfi_table *table, struct ic_memory *memory,
			struct ic_problems *problems);

// Sorts FDEs that were added in another way.
void ic_cfi_table_sort(struct ic_cfi_table *table);

// The FDE that covers an address; if several do, the one that starts last. NULL if there is none.
// Time: O(log n), plus the FDEs that start between the result and the address.
const struct ic_cfi_place *ic_cfi_table_find(const struct ic_cfi_table *table, uint64_t addr);

void ic_cfi_table_free(struct ic_cfi_table *table);

#endif
