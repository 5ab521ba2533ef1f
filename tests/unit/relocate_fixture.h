// Relocatable files whose .debug_info has bytes and relocations given by the test.
#ifndef TESTS_UNIT_RELOCATE_FIXTURE_H
#define TESTS_UNIT_RELOCATE_FIXTURE_H

#include "elf_fixture.h"

enum { SYMBOL_VALUE = 0x12345678 };

enum { MIPS_PC32 = 248 }; // not in <elf.h>

// Adds .debug_info and a symbol, called "symbol".
void add_data(struct elf_builder *elf, const void *data, size_t size);

// Loads .debug_info.
bool load(struct ic_elf_file *file, uint32_t jobs, struct ic_error *err);

// Loads a 64-bit file whose .debug_info has these bytes and these relocations. It has a symbol
// named "one" too.
bool apply(struct ic_elf_file *file, uint16_t machine, struct ic_bytes data,
	   const struct section_reloc *relocs, size_t count, struct ic_error *err);

// Applies them, which must fail.
void check_refused(uint16_t machine, struct ic_bytes data, const struct section_reloc *relocs,
		   size_t count, enum ic_error_code code, const char *wanted);

#endif
