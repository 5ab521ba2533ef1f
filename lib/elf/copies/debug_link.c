// Names a debug file in a copy of its program: .gnu_debuglink, read by elf/finding/debug_file.c.
#include <libdeflate.h>

#include <stdlib.h>
#include <string.h>

#include "elf/image/image.h"

#include <inlinecall/extra/image.h>

// The file name, padding to four bytes, and the CRC-32 of the file.
static uint8_t *make_link(const char *name, uint32_t crc, bool swap, size_t *size)
{
	size_t crc_off = (strlen(name) + 4) & ~(size_t)3;
	uint8_t *link = calloc(1, crc_off + 4);

	if (!link)
		return NULL;
	memcpy(link, name, strlen(name));
	ic_store(link + crc_off, crc, 4, swap);
	*size = crc_off + 4;
	return link;
}

bool ic_image_write_link(const struct ic_image *image, const char *name, const void *debug_file,
			 size_t size, FILE *out, struct ic_error *err)
{
	struct ic_image_addition link = { .name = ".gnu_debuglink" };
	struct ic_error unwanted;

	err = err ? err : &unwanted;
	if (!name || !name[0] || strchr(name, '/'))
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       ".gnu_debuglink has a file name without a directory");
	uint32_t crc = libdeflate_crc32(0, debug_file, size);
	uint8_t *bytes = make_link(name, crc, image->file.swap, &link.size);
	link.bytes = bytes;
	bool ok = bytes ? ic_image_write(image, &link, 1, out, err) : ic_fail_memory(err);
	free(bytes);
	return ok;
}
