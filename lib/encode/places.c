#include "encode/places.h"

#include <stdio.h>
#include <string.h>

#include "elf/image/image.h"

static const char prefix[] = "inline"; // of a LOCSEC's name

static const struct ic_section *section_at(const struct ic_image *image, uint64_t addr)
{
	const struct ic_elf_file *file = &image->file;

	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (ic_section_is_code(section) && addr >= section->addr &&
		    addr - section->addr < section->size)
			return section;
	}
	return NULL;
}

bool ic_section_has(const struct ic_image *image, uint64_t addr)
{
	return section_at(image, addr);
}

bool ic_section_place_write(const struct ic_image *image, uint64_t addr,
			    char name[IC_LOCSEC_NAME_SIZE], struct ic_btf_writer_call *call)
{
	const struct ic_section *section = section_at(image, addr);

	if (!section || addr - section->addr > UINT32_MAX ||
	    snprintf(name, IC_LOCSEC_NAME_SIZE, "%s%s", prefix, section->name) >=
		    IC_LOCSEC_NAME_SIZE)
		return false;
	call->section = name;
	call->offset = (uint32_t)(addr - section->addr);
	return true;
}

bool ic_section_place_named(const struct ic_image *image, const char *name, uint64_t *start)
{
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
