// Where a file has the tables of Go's runtime: the function table and the module data. Stripped
// programs have them too, possibly without section headers.
#ifndef ELF_SYMBOLS_GO_TABLES_H
#define ELF_SYMBOLS_GO_TABLES_H

#include "elf/sections/relative.h"
#include "go/module_data.h"

struct ic_go_place {
	const char *name;      // of the section, or of the table; static
	struct ic_bytes bytes; // from the table's header on; the file's
	uint64_t addr;
};

// Whether the file is a Go program, without searching.
bool ic_go_place_is_likely(const struct ic_elf_file *file);

// Finds the table by its section. It is searched for in files without section headers, and in Go
// programs without that section, because the linker merged it into another. False if there is none.
bool ic_go_place_find(const struct ic_elf_file *file, struct ic_go_place *place);

// Finds the module data of a table from Go 1.18 or later, with addresses filled in. False if there
// are none.
bool ic_go_module_find(const struct ic_elf_file *file, const struct ic_go_pclntab *table,
		       uint64_t words[IC_GO_MODULE_WORDS]);

#endif
