// Single relocations: decoding an entry of a table, and applying it.
#ifndef ELF_SECTIONS_RELOC_ENTRY_H
#define ELF_SECTIONS_RELOC_ENTRY_H

#include "elf/files/elf_file.h"

enum {
	IC_RELOC_MOST_CODES = 2048,
	IC_RELOC_MOST_FIELD = 10, // bytes that one entry may write: a ULEB128
};

struct ic_reloc_kind {
	uint16_t machine, code;
	uint8_t size, op; // of the field, in bytes; the operation
};

enum ic_reloc_layout { // of r_info in a 64-bit file
	IC_RELOC_LAYOUT_PLAIN,
	IC_RELOC_LAYOUT_MIPS, // a symbol, a special symbol, and three types, the first of them last
	IC_RELOC_LAYOUT_SPARC, // the type is the low eight bits; those above are data
};

struct ic_reloc_machine { // the meaning of the codes in a file
	enum ic_reloc_layout layout;
	uint8_t addr_size;
	bool swap;
	bool has_addends_in_place; // also in SHT_RELA
	struct ic_reloc_kind kinds[IC_RELOC_MOST_CODES];
};

struct ic_reloc_table { // a section of relocations and its target
	const struct ic_section *relocs;
	const struct ic_section *target; // its `bytes` are writable
	const uint64_t *symbols;         // their values
	uint32_t symbol_count;
};

// False if the file is for an unknown machine.
bool ic_reloc_machine_init(struct ic_reloc_machine *machine, const struct ic_elf_file *file);

uint64_t ic_reloc_entry_size(const struct ic_reloc_machine *machine,
			     const struct ic_section *relocs);

uint64_t ic_reloc_count(const struct ic_reloc_machine *machine, const struct ic_section *relocs);

// The offset to which the entry at this position of a table is applied.
static inline uint64_t ic_reloc_off(const struct ic_reloc_machine *machine, const uint8_t *entry)
{
	return machine->addr_size == 8 ? ic_load64(entry, machine->swap)
				       : ic_load32(entry, machine->swap);
}

// Its type; the first if it is composed of several.
uint32_t ic_reloc_code(const struct ic_reloc_machine *machine, const struct ic_section *relocs,
		       uint64_t index);

// Applies an entry, whose index must be below the count. Returns NULL, or the error if nothing was
// changed.
const char *ic_reloc_apply(const struct ic_reloc_machine *machine,
			   const struct ic_reloc_table *table, uint64_t index);

#endif
