// MiniDebugInfo: the symbols of a stripped program, as an ELF file compressed with xz in its
// section .gnu_debugdata. Used by Fedora. Its .symtab leaves out what .dynsym has.
#ifndef ELF_SYMBOLS_MINI_DEBUG_H
#define ELF_SYMBOLS_MINI_DEBUG_H

#include "elf/files/elf_file.h"

// The section, NULL if the file has none.
const struct ic_section *ic_mini_debug_section(const struct ic_elf_file *file);

// Opens the ELF file in the section, which must exist. Its addresses are the program's. If it
// cannot hold symbols, judging by its size or machine, it is rejected before it takes memory; the
// error is at a position in the section, or IC_ERROR_MEMORY.
bool ic_mini_debug_open(struct ic_elf_file *mini, const struct ic_elf_file *file,
			struct ic_error *err) IC_CHECKED;

#endif
