// Sections to bytes that can be decoded: decompressed, and relocated where that is still to do.
#ifndef ELF_LOAD_H
#define ELF_LOAD_H

#include "elf/elf_file.h"

// Fills in `bytes` of the given sections, on several threads. Sections that are loaded already stay
// as they are.
bool ic_sections_load(struct ic_elf_file *file, struct ic_section *const *sections,
		      uint32_t section_count, uint32_t jobs, struct ic_error *err) IC_CHECKED;

// The same, but for the relocations of `deferred`, which is one of the sections, or NULL: what is
// read of its bytes must be asked for before, by ic_section_relocate_part() or
// ic_section_relocate_rest(). To ask for nothing is right where the file is not relocatable, since
// then nothing is deferred: struct ic_section::pending is NULL. ic_sections_load() of the section
// relocates the rest of it.
bool ic_sections_load_deferring(struct ic_elf_file *file, struct ic_section *const *sections,
				uint32_t section_count, struct ic_section *deferred, uint32_t jobs,
				struct ic_error *err) IC_CHECKED;

// Gives the memory of a section that was decompressed back: nothing may borrow from it any more. It
// can be loaded again.
void ic_section_unload(struct ic_elf_file *file, struct ic_section *section);

#endif
