// The function symbols of a file, for the names of what holds an address.
#ifndef ELF_SYMTAB_H
#define ELF_SYMTAB_H

#include "base/sort.h"
#include "elf/elf_file.h"
#include "elf/symbol.h"

struct ic_elf_symbol {
	uint64_t start, end;
	const char *name;   // in its file
	const char *source; // of a local symbol: the source file it is from; NULL where not known
};

struct ic_symtab {
	struct ic_elf_symbol *symbols; // sorted by start; at one address global before weak before
				       // local ones, then in the order of the files
	uint32_t count;
};

// Reads .symtab, or .dynsym where there is none; and the .symtab of a second file, where that is
// not NULL. A file without either has no symbols. Those of function descriptors are taken to the
// code if the descriptors have been loaded.
bool ic_symtab_read(struct ic_symtab *symtab, const struct ic_elf_file *file,
		    const struct ic_elf_file *second, struct ic_error *err) IC_CHECKED;

// Finds the symbol of the variable that holds an address: the innermost of several. Time: O(n).
bool ic_symtab_data_at(const struct ic_elf_file *file, const struct ic_elf_file *second,
		       uint64_t addr, struct ic_elf_symbol *symbol);

void ic_symtab_free(struct ic_symtab *symtab);

// The innermost function symbol that holds an address, as ic_symtab_read() orders them, without
// reading all of them into memory: for few addresses. False where there is none. Time: O(n).
bool ic_symtab_find_at(const struct ic_elf_file *file, const struct ic_elf_file *second,
		       uint64_t addr, struct ic_elf_symbol *symbol);

struct ic_named_symbols { // a symbol table with its names
	struct ic_symbol_table table;
	struct ic_bytes names;
};

// Finds a symbol of the same tables as ic_symtab_read() by its name, as ic_symtab_names_find()
// does: for few names. Time: O(n).
bool ic_symtab_find_name(const struct ic_elf_file *file, const struct ic_elf_file *second,
			 const char *name, uint32_t number, struct ic_elf_symbol *symbol);

// Symbols by their names: those that are defined in the files, of functions or of anything else
// with an address. Zero-initialised there are none.
struct ic_symtab_names {
	struct ic_named_symbols tables[2];
	struct ic_keyed *sorted; // numbers of symbols, of one table behind the other, by their hash
	uint32_t count;
};

// Takes the names of the same tables as ic_symtab_read().
bool ic_symtab_names_build(struct ic_symtab_names *names, const struct ic_elf_file *file,
			   const struct ic_elf_file *second, struct ic_error *err) IC_CHECKED;

// Finds a symbol; one without a size ends where it starts. Of several of that name number `number`
// is meant, in the order of the files. False where there are not so many.
// Time: O(log n + number).
bool ic_symtab_names_find(const struct ic_symtab_names *names, const char *name, uint32_t number,
			  struct ic_elf_symbol *symbol);

void ic_symtab_names_free(struct ic_symtab_names *names);

#endif
