// Sections of an image, by name.
#include <elf.h>

#include "elf/image/image.h"
#include "elf/sections/checks.h"
#include "elf/sections/load.h"

#include <inlinecall/extra/image.h>

// A section with a damaged header may be the requested one.
static bool fail_not_found(const struct ic_elf_file *file, const char *name, struct ic_error *err)
{
	struct ic_error fault;

	return ic_section_headers_check(file, &fault)
		       ? ic_fail(err, IC_ERROR_NOT_FOUND, "%s: no section %s", file->path, name)
		       : ic_fail(err, IC_ERROR_MALFORMED, "%s: no readable section %s: %s",
				 file->path, name, fault.message);
}

bool ic_image_section(struct ic_image *image, const char *name, const void **bytes, size_t *size,
		      struct ic_error *err)
{
	struct ic_section *section = ic_elf_file_section(&image->file, name);
	struct ic_error unwanted;

	*bytes = NULL;
	*size = 0;
	if (!err)
		err = &unwanted;
	if (!section || section->type == SHT_NULL)
		return fail_not_found(&image->file, name, err);
	if (!ic_sections_load(&image->file, &section, 1, 1, err))
		return false;
	*bytes = section->bytes.data;
	*size = section->bytes.size;
	return true;
}

bool ic_image_has_section(struct ic_image *image, const char *name)
{
	const void *bytes;
	size_t size;

	return ic_image_section(image, name, &bytes, &size, NULL);
}

bool ic_image_is_go(const struct ic_image *image)
{
	// Linkers of other languages join the table of functions (.gopclntab) with other data.
	static const char *const names[] = { ".note.go.buildid", ".go.buildinfo", ".gopclntab",
					     ".data.rel.ro.gopclntab" };
	bool found = false;

	for (size_t i = 0; !found && i < sizeof(names) / sizeof(*names); i++)
		found = ic_elf_file_section(&image->file, names[i]);
	return found;
}
