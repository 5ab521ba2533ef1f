// The symbols of a file: which of them names an address.
#ifndef ELF_SYMTAB_H
#define ELF_SYMTAB_H

#include "base/symbols.h"
#include "elf/symtab_entry.h"

// Reads the symbols that name addresses by a rule, into the arena: those of .symtab, or of .dynsym
// without one; and of .symtab of a second file, if that is not NULL. Names are borrowed from the
// files; SYMTAB_INNERMOST has them without versions ("f@@V2" is "f"). Symbols of function
// descriptors are taken to the code if the descriptors have been loaded.
bool ic_symtab_read(struct ic_symbols *symbols, const struct ic_elf_file *file,
		    const struct ic_elf_file *second, enum ic_symtab_rule rule,
		    struct ic_arena *arena, struct ic_error *err) IC_CHECKED;

// Finds what ic_symbols_find_named() finds in what ic_symtab_read() reads, but sorts only what is
// near: for few questions. `symbol->name` is NULL if there is none. Time: O(n).
bool ic_symtab_find(struct ic_symbol *symbol, const struct ic_elf_file *file,
		    const struct ic_elf_file *second, enum ic_symtab_rule rule,
		    struct ic_range range, const char *function, struct ic_arena *arena,
		    struct ic_error *err) IC_CHECKED;

#endif
