// Files that are compressed as a whole.
#include "elf_builder.h"

#include <libdeflate.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zstd.h>

void xz_compress(struct bytes bytes, struct byte_buffer *out)
{
	size_t size = lzma_stream_buffer_bound(bytes.size), used = 0;

	byte_buffer_fill(out, 0, size);
	if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, bytes.data, bytes.size, out->data,
				    &used, size) != LZMA_OK)
		support_fail("cannot compress with xz");
	out->size = used;
}

void zstd_compress(struct bytes bytes, struct byte_buffer *out)
{
	byte_buffer_fill(out, 0, ZSTD_compressBound(bytes.size));
	out->size = ZSTD_compress(out->data, out->size, bytes.data, bytes.size, 1);
	if (ZSTD_isError(out->size))
		support_fail("cannot compress with zstd");
}

void gzip_compress(struct bytes bytes, struct byte_buffer *out)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(6);

	byte_buffer_fill(out, 0, libdeflate_gzip_compress_bound(compressor, bytes.size));
	out->size =
		libdeflate_gzip_compress(compressor, bytes.data, bytes.size, out->data, out->size);
	libdeflate_free_compressor(compressor);
}

void lz4_compress(struct bytes bytes, struct byte_buffer *out)
{
	const LZ4F_preferences_t preferences = {
		.frameInfo = { .contentChecksumFlag = LZ4F_contentChecksumEnabled }
	};
	size_t size = out->size, bound = LZ4F_compressFrameBound(bytes.size, &preferences);

	byte_buffer_fill(out, 0, bound);
	bound = LZ4F_compressFrame(out->data + size, bound, bytes.data, bytes.size, &preferences);
	if (LZ4F_isError(bound))
		support_fail("cannot compress with lz4");
	out->size = size + bound;
}
