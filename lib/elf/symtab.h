// The function symbols of a file, for the names of what holds an address.
#ifndef ELF_SYMTAB_H
#define ELF_SYMTAB_H

#include "elf/elf_file.h"

struct ic_elf_symbol {
	uint64_t start, end;
	const char *name; // in its file
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

// Finds a symbol that is defined in either file by its name: of a function, or of anything else
// with an address; one without a size ends where it starts. Of several of that name number `number`
// is meant, in the order of the files. False where there are not so many. Time: O(n).
bool ic_symtab_find(const struct ic_elf_file *file, const struct ic_elf_file *second,
		    const char *name, uint32_t number, struct ic_elf_symbol *symbol);

void ic_symtab_free(struct ic_symtab *symtab);

#endif
