// The note that says which build a file is of, the same in a program and its debug file.
#ifndef ELF_BUILD_ID_H
#define ELF_BUILD_ID_H

#include "elf/elf_file.h"

// The description of the NT_GNU_BUILD_ID note, in the mapping; empty where there is none.
struct ic_bytes ic_build_id_find(const struct ic_elf_file *file);

// Writes where a directory of debug files has the one of a build: DIR/.build-id/ab/cdef.debug.
// False where the build-id has an impossible size, or the path would not fit.
bool ic_build_id_path(struct ic_bytes id, const char *debug_dir, char *path, size_t size);

#endif
