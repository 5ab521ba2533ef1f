#include "elf_builder.h"

#include "elf_builder_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 0x1000 }; // alignment of segments
enum { SHT_CREL = 0x40000014 };

// ---- Sections

static uint32_t section_append(struct elf_builder *elf, const struct elf_section *section,
			       struct bytes bytes)
{
	struct built_section built = { .section = *section };

	if (elf->built)
		support_fail("added to an ELF file that is built");
	built.section.name = support_strdup(section->name ? section->name : "");
	built.bytes.big_endian = elf->format.big_endian;
	byte_buffer_append(&built.bytes, bytes.data, bytes.size);
	if (built.section.type == SHT_NULL && elf->section_count > 0)
		built.section.type = SHT_PROGBITS;
	elf->sections = support_grow(elf->sections, elf->section_count, sizeof(*elf->sections));
	elf->sections[elf->section_count] = built;
	return elf->section_count++;
}

uint32_t elf_add_section(struct elf_builder *elf, struct elf_section section)
{
	struct byte_buffer packed = { .big_endian = elf->format.big_endian };
	char name[128];

	if (section.compression == ELF_COMPRESSION_NONE)
		return section_append(elf, &section, section.bytes);
	elf_compress(&elf->format, &section, &packed);
	if (section.compression == ELF_COMPRESSION_GNU) {
		snprintf(name, sizeof(name), ".z%s", section.name + 1);
		section.name = name;
	} else {
		section.flags |= SHF_COMPRESSED;
		section.align = elf->format.bits == 64 ? 8 : 4; // of the header that it begins with
	}
	uint32_t index = section_append(elf, &section, byte_buffer_view(&packed));
	byte_buffer_deinit(&packed);
	return index;
}

// The index of a section, by the name that it was added with; 0 if there is none.
static uint32_t section_index(const struct elf_builder *elf, const char *name)
{
	for (uint32_t i = 1; i < elf->section_count; i++) {
		const char *its_name = elf->sections[i].section.name;
		if (!strcmp(its_name, name))
			return i;
		bool is_packed = elf->sections[i].section.compression == ELF_COMPRESSION_GNU;
		if (is_packed && name[0] == '.' && !strcmp(its_name + 2, name + 1))
			return i;
	}
	return 0;
}

void elf_add_code(struct elf_builder *elf, const char *name, uint64_t addr, size_t size)
{
	struct byte_buffer zeros = { 0 };

	byte_buffer_fill(&zeros, 0, size);
	elf_add_section(elf, (struct elf_section){
				     .name = name,
				     .flags = SHF_ALLOC | SHF_EXECINSTR,
				     .addr = addr,
				     .align = 16,
				     .bytes = byte_buffer_view(&zeros),
			     });
	byte_buffer_deinit(&zeros);
}

void elf_add_nobits(struct elf_builder *elf, const char *name, uint64_t addr, uint64_t size,
		    uint64_t flags)
{
	elf_add_section(elf, (struct elf_section){ .name = name,
						   .type = SHT_NOBITS,
						   .flags = flags,
						   .addr = addr,
						   .align = 16,
						   .nobits_size = size });
}

void elf_add_build_id(struct elf_builder *elf, uint64_t addr, const void *id, size_t size)
{
	struct byte_buffer note = { .big_endian = elf->format.big_endian };

	byte_buffer_put(&note, 4, 4);
	byte_buffer_put(&note, size, 4);
	byte_buffer_put(&note, NT_GNU_BUILD_ID, 4);
	byte_buffer_string(&note, "GNU");
	byte_buffer_append(&note, id, size);
	byte_buffer_align(&note, 4);
	elf_add_section(elf, (struct elf_section){ .name = ".note.gnu.build-id",
						   .type = SHT_NOTE,
						   .flags = SHF_ALLOC,
						   .addr = addr,
						   .align = 4,
						   .bytes = byte_buffer_view(&note) });
	byte_buffer_deinit(&note);
}

void elf_add_debug_link(struct elf_builder *elf, const char *file, uint32_t crc)
{
	struct byte_buffer link = { .big_endian = elf->format.big_endian };

	byte_buffer_string(&link, file);
	byte_buffer_align(&link, 4);
	byte_buffer_put(&link, crc, 4);
	elf_add_section(elf, (struct elf_section){ .name = ".gnu_debuglink",
						   .align = 4,
						   .bytes = byte_buffer_view(&link) });
	byte_buffer_deinit(&link);
}

void elf_add_alt_link(struct elf_builder *elf, const char *file, const void *id, size_t size)
{
	struct byte_buffer link = { 0 };

	byte_buffer_string(&link, file);
	byte_buffer_append(&link, id, size);
	elf_add_section(elf, (struct elf_section){ .name = ".gnu_debugaltlink",
						   .align = 1,
						   .bytes = byte_buffer_view(&link) });
	byte_buffer_deinit(&link);
}

// ---- Symbols

void elf_add_symbol(struct elf_builder *elf, struct elf_symbol symbol)
{
	symbol.name = support_strdup(symbol.name ? symbol.name : "");
	symbol.section = support_strdup(symbol.section);
	elf->symbols = support_grow(elf->symbols, elf->symbol_count, sizeof(*elf->symbols));
	elf->symbols[elf->symbol_count++] = (struct built_symbol){ .symbol = symbol };
}

// Finds the symbol that a relocation is against: one of that name, else the section's own.
static struct built_symbol *symbol_find(struct elf_builder *elf, const char *target)
{
	for (uint32_t i = 0; i < elf->symbol_count; i++) {
		struct built_symbol *symbol = &elf->symbols[i];
		bool is_section = symbol->symbol.type == STT_SECTION;
		const char *name = is_section ? symbol->symbol.section : symbol->symbol.name;
		if (!strcmp(name, target))
			return symbol;
	}
	return NULL;
}

static void symbols_for_relocs(struct elf_builder *elf)
{
	for (size_t i = 0; i < elf->reloc_count; i++) {
		const char *target = elf->relocs[i].reloc.target;
		if (symbol_find(elf, target))
			continue;
		if (!section_index(elf, target))
			support_fail("relocation against %s, which is neither symbol nor section",
				     target);
		elf_add_symbol(elf, (struct elf_symbol){ .section = target,
							 .type = STT_SECTION,
							 .bind = STB_LOCAL });
	}
}

static uint16_t symbol_section(const struct elf_builder *elf, const struct elf_symbol *symbol)
{
	if (!symbol->section)
		return SHN_UNDEF;
	if (!strcmp(symbol->section, "*ABS*"))
		return SHN_ABS;
	uint32_t index = section_index(elf, symbol->section);
	if (!index || index >= SHN_LORESERVE)
		support_fail("symbol %s in unknown section %s", symbol->name, symbol->section);
	return (uint16_t)index;
}

static void symbol_write(const struct elf_builder *elf, const struct elf_symbol *symbol,
			 struct byte_buffer *symtab, struct byte_buffer *strtab)
{
	bool wide = elf->format.bits == 64;
	size_t word = wide ? 8 : 4;
	size_t name = symbol->name[0] ? strtab->size : 0;

	if (symbol->name[0])
		byte_buffer_string(strtab, symbol->name);
	byte_buffer_put(symtab, name, 4);
	if (!wide) {
		byte_buffer_put(symtab, symbol->value, word);
		byte_buffer_put(symtab, symbol->size, word);
	}
	byte_buffer_put(symtab, (uint64_t)symbol->bind << 4 | symbol->type, 1);
	byte_buffer_put(symtab, symbol->visibility, 1);
	byte_buffer_put(symtab, symbol_section(elf, symbol), 2);
	if (wide) {
		byte_buffer_put(symtab, symbol->value, word);
		byte_buffer_put(symtab, symbol->size, word);
	}
}

// Writes .symtab, the local symbols first as ELF wants it, and .strtab; says where .symtab is.
static uint32_t symtab_build(struct elf_builder *elf)
{
	struct byte_buffer symtab = { .big_endian = elf->format.big_endian }, strtab = { 0 };
	uint32_t count = 1, local_count = 0, symtab_index = elf->section_count;
	size_t entry_size = elf->format.bits == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	byte_buffer_fill(&symtab, 0, entry_size);
	byte_buffer_put(&strtab, 0, 1);
	for (int locals = 1; locals >= 0; locals--) {
		for (uint32_t i = 0; i < elf->symbol_count; i++) {
			struct built_symbol *symbol = &elf->symbols[i];
			if ((symbol->symbol.bind == STB_LOCAL) != locals)
				continue;
			symbol_write(elf, &symbol->symbol, &symtab, &strtab);
			symbol->index = count++;
		}
		if (locals)
			local_count = count;
	}
	elf_add_section(elf, (struct elf_section){ .name = ".symtab",
						   .type = SHT_SYMTAB,
						   .align = elf->format.bits / 8u,
						   .entry_size = entry_size,
						   .link = symtab_index + 1,
						   .info = local_count,
						   .bytes = byte_buffer_view(&symtab) });
	elf_add_section(elf, (struct elf_section){ .name = ".strtab",
						   .type = SHT_STRTAB,
						   .align = 1,
						   .bytes = byte_buffer_view(&strtab) });
	byte_buffer_deinit(&symtab);
	byte_buffer_deinit(&strtab);
	return symtab_index;
}

// ---- Relocations

void elf_add_relocs(struct elf_builder *elf, const char *section,
		    const struct section_reloc *relocs, size_t count)
{
	uint32_t index = section_index(elf, section);

	if (!index)
		support_fail("relocations of a section that was not added: %s", section);
	for (size_t i = 0; i < count; i++) {
		struct built_reloc built = { .section = index, .reloc = relocs[i] };
		built.reloc.target = support_strdup(relocs[i].target);
		elf->relocs = support_grow(elf->relocs, elf->reloc_count, sizeof(*elf->relocs));
		elf->relocs[elf->reloc_count++] = built;
	}
}

static void reloc_write(struct elf_builder *elf, const struct section_reloc *reloc,
			struct byte_buffer *out)
{
	const struct elf_format *format = &elf->format;
	uint32_t type = reloc->type ? reloc->type : elf_reloc_type(format, reloc->size);
	uint32_t symbol = symbol_find(elf, reloc->target)->index;
	size_t word = format->bits / 8u;

	byte_buffer_put(out, reloc->off, word);
	if (format->bits == 32) {
		byte_buffer_put(out, (uint64_t)symbol << 8 | (type & 0xff), 4);
	} else if (format->machine == EM_MIPS) {
		// A symbol, and backwards up to three types and a special symbol.
		byte_buffer_put(out, symbol, 4);
		for (int shift = 24; shift >= 0; shift -= 8)
			byte_buffer_put(out, type >> shift & 0xff, 1);
	} else {
		byte_buffer_put(out, (uint64_t)symbol << 32 | type, 8);
	}
	if (!format->rel)
		byte_buffer_put(out, (uint64_t)reloc->addend, word);
}

// LLVM's compact form: a header, and of each entry how it differs from the one before it.
static void crel_write(struct elf_builder *elf, uint32_t section, struct byte_buffer *out)
{
	unsigned flag_bits = elf->format.rel ? 2 : 3;
	uint64_t count = 0, off = 0;
	int64_t symbol = 0, type = 0, addend = 0;

	for (size_t i = 0; i < elf->reloc_count; i++)
		count += elf->relocs[i].section == section;
	byte_buffer_uleb(out, count * 8 + (elf->format.rel ? 0 : 4));
	for (size_t i = 0; i < elf->reloc_count; i++) {
		const struct section_reloc *reloc = &elf->relocs[i].reloc;
		if (elf->relocs[i].section != section)
			continue;
		int64_t own_symbol = symbol_find(elf, reloc->target)->index;
		int64_t own_type = reloc->type ? reloc->type
					       : elf_reloc_type(&elf->format, reloc->size);
		int64_t own_addend = elf->format.rel ? 0 : reloc->addend;
		uint64_t step = reloc->off - off;
		unsigned flags = (own_symbol != symbol) | (own_type != type) << 1 |
				 (own_addend != addend) << 2;
		bool is_long = step >= 1u << (7 - flag_bits);
		byte_buffer_put(out, (step << flag_bits & 0x7f) | flags | (is_long ? 0x80 : 0), 1);
		if (is_long)
			byte_buffer_uleb(out, step >> (7 - flag_bits));
		if (own_symbol != symbol)
			byte_buffer_sleb(out, own_symbol - symbol);
		if (own_type != type)
			byte_buffer_sleb(out, own_type - type);
		if (own_addend != addend)
			byte_buffer_sleb(out, own_addend - addend);
		off = reloc->off;
		symbol = own_symbol;
		type = own_type;
		addend = own_addend;
	}
}

static void relocs_build(struct elf_builder *elf, uint32_t section, uint32_t symtab)
{
	struct byte_buffer table = { .big_endian = elf->format.big_endian };
	size_t word = elf->format.bits / 8u, entry_size = (elf->format.rel ? 2 : 3) * word;
	char name[140];

	for (size_t i = 0; i < elf->reloc_count; i++) {
		if (elf->relocs[i].section == section)
			reloc_write(elf, &elf->relocs[i].reloc, &table);
	}
	if (table.size == 0)
		return;
	if (elf->format.crel) {
		byte_buffer_deinit(&table);
		table = (struct byte_buffer){ .data = NULL };
		crel_write(elf, section, &table);
		entry_size = 1;
	}
	uint32_t type = elf->format.crel ? SHT_CREL : elf->format.rel ? SHT_REL : SHT_RELA;
	snprintf(name, sizeof(name), "%s%s",
		 elf->format.crel  ? ".crel"
		 : elf->format.rel ? ".rel"
				   : ".rela",
		 elf->sections[section].section.name);
	elf_add_section(elf, (struct elf_section){ .name = name,
						   .type = type,
						   .flags = SHF_INFO_LINK,
						   .align = word,
						   .entry_size = entry_size,
						   .link = symtab,
						   .info = section,
						   .bytes = byte_buffer_view(&table) });
	byte_buffer_deinit(&table);
}

// ---- The file

static bool is_load(const struct elf_section *section)
{
	return section->flags & SHF_ALLOC;
}

static uint16_t segment_count(const struct elf_builder *elf)
{
	uint16_t count = 0;

	for (uint32_t i = 1; elf->format.segments && i < elf->section_count; i++) {
		const struct elf_section *section = &elf->sections[i].section;
		if (is_load(section))
			count = (uint16_t)(count + (section->type == SHT_NOTE ? 2 : 1));
	}
	return count;
}

static void segment_write(const struct elf_builder *elf, const struct built_section *built,
			  uint32_t type, struct byte_buffer *out)
{
	const struct elf_section *section = &built->section;
	size_t word = elf->format.bits / 8u;
	uint64_t size = section->type == SHT_NOBITS ? section->nobits_size : built->bytes.size;
	uint64_t flags = PF_R | (section->flags & SHF_WRITE ? (uint64_t)PF_W : 0) |
			 (section->flags & SHF_EXECINSTR ? (uint64_t)PF_X : 0);

	byte_buffer_put(out, type, 4);
	if (word == 8)
		byte_buffer_put(out, flags, 4);
	byte_buffer_put(out, built->off, word);
	byte_buffer_put(out, section->addr, word);
	byte_buffer_put(out, section->addr, word);
	byte_buffer_put(out, section->type == SHT_NOBITS ? 0 : size, word);
	byte_buffer_put(out, size, word);
	if (word == 4)
		byte_buffer_put(out, flags, 4);
	byte_buffer_put(out, type == PT_LOAD ? PAGE : section->align, word);
}

static void segments_write(const struct elf_builder *elf, struct byte_buffer *out)
{
	for (uint32_t i = 1; elf->format.segments && i < elf->section_count; i++) {
		const struct built_section *built = &elf->sections[i];
		if (!is_load(&built->section))
			continue;
		segment_write(elf, built, PT_LOAD, out);
		if (built->section.type == SHT_NOTE)
			segment_write(elf, built, PT_NOTE, out);
	}
}

static void header_write(const struct elf_builder *elf, uint64_t section_table,
			 struct byte_buffer *out)
{
	const struct elf_format *format = &elf->format;
	bool wide = format->bits == 64;
	size_t word = wide ? 8 : 4, header_size = wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	uint16_t segments = segment_count(elf);

	byte_buffer_append(out, ELFMAG, SELFMAG);
	byte_buffer_put(out, wide ? ELFCLASS64 : ELFCLASS32, 1);
	byte_buffer_put(out, format->big_endian ? ELFDATA2MSB : ELFDATA2LSB, 1);
	byte_buffer_put(out, EV_CURRENT, 1);
	byte_buffer_fill(out, 0, EI_NIDENT - EI_OSABI);
	byte_buffer_put(out, format->type, 2);
	byte_buffer_put(out, format->machine, 2);
	byte_buffer_put(out, EV_CURRENT, 4);
	byte_buffer_put(out, format->entry, word);
	byte_buffer_put(out, segments ? header_size : 0, word);
	byte_buffer_put(out, section_table, word);
	byte_buffer_put(out, format->flags, 4);
	byte_buffer_put(out, header_size, 2);
	byte_buffer_put(out, wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
	byte_buffer_put(out, segments, 2);
	byte_buffer_put(out, wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
	byte_buffer_put(out, elf->section_count, 2);
	byte_buffer_put(out, elf->section_count - 1, 2); // .shstrtab is the last
}

static void section_header_write(const struct elf_builder *elf, const struct built_section *built,
				 struct byte_buffer *out)
{
	const struct elf_section *section = &built->section;
	size_t word = elf->format.bits / 8u;
	bool nobits = section->type == SHT_NOBITS;

	byte_buffer_put(out, built->name_off, 4);
	byte_buffer_put(out, section->type, 4);
	byte_buffer_put(out, section->flags, word);
	byte_buffer_put(out, section->addr, word);
	byte_buffer_put(out, built->off, word);
	byte_buffer_put(out, nobits ? section->nobits_size : built->bytes.size, word);
	byte_buffer_put(out, section->link, 4);
	byte_buffer_put(out, section->info, 4);
	byte_buffer_put(out, section->align, word);
	byte_buffer_put(out, section->entry_size, word);
}

static void names_build(struct elf_builder *elf)
{
	struct byte_buffer names = { 0 };
	uint32_t index = elf_add_section(
		elf, (struct elf_section){ .name = ".shstrtab", .type = SHT_STRTAB, .align = 1 });

	byte_buffer_put(&names, 0, 1);
	for (uint32_t i = 1; i < elf->section_count; i++) {
		elf->sections[i].name_off = (uint32_t)names.size;
		byte_buffer_string(&names, elf->sections[i].section.name);
	}
	elf->sections[index].bytes = names;
}

// Puts the sections' bytes after the headers, and notes where.
static void contents_write(struct elf_builder *elf)
{
	bool wide = elf->format.bits == 64;
	size_t segment_size = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	byte_buffer_fill(&elf->file, 0, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	byte_buffer_fill(&elf->file, 0, segment_count(elf) * segment_size);
	for (uint32_t i = 1; i < elf->section_count; i++) {
		struct built_section *built = &elf->sections[i];
		const struct elf_section *section = &built->section;
		if (elf->format.segments && is_load(section)) { // congruent to its address
			byte_buffer_align(&elf->file, PAGE);
			byte_buffer_fill(&elf->file, 0, section->addr % PAGE);
		} else {
			byte_buffer_align(&elf->file, section->align);
		}
		built->off = elf->file.size;
		if (section->type != SHT_NOBITS)
			byte_buffer_append(&elf->file, built->bytes.data, built->bytes.size);
	}
}

struct bytes elf_build(struct elf_builder *elf)
{
	struct byte_buffer head = { .big_endian = elf->format.big_endian };

	if (elf->built)
		return byte_buffer_view(&elf->file);
	symbols_for_relocs(elf);
	uint32_t count = elf->section_count;
	if ((elf->symbol_count > 0 && !elf->format.no_symtab) || elf->reloc_count > 0) {
		uint32_t symtab = symtab_build(elf);
		for (uint32_t i = 1; i < count; i++)
			relocs_build(elf, i, symtab);
	}
	names_build(elf);
	if (elf->section_count >= SHN_LORESERVE)
		support_fail("too many sections");

	contents_write(elf);
	byte_buffer_align(&elf->file, 8);
	uint64_t section_table = elf->file.size;
	for (uint32_t i = 0; i < elf->section_count; i++)
		section_header_write(elf, &elf->sections[i], &elf->file);
	header_write(elf, section_table, &head);
	segments_write(elf, &head);
	memcpy(elf->file.data, head.data, head.size);
	byte_buffer_deinit(&head);
	elf->built = true;
	return byte_buffer_view(&elf->file);
}

bool elf_write_file(struct elf_builder *elf, const char *path)
{
	struct bytes bytes = elf_build(elf);
	FILE *out = fopen(path, "wb");

	if (!out)
		return false;
	bool written = fwrite(bytes.data, 1, bytes.size, out) == bytes.size;
	return fclose(out) == 0 && written;
}

struct elf_builder *elf_builder_new(struct elf_format format)
{
	struct elf_builder *elf = calloc(1, sizeof(*elf));

	if (!elf)
		support_fail("out of memory");
	if (format.bits != 32 && format.bits != 64)
		support_fail("an ELF file of %d bits", format.bits);
	elf->format = format;
	elf->file.big_endian = format.big_endian;
	section_append(elf, &(struct elf_section){ 0 }, (struct bytes){ 0 });
	return elf;
}

void elf_builder_free(struct elf_builder *elf)
{
	for (uint32_t i = 0; i < elf->section_count; i++) {
		free((char *)(uintptr_t)elf->sections[i].section.name);
		byte_buffer_deinit(&elf->sections[i].bytes);
	}
	for (uint32_t i = 0; i < elf->symbol_count; i++) {
		free((char *)(uintptr_t)elf->symbols[i].symbol.name);
		free((char *)(uintptr_t)elf->symbols[i].symbol.section);
	}
	for (size_t i = 0; i < elf->reloc_count; i++)
		free((char *)(uintptr_t)elf->relocs[i].reloc.target);
	free(elf->sections);
	free(elf->symbols);
	free(elf->relocs);
	byte_buffer_deinit(&elf->file);
	free(elf);
}
