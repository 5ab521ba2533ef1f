#include "elf/symtab.h"

#include <elf.h>
#include <stdlib.h>

#define PASS_BITS 11
enum { PASS_SIZE = 1 << PASS_BITS };

struct raw_symbol { // of either class
	uint32_t name;
	uint8_t info;
	uint16_t section;
	uint64_t value, size;
};

static struct raw_symbol read_symbol(const struct ic_elf_file *file, const uint8_t *at)
{
	bool swap = file->swap;

	if (file->addr_size == 8)
		return (struct raw_symbol){ ic_load32(at, swap), at[4], ic_load16(at + 6, swap),
					    ic_load64(at + 8, swap), ic_load64(at + 16, swap) };
	return (struct raw_symbol){ ic_load32(at, swap), at[12], ic_load16(at + 14, swap),
				    ic_load32(at + 4, swap), ic_load32(at + 8, swap) };
}

// The section of a symbol; SHN_XINDEX says that it is in a table of its own.
static uint32_t section_of(const struct ic_elf_file *file, const struct raw_symbol *raw,
			   const struct ic_section *extended, uint64_t index)
{
	if (raw->section != SHN_XINDEX)
		return raw->section;
	if (!extended || index >= extended->raw.size / sizeof(uint32_t))
		return SHN_UNDEF;
	return ic_load32(extended->raw.data + index * sizeof(uint32_t), file->swap);
}

static const struct ic_section *find_extended(const struct ic_elf_file *file, uint32_t symtab)
{
	for (uint32_t i = 0; i < file->section_count; i++)
		if (file->sections[i].type == SHT_SYMTAB_SHNDX && file->sections[i].link == symtab)
			return &file->sections[i];
	return NULL;
}

static bool is_function(const struct raw_symbol *raw, uint32_t section)
{
	uint8_t type = ELF64_ST_TYPE(raw->info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && section != SHN_UNDEF && raw->size > 0;
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

static void read_symbols(struct ic_symtab *symtab, const struct ic_elf_file *file,
			 const struct ic_section *section, struct ic_bytes names, uint8_t binding)
{
	size_t size = file->addr_size == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	const struct ic_section *extended =
		find_extended(file, (uint32_t)(section - file->sections));

	for (uint64_t i = 0; i < section->raw.size / size; i++) {
		struct raw_symbol raw = read_symbol(file, section->raw.data + i * size);
		uint8_t bind = ELF64_ST_BIND(raw.info);

		if (bind != binding && !(binding == STB_GLOBAL && bind > STB_WEAK))
			continue;
		uint32_t in = section_of(file, &raw, extended, i);
		if (!is_function(&raw, in) || raw.name >= names.size)
			continue;
		if (file->is_relocatable && in < file->section_count)
			raw.value += file->sections[in].addr;
		if (file->machine == EM_ARM)
			raw.value &= ~1ull; // says that the code is Thumb
		symtab->symbols[symtab->count++] =
			(struct ic_elf_symbol){ raw.value, raw.value + raw.size,
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
	uint64_t most = section->raw.size / sizeof(Elf32_Sym);
	if (most > UINT32_MAX)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: too many symbols", file->path);
	symtab->symbols = malloc((most + 1) * sizeof(*symtab->symbols));
	if (!symtab->symbols)
		return ic_fail_memory(err);
	read_symbols(symtab, file, section, names, STB_GLOBAL);
	read_symbols(symtab, file, section, names, STB_WEAK);
	read_symbols(symtab, file, section, names, STB_LOCAL);
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
