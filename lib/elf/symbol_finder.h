// The symbols of some files by their addresses, read as far as the questions need it.
#ifndef ELF_SYMBOL_FINDER_H
#define ELF_SYMBOL_FINDER_H

#include "elf/symtab.h"

struct ic_symbol_files {
	const struct ic_elf_file *file;
	const struct ic_elf_file *mini; // MiniDebugInfo of it; NULL if there is none
};

// Symbols that name addresses by a rule. The first few questions go through the symbol table; then
// it is sorted, and stays so. The files must stay open. NULL if memory is out.
struct ic_symbol_source *ic_symbol_finder_new(const struct ic_symbol_files *files,
					      enum ic_symtab_rule rule, struct ic_memory *memory);

// The file that most of them are in.
const struct ic_elf_file *ic_symbol_finder_file(const struct ic_symbol_source *symbols);

// NULL is allowed.
void ic_symbol_finder_free(struct ic_symbol_source *symbols);

#endif
