// Kernels and modules of which only sections and symbols matter, and what a machine says of them.
#ifndef TESTS_UNIT_KERNEL_FIXTURE_H
#define TESTS_UNIT_KERNEL_FIXTURE_H

#include "elf_fixture.h"
#include "lookup_fixture.h"

// Where a kernel is linked, how far it is moved, and where a module is loaded.
#define KERNEL 0xffffffff81000000
#define MOVED  0x1e000000
#define MODULE 0xffffffffc0a00000

// A global function of 0x10 bytes.
void kernel_add_function(struct elf_builder *elf, const char *name, const char *section,
			 uint64_t value);

// Opens a file that has no debug information; closed by lookup_close().
void kernel_open(struct lookup *lookup, const char *path);

// Writes a file into the temporary directory, such as a copy of /proc/kallsyms. Returns its path.
const char *kernel_write_text(const char *name, const char *text);

#endif
