// Consistency checks of section headers: some damage only shows as contradictions.
#ifndef ELF_SECTIONS_CHECKS_H
#define ELF_SECTIONS_CHECKS_H

#include "elf/files/elf_file.h"

// Checks each header by itself; a section whose header makes no sense may otherwise go missing.
// Fails with the first error (IC_ERROR_MALFORMED), as below.
bool ic_section_headers_check(const struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

// Compares the headers of the sections that are read. Fails with the first contradiction
// (IC_ERROR_MALFORMED), which does not name the file: results from it may be wrong or incomplete.
bool ic_section_checks_run(const struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

// The same, but once in the lifetime of the file, before sections are relocated in place. Any
// number of threads may call it.
bool ic_section_checks_once(struct ic_elf_file *file, struct ic_error *err) IC_CHECKED;

#endif
