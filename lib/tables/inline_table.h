// Tables of inlined calls, as `.BTF.inline` is, to model: a table is one unit, whose functions are
// those of BTF. What only DWARF says is not in it: lines, ranges, and which copy is within which.
#ifndef TABLES_INLINE_TABLE_H
#define TABLES_INLINE_TABLE_H

#include "dwarf/units/unit.h"
#include "elf/image/image.h"

#include <inlinecall/extra/btf_inline.h>

struct ic_inline_table {
	struct ic_dwarf dwarf; // first: its units are read from here; the table is its section
	const struct ic_btf_inline *table;
	struct ic_image *image; // whose symbols say where functions are
};

// All are borrowed.
void ic_inline_table_init(struct ic_inline_table *inline_table, struct ic_image *image,
			  const struct ic_btf_inline *table);

extern const struct ic_unit_source ic_unit_source_inline_table;

#endif
