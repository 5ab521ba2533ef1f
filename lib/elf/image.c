#include "elf/image.h"

#include <stdlib.h>

#include "elf/debug_file.h"

static bool has_dwarf(const struct ic_elf_file *file)
{
	const struct ic_section *section = ic_elf_file_debug_section(file, ".debug_info");

	return section && section->raw.size > 0;
}

static bool open_files(struct ic_image *image, const char *path,
		       const struct ic_image_options *options, struct ic_error *err)
{
	if (!ic_elf_file_open(&image->file, path, err))
		return false;
	if (has_dwarf(&image->file))
		return true;
	if (!ic_debug_file_open(&image->debug_file, &image->file, options, err))
		return false;
	image->has_debug_file = true;
	return has_dwarf(&image->debug_file) ||
	       ic_fail(err, IC_ERROR_NO_DEBUG, "%s: no .debug_info in it, nor in its debug file %s",
		       path, image->debug_file.path);
}

struct ic_image *ic_image_open(const char *path, const struct ic_image_options *options,
			       struct ic_error *err)
{
	static const struct ic_image_options defaults = { 0 };
	struct ic_image *image = calloc(1, sizeof(*image));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!image) {
		ic_fail_memory(err);
		return NULL;
	}
	if (open_files(image, path, options ? options : &defaults, err))
		return image;
	ic_image_close(image);
	return NULL;
}

void ic_image_close(struct ic_image *image)
{
	if (!image)
		return;
	ic_elf_file_close(&image->file);
	if (image->has_debug_file)
		ic_elf_file_close(&image->debug_file);
	free(image);
}

const char *ic_image_path(const struct ic_image *image)
{
	return image->file.path;
}

const char *ic_image_debug_path(const struct ic_image *image)
{
	return image->has_debug_file ? image->debug_file.path : image->file.path;
}

struct ic_elf_file *ic_image_dwarf_file(struct ic_image *image)
{
	return image->has_debug_file ? &image->debug_file : &image->file;
}

const struct ic_elf_file *ic_image_symbol_file(const struct ic_image *image)
{
	const struct ic_section *own = ic_elf_file_section(&image->file, ".symtab");

	return !image->has_debug_file || (own && own->raw.size > 0) ? &image->file
								    : &image->debug_file;
}
