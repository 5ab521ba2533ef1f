// Function descriptors. In the first ABI of 64-bit PowerPC, and in the shared objects of 64-bit
// PA-RISC, the symbol of a function is not where its code is, but where in the section .opd is
// said where that is.
#ifndef ELF_DESCRIPTOR_H
#define ELF_DESCRIPTOR_H

#include "elf/elf_file.h"

// The section that the file's descriptors are in, or NULL where its machine or its ABI has none.
struct ic_section *ic_elf_file_descriptors(const struct ic_elf_file *file);

// The code of the descriptor at an address. Gives the address itself where that is no descriptor,
// or where it cannot be read. `descriptors` may be NULL.
uint64_t ic_descriptor_code(const struct ic_elf_file *file, const struct ic_section *descriptors,
			    uint64_t addr);

#endif
