// Function descriptors. In the first ABI of 64-bit PowerPC, and in the shared objects of 64-bit
// PA-RISC, the value of a function's symbol is not its code, but a descriptor in the section .opd
// that has the address of the code.
#ifndef ELF_FILES_DESCRIPTOR_H
#define ELF_FILES_DESCRIPTOR_H

#include "elf/files/elf_file.h"

// The section with the file's descriptors, or NULL if its machine or its ABI has none.
struct ic_section *ic_elf_file_descriptors(const struct ic_elf_file *file);

// The code of the descriptor at an address. Returns the address itself if there is no descriptor,
// or it cannot be read. `descriptors` may be NULL.
uint64_t ic_descriptor_code(const struct ic_elf_file *file, const struct ic_section *descriptors,
			    uint64_t addr);

#endif
