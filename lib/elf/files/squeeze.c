#include "elf/files/squeeze.h"

#include <elf.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <zstd.h>

#include "elf/files/compress.h"

enum { // the levels used by tools that compress debug information
	ZLIB_LEVEL = 6,
	ZSTD_LEVEL = 3,
};

// Writes Elf32_Chdr or Elf64_Chdr: the kind, and the size and alignment of the contents.
static size_t put_header(uint8_t *at, const struct ic_elf_file *file, uint32_t kind, uint64_t size)
{
	bool is_64 = file->addr_size == 8;
	unsigned word = is_64 ? 8 : 4;

	ic_store(at, kind, 4, file->swap);
	if (is_64)
		ic_store(at + 4, 0, 4, file->swap);
	ic_store(at + word, size, word, file->swap);
	ic_store(at + 2 * word, 1, word, file->swap);
	return 3 * word;
}

// 0 if it does not fit.
static size_t compress_zlib(void *to, size_t room, struct ic_bytes bytes)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(ZLIB_LEVEL);
	size_t size =
		compressor ? libdeflate_zlib_compress(compressor, bytes.data, bytes.size, to, room)
			   : 0;

	libdeflate_free_compressor(compressor);
	return size;
}

static size_t compress_zstd(void *to, size_t room, struct ic_bytes bytes)
{
	size_t size = ZSTD_compress(to, room, bytes.data, bytes.size, ZSTD_LEVEL);

	return ZSTD_isError(size) ? 0 : size;
}

void *ic_squeeze(const struct ic_elf_file *file, enum ic_squeeze how, struct ic_bytes bytes,
		 size_t *size)
{
	enum { MOST_HEADER = sizeof(Elf64_Chdr) };
	uint8_t *to = bytes.size > MOST_HEADER ? malloc(bytes.size) : NULL;

	if (!to || how == IC_SQUEEZE_NONE) {
		free(to);
		return NULL;
	}
	size_t header = put_header(to, file,
				   how == IC_SQUEEZE_ZLIB ? ELFCOMPRESS_ZLIB : IC_ELFCOMPRESS_ZSTD,
				   bytes.size);
	size_t room = bytes.size - header;
	*size = how == IC_SQUEEZE_ZLIB ? compress_zlib(to + header, room, bytes)
				       : compress_zstd(to + header, room, bytes);
	if (*size == 0) {
		free(to);
		return NULL;
	}
	*size += header;
	return to;
}

void *ic_squeeze_gzip(struct ic_bytes bytes, size_t *size)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(ZLIB_LEVEL);
	size_t room = compressor ? libdeflate_gzip_compress_bound(compressor, bytes.size) : 0;
	void *to = room > 0 ? malloc(room) : NULL;

	if (to)
		*size = libdeflate_gzip_compress(compressor, bytes.data, bytes.size, to, room);
	libdeflate_free_compressor(compressor);
	return to;
}
