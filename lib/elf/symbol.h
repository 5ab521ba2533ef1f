// The entries of a symbol table, of either class and byte order.
#ifndef ELF_SYMBOL_H
#define ELF_SYMBOL_H

#include "elf/elf_file.h"

struct ic_raw_symbol {
	uint32_t name;    // in the string table
	uint8_t info;     // ELF64_ST_TYPE, ELF64_ST_BIND
	uint32_t section; // SHN_XINDEX is resolved
	uint64_t value, size;
};

struct ic_symbol_table {
	const struct ic_elf_file *file;
	struct ic_bytes entries;
	struct ic_bytes extended; // of SHT_SYMTAB_SHNDX: section numbers that 16 bits cannot hold
	uint64_t count;
};

struct ic_symbol_table ic_symbol_table_of(const struct ic_elf_file *file,
					  const struct ic_section *section);

// `index` must be below the count.
struct ic_raw_symbol ic_symbol_table_read(const struct ic_symbol_table *table, uint64_t index);

// The next entry from `index` on that may hold an address by its value and size, give or take a bit
// for the mode of the processor; the count where there is none. Passes over the others fast.
uint64_t ic_symbol_table_next_at(const struct ic_symbol_table *table, uint64_t index,
				 uint64_t addr);

// The symbol's value as an address: in a relocatable file, by where its section was laid out.
uint64_t ic_raw_symbol_addr(const struct ic_elf_file *file, const struct ic_raw_symbol *symbol);

#endif
