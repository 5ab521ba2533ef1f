#include "elf_builder.h"

void elf_add_mini_debug(struct elf_builder *elf, struct bytes file)
{
	struct byte_buffer compressed = { .data = NULL };

	xz_compress(file, &compressed);
	elf_add_section(elf, (struct elf_section){ .name = ".gnu_debugdata",
						   .align = 1,
						   .bytes = byte_buffer_view(&compressed) });
	byte_buffer_deinit(&compressed);
}
