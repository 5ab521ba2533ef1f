// The contents loaded at an address of a program or library, with the addresses that the dynamic
// linker would fill in: as if it were loaded at its linked addresses.
#ifndef ELF_SECTIONS_RELATIVE_H
#define ELF_SECTIONS_RELATIVE_H

#include "elf/files/elf_file.h"

// The bytes loaded from an address on, as in the file; empty if there are none.
struct ic_bytes ic_loaded_at(const struct ic_elf_file *file, uint64_t addr);

// The relocations that fill in the file's own addresses (R_*_RELATIVE). Those without addends, and
// packed ones (DT_REL, DT_RELR), already have the value in place.
struct ic_relatives {
	struct ic_bytes entries; // as Elf32_Rela or Elf64_Rela
	uint32_t type;           // of the relative ones among them
	uint8_t addr_size;
	bool swap;
};

// Empty if the file has none.
struct ic_relatives ic_relatives_of(const struct ic_elf_file *file);

// Fills in a copy of the bytes loaded at `addr`. Time: O(n) for n relocations.
void ic_relatives_apply(const struct ic_relatives *relatives, uint64_t addr, uint8_t *copy,
			uint64_t size);

// Calls `visit` with each address that gets `value`, until it returns false.
void ic_relatives_of_value(const struct ic_relatives *relatives, uint64_t value,
			   bool (*visit)(void *context, uint64_t addr), void *context);

#endif
