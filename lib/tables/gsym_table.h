// Turns the functions of a GSYM file into the model. A unit is a run of consecutive functions, so
// that looking up an address needs to read only these.
#ifndef TABLES_GSYM_TABLE_H
#define TABLES_GSYM_TABLE_H

#include "dwarf/units/unit.h"
#include "elf/files/elf_file.h"
#include "gsym/file.h"

struct ic_gsym_table {
	// First member, since its units refer to it; its info section is the file.
	struct ic_dwarf dwarf;
	struct ic_gsym gsym;
	bool is_sorted; // by address; otherwise lookups have to read all units
	bool has_order; // functions are described in the order of the table
};

// Opens the table of a file, if it is one; *is_there tells. Returns false if it cannot be read.
bool ic_gsym_table_open(struct ic_gsym_table *table, const struct ic_elf_file *file, bool *is_there,
			struct ic_error *err) IC_CHECKED;

extern const struct ic_unit_source ic_unit_source_gsym;

#endif
