// The note that says which build a file is of, the same in a program and its debug file.
#ifndef ELF_BUILD_ID_H
#define ELF_BUILD_ID_H

#include "elf/elf_file.h"

// The description of the NT_GNU_BUILD_ID note, in the mapping; empty where there is none.
struct ic_bytes ic_build_id_find(const struct ic_elf_file *file);

#endif
