// What depends on others' codes: compressed bytes, checksums, each machine's relocations.
#include "elf_builder_internal.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <zstd.h>

// ELFCOMPRESS_ZSTD, which the <elf.h> of older systems lacks.
#define CH_TYPE_ZSTD 2

uint32_t elf_crc(struct bytes file)
{
	return libdeflate_crc32(0, file.data, file.size);
}

static void *allocate(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		support_fail("out of memory");
	return memory;
}

static void append_zlib(struct byte_buffer *out, struct bytes bytes)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(6);
	if (!compressor)
		support_fail("out of memory");
	size_t bound = libdeflate_zlib_compress_bound(compressor, bytes.size);
	void *packed = allocate(bound);
	size_t size = libdeflate_zlib_compress(compressor, bytes.data, bytes.size, packed, bound);

	byte_buffer_append(out, packed, size);
	free(packed);
	libdeflate_free_compressor(compressor);
}

static void append_zstd(struct byte_buffer *out, struct bytes bytes)
{
	size_t bound = ZSTD_compressBound(bytes.size);
	void *packed = allocate(bound);
	size_t size = ZSTD_compress(packed, bound, bytes.data, bytes.size, 3);

	if (ZSTD_isError(size))
		support_fail("zstd: %s", ZSTD_getErrorName(size));
	byte_buffer_append(out, packed, size);
	free(packed);
}

static void append_header(struct byte_buffer *out, uint8_t bits, uint32_t type, uint64_t size,
			  uint64_t align)
{
	size_t word = bits / 8u;

	byte_buffer_put(out, type, 4);
	if (bits == 64)
		byte_buffer_put(out, 0, 4); // ch_reserved
	byte_buffer_put(out, size, word);
	byte_buffer_put(out, align, word);
}

void elf_compress(const struct elf_format *format, const struct elf_section *section,
		  struct byte_buffer *out)
{
	struct bytes bytes = section->bytes;
	uint64_t bad = section->bad_uncompressed_size, size = bad ? bad : bytes.size;
	uint64_t align = section->align ? section->align : 1;

	switch (section->compression) {
	case ELF_COMPRESSION_NONE: byte_buffer_append(out, bytes.data, bytes.size); break;
	case ELF_COMPRESSION_ZLIB:
		append_header(out, format->bits, ELFCOMPRESS_ZLIB, size, align);
		append_zlib(out, bytes);
		break;
	case ELF_COMPRESSION_ZSTD:
		append_header(out, format->bits, CH_TYPE_ZSTD, size, align);
		append_zstd(out, bytes);
		break;
	case ELF_COMPRESSION_GNU:
		byte_buffer_append(out, "ZLIB", 4);
		for (int shift = 56; shift >= 0; shift -= 8) // big-endian on all machines
			byte_buffer_put(out, size >> shift & 0xff, 1);
		append_zlib(out, bytes);
		break;
	}
}

struct reloc_row {
	uint16_t machine;
	uint32_t of_4_bytes, of_8_bytes; // R_*; 0: none
};

static const struct reloc_row reloc_rows[] = {
	// clang-format off
	{ EM_X86_64,  R_X86_64_32,   R_X86_64_64 },
	{ EM_386,     R_386_32,      0 },
	{ EM_AARCH64, R_AARCH64_ABS32, R_AARCH64_ABS64 },
	{ EM_ARM,     R_ARM_ABS32,   0 },
	{ EM_PPC64,   R_PPC64_ADDR32, R_PPC64_ADDR64 },
	{ EM_PPC,     R_PPC_ADDR32,  0 },
	{ EM_S390,    R_390_32,      R_390_64 },
	{ EM_CUDA,    1,             2 },
	{ EM_RISCV,   R_RISCV_32,    R_RISCV_64 },
	{ EM_MIPS,    R_MIPS_32,     R_MIPS_64 },
	{ EM_SPARC,   R_SPARC_UA32,  0 },
	{ EM_SPARCV9, R_SPARC_UA32,  R_SPARC_UA64 },
	{ 258,        1,             2 }, // LoongArch: R_LARCH_32, R_LARCH_64
	// clang-format on
};

uint32_t elf_reloc_type(const struct elf_format *format, uint8_t size)
{
	for (size_t i = 0; i < sizeof(reloc_rows) / sizeof(*reloc_rows); i++) {
		const struct reloc_row *row = &reloc_rows[i];
		uint32_t type = size == 8 ? row->of_8_bytes : row->of_4_bytes;
		if (row->machine == format->machine && type)
			return type;
	}
	support_fail("no relocation of %d bytes is known for machine %d", size, format->machine);
}
