#include "elf/image/stubs.h"

#include <elf.h>

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
	return ic_keyed_sort(slots->by_addr.items, slots->by_addr.count);
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
}
