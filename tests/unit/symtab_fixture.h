// Symbol tables, read whole and for one address.
#ifndef TESTS_UNIT_SYMTAB_FIXTURE_H
#define TESTS_UNIT_SYMTAB_FIXTURE_H

#include "elf/symtab.h"

struct ic_symbols symtab_read_all(const struct ic_elf_file *file, const struct ic_elf_file *second,
				  enum ic_symtab_rule rule, struct ic_arena *arena);

struct ic_symbol symtab_find_at(const struct ic_elf_file *file, const struct ic_elf_file *second,
				enum ic_symtab_rule rule, uint64_t addr, struct ic_arena *arena);

// The symbol found for one address must be the same as among all symbols.
void symtab_check_at(const struct ic_symbols *symbols, const struct ic_elf_file *file,
		     const struct ic_elf_file *second, enum ic_symtab_rule rule, uint64_t addr,
		     struct ic_arena *arena);

#endif
