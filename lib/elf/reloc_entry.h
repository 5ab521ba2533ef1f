// Relocations one by one: what an entry of a table says, and what it does to the bytes it is for.
#ifndef ELF_RELOC_ENTRY_H
#define ELF_RELOC_ENTRY_H

#include "elf/elf_file.h"

enum {
	IC_RELOC_MOST_CODES = 2048,
	IC_RELOC_MOST_FIELD = 10, // bytes that one may write: a ULEB128
};

struct ic_reloc_kind {
	uint16_t machine, code;
	uint8_t size, op; // of the field, in bytes; what is done to it
};

enum ic_reloc_layout { // of r_info in a file of 64 bits
	IC_RELOC_LAYOUT_PLAIN,
	IC_RELOC_LAYOUT_MIPS, // a symbol, a special symbol, and three types, the first of them last
	IC_RELOC_LAYOUT_SPARC, // above the low eight bits of the type there is more data
};

struct ic_reloc_machine { // what the codes mean in a file
	enum ic_reloc_layout layout;
	uint8_t addr_size;
	bool swap;
	bool has_addends_in_place; // in SHT_RELA too
	struct ic_reloc_kind kinds[IC_RELOC_MOST_CODES];
};

struct ic_reloc_table { // a section of relocations, and what they are applied to
	const struct ic_section *relocs;
	const struct ic_section *target; // its `bytes` are writable
	const uint64_t *symbols;         // their values
	uint32_t symbol_count;
};

// False where the file is for a machine that we do not know.
bool ic_reloc_machine_init(struct ic_reloc_machine *machine, const struct ic_elf_file *file);

uint64_t ic_reloc_entry_size(const struct ic_reloc_machine *machine,
			     const struct ic_section *relocs);

uint64_t ic_reloc_count(const struct ic_reloc_machine *machine, const struct ic_section *relocs);

// The offset at which the entry at this place of a table is to be applied.
static inline uint64_t ic_reloc_off(const struct ic_reloc_machine *machine, const uint8_t *entry)
{
	return machine->addr_size == 8 ? ic_load64(entry, machine->swap)
				       : ic_load32(entry, machine->swap);
}

// The number of its type; that of the first where it is composed of several.
uint32_t ic_reloc_code(const struct ic_reloc_machine *machine, const struct ic_section *relocs,
		       uint64_t index);

// Applies an entry, whose index must be below the count. NULL, or what is wrong with it: then
// nothing was changed.
const char *ic_reloc_apply(const struct ic_reloc_machine *machine,
			   const struct ic_reloc_table *table, uint64_t index);

#endif
