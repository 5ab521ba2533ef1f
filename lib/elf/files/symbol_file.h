// Files for symbolizers in other formats, GSYM and Breakpad. They are given the form of an ELF
// file, so that nothing else has to know them: a section with the file as it is, a section for its
// code, whose contents are unknown, its build ID and, of Breakpad files, the symbols
// (docs/decisions/0049).
#ifndef ELF_FILES_SYMBOL_FILE_H
#define ELF_FILES_SYMBOL_FILE_H

#include "elf/files/mapping.h"

// If the mapping is such a file, replaces it by one with an ELF file. Its pages are moved, not
// copied.
bool ic_symbol_file_convert(struct ic_mapping *mapping, const char *name, struct ic_error *err)
	IC_CHECKED;

#endif
