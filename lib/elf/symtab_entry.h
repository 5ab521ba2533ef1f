// What of the entries of symbol tables counts, and as what: the rules.
#ifndef ELF_SYMTAB_ENTRY_H
#define ELF_SYMTAB_ENTRY_H

#include "elf/symbol.h"

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
enum { SYMTAB_RULE_COUNT = SYMTAB_LLVM_UNTAGGED + 1 };

struct ic_symtab_entry { // a symbol that counts by a rule
	uint64_t start, end;
	uint64_t section_end;
	uint64_t key;    // of two at one address the one with the larger key is the better name
	uint64_t number; // of all that count, in the order of the tables
	const char *name, *source;
	bool has_size;
	bool only_ends; // names nothing, but ends symbols of unknown size
};

// Fills in the entry of a symbol but for `number` and `source`; false if it does not count by the
// rule.
bool ic_symtab_entry_make(struct ic_symtab_entry *entry, const struct ic_named_symbols *named,
			  const struct ic_raw_symbol *raw, enum ic_symtab_rule rule);

struct ic_symtab_source { // of the symbols that are read in their order
	const char *file;
	bool seen_symbol;
	bool file_after_symbol;
};

// Takes note of a symbol of type STT_FILE: the local symbols after it are that file's.
void ic_symtab_source_note(struct ic_symtab_source *source, const struct ic_named_symbols *named,
			   const struct ic_raw_symbol *raw);

// The source of a symbol; for GNU's that of a global one too, as long as there may be one file
// only.
const char *ic_symtab_source_of(const struct ic_symtab_source *source,
				const struct ic_raw_symbol *raw, enum ic_symtab_rule rule);

// Of an address with a tag, SYMTAB_LLVM_UNTAGGED makes another one.
#define IC_FIRST_TAGGED (1ull << 55)
#define IC_LAST_TAGGED  0xff7fffffffffffffull

#endif
