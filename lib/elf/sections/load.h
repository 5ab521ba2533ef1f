// Loads sections: decompresses and, if needed, relocates them. Any number of threads may load
// sections of one file; each must load those that it reads.
#ifndef ELF_SECTIONS_LOAD_H
#define ELF_SECTIONS_LOAD_H

#include "elf/files/elf_file.h"

// Fills in `bytes` of the given sections, on several threads. Sections that are already loaded are
// unchanged.
bool ic_sections_load(struct ic_elf_file *file, struct ic_section *const *sections,
		      uint32_t section_count, uint32_t jobs, struct ic_error *err) IC_CHECKED;

// The same, except for the relocations of `deferred`, which is one of the sections, or NULL: before
// its bytes are read, ic_section_load_part() or ic_section_load_rest() must be called for them. In
// a file that is not relocatable nothing is deferred and no call is needed: struct
// ic_section::pending is NULL. ic_sections_load() of the section relocates the rest of it.
bool ic_sections_load_deferring(struct ic_elf_file *file, struct ic_section *const *sections,
				uint32_t section_count, struct ic_section *deferred, uint32_t jobs,
				struct ic_error *err) IC_CHECKED;

// ic_section_relocate_part() and ic_section_relocate_rest() of a deferred section, safe with other
// threads.
bool ic_section_load_part(const struct ic_elf_file *file, const struct ic_section *section,
			  uint64_t start, uint64_t end, struct ic_error *err) IC_CHECKED;
bool ic_section_load_rest(const struct ic_elf_file *file, const struct ic_section *section,
			  uint32_t jobs, struct ic_error *err) IC_CHECKED;

// Adds a reader of the file's sections.
void ic_sections_hold(struct ic_elf_file *file);

// Removes a reader. After the last one frees the decompressed ones of `sections`: nothing may
// borrow from them any more. They can be loaded again.
void ic_sections_release(struct ic_elf_file *file, struct ic_section *const *sections,
			 uint32_t section_count);

#endif
