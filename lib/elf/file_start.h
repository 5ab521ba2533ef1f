// The first bytes of a file, as they are in memory where it is mapped.
#ifndef ELF_FILE_START_H
#define ELF_FILE_START_H

#include "elf/elf_file.h"

// Whether a file may be the one that is mapped from its first byte on where memory has these bytes,
// of which there may be any number. Compared is what neither strip(1) nor the dynamic linker
// changes: the header without the place of the section table, the program headers, and unless the
// build is known to be the same, sections such as notes and dynamic symbols. Another build can
// begin with the same bytes.
bool ic_elf_file_starts_as(const struct ic_elf_file *file, struct ic_bytes memory,
			   bool is_known_build);

#endif
