// Compressed sections that are decompressed only on demand: those that expand out of proportion, or
// beyond the limit on memory.
#ifndef UNITS_SECTIONS_H
#define UNITS_SECTIONS_H

#include "dwarf/units/unit.h"
#include "elf/files/elf_file.h"

struct ic_lazy_sections;

// For the sections of a file; NULL if memory runs out.
struct ic_lazy_sections *ic_lazy_sections_new(struct ic_elf_file *file, uint32_t most);

// The loader that the dwarfs of the file get.
struct ic_dwarf_loader *ic_lazy_sections_loader(struct ic_lazy_sections *sections);

// Whether a section should be loaded on demand, by ic_lazy_sections_add().
bool ic_lazy_sections_wants(const struct ic_elf_file *file, const struct ic_section *section);

// Adds a section, of at most `most`: returns the stand-in for struct ic_dwarf's member at `at`. If
// it holds strings, it is cut after the last terminated one.
struct ic_bytes ic_lazy_sections_add(struct ic_lazy_sections *sections, struct ic_section *section,
				     size_t at, bool has_strings);

// To be called if the file has moved in memory.
void ic_lazy_sections_moved(struct ic_lazy_sections *sections, struct ic_elf_file *file);

// NULL is allowed.
void ic_lazy_sections_free(struct ic_lazy_sections *sections);

#endif
