// The build ID note, which is the same in a program and its debug file.
#ifndef ELF_FILES_BUILD_ID_H
#define ELF_FILES_BUILD_ID_H

#include "elf/files/elf_file.h"

// The description of the NT_GNU_BUILD_ID note, in the mapping; empty if there is none.
struct ic_bytes ic_build_id_find(const struct ic_elf_file *file);

// The same in the contents of a note section, for example as shown by the kernel for a module.
struct ic_bytes ic_build_id_in_notes(struct ic_bytes notes, bool swap);

enum { IC_BUILD_ID_TEXT_SIZE = 2 * 20 + 1 };

// Writes the first 20 bytes of a build ID in hexadecimal, or "none" if it is empty. Returns `text`.
const char *ic_build_id_text(struct ic_bytes id, char text[IC_BUILD_ID_TEXT_SIZE]);

// Parses a hexadecimal build ID into 20 bytes; returns its size, or 0 if it is invalid or longer.
uint8_t ic_build_id_read(const char *text, uint8_t id[20]);

// Writes the path of a file with a build ID in a debug directory, DIR/.build-id/ab/cdef, followed
// by `end`: ".debug" for a debug file. False if the build ID has an impossible size, or the path
// would not fit.
bool ic_build_id_path(struct ic_bytes id, const char *debug_dir, const char *end, char *path,
		      size_t size);

#endif
