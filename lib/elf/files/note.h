// Notes: what tools add to a file, by owner and type (gABI, Note Sections).
#ifndef ELF_FILES_NOTE_H
#define ELF_FILES_NOTE_H

#include "elf/files/elf_file.h"

// The description of the first such note in the contents of a section; empty if there is none.
struct ic_bytes ic_note_in(struct ic_bytes notes, bool swap, const char *owner, uint32_t type);

// The same in all sections of a file.
struct ic_bytes ic_note_find(const struct ic_elf_file *file, const char *owner, uint32_t type);

#endif
