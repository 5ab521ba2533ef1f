#include "elf/symtab.h"

#include <elf.h>
#include <stdlib.h>

#include "elf/descriptor.h"
#include "elf/symbol.h"

#define PASS_BITS 11
enum { PASS_SIZE = 1 << PASS_BITS };

static bool is_function(const struct ic_raw_symbol *symbol)
{
	uint8_t type = ELF64_ST_TYPE(symbol->info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->section != SHN_UNDEF &&
	       symbol->size > 0;
}

// A stable sort by start: three passes over what differs between the addresses of most programs.
// False where memory is out.
static bool sort_by_start(struct ic_elf_symbol *symbols, uint32_t count)
{
	struct ic_elf_symbol *other = malloc((count + 1ull) * sizeof(*other));
	uint64_t differing = 0;

	if (!other)
		return false;
	for (uint32_t i = 1; i < count; i++)
		differing |= symbols[i].start ^ symbols[0].start;
	struct ic_elf_symbol *from = symbols, *to = other;
	for (unsigned shift = 0; shift < 64 && differing >> shift; shift += PASS_BITS) {
		uint32_t places[PASS_SIZE + 1] = { 0 };
		for (uint32_t i = 0; i < count; i++)
			places[(from[i].start >> shift & (PASS_SIZE - 1)) + 1]++;
		for (uint32_t i = 0; i < PASS_SIZE; i++)
			places[i + 1] += places[i];
		for (uint32_t i = 0; i < count; i++)
			to[places[from[i].start >> shift & (PASS_SIZE - 1)]++] = from[i];
		struct ic_elf_symbol *swapped = from;
		from = to;
		to = swapped;
	}
	if (from != symbols)
		memcpy(symbols, from, count * sizeof(*symbols));
	free(other);
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
	if (sort_by_start(symtab->symbols, symtab->count))
		return true;
	ic_symtab_free(symtab);
	return ic_fail_memory(err);
}

void ic_symtab_free(struct ic_symtab *symtab)
{
	free(symtab->symbols);
	*symtab = (struct ic_symtab){ 0 };
}
