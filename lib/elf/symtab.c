#include "elf/symtab.h"

#include <elf.h>
#include <stdlib.h>

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

static void read_symbols(struct ic_symtab *symtab, const struct ic_symbol_table *table,
			 struct ic_bytes names, uint8_t binding)
{
	for (uint64_t i = 0; i < table->count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(table, i);
		uint8_t bind = ELF64_ST_BIND(raw.info);

		if (bind != binding && !(binding == STB_GLOBAL && bind > STB_WEAK))
			continue;
		if (!is_function(&raw) || raw.name >= names.size)
			continue;
		uint64_t addr = ic_raw_symbol_addr(table->file, &raw);
		if (table->file->machine == EM_ARM)
			addr &= ~1ull; // says that the code is Thumb
		symtab->symbols[symtab->count++] =
			(struct ic_elf_symbol){ addr, addr + raw.size,
						(const char *)names.data + raw.name };
	}
}

bool ic_symtab_read(struct ic_symtab *symtab, const struct ic_elf_file *file, struct ic_error *err)
{
	const struct ic_section *section = ic_elf_file_section(file, ".symtab");

	*symtab = (struct ic_symtab){ 0 };
	if (!section || section->raw.size == 0)
		section = ic_elf_file_section(file, ".dynsym");
	if (!section || section->link >= file->section_count)
		return true;
	struct ic_bytes names = file->sections[section->link].raw;
	while (names.size > 0 && names.data[names.size - 1] != 0)
		names.size--; // a name without an end is none
	struct ic_symbol_table table = ic_symbol_table_of(file, section);
	if (table.count > UINT32_MAX)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: more than 4,294,967,295 symbols",
			       file->path);
	symtab->symbols = malloc((table.count + 1) * sizeof(*symtab->symbols));
	if (!symtab->symbols)
		return ic_fail_memory(err);
	read_symbols(symtab, &table, names, STB_GLOBAL);
	read_symbols(symtab, &table, names, STB_WEAK);
	read_symbols(symtab, &table, names, STB_LOCAL);
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
