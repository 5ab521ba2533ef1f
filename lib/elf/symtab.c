#include "elf/symtab.h"

#include <elf.h>
#include <stdlib.h>

#include "base/sort.h"
#include "elf/descriptor.h"
#include "elf/symbol.h"

static bool is_function(const struct ic_raw_symbol *symbol)
{
	uint8_t type = ELF64_ST_TYPE(symbol->info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->section != SHN_UNDEF &&
	       symbol->size > 0;
}

// A stable sort by start. False where memory is out.
static bool sort_by_start(struct ic_symtab *symtab)
{
	uint32_t count = symtab->count;
	struct ic_keyed *order = malloc((count + 1ull) * sizeof(*order));
	struct ic_elf_symbol *sorted = malloc((count + 1ull) * sizeof(*sorted));

	for (uint32_t i = 0; order && i < count; i++)
		order[i] = (struct ic_keyed){ symtab->symbols[i].start, i };
	bool ok = order && sorted && ic_keyed_sort(order, count);
	for (uint32_t i = 0; ok && i < count; i++)
		sorted[i] = symtab->symbols[order[i].number];
	free(order);
	if (!ok) {
		free(sorted);
		return false;
	}
	free(symtab->symbols);
	symtab->symbols = sorted;
	return true;
}

struct named_table {
	struct ic_symbol_table table;
	struct ic_bytes names;
};

// ARM and MIPS say by the lowest bit of a function's address in what instructions it is written:
// Thumb, MIPS16, microMIPS.
static bool has_mode_bit(const struct ic_elf_file *file)
{
	return file->machine == EM_ARM || file->machine == EM_MIPS ||
	       file->machine == EM_MIPS_RS3_LE;
}

static void read_symbols(struct ic_symtab *symtab, const struct named_table *named, uint8_t binding)
{
	const struct ic_symbol_table *table = &named->table;
	const struct ic_section *descriptors = ic_elf_file_descriptors(table->file);
	struct ic_bytes names = named->names;
	uint64_t mask = has_mode_bit(table->file) ? ~1ull : ~0ull;

	for (uint64_t i = 0; i < table->count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(table, i);
		uint8_t bind = ELF64_ST_BIND(raw.info);

		if (bind != binding && !(binding == STB_GLOBAL && bind > STB_WEAK))
			continue;
		if (!is_function(&raw) || raw.name >= names.size)
			continue;
		uint64_t addr = ic_raw_symbol_addr(table->file, &raw) & mask;
		addr = ic_descriptor_code(table->file, descriptors, addr);
		symtab->symbols[symtab->count++] =
			(struct ic_elf_symbol){ addr, addr + raw.size,
						(const char *)names.data + raw.name };
	}
}

// A table with its names; one without them, or that is not there, has no entries.
static struct named_table open_table(const struct ic_elf_file *file, const char *section_name)
{
	const struct ic_section *section = ic_elf_file_section(file, section_name);
	struct named_table named = { .table = { .file = file } };

	if (!section || section->raw.size == 0 || section->link >= file->section_count)
		return named;
	named.table = ic_symbol_table_of(file, section);
	named.names = file->sections[section->link].raw;
	while (named.names.size > 0 && named.names.data[named.names.size - 1] != 0)
		named.names.size--; // a name without an end is none
	return named;
}

static bool has_entries(const struct ic_elf_file *file, const char *section_name)
{
	const struct ic_section *section = ic_elf_file_section(file, section_name);

	return section && section->raw.size > 0;
}

bool ic_symtab_read(struct ic_symtab *symtab, const struct ic_elf_file *file,
		    const struct ic_elf_file *second, struct ic_error *err)
{
	static const uint8_t bindings[] = { STB_GLOBAL, STB_WEAK, STB_LOCAL };
	const char *first_name = has_entries(file, ".symtab") ? ".symtab" : ".dynsym";
	struct named_table tables[2] = { open_table(file, first_name) };

	*symtab = (struct ic_symtab){ 0 };
	if (second)
		tables[1] = open_table(second, ".symtab");
	uint64_t count = tables[0].table.count + tables[1].table.count;
	if (count > UINT32_MAX)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: more than 4,294,967,295 symbols",
			       file->path);
	symtab->symbols = malloc((count + 1) * sizeof(*symtab->symbols));
	if (!symtab->symbols)
		return ic_fail_memory(err);
	for (size_t i = 0; i < sizeof(bindings); i++)
		for (size_t j = 0; j < (second ? 2 : 1); j++)
			read_symbols(symtab, &tables[j], bindings[i]);
	if (sort_by_start(symtab))
		return true;
	ic_symtab_free(symtab);
	return ic_fail_memory(err);
}

static bool has_addr(const struct ic_raw_symbol *symbol)
{
	uint8_t type = ELF64_ST_TYPE(symbol->info);

	return symbol->section != SHN_UNDEF && symbol->section != SHN_COMMON &&
	       symbol->section != SHN_ABS && type != STT_SECTION && type != STT_FILE &&
	       type != STT_TLS;
}

static bool find_in_table(const struct named_table *named, const char *name, uint32_t *number,
			  struct ic_elf_symbol *symbol)
{
	const struct ic_symbol_table *table = &named->table;
	const struct ic_section *descriptors = ic_elf_file_descriptors(table->file);
	struct ic_bytes names = named->names;

	for (uint64_t i = 0; i < table->count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(table, i);
		if (raw.name >= names.size || !has_addr(&raw) ||
		    strcmp((const char *)names.data + raw.name, name) != 0 || (*number)-- > 0)
			continue;
		uint64_t mask = is_function(&raw) && has_mode_bit(table->file) ? ~1ull : ~0ull;
		uint64_t addr = ic_raw_symbol_addr(table->file, &raw) & mask;
		addr = ic_descriptor_code(table->file, descriptors, addr);
		*symbol = (struct ic_elf_symbol){ addr, addr + raw.size,
						  (const char *)names.data + raw.name };
		return true;
	}
	return false;
}

bool ic_symtab_find(const struct ic_elf_file *file, const struct ic_elf_file *second,
		    const char *name, uint32_t number, struct ic_elf_symbol *symbol)
{
	const char *first_name = has_entries(file, ".symtab") ? ".symtab" : ".dynsym";
	struct named_table named = open_table(file, first_name);

	if (find_in_table(&named, name, &number, symbol))
		return true;
	if (!second)
		return false;
	named = open_table(second, ".symtab");
	return find_in_table(&named, name, &number, symbol);
}

void ic_symtab_free(struct ic_symtab *symtab)
{
	free(symtab->symbols);
	*symtab = (struct ic_symtab){ 0 };
}
