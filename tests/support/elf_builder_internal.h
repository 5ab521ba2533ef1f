#ifndef TESTS_SUPPORT_ELF_BUILDER_INTERNAL_H
#define TESTS_SUPPORT_ELF_BUILDER_INTERNAL_H

#include "elf_builder.h"

struct built_section {
	struct elf_section section; // its name is ours; `bytes` is not used
	struct byte_buffer bytes;
	uint64_t off; // in the file
	uint32_t name_off;
};

struct built_symbol {
	struct elf_symbol symbol; // its names are ours
	uint32_t index;           // in .symtab
};

struct built_reloc {
	uint32_t section; // whose bytes it is for
	struct section_reloc reloc;
};

struct elf_builder {
	struct elf_format format;
	struct built_section *sections; // the first is the null section
	uint32_t section_count;
	struct built_symbol *symbols;
	uint32_t symbol_count;
	struct built_reloc *relocs;
	size_t reloc_count;
	struct byte_buffer file;
	bool built;
};

// The header and the compressed bytes of a section.
void elf_compress(const struct elf_format *format, const struct elf_section *section,
		  struct byte_buffer *out);
// The relocation that puts an absolute value of `size` bytes.
uint32_t elf_reloc_type(const struct elf_format *format, uint8_t size);

#endif
