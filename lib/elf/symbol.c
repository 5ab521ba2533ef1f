#include "elf/symbol.h"

#include <elf.h>

#include "elf/descriptor.h"

static size_t entry_size(const struct ic_elf_file *file)
{
	return file->addr_size == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

struct ic_symbol_table ic_symbol_table_of(const struct ic_elf_file *file,
					  const struct ic_section *section)
{
	struct ic_symbol_table table = { .file = file,
					 .entries = section->raw,
					 .count = section->raw.size / entry_size(file) };
	uint32_t number = (uint32_t)(section - file->sections);

	for (uint32_t i = 0; i < file->section_count; i++)
		if (file->sections[i].type == SHT_SYMTAB_SHNDX && file->sections[i].link == number)
			table.extended = file->sections[i].raw;
	return table;
}

struct ic_raw_symbol ic_symbol_table_read(const struct ic_symbol_table *table, uint64_t index)
{
	const struct ic_elf_file *file = table->file;
	const uint8_t *at = table->entries.data + index * entry_size(file);
	bool is_64 = file->addr_size == 8, swap = file->swap;
	struct ic_raw_symbol symbol = {
		.name = ic_load32(at, swap),
		.info = at[is_64 ? 4 : 12],
		.section = ic_load16(at + (is_64 ? 6 : 14), swap),
		.value = is_64 ? ic_load64(at + 8, swap) : ic_load32(at + 4, swap),
		.size = is_64 ? ic_load64(at + 16, swap) : ic_load32(at + 8, swap),
	};

	if (symbol.section != SHN_XINDEX)
		return symbol;
	symbol.section = SHN_UNDEF;
	if (index < table->extended.size / sizeof(uint32_t))
		symbol.section = ic_load32(table->extended.data + index * sizeof(uint32_t), swap);
	return symbol;
}

uint64_t ic_symbol_table_next_at(const struct ic_symbol_table *table, uint64_t index, uint64_t addr)
{
	const struct ic_elf_file *file = table->file;

	// Values are addresses in linked files alone; and only these have so many symbols.
	if (file->is_relocatable || file->addr_size != 8 || ic_elf_file_descriptors(file))
		return index;
	for (; index < table->count; index++) {
		const uint8_t *at = table->entries.data + index * sizeof(Elf64_Sym);
		uint64_t off = addr - ic_load64(at + 8, file->swap) + 1;
		uint64_t size = ic_load64(at + 16, file->swap);
		if (off <= size || off - 1 <= size)
			break;
	}
	return index;
}

uint64_t ic_raw_symbol_addr(const struct ic_elf_file *file, const struct ic_raw_symbol *symbol)
{
	if (symbol->section == SHN_UNDEF || symbol->section == SHN_COMMON)
		return 0;
	if (file->is_relocatable && symbol->section < file->section_count &&
	    symbol->section != SHN_ABS)
		return file->sections[symbol->section].addr + symbol->value;
	return symbol->value;
}
