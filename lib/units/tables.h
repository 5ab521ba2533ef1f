// Reads abbreviation tables that several units share, once, before the units.
#ifndef UNITS_TABLES_H
#define UNITS_TABLES_H

#include "dwarf/units/abbrev.h"

// The kinds of DIE at which a walk can stop. A unit of C needs no scopes, so that the million
// declarations of a kernel are skipped. Each is a bit of the `kind` of a step, of which one is
// left.
enum ic_tag_kind {
	IC_TAG_CALL = IC_KIND_FIRST,
	IC_TAG_SCOPE = IC_KIND_FIRST << 1,     // a namespace, class, or the like
	IC_TAG_DECLARED = IC_KIND_FIRST << 2,  // a subprogram without code
	IC_TAG_PARAMETER = IC_KIND_FIRST << 3, // of an instance: it has an origin
	IC_TAG_INLINED = IC_KIND_FIRST << 4,
	IC_TAG_HOST = IC_KIND_FIRST << 5, // a subprogram with code
};

// A table that several units use, with the same offset and sizes.
struct ic_shared_table {
	uint32_t unit;   // the number of one of them
	uint64_t budget; // bytes of .debug_abbrev that it may use
	struct ic_abbrev_table table;
	bool readable;
	bool out_of_memory; // why it is not readable
};

struct ic_shared_tables {
	struct ic_shared_table *shared;
	uint32_t shared_count;
	uint32_t *table_of; // by unit: its shared table, IC_NONE if it has its own
	uint64_t *budgets;  // by unit: bytes of .debug_abbrev that its table may use
	const struct ic_abbrev_reader *reader;
};

extern const struct ic_abbrev_reader ic_model_tags; // stops at the kinds above

// Reads the tables that units share. `reader` must outlive them.
bool ic_shared_tables_build(struct ic_shared_tables *tables, const struct ic_unit_list *units,
			    const struct ic_abbrev_reader *reader, uint32_t jobs,
			    struct ic_error *err) IC_CHECKED;

// The table of a unit: a shared one, or its own, read into `own`; with `root_only`, only as far as
// its root DIE requires. NULL if it cannot be read.
const struct ic_abbrev_table *ic_shared_table_of(const struct ic_shared_tables *tables,
						 const struct ic_unit_list *units, uint32_t unit,
						 bool root_only, struct ic_abbrev_table *own,
						 struct ic_error *err);

void ic_shared_tables_free(struct ic_shared_tables *tables);

#endif
