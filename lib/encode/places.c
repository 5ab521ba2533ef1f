#include "encode/places.h"

#include "elf/image/image.h"

bool ic_section_place_find(const struct ic_image *image, uint64_t addr,
			   struct ic_section_place *place)
{
	const struct ic_elf_file *file = &image->file;

	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (ic_section_is_code(section) && addr >= section->addr &&
		    addr - section->addr < section->size) {
			*place = (struct ic_section_place){ section->name, section->addr };
			return true;
		}
	}
	return false;
}

bool ic_section_place_named(const struct ic_image *image, const char *name, uint64_t *start)
{
	static const char prefix[] = "inline";
	const struct ic_section *section;

	if (!name)
		return false;
	if (strncmp(name, prefix, sizeof(prefix) - 1) == 0)
		name += sizeof(prefix) - 1;
	section = ic_elf_file_section(&image->file, name);
	if (section)
		*start = section->addr;
	return section;
}

bool ic_image_has_fixed_addresses(const struct ic_image *image)
{
	const struct ic_elf_file *file = &image->file;

	if (!ic_elf_file_is_executable(file))
		return false;
	for (uint32_t i = 0; i < file->section_count; i++)
		if (ic_section_is_relocs(&file->sections[i]) &&
		    !ic_section_is_loaded(&file->sections[i]))
			return false;
	return true;
}
