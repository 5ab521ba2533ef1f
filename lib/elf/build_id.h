// The build ID note, which is the same in a program and its debug file.
#ifndef ELF_BUILD_ID_H
#define ELF_BUILD_ID_H

#include "elf/elf_file.h"

// The description of the NT_GNU_BUILD_ID note, in the mapping; empty if there is none.
struct ic_bytes ic_build_id_find(const struct ic_elf_file *file);

// Writes the path of the debug file with a build ID in a debug directory:
// DIR/.build-id/ab/cdef.debug. False if the build ID has an impossible size, or the path would not
// fit.
bool ic_build_id_path(struct ic_bytes id, const char *debug_dir, char *path, size_t size);

#endif
