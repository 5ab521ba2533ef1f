#include "elf_builder.h"

#include <lzma.h>

void xz_compress(struct bytes bytes, struct byte_buffer *out)
{
	size_t size = lzma_stream_buffer_bound(bytes.size), used = 0;

	byte_buffer_fill(out, 0, size);
	if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, bytes.data, bytes.size, out->data,
				    &used, size) != LZMA_OK)
		support_fail("cannot compress with xz");
	out->size = used;
}

void elf_add_mini_debug(struct elf_builder *elf, struct bytes file)
{
	struct byte_buffer compressed = { .data = NULL };

	xz_compress(file, &compressed);
	elf_add_section(elf, (struct elf_section){ .name = ".gnu_debugdata",
						   .align = 1,
						   .bytes = byte_buffer_view(&compressed) });
	byte_buffer_deinit(&compressed);
}
