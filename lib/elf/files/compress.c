#include "elf/files/compress.h"

#include <elf.h>
#include <inttypes.h>
#include <sys/mman.h>

#include <libdeflate.h>
#include <zstd.h>

#include "base/cursor.h"

enum {                            // the maximum expansion of one byte
	ZLIB_EXPANSION = 1032,    // a match of 258 bytes in two bits
	ZSTD_EXPANSION = 1 << 16, // a block of 128 KiB that repeats a byte takes four
};

struct packed {        // a compression header
	uint32_t type; // ELFCOMPRESS_*
	uint64_t size; // decompressed
	struct ic_bytes bytes;
};

bool ic_section_is_compressed(const struct ic_section *section)
{
	return section->flags & SHF_COMPRESSED || !strncmp(section->name, ".zdebug", 7);
}

// ".zdebug_*": "ZLIB" and the size, which is always big-endian.
static bool read_old_header(const struct ic_section *section, struct packed *packed)
{
	const struct ic_bytes raw = section->raw;

	if (raw.size < 12 || memcmp(raw.data, "ZLIB", 4) != 0)
		return false;
	packed->type = ELFCOMPRESS_ZLIB;
	packed->size = ic_load64(raw.data + 4, !IC_HOST_IS_BIG_ENDIAN);
	packed->bytes = (struct ic_bytes){ raw.data + 12, raw.size - 12 };
	return true;
}

// Elf64_Chdr and Elf32_Chdr.
static bool read_header(const struct ic_elf_file *file, const struct ic_section *section,
			struct packed *packed)
{
	struct ic_cursor cur =
		ic_cursor_at(section->raw, section->name, 0, section->raw.size, file->swap);

	packed->type = ic_cursor_u32(&cur);
	if (file->addr_size == 8)
		ic_cursor_u32(&cur); // reserved
	packed->size = ic_cursor_uint(&cur, file->addr_size);
	ic_cursor_uint(&cur, file->addr_size); // alignment
	packed->bytes = (struct ic_bytes){ cur.pos, (size_t)(cur.end - cur.pos) };
	return !cur.fault;
}

static bool inflate_zlib(const struct packed *packed, void *buffer)
{
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	if (!decompressor)
		return false;
	enum libdeflate_result result = libdeflate_zlib_decompress(decompressor, packed->bytes.data,
								   packed->bytes.size, buffer,
								   (size_t)packed->size, NULL);
	libdeflate_free_decompressor(decompressor);
	return result == LIBDEFLATE_SUCCESS;
}

static bool inflate_section(const struct packed *packed, void *buffer)
{
	if (packed->type == ELFCOMPRESS_ZLIB)
		return inflate_zlib(packed, buffer);
	return ZSTD_decompress(buffer, (size_t)packed->size, packed->bytes.data,
			       packed->bytes.size) == packed->size;
}

static bool read_packed(const struct ic_elf_file *file, const struct ic_section *section,
			struct packed *packed, struct ic_error *err)
{
	if (!(section->flags & SHF_COMPRESSED ? read_header(file, section, packed)
					      : read_old_header(section, packed)))
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: invalid compression header of %s",
			       file->path, section->name);
	if (packed->type != ELFCOMPRESS_ZLIB && packed->type != IC_ELFCOMPRESS_ZSTD)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "%s: %s has unknown compression type %" PRIu32 "", file->path,
			       section->name, packed->type);
	uint64_t expansion = packed->type == ELFCOMPRESS_ZLIB ? ZLIB_EXPANSION : ZSTD_EXPANSION;
	if (packed->size / expansion > packed->bytes.size || packed->size > SIZE_MAX)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: %s claims to decompress to %" PRIu64
			       " bytes, impossible for its %zu bytes",
			       file->path, section->name, packed->size, packed->bytes.size);
	return true;
}

bool ic_section_full_size(const struct ic_elf_file *file, const struct ic_section *section,
			  uint64_t *size, struct ic_error *err)
{
	struct packed packed = { .size = 0 };
	bool ok = read_packed(file, section, &packed, err);

	*size = packed.size;
	return ok;
}

bool ic_section_reserve(struct ic_elf_file *file, const struct ic_section *section,
			struct ic_error *err)
{
	char why[IC_MEMORY_WHY_SIZE];
	uint64_t size;

	if (!ic_section_full_size(file, section, &size, err))
		return false;
	if (!ic_memory_take_unpacked(file->memory, size, why))
		return ic_fail(err, IC_ERROR_LIMIT, "%s: %s %s", file->path, section->name, why);
	file->reserved += size;
	return true;
}

bool ic_section_decompress(const struct ic_elf_file *file, struct ic_section *section,
			   struct ic_error *err)
{
	struct packed packed = { 0 };

	if (!read_packed(file, section, &packed, err))
		return false;
	if (packed.size == 0)
		return true;
	// Pages beyond the data are never touched: a false size costs only address space.
	void *buffer = mmap(NULL, (size_t)packed.size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (buffer == MAP_FAILED)
		return ic_fail_memory(err);
	if (!inflate_section(&packed, buffer)) {
		munmap(buffer, (size_t)packed.size);
		return ic_fail(
			err, IC_ERROR_MALFORMED,
			"%s: cannot decompress %s: damaged, or not of the size in its header",
			file->path, section->name);
	}
	section->bytes = (struct ic_bytes){ buffer, (size_t)packed.size };
	section->is_buffer = true;
	return true;
}
