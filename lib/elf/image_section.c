// Sections of an image for whoever reads them by name.
#include "elf/image.h"
#include "elf/load.h"

bool ic_image_section(struct ic_image *image, const char *name, const void **bytes, size_t *size,
		      struct ic_error *err)
{
	struct ic_section *section = ic_elf_file_section(&image->file, name);
	struct ic_error unwanted;

	*bytes = NULL;
	*size = 0;
	if (!err)
		err = &unwanted;
	if (!section)
		return ic_fail(err, IC_ERROR_NOT_FOUND, "%s: it has no section %s",
			       image->file.path, name);
	if (!ic_sections_load(&image->file, &section, 1, 1, err))
		return false;
	*bytes = section->bytes.data;
	*size = section->bytes.size;
	return true;
}
