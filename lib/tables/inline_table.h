// Turns tables of inlined calls, such as `.BTF.inline`, into the model: a table is one unit, whose
// functions are those of BTF. It lacks what only DWARF records: lines, ranges, and how copies are
// nested.
#ifndef TABLES_INLINE_TABLE_H
#define TABLES_INLINE_TABLE_H

#include "dwarf/units/unit.h"
#include "elf/image/image.h"

#include <inlinecall/extra/btf_inline.h>

struct ic_inline_table {
	// First member, since its units refer to it; its info section is the table.
	struct ic_dwarf dwarf;
	const struct ic_btf_inline *table;
	struct ic_image *image; // its symbols locate the functions
};

// All arguments are borrowed.
void ic_inline_table_init(struct ic_inline_table *inline_table, struct ic_image *image,
			  const struct ic_btf_inline *table);

extern const struct ic_unit_source ic_unit_source_inline_table;

#endif
