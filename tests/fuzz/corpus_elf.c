// The inputs of the targets on ELF.
#include "corpus.h"
#include "elf_builder.h"
#include "elf_builder_internal.h"
#include "linked_file.h"

#include <string.h>

#include "dwarf_constants.h"

struct program_file { // a whole file
	const char *name;
	struct dwarf_format dwarf;
	struct elf_format elf;
	enum elf_compression compression;
};

#define DWARF(v, offset, addr, big, rel)                 \
	{                                                \
		v, offset, addr, big, DWARF_RELOCS_##rel \
	}
#define ELF(b, big, m, t, r)                                                                    \
	{                                                                                       \
		.bits = b, .big_endian = big, .machine = m, .type = t, .segments = t != ET_REL, \
		.rel = r                                                                        \
	}

static const struct program_file program_files[] = {
	// clang-format off
	{ "v4-exec", DWARF(4, 4, 8, false, NONE), ELF(64, false, EM_X86_64, ET_EXEC, false), 0 },
	{ "v5-exec", DWARF(5, 4, 8, false, NONE), ELF(64, false, EM_X86_64, ET_EXEC, false), 0 },
	{ "v5-be32", DWARF(5, 4, 4, true, NONE), ELF(32, true, EM_PPC, ET_EXEC, false), 0 },
	{ "v4-rela", DWARF(4, 4, 8, false, RELA), ELF(64, false, EM_X86_64, ET_REL, false), 0 },
	{ "v5-rel", DWARF(5, 4, 4, false, REL), ELF(32, false, EM_386, ET_REL, true), 0 },
	{ "v5-rela-s390", DWARF(5, 4, 8, true, RELA), ELF(64, true, EM_S390, ET_REL, false), 0 },
	{ "v4-rela-ppc64", DWARF(4, 4, 8, true, RELA), ELF(64, true, EM_PPC64, ET_REL, false), 0 },
	{ "v5-rela-mips64", DWARF(5, 4, 8, false, RELA), ELF(64, false, EM_MIPS, ET_REL, false), 0 },
	{ "v5-zlib", DWARF(5, 4, 8, false, NONE), ELF(64, false, EM_X86_64, ET_EXEC, false),
	  ELF_COMPRESSION_ZLIB },
	{ "v5-zstd", DWARF(5, 4, 8, false, NONE), ELF(64, false, EM_X86_64, ET_EXEC, false),
	  ELF_COMPRESSION_ZSTD },
	{ "v4-zdebug", DWARF(4, 4, 8, false, NONE), ELF(64, false, EM_X86_64, ET_EXEC, false),
	  ELF_COMPRESSION_GNU },
	{ "v5-rela-zlib", DWARF(5, 4, 8, false, RELA), ELF(64, false, EM_X86_64, ET_REL, false),
	  ELF_COMPRESSION_ZLIB },
	// clang-format on
};

// Of the first ABI of 64-bit PowerPC.
static void add_descriptor(struct elf_builder *elf)
{
	static const uint8_t zeros[24];
	const struct section_reloc reloc = { .size = 8, .target = ".text", .addend = 0x18 };

	elf_add_section(elf, (struct elf_section){ .name = ".opd",
						   .flags = SHF_ALLOC | SHF_WRITE,
						   .bytes = { zeros, sizeof(zeros) } });
	elf_add_relocs(elf, ".opd", &reloc, 1);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "described",
						 .section = ".opd",
						 .size = 8,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
}

static void add_surroundings(struct elf_builder *elf, bool linked)
{
	elf_add_code(elf, ".text", linked ? 0x1000 : 0, 0x40);
	elf_add_nobits(elf, ".more", linked ? 0x1040 : 0, 0x3000, SHF_ALLOC | SHF_EXECINSTR);
	elf_add_build_id(elf, linked ? 0x8000 : 0, "\1\2\3\4", 4);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "main",
						 .section = ".text",
						 .value = linked ? 0x1000 : 0,
						 .size = 0x100,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "leaf",
						 .section = ".text",
						 .value = linked ? 0x1010 : 0x10,
						 .size = 8,
						 .type = STT_FUNC });
	elf_add_debug_link(elf, "a.debug", 0x12345678);
	if (elf->format.machine == EM_PPC64)
		add_descriptor(elf);
}

// fuzz_alloc takes the same files after the choice of the call that fails, one input each, and
// fuzz_image_write after the section that is replaced.
static void write_file(const struct corpus *corpus, const char *name, struct bytes file)
{
	corpus_put(corpus, "fuzz_file", name, (struct bytes){ 0 }, &file, 1);
	corpus_put(corpus, "fuzz_addr", name, (struct bytes){ 0 }, &file, 1);
	corpus_put(corpus, "fuzz_lint", name, (struct bytes){ 0 }, &file, 1);
	corpus_put(corpus, "fuzz_image_write", name, CORPUS_BYTES(3), &file, 1);
	for (uint8_t choice = 0; choice < 4; choice++) {
		char numbered[64] = "";
		strncat(numbered, name, sizeof(numbered) - 3);
		strncat(numbered, (const char[]){ '-', (char)('0' + choice), 0 }, 3);
		corpus_put(corpus, "fuzz_alloc", numbered,
			   CORPUS_BYTES(choice, (uint8_t)(choice * 11), 0), &file, 1);
	}
}

static void write_program_file(const struct corpus *corpus, const struct program_file *of)
{
	bool linked = of->elf.type != ET_REL;
	struct dwarf_builder *dw = corpus_program(of->dwarf, linked ? NULL : ".text");
	struct elf_builder *elf = elf_builder_new(of->elf);

	add_surroundings(elf, linked);
	elf_add_dwarf_compressed(elf, dw, of->compression);
	write_file(corpus, of->name, elf_build(elf));
	elf_builder_free(elf);
	dwarf_builder_free(dw);
}

struct elf_builder *corpus_object(void)
{
	struct dwarf_builder *dw =
		corpus_program((struct dwarf_format){ 4, 4, 8, false, DWARF_RELOCS_RELA }, ".text");
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_REL });

	add_surroundings(elf, false);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf;
}

// Some of the code is named as the table of functions that a kernel can trace.
static void write_kernel(const struct corpus *corpus)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });
	static const char *const names[] = { "__start_mcount_loc", "__stop_mcount_loc" };

	add_surroundings(elf, true);
	for (uint64_t i = 0; i < 2; i++)
		elf_add_symbol(elf, (struct elf_symbol){ .name = names[i],
							 .section = ".text",
							 .value = 0x1000 + i * 0x20,
							 .bind = STB_GLOBAL });
	const struct bytes file = elf_build(elf);
	corpus_put(corpus, "fuzz_file", "kernel", (struct bytes){ 0 }, &file, 1);
	elf_builder_free(elf);
}

static void write_stripped_file(const struct corpus *corpus)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_DYN, .segments = true });

	add_surroundings(elf, true);
	write_file(corpus, "stripped", elf_build(elf));
	elf_builder_free(elf);
}

// A program for CUDA whose line table alone says what was inlined into its two kernels.
static void write_cubin(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new((struct dwarf_format){
		.version = 2, .offset_size = 4, .addr_size = 8, .relocs = DWARF_RELOCS_RELA });
	struct dw_line_header header = dw_line_header_default(dw);
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_CUDA, .type = ET_EXEC });
	static const char *const kernels[] = { ".text.a", ".text.b" };

	dw_str_off(dw, ".debug_str", "_Z3fooi");
	dw_str_off(dw, ".debug_str", "bar");
	header.opcode_base = 10;
	dw_line_begin(dw, "lines", &header);
	for (size_t i = 0; i < 2; i++) {
		elf_add_code(elf, kernels[i], 0, 0x100);
		elf_add_symbol(elf, (struct elf_symbol){ .name = kernels[i] + 6,
							 .section = kernels[i],
							 .size = 0x100,
							 .type = STT_FUNC });
		dw_addr_target(dw, kernels[i]);
		dw_line_address(dw, 0);
		dw_line_row(dw, 0, 9);
		dw_line_inlined_call(dw, 1, 0);
		dw_line_row(dw, 0, -3);
		dw_line_inlined_call(dw, 2, 8);
		dw_line_row(dw, 16, -3);
		dw_line_inlined_call(dw, 0, 0);
		dw_line_row(dw, 16, 6);
		dw_line_end_sequence(dw, 16);
	}
	dw_line_end(dw);
	elf_add_dwarf(elf, dw);
	write_file(corpus, "cubin", elf_build(elf));
	elf_builder_free(elf);
	dwarf_builder_free(dw);
}

// The names of sections are in a section that is compressed: libelf frees what it decompressed.
static void write_compressed_names(const struct corpus *corpus)
{
	static const uint8_t names[512] = { 0 };
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC });
	uint32_t index =
		elf_add_section(elf, (struct elf_section){ .name = ".names",
							   .type = SHT_STRTAB,
							   .align = 1,
							   .bytes = { names, sizeof(names) },
							   .compression = ELF_COMPRESSION_ZLIB });
	struct bytes built = elf_build(elf);
	struct byte_buffer file = { .data = NULL };

	byte_buffer_append(&file, built.data, built.size);
	byte_buffer_patch(&file, offsetof(Elf64_Ehdr, e_shstrndx), index, 2);
	write_file(corpus, "compressed-names", byte_buffer_view(&file));
	byte_buffer_deinit(&file);
	elf_builder_free(elf);
}

enum {
	MIPS = 8, // in fuzz_relocate.c's table of machines
	RELOCS = 40,
};

// A type of MIPS64 is up to three, in its low bytes, and a special symbol above.
static void put_reloc(struct byte_buffer *buf, size_t word, uint64_t off, uint32_t symbol,
		      uint32_t type, bool rela, bool mips)
{
	byte_buffer_put(buf, off, word);
	if (mips && word == 8) {
		byte_buffer_put(buf, symbol, 4);
		for (int shift = 24; shift >= 0; shift -= 8)
			byte_buffer_put(buf, type >> shift & 0xff, 1);
	} else {
		byte_buffer_put(buf, word == 8 ? (uint64_t)symbol << 32 | type : symbol << 8 | type,
				word);
	}
	if (rela)
		byte_buffer_put(buf, 4, word);
}

// The same relocations in their compact form, all of one type: each differs from the one before
// only in its offset, by twelve bytes.
static void put_crel(struct byte_buffer *buf, uint32_t type)
{
	byte_buffer_uleb(buf, RELOCS * 8 + 4);
	byte_buffer_put(buf, 7, 1); // symbol, type and addend follow
	byte_buffer_sleb(buf, 1);
	byte_buffer_sleb(buf, type);
	byte_buffer_sleb(buf, 4);
	byte_buffer_fill(buf, 12 << 3, RELOCS - 1);
}

// Every relocation type of the machine below `most`, twelve bytes apart, again and again: enough of
// them to be applied by parts.
static void write_relocs(const struct corpus *corpus, const char *name, uint8_t machine,
			 uint8_t choice, uint32_t first, uint32_t most)
{
	bool rela = choice & 1, big = choice & 4;
	size_t word = choice & 2 ? 4 : 8;
	struct byte_buffer target = { .data = NULL }, relocs = { .big_endian = big };
	struct byte_buffer symbols = { .big_endian = big };

	for (uint32_t i = 0; i < RELOCS; i++) {
		uint32_t type = first + i % (most - first);
		if (!(choice & 8))
			put_reloc(&relocs, word, i * 12ull, 1, type, rela, machine == MIPS);
		byte_buffer_fill(&target, 0x80, 3); // a ULEB128 of four bytes
		byte_buffer_fill(&target, 0x01, 9);
	}
	if (choice & 8)
		put_crel(&relocs, first);
	byte_buffer_fill(&symbols, 0, word == 8 ? 24 : 16);
	if (word == 8) { // a symbol of section 5, .text
		byte_buffer_put(&symbols, 0, 4);
		byte_buffer_put(&symbols, STT_SECTION, 1);
		byte_buffer_put(&symbols, 0, 1);
		byte_buffer_put(&symbols, 5, 2);
		byte_buffer_fill(&symbols, 0, 16);
	} else {
		byte_buffer_fill(&symbols, 0, 12);
		byte_buffer_put(&symbols, STT_SECTION, 1);
		byte_buffer_put(&symbols, 0, 1);
		byte_buffer_put(&symbols, 5, 2);
	}
	const struct bytes sections[] = { byte_buffer_view(&target),
					  byte_buffer_view(&relocs),
					  { 0 },
					  byte_buffer_view(&symbols) };
	corpus_put(corpus, "fuzz_relocate", name, CORPUS_BYTES(machine, choice), sections, 4);
	byte_buffer_deinit(&target);
	byte_buffer_deinit(&relocs);
	byte_buffer_deinit(&symbols);
}

static void write_all_relocs(const struct corpus *corpus)
{
	static const struct {
		const char *name;
		uint8_t machine, choice; // as fuzz_relocate.c has them
		uint32_t first, most;
	} machines[] = {
		{ "x86-64-none", 0, 1, 0, 3 },
		{ "x86-64", 0, 1, 10, 12 },
		{ "x86-64-small", 0, 1, 12, 13 },
		{ "386", 1, 2, 0, 3 },
		{ "386-rela", 1, 3, 0, 3 },
		{ "aarch64", 2, 1, 256, 263 },
		{ "arm", 3, 2, 2, 4 },
		{ "riscv-word", 4, 1, 0, 3 },
		{ "riscv-add", 4, 1, 33, 41 },
		{ "riscv-6", 4, 1, 52, 58 },
		{ "riscv-uleb", 4, 1, 60, 62 },
		{ "riscv-32", 4, 3, 33, 41 },
		{ "ppc64", 5, 5, 0, 2 },
		{ "s390", 6, 5, 4, 6 },
		{ "unknown", 7, 1, 0, 4 },
		{ "ppc64-toc", 5, 1, 51, 52 },
		{ "aarch64-ilp32", 2, 3, 1, 5 },
		{ "x32", 0, 3, 10, 12 },
		{ "mips64", MIPS, 1, 0, 3 },
		{ "mips64-big", MIPS, 1 | 4, 18, 19 },
		{ "mips64-composed", MIPS, 1, 0x1202, 0x1203 },
		{ "mips64-composed-twice", MIPS, 1 | 4, 0x1201f8, 0x1201f9 },
		{ "mips64-special", MIPS, 1, 0x1001202, 0x1001203 },
		{ "mips-o32", MIPS, 2 | 4, 1, 3 },
		{ "sparc64", 9, 1 | 4, 54, 56 },
		{ "sparc64-data", 9, 1 | 4, 0x7736, 0x7737 },
		{ "sh", 10, 3, 1, 3 },
		{ "ppc", 11, 7, 0, 2 },
		{ "bpf", 12, 0, 1, 5 },
		{ "bpf-binutils", 12, 0, 11, 13 },
		{ "larch", 13, 1, 47, 49 },
		{ "larch-6", 13, 1, 105, 107 },
		{ "larch-uleb", 13, 1, 107, 109 },
		{ "hexagon", 14, 3, 6, 9 },
		{ "m68k", 15, 7, 1, 7 },
		{ "alpha", 16, 1, 1, 3 },
		{ "hppa", 17, 7, 1, 2 },
		{ "hppa64", 17, 5, 80, 81 },
		{ "ia64", 18, 1, 0x24, 0x28 },
		{ "arc", 19, 3, 1, 3 },
		{ "sparc32", 20, 7, 3, 7 },
		{ "crel-x86-64", 0, 8, 10, 11 },
		{ "crel-386", 1, 8 | 2, 1, 2 },
		{ "crel-ppc64", 5, 8 | 4, 38, 39 },
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		write_relocs(corpus, machines[i].name, machines[i].machine, machines[i].choice,
			     machines[i].first, machines[i].most);
}

static void write_compressed(const struct corpus *corpus, const char *name, uint8_t choice,
			     enum elf_compression compression, uint64_t bad_size)
{
	static const uint8_t zeros[600];
	const struct elf_format format = { .bits = choice & 2 ? 32 : 64, .big_endian = choice & 4 };
	const struct elf_section section = { .name = ".debug_info",
					     .align = 1,
					     .bytes = { zeros, sizeof(zeros) },
					     .compression = compression,
					     .bad_uncompressed_size = bad_size };
	struct byte_buffer out = { .big_endian = format.big_endian };

	elf_compress(&format, &section, &out);
	const struct bytes bytes = byte_buffer_view(&out);
	corpus_put(corpus, "fuzz_compress", name, CORPUS_BYTES(choice), &bytes, 1);
	byte_buffer_deinit(&out);
}

static void put_symbol(struct byte_buffer *buf, bool is_64, uint32_t name, uint64_t value,
		       uint8_t info, uint16_t section)
{
	byte_buffer_put(buf, name, 4);
	if (!is_64) {
		byte_buffer_put(buf, value, 4);
		byte_buffer_put(buf, 8, 4);
	}
	byte_buffer_put(buf, info, 1);
	byte_buffer_put(buf, 0, 1);
	byte_buffer_put(buf, section, 2);
	if (is_64) {
		byte_buffer_put(buf, value, 8);
		byte_buffer_put(buf, 8, 8);
	}
}

static void write_symbols(const struct corpus *corpus, const char *name, uint8_t choice)
{
	bool is_64 = !(choice & 2);
	struct byte_buffer buf = { .big_endian = choice & 4 };

	put_symbol(&buf, is_64, 0, 0, 0, 0);
	put_symbol(&buf, is_64, 1, 0x400, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 4);
	put_symbol(&buf, is_64, 3, 0x12345, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 4);
	put_symbol(&buf, is_64, 5, 0x201, ELF64_ST_INFO(STB_WEAK, STT_GNU_IFUNC), SHN_XINDEX);
	put_symbol(&buf, is_64, 1, 0x80000400, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 4);
	put_symbol(&buf, is_64, 3, 0x2008, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 5); // in .opd
	const struct bytes sections[] = {
		CORPUS_BYTES(0, 'a', 0, 'b', 0, 'c', 0), byte_buffer_view(&buf),
		CORPUS_BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0),
		CORPUS_BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x20)
	};
	corpus_put(corpus, "fuzz_symtab", name, CORPUS_BYTES(choice), sections, 4);
	byte_buffer_deinit(&buf);
}

static void write_debug_links(const struct corpus *corpus)
{
	static const uint8_t id[] = { LINKED_FILE_ID };
	struct elf_builder *elf = linked_file_new();
	uint32_t crc = elf_crc(elf_build(elf));
	struct byte_buffer note = { .data = NULL }, link = { .data = NULL };

	byte_buffer_put(&note, 4, 4);
	byte_buffer_put(&note, sizeof(id), 4);
	byte_buffer_put(&note, NT_GNU_BUILD_ID, 4);
	byte_buffer_string(&note, "GNU");
	byte_buffer_append(&note, id, sizeof(id));
	byte_buffer_align(&note, 4);
	byte_buffer_string(&link, "a.debug");
	byte_buffer_put(&link, crc, 4);
	const struct bytes by_id[] = { byte_buffer_view(&note), { 0 } };
	const struct bytes by_link[] = { { 0 }, byte_buffer_view(&link) };
	const struct bytes by_wrong_link[] = {
		CORPUS_BYTES(4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 7, 7),
		CORPUS_BYTES('a', '.', 'd', 'e', 'b', 'u', 'g', 0, 1, 2, 3, 4)
	};
	corpus_put(corpus, "fuzz_debug_link", "by-id", CORPUS_BYTES(0), by_id, 2);
	corpus_put(corpus, "fuzz_debug_link", "by-link", CORPUS_BYTES(0), by_link, 2);
	corpus_put(corpus, "fuzz_debug_link", "by-wrong-link", CORPUS_BYTES(0), by_wrong_link, 2);
	// A note without a description, cut off before its name.
	const struct bytes cut[] = { CORPUS_BYTES(4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0), { 0 } };
	corpus_put(corpus, "fuzz_debug_link", "note-cut-off", CORPUS_BYTES(0), cut, 2);
	byte_buffer_deinit(&note);
	byte_buffer_deinit(&link);
	elf_builder_free(elf);
}

static void write_mini_debug(const struct corpus *corpus, const char *name, uint8_t choice,
			     struct elf_format format)
{
	struct elf_builder *elf = elf_builder_new(format);
	struct byte_buffer compressed = { .data = NULL };

	elf_add_nobits(elf, ".text", 0x1000, 0x1000, SHF_ALLOC | SHF_EXECINSTR);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "hidden",
						 .section = ".text",
						 .value = 0x1234,
						 .size = 0x10,
						 .type = STT_FUNC });
	const struct bytes content = elf_build(elf);
	xz_compress(content, &compressed);
	const struct bytes raw = byte_buffer_view(&compressed);
	corpus_put(corpus, "fuzz_mini_debug", name, CORPUS_BYTES(choice),
		   choice & 1 ? &content : &raw, 1);
	byte_buffer_deinit(&compressed);
	elf_builder_free(elf);
}

static void write_mini_debug_bomb(const struct corpus *corpus)
{
	static const uint8_t zeros[1 << 20];
	struct byte_buffer compressed = { .data = NULL };

	xz_compress((struct bytes){ zeros, sizeof(zeros) }, &compressed);
	const struct bytes raw = byte_buffer_view(&compressed);
	corpus_put(corpus, "fuzz_mini_debug", "bomb", CORPUS_BYTES(0), &raw, 1);
	byte_buffer_deinit(&compressed);
}

static void write_packed(const struct corpus *corpus)
{
	static const struct {
		const char *name;
		void (*compress)(struct bytes, struct byte_buffer *);
	} all[] = { { "xz", xz_compress },
		    { "zstd", zstd_compress },
		    { "gzip", gzip_compress },
		    { "lz4", lz4_compress } };
	uint8_t text[5000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * i >> 7);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct byte_buffer buf = { .data = NULL };
		all[i].compress((struct bytes){ text, sizeof(text) }, &buf);
		const struct bytes packed = byte_buffer_view(&buf);
		corpus_put(corpus, "fuzz_unpack", all[i].name, (struct bytes){ 0 }, &packed, 1);
		byte_buffer_deinit(&buf);
	}
}

// A program without .symtab, but with MiniDebugInfo.
static void write_mini_debug_file(const struct corpus *corpus)
{
	struct dwarf_builder *dw =
		corpus_program((struct dwarf_format){ 4, 4, 8, false, DWARF_RELOCS_NONE }, NULL);
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .no_symtab = true });
	struct elf_builder *mini = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC });

	add_surroundings(elf, true);
	add_surroundings(mini, true);
	elf_add_mini_debug(elf, elf_build(mini));
	elf_add_dwarf(elf, dw);
	write_file(corpus, "mini-debug", elf_build(elf));
	elf_builder_free(mini);
	elf_builder_free(elf);
	dwarf_builder_free(dw);
}

// A program with all kinds of arguments.
static void write_types_file(const struct corpus *corpus, const char *name, uint16_t version)
{
	struct dwarf_builder *dw =
		corpus_types((struct dwarf_format){ version, 4, 8, false, DWARF_RELOCS_NONE },
			     DW_LANG_C_plus_plus_14);
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC });

	add_surroundings(elf, true);
	elf_add_dwarf(elf, dw);
	write_file(corpus, name, elf_build(elf));
	elf_builder_free(elf);
	dwarf_builder_free(dw);
}

void corpus_write_elf(const struct corpus *corpus)
{
	for (size_t i = 0; i < sizeof(program_files) / sizeof(*program_files); i++)
		write_program_file(corpus, &program_files[i]);
	write_kernel(corpus);
	write_stripped_file(corpus);
	write_cubin(corpus);
	write_compressed_names(corpus);
	write_all_relocs(corpus);
	write_compressed(corpus, "zlib", 0, ELF_COMPRESSION_ZLIB, 0);
	write_compressed(corpus, "zlib-be32", 2 | 4, ELF_COMPRESSION_ZLIB, 0);
	write_compressed(corpus, "zstd", 0, ELF_COMPRESSION_ZSTD, 0);
	write_compressed(corpus, "gnu", 1, ELF_COMPRESSION_GNU, 0);
	write_compressed(corpus, "zlib-too-large", 0, ELF_COMPRESSION_ZLIB, 1000);
	write_compressed(corpus, "zstd-impossible", 0, ELF_COMPRESSION_ZSTD, UINT64_MAX);
	write_symbols(corpus, "symbols-64", 0);
	write_symbols(corpus, "symbols-32-big", 2 | 4);
	write_symbols(corpus, "dynamic-arm-rel", 1 | 2 | 8 | 16);
	write_symbols(corpus, "descriptors-ppc64", 4 | 32);
	write_symbols(corpus, "descriptors-parisc", 4 | 32 | 16);
	write_symbols(corpus, "descriptors-without-end", 4 | 32 | 64);
	write_debug_links(corpus);
	write_mini_debug(corpus, "xz", 0,
			 (struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC });
	write_mini_debug(corpus, "elf", 1,
			 (struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC });
	write_mini_debug(
		corpus, "elf-be32", 1 | 2 | 4,
		(struct elf_format){
			.bits = 32, .big_endian = true, .machine = EM_PPC, .type = ET_EXEC });
	write_mini_debug_bomb(corpus);
	write_packed(corpus);
	write_mini_debug_file(corpus);
	write_types_file(corpus, "types-4", 4);
	write_types_file(corpus, "types-5", 5);
}
