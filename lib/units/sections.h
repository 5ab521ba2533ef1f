// Compressed sections that are decompressed only on demand: those that expand disproportionately,
// or beyond the memory limit.
#ifndef UNITS_SECTIONS_H
#define UNITS_SECTIONS_H

#include "dwarf/units/unit.h"
#include "elf/files/elf_file.h"

struct ic_lazy_sections;

// Makes the list for the sections of a file; NULL if memory runs out.
struct ic_lazy_sections *ic_lazy_sections_new(struct ic_elf_file *file, uint32_t most);

// The loader for the DWARF sections of the file.
struct ic_dwarf_loader *ic_lazy_sections_loader(struct ic_lazy_sections *sections);

// Whether to load a section on demand, with ic_lazy_sections_add().
bool ic_lazy_sections_wants(const struct ic_elf_file *file, const struct ic_section *section);

// Adds a section, of at most `most`, and returns a placeholder for the member of struct ic_dwarf at
// offset `at`. A section of strings is cut after the last terminated one.
struct ic_bytes ic_lazy_sections_add(struct ic_lazy_sections *sections, struct ic_section *section,
				     size_t at, bool has_strings);

// Call this if the file has moved in memory.
void ic_lazy_sections_moved(struct ic_lazy_sections *sections, struct ic_elf_file *file);

// NULL is allowed.
void ic_lazy_sections_free(struct ic_lazy_sections *sections);

#endif
