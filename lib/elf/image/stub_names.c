#include "elf/image/stub_names.h"

#include <elf.h>
#include <string.h>

#include "base/machine.h"
#include "elf/files/symbol.h"

enum { MOST_STUB = 16 }; // bytes from the start of a stub's jump to its end

const struct ic_section *ic_image_stub_section(const struct ic_image *image, uint64_t addr)
{
	for (uint32_t i = 0; i < image->file.section_count; i++) {
		const struct ic_section *section = &image->file.sections[i];

		if (addr - section->addr < section->size &&
		    (strncmp(section->name, ".plt", 4) == 0 ||
		     strncmp(section->name, ".iplt", 5) == 0))
			return section;
	}
	return NULL;
}

// ---- Code

// The word of "jmp *word" at an address: relative to the instruction, absolute, or in i386's
// position-independent code relative to the global offset table.
static bool find_x86_slot(const struct ic_image *image, uint64_t addr, struct ic_bytes code,
			  uint64_t *slot)
{
	enum { SIZE = 6 };
	bool is_64 = image->file.machine == IC_MACHINE_X86_64;
	const struct ic_section *got = ic_elf_file_section(&image->file, ".got.plt");

	if (code.size < SIZE || code.data[0] != 0xff)
		return false;
	uint32_t number = ic_load32(code.data + 2, IC_HOST_IS_BIG_ENDIAN);
	if (code.data[1] == 0x25 && is_64)
		*slot = addr + SIZE + (uint64_t)(int64_t)(int32_t)number;
	else if (code.data[1] == 0x25)
		*slot = number;
	else if (code.data[1] == 0xa3 && !is_64 && got)
		*slot = (uint32_t)(got->addr + number);
	else
		return false;
	return true;
}

// "adrp x16, page; ldr x17, [x16, #off]"
static bool find_aarch64_slot(uint64_t addr, struct ic_bytes code, uint64_t *slot)
{
	if (code.size < 8)
		return false;
	uint32_t page = ic_load32(code.data, IC_HOST_IS_BIG_ENDIAN);
	uint32_t load = ic_load32(code.data + 4, IC_HOST_IS_BIG_ENDIAN);
	if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
		return false;
	uint64_t pages = (page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3);
	*slot = (addr & ~(uint64_t)0xfff) + (((pages ^ 0x100000) - 0x100000) << 12) +
		(load >> 10 & 0xfff) * 8;
	return true;
}

static bool find_slot(const struct ic_image *image, uint64_t addr, uint64_t *slot)
{
	struct ic_bytes code = ic_image_code_at(image, addr);

	switch (image->file.is_relocatable ? 0 : image->file.machine) {
	case IC_MACHINE_386:
	case IC_MACHINE_X86_64: return find_x86_slot(image, addr, code, slot);
	case IC_MACHINE_AARCH64: return addr % 4 == 0 && find_aarch64_slot(addr, code, slot);
	}
	return false;
}

// The size of what may be at an address in front of a stub's jump: instructions that mark where
// calls may land, and, in stubs that mold makes, one that sets a register.
static uint64_t size_of_landing(const struct ic_image *image, uint64_t addr)
{
	static const struct {
		uint16_t machine;
		uint8_t size, count;
		uint8_t code[4];
	} landings[] = {
		{ IC_MACHINE_X86_64, 4, 4, { 0xf3, 0x0f, 0x1e, 0xfa } },  // endbr64
		{ IC_MACHINE_386, 4, 4, { 0xf3, 0x0f, 0x1e, 0xfb } },     // endbr32
		{ IC_MACHINE_X86_64, 6, 2, { 0x41, 0xbb } },              // mov $number, %r11d
		{ IC_MACHINE_X86_64, 1, 2, { 0xf2, 0xff } },              // bnd
		{ IC_MACHINE_AARCH64, 4, 4, { 0x5f, 0x24, 0x03, 0xd5 } }, // bti c
	};
	uint64_t size = 0;

	for (size_t i = 0; i < sizeof(landings) / sizeof(*landings); i++) {
		struct ic_bytes code = ic_image_code_at(image, addr + size);
		if (image->file.machine == landings[i].machine && code.size >= landings[i].count &&
		    memcmp(code.data, landings[i].code, landings[i].count) == 0)
			size += landings[i].size;
	}
	return size;
}

// ---- Relocations

// Sets what a relocation has.
static bool take_relocation(const struct ic_elf_file *file, const struct ic_named_symbols *symbols,
			    const uint8_t *entry, bool has_addend, struct ic_stub *stub)
{
	size_t word = file->addr_size;
	uint64_t info = word == 8 ? ic_load64(entry + 8, file->swap)
				  : ic_load32(entry + 4, file->swap);
	uint64_t number = word == 8 ? info >> 32 : info >> 8;

	if (number == 0 && has_addend) { // of an indirect function
		stub->resolver = word == 8 ? ic_load64(entry + 16, file->swap)
					   : ic_load32(entry + 8, file->swap);
		return stub->resolver != IC_NO_ADDR; // an addend of a damaged file
	}
	if (number == 0 || number >= symbols->table.count)
		return false;
	struct ic_raw_symbol raw = ic_symbol_table_read(&symbols->table, number);
	if (raw.name == 0 || raw.name >= symbols->names.size)
		return false;
	stub->name = ic_named_symbols_name(symbols, &raw);
	return true;
}

// Searches a section of relocations for that of a word.
static bool search_section(const struct ic_elf_file *file, const struct ic_section *section,
			   uint64_t slot, struct ic_stub *stub)
{
	const struct ic_named_symbols symbols = ic_named_symbols_open_dynamic(file);
	bool has_addend = section->type == SHT_RELA;
	size_t word = file->addr_size, size = (has_addend ? 3 : 2) * word;
	struct ic_bytes left = section->raw;

	for (; left.size >= size; left.data += size, left.size -= size) {
		uint64_t addr = word == 8 ? ic_load64(left.data, file->swap)
					  : ic_load32(left.data, file->swap);
		if (addr == slot)
			return take_relocation(file, &symbols, left.data, has_addend, stub);
	}
	return false;
}

static bool find_relocation(const struct ic_image *image, uint64_t slot, struct ic_stub *stub)
{
	for (uint32_t i = 0; i < image->file.section_count; i++) {
		const struct ic_section *section = &image->file.sections[i];

		if ((section->type == SHT_RELA || section->type == SHT_REL) &&
		    (section->flags & SHF_ALLOC) &&
		    search_section(&image->file, section, slot, stub))
			return true;
	}
	return false;
}

bool ic_image_stub_find(const struct ic_image *image, uint64_t addr, struct ic_stub *stub)
{
	const struct ic_section *section = ic_image_stub_section(image, addr);
	uint64_t slot;

	if (!section)
		return false;
	uint64_t jump = addr + size_of_landing(image, addr);
	for (uint64_t back = 0; back < MOST_STUB && back <= jump - section->addr; back++)
		if (find_slot(image, jump - back, &slot)) {
			*stub = (struct ic_stub){ .start = addr < jump - back ? addr : jump - back,
						  .resolver = IC_NO_ADDR };
			return find_relocation(image, slot, stub);
		}
	return false;
}
