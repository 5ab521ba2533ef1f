// Compares the start of a file with its mapping in memory.
#ifndef ELF_FILES_FILE_START_H
#define ELF_FILES_FILE_START_H

#include "elf/files/elf_file.h"

// Whether a file can be the one that is mapped where memory starts with these bytes, of any number.
// It compares what neither strip(1) nor the dynamic linker changes: the ELF header except for the
// section table, the program headers, and, unless the build is known to be the same, sections such
// as notes and dynamic symbols. Another build can start with the same bytes.
bool ic_elf_file_starts_as(const struct ic_elf_file *file, struct ic_bytes memory,
			   bool is_known_build);

#endif
