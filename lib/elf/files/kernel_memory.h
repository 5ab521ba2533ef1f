// The memory of a kernel on x86-64 in a dump, by the addresses that it has itself: through its page
// tables (Intel's manual, volume 3, 4.5), whatever is in them.
#ifndef ELF_FILES_KERNEL_MEMORY_H
#define ELF_FILES_KERNEL_MEMORY_H

#include "elf/files/core_file.h"

struct ic_kernel_memory {
	uint64_t root;    // physical address of the topmost table
	uint8_t levels;   // of tables: 4 or 5; 0 if the root is not known
	uint64_t ignored; // bits of addresses in tables that mean something else
};

// Finds the physical address of an address, and how many bytes follow it in its page. False if
// there is none, or a table is not in the dump.
bool ic_kernel_memory_translate(const struct ic_core_file *core,
				const struct ic_kernel_memory *memory, uint64_t addr,
				uint64_t *physical, uint64_t *size);

// Copies memory; what the page tables do not have of the kernel's half, by the addresses of the
// dump's segments, which are 0 if they mean nothing. False if not all of it is there.
bool ic_kernel_memory_read(const struct ic_core_file *core, const struct ic_kernel_memory *memory,
			   uint64_t addr, void *bytes, size_t size);

#endif
