// Compact relocations, as LLVM writes them for -Wa,--crel: a section of type 0x40000014, until the
// ELF specification has a number for it.
#ifndef ELF_CREL_H
#define ELF_CREL_H

#include "elf/elf_file.h"

// Makes of a section of compact relocations one of the plain kind, in the byte order of the file.
// Both it and its bytes are the arena's. NULL if the section is damaged, or memory is out.
const struct ic_section *ic_crel_expand(const struct ic_elf_file *file,
					const struct ic_section *crel, struct ic_arena *arena,
					struct ic_error *err);

#endif
