// What section headers say of one another: contradictions are the only trace that some damage
// leaves.
#ifndef ELF_SECTION_CHECKS_H
#define ELF_SECTION_CHECKS_H

#include "elf/elf_file.h"

// Compares the headers of the sections that are read with one another. Fails with the first
// contradiction (IC_ERROR_MALFORMED), which does not name the file: what is read of it may be wrong
// or incomplete.
bool ic_section_checks_run(const struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

// The same, but compares them once in the life of the file, before sections are relocated in place.
// Any number of threads may ask.
bool ic_section_checks_once(struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

#endif
