// The two builders together: all that was written as DWARF goes into the ELF file.
#include "dwarf_builder.h"
#include "elf_builder.h"

#include <string.h>

static bool is_strings(const char *name)
{
	return !strcmp(name, ".debug_str") || !strcmp(name, ".debug_line_str") ||
	       !strcmp(name, ".debug_str.dwo");
}

void elf_add_dwarf_compressed(struct elf_builder *elf, struct dwarf_builder *dw,
			      enum elf_compression compression)
{
	const char *name;

	for (size_t i = 0; (name = dw_section_name(dw, i)) != NULL; i++) {
		struct elf_section section = {
			.name = name,
			.align = 1,
			.bytes = dw_section(dw, name),
			.compression = compression,
		};
		if (is_strings(name)) {
			section.flags = SHF_MERGE | SHF_STRINGS;
			section.entry_size = 1;
		}
		elf_add_section(elf, section);
	}
	for (size_t i = 0; dw_wants_relocs(dw) && (name = dw_section_name(dw, i)) != NULL; i++) {
		size_t count;
		const struct section_reloc *relocs = dw_relocs(dw, name, &count);
		elf_add_relocs(elf, name, relocs, count);
	}
}

void elf_add_dwarf(struct elf_builder *elf, struct dwarf_builder *dw)
{
	elf_add_dwarf_compressed(elf, dw, ELF_COMPRESSION_NONE);
}
