#include "elf/files/descriptor.h"

#include <elf.h>

struct ic_section *ic_elf_file_descriptors(const struct ic_elf_file *file)
{
	bool may_have = file->machine == EM_PPC64 || file->machine == EM_PARISC;

	return may_have && file->addr_size == 8 ? ic_elf_file_section(file, ".opd") : NULL;
}

uint64_t ic_descriptor_code(const struct ic_elf_file *file, const struct ic_section *descriptors,
			    uint64_t addr)
{
	// Code, a pointer to data, and an environment; PA-RISC has two other words before.
	uint64_t code_off = file->machine == EM_PARISC ? 16 : 0;

	if (!descriptors || addr < descriptors->addr ||
	    addr - descriptors->addr >= descriptors->size)
		return addr;
	const struct ic_bytes bytes = descriptors->bytes;
	uint64_t at = addr - descriptors->addr + code_off;
	if (bytes.size < sizeof(uint64_t) || at > bytes.size - sizeof(uint64_t))
		return addr;
	return ic_load64(bytes.data + at, file->swap);
}
