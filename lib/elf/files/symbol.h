// The entries of a symbol table, of either class and byte order.
#ifndef ELF_FILES_SYMBOL_H
#define ELF_FILES_SYMBOL_H

#include "elf/files/elf_file.h"

struct ic_raw_symbol {
	uint32_t name;    // in the string table
	uint8_t info;     // ELF64_ST_TYPE, ELF64_ST_BIND
	uint8_t other;    // ELF64_ST_VISIBILITY
	uint32_t section; // SHN_XINDEX is resolved
	uint64_t value, size;
};

struct ic_symbol_table {
	const struct ic_elf_file *file;
	struct ic_bytes entries;
	struct ic_bytes extended; // SHT_SYMTAB_SHNDX: section numbers that do not fit 16 bits
	uint64_t count;
};

// The size of an entry in bytes.
size_t ic_symbol_table_entry_size(const struct ic_elf_file *file);

struct ic_symbol_table ic_symbol_table_of(const struct ic_elf_file *file,
					  const struct ic_section *section);

// `index` must be below the count.
struct ic_raw_symbol ic_symbol_table_read(const struct ic_symbol_table *table, uint64_t index);

// The last entry before number `index` that covers `low`, or whose value is within [low, high]; the
// count if there is none. Compares only numbers, so that few entries have to be read fully.
uint64_t ic_symbol_table_previous_near(const struct ic_symbol_table *table, uint64_t index,
				       uint64_t low, uint64_t high);

// The symbol's value as an address: in a relocatable file, by its section's assigned address.
uint64_t ic_raw_symbol_addr(const struct ic_elf_file *file, const struct ic_raw_symbol *symbol);

struct ic_named_symbols { // a symbol table with its names
	struct ic_symbol_table table;
	struct ic_bytes names;
};

// Opens .symtab, or .dynsym in a file without one, and .symtab of a second file, which may be NULL.
// A table that is missing or has no names is empty. Returns the number of symbols in both.
uint64_t ic_named_symbols_open(struct ic_named_symbols tables[2], const struct ic_elf_file *file,
			       const struct ic_elf_file *second);

// Opens .dynsym; empty if it is missing.
struct ic_named_symbols ic_named_symbols_open_dynamic(const struct ic_elf_file *file);

// Fails for a file with more symbols than 32 bits can number.
bool ic_named_symbols_fail_count(const struct ic_elf_file *file, struct ic_error *err);

// The name of a symbol; `raw->name` must be in the names.
static inline const char *ic_named_symbols_name(const struct ic_named_symbols *named,
						const struct ic_raw_symbol *raw)
{
	return (const char *)named->names.data + raw->name;
}

// Whether the symbol's type is that of a function.
bool ic_raw_symbol_is_function(const struct ic_raw_symbol *symbol);

// The symbol's address: its value without the bit for the instruction set of ARM and MIPS; for a
// function descriptor, that of its code.
uint64_t ic_named_symbols_addr(const struct ic_named_symbols *named,
			       const struct ic_raw_symbol *raw);

// Whether all symbol values can be used as addresses directly.
bool ic_named_symbols_are_addrs(const struct ic_named_symbols *named);

#endif
