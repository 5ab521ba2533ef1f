// Compressed sections that are made readable when their bytes are first asked for, if ever: those
// that become out of proportion large, or larger than the limit on memory leaves room for.
#ifndef SCAN_SCAN_SECTIONS_H
#define SCAN_SCAN_SECTIONS_H

#include "dwarf/unit.h"
#include "elf/elf_file.h"

struct ic_scan_sections;

// For the sections of a file; NULL if memory is out.
struct ic_scan_sections *ic_scan_sections_new(struct ic_elf_file *file, uint32_t most);

// What the dwarfs of the file have for it.
struct ic_dwarf_loader *ic_scan_sections_loader(struct ic_scan_sections *sections);

// Whether to leave a section for later, which ic_scan_sections_add() does.
bool ic_scan_sections_wants(const struct ic_elf_file *file, const struct ic_section *section);

// Adds one of not more than `most`: returns what struct ic_dwarf has at `at` in its place. Its
// strings are cut behind the last one that has an end, if that is what it has.
struct ic_bytes ic_scan_sections_add(struct ic_scan_sections *sections, struct ic_section *section,
				     size_t at, bool has_strings);

// To be called if the file is at another address in memory now.
void ic_scan_sections_moved(struct ic_scan_sections *sections, struct ic_elf_file *file);

// NULL is allowed.
void ic_scan_sections_free(struct ic_scan_sections *sections);

#endif
