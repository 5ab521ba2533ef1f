#include "elf/image/stubs.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/sections/relative.h"

static bool take_slots(struct ic_slots *slots, const struct ic_elf_file *file,
		       struct ic_bytes entries)
{
	size_t size = 3u * file->addr_size;

	for (; entries.size >= size; entries.data += size, entries.size -= size) {
		const uint8_t *info = entries.data + file->addr_size;
		uint64_t addr = file->addr_size == 8 ? ic_load64(entries.data, file->swap)
						     : ic_load32(entries.data, file->swap);
		uint64_t symbol = file->addr_size == 8 ? ic_load64(info, file->swap) >> 32
						       : ic_load32(info, file->swap) >> 8;
		if (symbol == 0 || symbol >= slots->symbols.table.count)
			continue;
		if (!IC_ARRAY_ADD(&slots->by_addr, (struct ic_keyed){ addr, (uint32_t)symbol }))
			return false;
	}
	return true;
}

static bool copy_got(struct ic_slots *slots, const struct ic_elf_file *file)
{
	const struct ic_section *got = ic_elf_file_section(file, ".got");

	if (!got || got->raw.size == 0)
		return true;
	slots->got = ic_items_alloc(got->raw.size, 1);
	if (!slots->got)
		return false;
	memcpy(slots->got, got->raw.data, got->raw.size);
	slots->got_addr = got->addr;
	slots->got_size = got->raw.size;
	slots->addr_size = file->addr_size;
	slots->swap = file->swap;
	const struct ic_relatives relatives = ic_relatives_of(file);
	ic_relatives_apply(&relatives, slots->got_addr, slots->got, slots->got_size);
	return true;
}

bool ic_slots_read(struct ic_slots *slots, const struct ic_image *image)
{
	const struct ic_elf_file *file = &image->file;

	slots->symbols = ic_named_symbols_open_dynamic(file);
	slots->by_addr.memory = file->memory;
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *section = &file->sections[i];
		if (section->type == SHT_RELA && section->flags & SHF_ALLOC &&
		    !take_slots(slots, file, section->raw))
			return false;
	}
	return copy_got(slots, file) && ic_keyed_sort(slots->by_addr.items, slots->by_addr.count);
}

uint64_t ic_slots_addr(const struct ic_slots *slots, uint64_t addr)
{
	uint64_t off = addr - slots->got_addr, value;

	if (addr < slots->got_addr || off >= slots->got_size ||
	    slots->got_size - off < slots->addr_size)
		return IC_NO_ADDR;
	value = slots->addr_size == 8 ? ic_load64(slots->got + off, slots->swap)
				      : ic_load32(slots->got + off, slots->swap);
	return value == 0 ? IC_NO_ADDR : value;
}

const char *ic_slots_name(const struct ic_slots *slots, uint64_t addr)
{
	uint32_t at = ic_keyed_find(slots->by_addr.items, slots->by_addr.count, addr);

	if (at == slots->by_addr.count || slots->by_addr.items[at].key != addr)
		return NULL;
	struct ic_raw_symbol raw =
		ic_symbol_table_read(&slots->symbols.table, slots->by_addr.items[at].number);
	return raw.name > 0 && raw.name < slots->symbols.names.size
		       ? ic_named_symbols_name(&slots->symbols, &raw)
		       : NULL;
}

void ic_slots_free(struct ic_slots *slots)
{
	IC_ARRAY_FREE(&slots->by_addr);
	free(slots->got);
}
