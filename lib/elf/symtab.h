// The symbols of a file: which of them names an address.
#ifndef ELF_SYMTAB_H
#define ELF_SYMTAB_H

#include "base/symbols.h"
#include "elf/elf_file.h"

enum ic_symtab_rule {
	// Of functions the one that begins last of those that hold the address; at one address
	// global before weak before local ones, then the first. One of unknown size goes on to the
	// next symbol or to the end of its section, and names nothing inside another function.
	SYMTAB_INNERMOST,
	// llvm-symbolizer's: what begins last of functions and data, if it holds the address or is
	// of unknown size; at one address the largest, then the last.
	SYMTAB_LLVM,
	// GNU addr2line's: what begins last in the section, data excepted; at one address a
	// function that holds it, before a label with a type, before another one, then the
	// smallest, then the first; and the largest if none holds it.
	SYMTAB_GNU,
	SYMTAB_LLVM_UNTAGGED, // SYMTAB_LLVM; bits 56 to 63 of addresses are what bit 55 is
};

// Reads the symbols that name addresses by a rule, into the arena: those of .symtab, or of .dynsym
// without one; and of .symtab of a second file, if that is not NULL. Names are borrowed from the
// files; SYMTAB_INNERMOST has them without versions ("f@@V2" is "f"). Symbols of function
// descriptors are taken to the code if the descriptors have been loaded.
bool ic_symtab_read(struct ic_symbols *symbols, const struct ic_elf_file *file,
		    const struct ic_elf_file *second, enum ic_symtab_rule rule,
		    struct ic_arena *arena, struct ic_error *err) IC_CHECKED;

// Finds what ic_symbols_find() finds at an address in what ic_symtab_read() reads, but sorts only
// what is near: for few addresses. `symbol->name` is NULL if there is none. Time: O(n).
bool ic_symtab_find_at(struct ic_symbol *symbol, const struct ic_elf_file *file,
		       const struct ic_elf_file *second, enum ic_symtab_rule rule, uint64_t addr,
		       struct ic_arena *arena, struct ic_error *err) IC_CHECKED;

#endif
