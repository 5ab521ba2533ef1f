// Checks of a symbol table for visible damage: lost names, overwritten symbols. Part of
// elf/sections/checks.h.
#ifndef ELF_SECTIONS_SYMBOL_CHECKS_H
#define ELF_SECTIONS_SYMBOL_CHECKS_H

#include "elf/files/elf_file.h"

// The symbol table of a file, whatever its name; NULL if it has none.
const struct ic_section *ic_symbol_checks_table(const struct ic_elf_file *file);

// Checks the table as a whole, and a sample of its symbols.
bool ic_symbol_checks_run(const struct ic_elf_file *file, const struct ic_section *symtab,
			  struct ic_error *err) IC_CHECKED;

// Checks all symbols in the way in which ic_symbol_checks_run() checks a sample; fails only if that
// does not. Time: O(n); reads the names.
bool ic_symbol_checks_all(const struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

#endif
