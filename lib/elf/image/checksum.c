#include <lzma.h>

#include "elf/image/image.h"

#include <inlinecall/extra/image.h>

uint64_t ic_image_checksum(const struct ic_image *image)
{
	return lzma_crc64(image->file.data, image->file.size, 0);
}
