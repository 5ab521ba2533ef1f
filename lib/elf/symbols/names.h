// The symbols of a file by name: defined ones, functions or anything else with an address.
#ifndef ELF_SYMBOLS_NAMES_H
#define ELF_SYMBOLS_NAMES_H

#include "base/sort.h"
#include "elf/files/symbol.h"
#include "text/symbols.h"

// Zero-initialised is empty.
struct ic_symtab_names {
	struct ic_named_symbols tables[2];
	struct ic_keyed
		*sorted; // numbers of symbols, of one table after the other, by the hash of
			 // their names without a version; of clones also by their function's
	uint32_t count;
};

// Uses the same tables as ic_symtab_read().
bool ic_symtab_names_build(struct ic_symtab_names *names, const struct ic_elf_file *file,
			   const struct ic_elf_file *second, struct ic_error *err) IC_CHECKED;

// Finds a symbol; one of unknown size ends where it starts. A symbol with a version ("f@@V2") is
// also found without it; one with an old version ("f@V1") only if no other symbol has the name.
// `number` selects among several with that name, in file order. False if there are fewer. Time:
// O(log n + number).
bool ic_symtab_names_find(const struct ic_symtab_names *names, const char *name, uint32_t number,
			  struct ic_symbol *symbol);

// Finds a clone of the function of that name: "f.isra.0" for "f". Otherwise as above.
bool ic_symtab_names_find_clone(const struct ic_symtab_names *names, const char *name,
				uint32_t number, struct ic_symbol *symbol);

// Calls `visit` for all symbols that ic_symtab_names_find() would find, until it returns false.
// Time: O(log n + found).
void ic_symtab_names_each(const struct ic_symtab_names *names, const char *name,
			  ic_symbol_visit *visit, void *context);

// The symbol of an entry of `sorted`, which may contain it twice.
void ic_symtab_names_get(const struct ic_symtab_names *names, uint32_t number,
			 struct ic_symbol *symbol);

void ic_symtab_names_free(struct ic_symtab_names *names);

// The same without building a table: for few names. Time: O(n).
bool ic_symtab_find_name(const struct ic_elf_file *file, const struct ic_elf_file *second,
			 const char *name, uint32_t number, struct ic_symbol *symbol);

// Calls `take` for every symbol of these tables, in file order.
void ic_symtab_take_all(const struct ic_elf_file *file, const struct ic_elf_file *second,
			ic_symbol_take *take, void *context);

#endif
