#include "elf/files/symbol.h"

#include <elf.h>

#include "elf/files/descriptor.h"

size_t ic_symbol_table_entry_size(const struct ic_elf_file *file)
{
	return file->addr_size == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

struct ic_symbol_table ic_symbol_table_of(const struct ic_elf_file *file,
					  const struct ic_section *section)
{
	struct ic_symbol_table table = { .file = file,
					 .entries = section->raw,
					 .count = section->raw.size /
						  ic_symbol_table_entry_size(file) };
	uint32_t number = (uint32_t)(section - file->sections);

	for (uint32_t i = 0; i < file->section_count; i++)
		if (file->sections[i].type == SHT_SYMTAB_SHNDX && file->sections[i].link == number)
			table.extended = file->sections[i].raw;
	return table;
}

struct ic_raw_symbol ic_symbol_table_read(const struct ic_symbol_table *table, uint64_t index)
{
	const struct ic_elf_file *file = table->file;
	const uint8_t *at = table->entries.data + index * ic_symbol_table_entry_size(file);
	bool is_64 = file->addr_size == 8, swap = file->swap;
	struct ic_raw_symbol symbol = {
		.name = ic_load32(at, swap),
		.info = at[is_64 ? 4 : 12],
		.other = at[is_64 ? 5 : 13],
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

// Nearly all large tables are 64-bit and in our byte order: with constants for these the compiler
// makes a loop of a few instructions.
static inline uint64_t previous_near(const struct ic_symbol_table *table, uint64_t index,
				     uint64_t low, uint64_t high, bool is_64, bool swap)
{
	size_t size = is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	const uint8_t *at = index > 0 ? table->entries.data + index * size : NULL;

	while (index-- > 0) {
		at -= size;
		uint64_t value = is_64 ? ic_load64(at + 8, swap) : ic_load32(at + 4, swap);
		uint64_t length = is_64 ? ic_load64(at + 16, swap) : ic_load32(at + 8, swap);
		if (value <= high && (value >= low || low - value < length))
			return index;
	}
	return table->count;
}

uint64_t ic_symbol_table_previous_near(const struct ic_symbol_table *table, uint64_t index,
				       uint64_t low, uint64_t high)
{
	const struct ic_elf_file *file = table->file;

	return file->addr_size == 8 && !file->swap
		       ? previous_near(table, index, low, high, true, false)
		       : previous_near(table, index, low, high, file->addr_size == 8, file->swap);
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

// ---- With names

static struct ic_named_symbols open_table(const struct ic_elf_file *file, const char *section_name)
{
	const struct ic_section *section = ic_elf_file_section(file, section_name);
	struct ic_named_symbols named = { .table = { .file = file } };

	if (!section || section->raw.size == 0 || section->link >= file->section_count)
		return named;
	named.table = ic_symbol_table_of(file, section);
	named.names = ic_bytes_cut_after_nul(file->sections[section->link].raw);
	return named;
}

uint64_t ic_named_symbols_open(struct ic_named_symbols tables[2], const struct ic_elf_file *file,
			       const struct ic_elf_file *second)
{
	tables[0] = open_table(file, ic_elf_file_has(file, ".symtab") ? ".symtab" : ".dynsym");
	tables[1] = second ? open_table(second, ".symtab")
			   : (struct ic_named_symbols){ .table = { .file = file } };
	return tables[0].table.count + tables[1].table.count;
}

struct ic_named_symbols ic_named_symbols_open_dynamic(const struct ic_elf_file *file)
{
	return open_table(file, ".dynsym");
}

bool ic_named_symbols_fail_count(const struct ic_elf_file *file, struct ic_error *err)
{
	return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: more than 4,294,967,295 symbols",
		       file->path);
}

bool ic_raw_symbol_is_function(const struct ic_raw_symbol *symbol)
{
	uint8_t type = ELF64_ST_TYPE(symbol->info);

	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

// ARM and MIPS mark the instruction set in the lowest bit of a function's address: Thumb, MIPS16,
// microMIPS.
static bool has_mode_bit(const struct ic_elf_file *file)
{
	return file->machine == EM_ARM || file->machine == EM_MIPS ||
	       file->machine == EM_MIPS_RS3_LE;
}

uint64_t ic_named_symbols_addr(const struct ic_named_symbols *named,
			       const struct ic_raw_symbol *raw)
{
	const struct ic_elf_file *file = named->table.file;
	bool has_bit = has_mode_bit(file) && ic_raw_symbol_is_function(raw);
	uint64_t addr = ic_raw_symbol_addr(file, raw) & (has_bit ? ~1ull : ~0ull);

	return ic_descriptor_code(file, ic_elf_file_descriptors(file), addr);
}

bool ic_named_symbols_are_addrs(const struct ic_named_symbols *named)
{
	const struct ic_elf_file *file = named->table.file;

	return !file->is_relocatable && !has_mode_bit(file) && !ic_elf_file_descriptors(file);
}
