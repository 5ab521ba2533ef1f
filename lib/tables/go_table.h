// Turns Go's table of functions into the model: the inlining in programs without DWARF. A unit is a
// run of consecutive functions, so that looking up an address needs to read only these.
#ifndef TABLES_GO_TABLE_H
#define TABLES_GO_TABLE_H

#include "dwarf/units/unit.h"
#include "elf/image/image.h"
#include "go/inline_tree.h"

struct ic_go_table {
	// First member, since its units refer to it; its info section is the table.
	struct ic_dwarf dwarf;
	struct ic_go_pclntab table;
	struct ic_go_memory memory;
	struct ic_go_span *spans; // owned: used by `memory`
	struct ic_go_text *texts; // owned: used by `table`
	uint8_t *copy; // owned: the table with its addresses filled in; NULL if not needed
	// Limit on the steps that a unit may take. Reading a whole table takes time proportional to
	// its size, but functions may share tables of values.
	uint64_t steps;
};

// Opens the table of an image; *is_there tells whether it has one. Missing data that goes with the
// table becomes a problem. Returns false if the table cannot be read or memory runs out.
bool ic_go_table_open(struct ic_go_table *go, struct ic_image *image, struct ic_problems *problems,
		      bool *is_there, struct ic_error *err) IC_CHECKED;

void ic_go_table_close(struct ic_go_table *go);

extern const struct ic_unit_source ic_unit_source_go;

#endif
