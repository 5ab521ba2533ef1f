// Wraps named sections into an ELF file, in memory or on disk:
//
//	struct elf_builder *elf = elf_builder_new(
//		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC });
//	elf_add_code(elf, ".text", 0x1000, 0x100);
//	elf_add_symbol(elf, (struct elf_symbol){ .name = "main", .section = ".text",
//						 .value = 0x1000, .type = STT_FUNC });
//	elf_add_dwarf(elf, dw);
//	elf_write_file(elf, "a.out");
//	elf_builder_free(elf);
//
// What is added is copied. Wrong use aborts with a message; no function but elf_write_file() fails.
#ifndef TESTS_SUPPORT_ELF_BUILDER_H
#define TESTS_SUPPORT_ELF_BUILDER_H

#include "byte_buffer.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_builder;
struct dwarf_builder;

struct elf_format {
	uint8_t bits; // 32 or 64
	bool big_endian;
	uint16_t machine; // EM_*
	uint16_t type;    // ET_*
	uint32_t flags;   // e_flags
	uint64_t entry;
	bool segments;  // PT_LOAD for each section with SHF_ALLOC, PT_NOTE for its notes
	bool rel;       // relocations are SHT_REL, their addends in the fields
	bool crel;      // relocations are compact ones (SHT_CREL)
	bool no_symtab; // symbols are left out: a stripped file
};

enum elf_compression {
	ELF_COMPRESSION_NONE,
	ELF_COMPRESSION_ZLIB, // SHF_COMPRESSED
	ELF_COMPRESSION_ZSTD, // SHF_COMPRESSED
	ELF_COMPRESSION_GNU,  // .zdebug_*: "ZLIB" and a size
};

struct elf_section {
	const char *name;
	uint32_t type;  // SHT_*; 0: SHT_PROGBITS
	uint64_t flags; // SHF_*
	uint64_t addr, align, entry_size;
	uint32_t link, info;
	struct bytes bytes;
	uint64_t nobits_size; // of SHT_NOBITS
	enum elf_compression compression;
	uint64_t bad_uncompressed_size; // not 0: what the compression header says
};

struct elf_symbol {
	const char *name;
	const char *section;  // NULL: undefined; "*ABS*": an absolute value
	uint64_t value, size; // value: as the file has it, so an offset in ET_REL
	uint8_t type;         // STT_*
	uint8_t bind;         // STB_*
	uint8_t visibility;   // STV_*
};

struct elf_builder *elf_builder_new(struct elf_format format);
void elf_builder_free(struct elf_builder *elf); // with the bytes of elf_build()

// Returns the index of the section in the file.
uint32_t elf_add_section(struct elf_builder *elf, struct elf_section section);
// A section of zeros with SHF_ALLOC and SHF_EXECINSTR.
void elf_add_code(struct elf_builder *elf, const char *name, uint64_t addr, size_t size);
// A section that holds no bytes in the file, as in a separate debug file.
void elf_add_nobits(struct elf_builder *elf, const char *name, uint64_t addr, uint64_t size,
		    uint64_t flags);
void elf_add_symbol(struct elf_builder *elf, struct elf_symbol symbol);
// Relocations of a section that was added. Their targets are symbols that were added, or sections,
// for which a section symbol is made.
void elf_add_relocs(struct elf_builder *elf, const char *section,
		    const struct section_reloc *relocs, size_t count);
// .note.gnu.build-id
void elf_add_build_id(struct elf_builder *elf, uint64_t addr, const void *id, size_t size);
// .gnu_debuglink with this CRC; elf_crc() of the debug file's bytes is the right one.
void elf_add_debug_link(struct elf_builder *elf, const char *file, uint32_t crc);
uint32_t elf_crc(struct bytes file);
// .gnu_debugaltlink: path and build-id of a supplementary file.
void elf_add_alt_link(struct elf_builder *elf, const char *file, const void *id, size_t size);
// .gnu_debugdata: a whole file, compressed with xz.
void elf_add_mini_debug(struct elf_builder *elf, struct bytes file);
// All sections of a DWARF builder, with relocations if its format asks for them.
void elf_add_dwarf(struct elf_builder *elf, struct dwarf_builder *dw);
void elf_add_dwarf_compressed(struct elf_builder *elf, struct dwarf_builder *dw,
			      enum elf_compression compression);

// Completes the file. Nothing can be added after it.
struct bytes elf_build(struct elf_builder *elf);
// False if the file cannot be written, with errno set.
bool elf_write_file(struct elf_builder *elf, const char *path);

// What is compressed as a whole, into an empty buffer. With lz4 it is appended as a frame, with a
// checksum of the contents.
void xz_compress(struct bytes bytes, struct byte_buffer *out);
void zstd_compress(struct bytes bytes, struct byte_buffer *out);
void gzip_compress(struct bytes bytes, struct byte_buffer *out);
void lz4_compress(struct bytes bytes, struct byte_buffer *out);

#endif
