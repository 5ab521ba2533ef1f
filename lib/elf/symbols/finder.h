// The symbols of some files by address, read only as far as needed.
#ifndef ELF_SYMBOLS_FINDER_H
#define ELF_SYMBOLS_FINDER_H

#include "elf/symbols/symtab.h"

struct ic_symbol_files {
	const struct ic_elf_file *file;
	const struct ic_elf_file *mini; // its MiniDebugInfo; NULL if there is none
};

// Symbols that name addresses by a rule. The first few queries search the symbol table; then it is
// sorted once. The files must stay open. NULL if memory runs out.
struct ic_symbol_source *ic_symbol_finder_new(const struct ic_symbol_files *files,
					      enum ic_symtab_rule rule, struct ic_memory *memory);

// The file with most of them.
const struct ic_elf_file *ic_symbol_finder_file(const struct ic_symbol_source *symbols);

// NULL is allowed.
void ic_symbol_finder_free(struct ic_symbol_source *symbols);

#endif
