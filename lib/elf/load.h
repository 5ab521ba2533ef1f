// Sections to bytes that can be decoded: decompressed, and relocated where that is still to do. Any
// number of threads may load sections of one file; each must do so for what it reads.
#ifndef ELF_LOAD_H
#define ELF_LOAD_H

#include "elf/elf_file.h"

// Fills in `bytes` of the given sections, on several threads. Sections that are loaded already stay
// as they are.
bool ic_sections_load(struct ic_elf_file *file, struct ic_section *const *sections,
		      uint32_t section_count, uint32_t jobs, struct ic_error *err) IC_CHECKED;

// The same, but for the relocations of `deferred`, which is one of the sections, or NULL: what is
// read of its bytes must be asked for before, by ic_section_load_part() or
// ic_section_load_rest(). To ask for nothing is right where the file is not relocatable, since
// then nothing is deferred: struct ic_section::pending is NULL. ic_sections_load() of the section
// relocates the rest of it.
bool ic_sections_load_deferring(struct ic_elf_file *file, struct ic_section *const *sections,
				uint32_t section_count, struct ic_section *deferred, uint32_t jobs,
				struct ic_error *err) IC_CHECKED;

// ic_section_relocate_part() and ic_section_relocate_rest() of a section that was deferred,
// whatever other threads do with the file.
bool ic_section_load_part(const struct ic_elf_file *file, const struct ic_section *section,
			  uint64_t start, uint64_t end, struct ic_error *err) IC_CHECKED;
bool ic_section_load_rest(const struct ic_elf_file *file, const struct ic_section *section,
			  uint32_t jobs, struct ic_error *err) IC_CHECKED;

// Counts one more reader of the file's sections.
void ic_sections_hold(struct ic_elf_file *file);

// Counts one less. After the last one frees those of the sections that were decompressed: nothing
// may borrow from them any more. They can be loaded again.
void ic_sections_release(struct ic_elf_file *file, struct ic_section *const *sections,
			 uint32_t section_count);

#endif
