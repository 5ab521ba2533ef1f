// Compact relocations, as written by LLVM for -Wa,--crel, in a section of type 0x40000014 until the
// ELF specification assigns a number.
#ifndef ELF_SECTIONS_CREL_H
#define ELF_SECTIONS_CREL_H

#include "elf/files/elf_file.h"

// Converts a section of compact relocations to a plain one, in the byte order of the file. The
// arena owns it and its bytes. NULL if the section is damaged, or memory runs out.
const struct ic_section *ic_crel_expand(const struct ic_elf_file *file,
					const struct ic_section *crel, struct ic_arena *arena,
					struct ic_error *err);

#endif
