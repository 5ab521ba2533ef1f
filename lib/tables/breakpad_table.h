// Turns the functions of a Breakpad symbol file into the model. A unit is a run of consecutive
// functions, so that looking up an address needs to read only these.
#ifndef TABLES_BREAKPAD_TABLE_H
#define TABLES_BREAKPAD_TABLE_H

#include "base/problems.h"
#include "breakpad/file.h"
#include "dwarf/units/unit.h"
#include "elf/files/elf_file.h"

struct ic_breakpad_table {
	// First member, since its units refer to it; its info section is the file.
	struct ic_dwarf dwarf;
	struct ic_breakpad file; // owned
};

// Opens the table of a file, if it is one; *is_there tells. Malformed lines outside of functions
// become a problem. Returns false if it cannot be read or memory runs out.
bool ic_breakpad_table_open(struct ic_breakpad_table *table, const struct ic_elf_file *file,
			    struct ic_problems *problems, bool *is_there, struct ic_error *err)
	IC_CHECKED;

void ic_breakpad_table_close(struct ic_breakpad_table *table);

extern const struct ic_unit_source ic_unit_source_breakpad;

#endif
