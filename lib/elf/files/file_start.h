// The first bytes of a file, as they are in memory where it is mapped.
#ifndef ELF_FILES_FILE_START_H
#define ELF_FILES_FILE_START_H

#include "elf/files/elf_file.h"

// Whether a file can be the one that is mapped where memory begins with these bytes; there may be
// any number of them. It compares what neither strip(1) nor the dynamic linker changes: the ELF
// header except for the section table, the program headers, and if the build is not known to be the
// same, sections such as notes and dynamic symbols. Another build can begin with the same bytes.
bool ic_elf_file_starts_as(const struct ic_elf_file *file, struct ic_bytes memory,
			   bool is_known_build);

#endif
