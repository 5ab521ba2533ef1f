// Reads the abbreviation tables that several units share, once, before the units.
#ifndef SCAN_SCAN_TABLES_H
#define SCAN_SCAN_TABLES_H

#include "dwarf/abbrev.h"

// The kinds of DIE at which a walk stops, ordered so that a walk can stop at all from one kind on.
// A unit of C needs no scopes, and so skips the million declarations of a kernel.
enum ic_scan_kind {
	SCAN_KIND_CALL = IC_KIND_FIRST, // from here on if calls are wanted
	SCAN_KIND_SCOPE,                // a namespace, class, or the like: if scopes matter
	SCAN_KIND_DECLARED,             // a subprogram without code
	SCAN_KIND_INLINED,              // for C, or if only code is asked for
	SCAN_KIND_HOST, // a subprogram with code: in a function that nobody asks for
};

// A table that several units use: those with the same offset and sizes.
struct ic_scan_table {
	uint32_t unit;   // the number of one of them
	uint64_t budget; // bytes of .debug_abbrev that it may use
	struct ic_abbrev_table table;
	bool readable;
	bool out_of_memory; // the reason if it is not
};

struct ic_scan_tables {
	struct ic_scan_table *shared;
	uint32_t shared_count;
	uint32_t *table_of; // by unit: its shared table, IC_NONE for one of its own
	uint64_t *budgets;  // by unit: bytes of .debug_abbrev that its table may use
};

bool ic_scan_tables_build(struct ic_scan_tables *tables, const struct ic_unit_list *units,
			  uint32_t jobs, struct ic_error *err) IC_CHECKED;

// The table of a unit: a shared one, or its own, read into `own`; with `root_only` only as far as
// its root DIE needs it. NULL if it cannot be read.
const struct ic_abbrev_table *ic_scan_table_of(const struct ic_scan_tables *tables,
					       const struct ic_unit_list *units, uint32_t unit,
					       bool root_only, struct ic_abbrev_table *own,
					       struct ic_error *err);

void ic_scan_tables_free(struct ic_scan_tables *tables);

#endif
