#include "linked_file.h"

struct elf_builder *linked_file_new(void)
{
	static const uint8_t id[] = { LINKED_FILE_ID };
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC });

	elf_add_build_id(elf, 0, id, sizeof(id));
	return elf;
}
