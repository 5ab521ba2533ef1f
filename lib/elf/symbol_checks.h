// What is wrong with a symbol table, as far as it shows: names that were lost, symbols that were
// overwritten. Part of elf/section_checks.h.
#ifndef ELF_SYMBOL_CHECKS_H
#define ELF_SYMBOL_CHECKS_H

#include "elf/elf_file.h"

// The symbol table of a file, whatever it is called; NULL if it has none.
const struct ic_section *ic_symbol_checks_table(const struct ic_elf_file *file);

// Checks the table as a whole, and some of its symbols, from everywhere.
bool ic_symbol_checks_run(const struct ic_elf_file *file, const struct ic_section *symtab,
			  struct ic_error *err) IC_CHECKED;

// Checks all symbols in the way in which ic_symbol_checks_run() checks some of them; fails only if
// that one does not. Time: O(n), the names are read.
bool ic_symbol_checks_all(const struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

#endif
