// Go's table of functions to model: what was inlined in programs without DWARF. A unit is a number
// of functions in the order of their addresses, so that an address costs no more than these.
#ifndef TABLES_GO_TABLE_H
#define TABLES_GO_TABLE_H

#include "dwarf/units/unit.h"
#include "elf/image/image.h"
#include "go/inline_tree.h"

struct ic_go_table {
	struct ic_dwarf dwarf; // first: its units are read from here; the table is its section
	struct ic_go_pclntab table;
	struct ic_go_memory memory;
	struct ic_go_span *spans; // owned: those of the memory
	struct ic_go_text *texts; // owned: those of the table
	uint8_t *copy; // owned: of the table with addresses filled in; NULL if not needed
	// What it takes to read all of a table is in proportion to it, but functions may share
	// tables of values: steps that a unit may take.
	uint64_t steps;
};

// Opens the table of an image, if it has one; *is_there says so. What is missing besides it becomes
// a problem. False if the table cannot be read, or memory runs out.
bool ic_go_table_open(struct ic_go_table *go, struct ic_image *image, struct ic_problems *problems,
		      bool *is_there, struct ic_error *err) IC_CHECKED;

void ic_go_table_close(struct ic_go_table *go);

extern const struct ic_unit_source ic_unit_source_go;

#endif
