// The rules for which entries of symbol tables count, and as what.
#ifndef ELF_SYMBOLS_ENTRY_H
#define ELF_SYMBOLS_ENTRY_H

#include "elf/files/symbol.h"

enum ic_symtab_rule {
	// The function that begins last among those that contain the address; at equal addresses
	// global before weak before local, then the first. A function of unknown size extends to
	// the next symbol or the end of its section, and names nothing inside another function.
	SYMTAB_INNERMOST,
	// llvm-symbolizer's: the function or variable that begins last, if it contains the address
	// or has unknown size; at equal addresses the largest, then the last.
	SYMTAB_LLVM,
	// GNU addr2line's: the symbol, other than data, that begins last in the section; at equal
	// addresses a function that contains the query, before a label with a type, before others,
	// then the smallest, then the first; the largest if none contains it.
	SYMTAB_GNU,
	SYMTAB_LLVM_UNTAGGED, // SYMTAB_LLVM; bits 56 to 63 of addresses are copies of bit 55
};
enum { SYMTAB_RULE_COUNT = SYMTAB_LLVM_UNTAGGED + 1 };

struct ic_symtab_entry { // a symbol that counts by a rule
	uint64_t start, end;
	uint64_t section_end;
	uint64_t key;    // of two at one address, the larger key has the better name
	uint64_t number; // of all that count, in the order of the tables
	const char *name, *source;
	bool has_size;
	bool only_ends; // names nothing, but ends symbols of unknown size
};

// Fills in the entry of a symbol except `number` and `source`; false if it does not count by the
// rule.
bool ic_symtab_entry_make(struct ic_symtab_entry *entry, const struct ic_named_symbols *named,
			  const struct ic_raw_symbol *raw, enum ic_symtab_rule rule);

struct ic_symtab_source { // the source file of symbols that are read in order
	const char *file;
	bool seen_symbol;
	bool file_after_symbol;
};

// Records a symbol of type STT_FILE: the local symbols after it are that file's.
void ic_symtab_source_note(struct ic_symtab_source *source, const struct ic_named_symbols *named,
			   const struct ic_raw_symbol *raw);

// The source file of a symbol; by GNU's rule also for a global one, as long as there is at most one
// file.
const char *ic_symtab_source_of(const struct ic_symtab_source *source,
				const struct ic_raw_symbol *raw, enum ic_symtab_rule rule);

// SYMTAB_LLVM_UNTAGGED changes addresses from here on.
#define IC_FIRST_TAGGED (1ull << 55)
#define IC_LAST_TAGGED  0xff7fffffffffffffull

#endif
