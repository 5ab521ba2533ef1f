#include "elf/files/file_start.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

// Whether a part of the file is identical in memory, as far as it is there.
static bool is_same(const struct ic_elf_file *file, struct ic_bytes memory, uint64_t start,
		    uint64_t size)
{
	if (start >= memory.size)
		return true;
	if (size > memory.size - start)
		size = memory.size - start;
	return start <= file->size && size <= file->size - start &&
	       memcmp(file->data + start, memory.data + start, size) == 0;
}

// Whether only another build changes the section. Code may contain breakpoints, constants may be
// relocated, and on MIPS the dynamic linker writes to a read-only dynamic section.
static bool is_fixed(const struct ic_section *section)
{
	return section->raw.size > 0 && ic_section_is_constant(section) &&
	       !ic_section_is_code(section) && section->type != SHT_PROGBITS &&
	       section->type != SHT_DYNAMIC;
}

bool ic_elf_file_starts_as(const struct ic_elf_file *file, struct ic_bytes memory,
			   bool is_known_build)
{
	bool is_32_bit = file->addr_size == 4;
	// The section table's offset is between the entry point and the flags, its size at the end.
	size_t before = is_32_bit ? offsetof(Elf32_Ehdr, e_shoff) : offsetof(Elf64_Ehdr, e_shoff);
	size_t after = is_32_bit ? offsetof(Elf32_Ehdr, e_flags) : offsetof(Elf64_Ehdr, e_flags);
	size_t end = is_32_bit ? offsetof(Elf32_Ehdr, e_shentsize)
			       : offsetof(Elf64_Ehdr, e_shentsize);
	size_t entry = is_32_bit ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr);

	if (file->size < (is_32_bit ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr)) ||
	    !is_same(file, memory, 0, before) || !is_same(file, memory, after, end - after))
		return false;
	const uint8_t *table = file->data + (is_32_bit ? offsetof(Elf32_Ehdr, e_phoff)
						       : offsetof(Elf64_Ehdr, e_phoff));
	const uint8_t *count = file->data + (is_32_bit ? offsetof(Elf32_Ehdr, e_phnum)
						       : offsetof(Elf64_Ehdr, e_phnum));
	if (!is_same(file, memory,
		     is_32_bit ? ic_load32(table, file->swap) : ic_load64(table, file->swap),
		     entry * ic_load16(count, file->swap)))
		return false;
	for (uint32_t i = 0; !is_known_build && i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (is_fixed(section) &&
		    !is_same(file, memory, (uint64_t)(section->raw.data - file->data),
			     section->raw.size))
			return false;
	}
	return true;
}
