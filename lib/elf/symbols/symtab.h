// The symbols of a file by address: which one names an address.
#ifndef ELF_SYMBOLS_SYMTAB_H
#define ELF_SYMBOLS_SYMTAB_H

#include "elf/symbols/entry.h"
#include "text/symbols.h"

// Reads the symbols that name addresses by a rule, into the arena: those of .symtab, or of .dynsym
// if there is none; and of .symtab of a second file, if that is not NULL. Names are borrowed from
// the files; with SYMTAB_INNERMOST they have no versions ("f@@V2" is "f"). Symbols of function
// descriptors get the address of the code, if the descriptors are loaded.
bool ic_symtab_read(struct ic_symbols *symbols, const struct ic_elf_file *file,
		    const struct ic_elf_file *second, enum ic_symtab_rule rule,
		    struct ic_arena *arena, struct ic_error *err) IC_CHECKED;

struct ic_symtab_query { // as for ic_symtab_read() and ic_symbols_find_named()
	const struct ic_elf_file *file, *second;
	enum ic_symtab_rule rule;
	struct ic_range range;
	const char *function;
};

// The same answer as ic_symbols_find_named() after ic_symtab_read(), but sorts only symbols near
// the address: for few queries. `symbol->name` is NULL if there is none. Time: O(n).
bool ic_symtab_find(const struct ic_symtab_query *query, struct ic_symbol *symbol,
		    struct ic_arena *arena, struct ic_error *err) IC_CHECKED;

#endif
