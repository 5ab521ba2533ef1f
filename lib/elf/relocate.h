// Relocations of a relocatable file's debugging sections, applied where the sections lie.
#ifndef ELF_RELOCATE_H
#define ELF_RELOCATE_H

#include "elf/elf_file.h"

// Applies the relocations of the given sections, whose `bytes` must be writable, on several
// threads. For files of type ET_REL alone: a linker that leaves relocations in a linked file has
// already applied them.
bool ic_sections_relocate(const struct ic_elf_file *file, struct ic_section *const *sections,
			  uint32_t section_count, uint32_t jobs, struct ic_error *err) IC_CHECKED;

#endif
