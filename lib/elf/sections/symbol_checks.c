#include "elf/sections/symbol_checks.h"

#include <elf.h>
#include <inttypes.h>
#include <stddef.h>

#include "elf/files/symbol.h"
#include "text/text.h"

enum { MOST_SAMPLES = 1024 };

// Only a symbol without a name has st_name 0. Assemblers give labels without a type other empty
// strings.
static bool has_lost_name(struct ic_raw_symbol symbol, const char *names)
{
	uint8_t type = ELF64_ST_TYPE(symbol.info);

	return (type == STT_FUNC || type == STT_OBJECT) && symbol.name != 0 &&
	       !ic_text_may_begin((uint8_t)names[symbol.name]);
}

// The address of a function of a relocatable file must be in its section.
static bool check_symbol_place(const struct ic_elf_file *file, struct ic_raw_symbol symbol,
			       const char *names, struct ic_error *err)
{
	if (ELF64_ST_TYPE(symbol.info) != STT_FUNC || symbol.section == SHN_UNDEF ||
	    symbol.section >= file->section_count)
		return true;
	const struct ic_section *section = &file->sections[symbol.section];
	uint64_t value = symbol.value & ~1ull; // that bit is the instruction set of ARM and MIPS
	return !ic_section_is_code(section) || // descriptors are smaller than their functions
	       (value <= section->size && symbol.size <= section->size - value) ||
	       ic_fail(err, IC_ERROR_MALFORMED,
		       "%s: %.200s (0x%" PRIx64 ", %" PRIu64 " bytes) extends beyond its end",
		       section->name, names + symbol.name, symbol.value, symbol.size);
}

static bool check_symbol(const struct ic_symbol_table *table, uint64_t number,
			 const struct ic_section *symtab, const struct ic_section *names,
			 struct ic_error *err)
{
	const struct ic_elf_file *file = table->file;
	size_t size = ic_symbol_table_entry_size(file);
	const uint8_t *raw = symtab->raw.data + number * size;
	uint32_t name = ic_load32(raw, file->swap); // st_name comes first in both classes

	if (number > 0 && name == 0 && ic_bytes_are_zero((struct ic_bytes){ raw, size }))
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: symbol %" PRIu64 " is empty",
			       symtab->name, number);
	if (name >= names->raw.size)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: symbol %" PRIu64 " has a name beyond the end of %s",
			       symtab->name, number, names->name);
	struct ic_raw_symbol symbol = ic_symbol_table_read(table, number);
	if (has_lost_name(symbol, (const char *)names->raw.data))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: symbol %" PRIu64 " has no name in %s, at 0x%" PRIx32,
			       symtab->name, number, names->name, name);
	return !file->is_relocatable ||
	       check_symbol_place(file, symbol, (const char *)names->raw.data, err);
}

// Checks every `step`th symbol.
static bool check_symbols(const struct ic_elf_file *file, const struct ic_section *symtab,
			  uint64_t step, struct ic_error *err)
{
	struct ic_symbol_table table = ic_symbol_table_of(file, symtab);
	const struct ic_section *names = &file->sections[symtab->link];
	bool ok = true;

	for (uint64_t i = 0; ok && i < table.count; i += step)
		ok = check_symbol(&table, i, symtab, names, err);
	return ok;
}

// The strings of a symbol table begin and end with a NUL (gABI, "String Table").
static bool check_symbol_names(const struct ic_elf_file *file, const struct ic_section *symtab,
			       struct ic_error *err)
{
	const struct ic_section *names =
		symtab->link < file->section_count ? &file->sections[symtab->link] : NULL;

	if (!names || names->type != SHT_STRTAB || !strcmp(names->name, ".shstrtab"))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: section %" PRIu32 " (%s) has no symbol names", symtab->name,
			       symtab->link, names ? names->name : "");
	const struct ic_bytes raw = names->raw;
	// Names are shared, so an empty one is not at the end.
	if (raw.size == 0 || raw.data[0] != 0 || raw.data[raw.size - 1] != 0 ||
	    (raw.size > 1 && raw.data[raw.size - 2] == 0))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s, the names of %s, is not a string table", names->name,
			       symtab->name);
	return true;
}

// The first entry is zero, the second is not; sh_info is the number of local symbols.
bool ic_symbol_checks_run(const struct ic_elf_file *file, const struct ic_section *symtab,
			  struct ic_error *err)
{
	size_t size = ic_symbol_table_entry_size(file);
	struct ic_bytes raw = symtab->raw;

	if (symtab->type != SHT_SYMTAB)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: not a symbol table (sh_type %" PRIu32 ")", symtab->name,
			       symtab->type);
	if (raw.size % size != 0 || raw.size == 0 || symtab->info > raw.size / size)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: %zu bytes, sh_info %" PRIu32 ": not a whole number of symbols, "
			       "or too few",
			       symtab->name, raw.size, symtab->info);
	if (!ic_bytes_are_zero((struct ic_bytes){ raw.data, size }))
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: the first symbol is not the null symbol", symtab->name);
	if (raw.size > size && ic_bytes_are_zero((struct ic_bytes){ raw.data + size, size }))
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: the second symbol is empty",
			       symtab->name);
	if (ic_bytes_are_zero((struct ic_bytes){ raw.data + raw.size - size, size }) &&
	    raw.size > size)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: the last symbol is empty",
			       symtab->name);
	return raw.size == size ||
	       (check_symbol_names(file, symtab, err) &&
		// Samples them, since checking all takes too long.
		check_symbols(file, symtab, raw.size / size / MOST_SAMPLES + 1, err));
}

// A file has at most one (gABI, "Sections").
const struct ic_section *ic_symbol_checks_table(const struct ic_elf_file *file)
{
	for (uint32_t i = 0; i < file->section_count; i++)
		if (file->sections[i].type == SHT_SYMTAB)
			return &file->sections[i];
	return ic_elf_file_section(file, ".symtab");
}

bool ic_symbol_checks_all(const struct ic_elf_file *file, struct ic_error *err)
{
	const struct ic_section *symtab = ic_symbol_checks_table(file);
	struct ic_error other;

	// Errors of the other checks are reported already.
	return !symtab || symtab->raw.size == 0 || !ic_symbol_checks_run(file, symtab, &other) ||
	       check_symbols(file, symtab, 1, err);
}
