// Memory of an x86-64 kernel in a dump, by virtual address: through its page tables (Intel's
// manual, volume 3, 4.5), which may contain anything.
#ifndef ELF_FILES_KERNEL_MEMORY_H
#define ELF_FILES_KERNEL_MEMORY_H

#include "elf/files/core_file.h"

struct ic_kernel_memory {
	uint64_t root;    // physical address of the topmost table
	uint8_t levels;   // number of levels, 4 or 5; 0 if the root is unknown
	uint64_t ignored; // bits of addresses in tables that have another meaning
};

// Converts a virtual address into a physical one, and gets the number of bytes that follow it in
// its page. False if there is none, or a table is not in the dump.
bool ic_kernel_memory_translate(const struct ic_core_file *core,
				const struct ic_kernel_memory *memory, uint64_t addr,
				uint64_t *physical, uint64_t *size);

// Copies memory. Addresses in the kernel's half that the page tables lack are looked up in the
// dump's segments, whose addresses are 0 if meaningless. False if not all of it is available.
bool ic_kernel_memory_read(const struct ic_core_file *core, const struct ic_kernel_memory *memory,
			   uint64_t addr, void *bytes, size_t size);

#endif
