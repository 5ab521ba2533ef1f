#include "elf/symtab.h"

#include <elf.h>
#include <stdlib.h>

#include "base/text.h"
#include "elf/descriptor.h"

static bool has_function_type(const struct ic_raw_symbol *symbol)
{
	uint8_t type = ELF64_ST_TYPE(symbol->info);

	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

// Assembly may leave the type out: what has a size and is in code is a function, as a kernel's
// entry_SYSCALL_64.
static bool is_function(const struct ic_elf_file *file, const struct ic_raw_symbol *symbol)
{
	if (symbol->section == SHN_UNDEF || symbol->size == 0)
		return false;
	return has_function_type(symbol) || (ELF64_ST_TYPE(symbol->info) == STT_NOTYPE &&
					     symbol->section < file->section_count &&
					     ic_section_is_code(&file->sections[symbol->section]));
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

// ARM and MIPS say by the lowest bit of a function's address in what instructions it is written:
// Thumb, MIPS16, microMIPS.
static bool has_mode_bit(const struct ic_elf_file *file)
{
	return file->machine == EM_ARM || file->machine == EM_MIPS ||
	       file->machine == EM_MIPS_RS3_LE;
}

// The symbol of an entry; false where its name is not in the table of names.
static bool make_symbol(struct ic_elf_symbol *symbol, const struct ic_named_symbols *named,
			const struct ic_raw_symbol *raw)
{
	const struct ic_elf_file *file = named->table.file;

	if (raw->name >= named->names.size)
		return false;
	uint64_t mask = has_function_type(raw) && has_mode_bit(file) ? ~1ull : ~0ull;
	uint64_t addr = ic_raw_symbol_addr(file, raw) & mask;
	addr = ic_descriptor_code(file, ic_elf_file_descriptors(file), addr);
	*symbol = (struct ic_elf_symbol){ addr, addr + raw->size,
					  (const char *)named->names.data + raw->name, NULL };
	return true;
}

// The local symbols behind a file symbol are that file's. The linker has one without a name for
// what it made itself.
static const char *source_name(const struct ic_named_symbols *named,
			       const struct ic_raw_symbol *symbol)
{
	return symbol->name < named->names.size && named->names.data[symbol->name]
		       ? (const char *)named->names.data + symbol->name
		       : NULL;
}

// The source of the local symbol number `index`.
static const char *find_source(const struct ic_named_symbols *named, uint64_t index)
{
	while (index-- > 0) {
		struct ic_raw_symbol raw = ic_symbol_table_read(&named->table, index);
		if (ELF64_ST_TYPE(raw.info) == STT_FILE)
			return source_name(named, &raw);
	}
	return NULL;
}

static void read_symbols(struct ic_symtab *symtab, const struct ic_named_symbols *named,
			 uint8_t binding)
{
	const struct ic_symbol_table *table = &named->table;
	const char *source = NULL;

	for (uint64_t i = 0; i < table->count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(table, i);
		uint8_t bind = ELF64_ST_BIND(raw.info);

		if (ELF64_ST_TYPE(raw.info) == STT_FILE && binding == STB_LOCAL)
			source = source_name(named, &raw);
		if (bind != binding && !(binding == STB_GLOBAL && bind > STB_WEAK))
			continue;
		struct ic_elf_symbol *symbol = &symtab->symbols[symtab->count];
		if (!is_function(table->file, &raw) || !make_symbol(symbol, named, &raw))
			continue;
		symbol->source = source;
		symtab->count++;
	}
}

// A table with its names; one without them, or that is not there, has no entries.
static struct ic_named_symbols open_table(const struct ic_elf_file *file, const char *section_name)
{
	const struct ic_section *section = ic_elf_file_section(file, section_name);
	struct ic_named_symbols named = { .table = { .file = file } };

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

// Those of both files; the second may be NULL, and has none then. Returns how many they are in all.
static uint64_t open_tables(struct ic_named_symbols *tables, const struct ic_elf_file *file,
			    const struct ic_elf_file *second)
{
	tables[0] = open_table(file, has_entries(file, ".symtab") ? ".symtab" : ".dynsym");
	tables[1] = second ? open_table(second, ".symtab")
			   : (struct ic_named_symbols){ .table = { .file = file } };
	return tables[0].table.count + tables[1].table.count;
}

static bool fail_count(const struct ic_elf_file *file, struct ic_error *err)
{
	return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: more than 4,294,967,295 symbols",
		       file->path);
}

bool ic_symtab_read(struct ic_symtab *symtab, const struct ic_elf_file *file,
		    const struct ic_elf_file *second, struct ic_error *err)
{
	static const uint8_t bindings[] = { STB_GLOBAL, STB_WEAK, STB_LOCAL };
	struct ic_named_symbols tables[2];

	*symtab = (struct ic_symtab){ 0 };
	uint64_t count = open_tables(tables, file, second);
	if (count > UINT32_MAX)
		return fail_count(file, err);
	symtab->symbols = malloc((count + 1) * sizeof(*symtab->symbols));
	if (!symtab->symbols)
		return ic_fail_memory(err);
	for (size_t i = 0; i < sizeof(bindings); i++)
		for (size_t j = 0; j < 2; j++)
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

// Where symbols of a binding stand among those of one address.
enum { ORDER_GLOBAL, ORDER_WEAK, ORDER_LOCAL };

static unsigned order_of(uint8_t info)
{
	switch (ELF64_ST_BIND(info)) {
	case STB_WEAK: return ORDER_WEAK;
	case STB_LOCAL: return ORDER_LOCAL;
	}
	return ORDER_GLOBAL;
}

bool ic_symtab_find_at(const struct ic_elf_file *file, const struct ic_elf_file *second,
		       uint64_t addr, struct ic_elf_symbol *symbol)
{
	struct ic_named_symbols tables[2];
	unsigned best_order = 0;
	size_t best_table = 0;
	uint64_t best = 0; // its number in the table
	bool found = false;

	open_tables(tables, file, second);
	for (size_t i = 0; i < 2; i++) {
		const struct ic_symbol_table *table = &tables[i].table;
		uint64_t next = 0;
		for (; (next = ic_symbol_table_next_at(table, next, addr)) < table->count; next++) {
			struct ic_raw_symbol raw = ic_symbol_table_read(table, next);
			struct ic_elf_symbol candidate;
			if (!is_function(table->file, &raw) ||
			    !make_symbol(&candidate, &tables[i], &raw) || addr < candidate.start ||
			    addr >= candidate.end)
				continue;
			unsigned order = order_of(raw.info);
			if (found && (candidate.start < symbol->start ||
				      (candidate.start == symbol->start && order >= best_order)))
				continue;
			*symbol = candidate;
			best_order = order;
			best_table = i;
			best = next;
			found = true;
		}
	}
	if (found && best_order == ORDER_LOCAL)
		symbol->source = find_source(&tables[best_table], best);
	return found;
}

// The variable that begins last, and of those at one address the largest; which may be part of
// another, as a field that has a symbol of its own.
static void find_data(const struct ic_named_symbols *named, uint64_t addr,
		      struct ic_elf_symbol *symbol)
{
	const struct ic_symbol_table *table = &named->table;

	for (uint64_t i = 0; i < table->count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(table, i);
		if (ELF64_ST_TYPE(raw.info) != STT_OBJECT || !has_addr(&raw) ||
		    raw.name >= named->names.size)
			continue;
		uint64_t start = ic_raw_symbol_addr(table->file, &raw);
		if (addr < start || addr - start >= raw.size)
			continue;
		if (!symbol->name || start > symbol->start ||
		    (start == symbol->start && start + raw.size > symbol->end))
			*symbol =
				(struct ic_elf_symbol){ start, start + raw.size,
							(const char *)named->names.data + raw.name,
							NULL };
	}
}

bool ic_symtab_data_at(const struct ic_elf_file *file, const struct ic_elf_file *second,
		       uint64_t addr, struct ic_elf_symbol *symbol)
{
	struct ic_named_symbols tables[2];

	open_tables(tables, file, second);
	*symbol = (struct ic_elf_symbol){ .name = NULL };
	for (size_t i = 0; i < 2; i++)
		find_data(&tables[i], addr, symbol);
	return symbol->name != NULL;
}

void ic_symtab_free(struct ic_symtab *symtab)
{
	free(symtab->symbols);
	*symtab = (struct ic_symtab){ 0 };
}

static const char *name_in(const struct ic_named_symbols *named, const struct ic_raw_symbol *symbol)
{
	return (const char *)named->names.data + symbol->name;
}

static void add_names(struct ic_symtab_names *names, const struct ic_named_symbols *named,
		      uint32_t first)
{
	for (uint64_t i = 0; i < named->table.count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(&named->table, i);
		if (raw.name < named->names.size && has_addr(&raw))
			names->sorted[names->count++] =
				(struct ic_keyed){ ic_text_hash(name_in(named, &raw)),
						   first + (uint32_t)i };
	}
}

bool ic_symtab_find_name(const struct ic_elf_file *file, const struct ic_elf_file *second,
			 const char *name, uint32_t number, struct ic_elf_symbol *symbol)
{
	struct ic_named_symbols tables[2];

	open_tables(tables, file, second);
	for (size_t i = 0; i < 2; i++) {
		for (uint64_t j = 0; j < tables[i].table.count; j++) {
			struct ic_raw_symbol raw = ic_symbol_table_read(&tables[i].table, j);
			if (raw.name < tables[i].names.size && has_addr(&raw) &&
			    strcmp(name_in(&tables[i], &raw), name) == 0 && number-- == 0)
				return make_symbol(symbol, &tables[i], &raw);
		}
	}
	return false;
}

bool ic_symtab_names_build(struct ic_symtab_names *names, const struct ic_elf_file *file,
			   const struct ic_elf_file *second, struct ic_error *err)
{
	*names = (struct ic_symtab_names){ .count = 0 };
	uint64_t count = open_tables(names->tables, file, second);
	if (count > UINT32_MAX)
		return fail_count(file, err);
	names->sorted = malloc((count + 1) * sizeof(*names->sorted));
	if (!names->sorted)
		return ic_fail_memory(err);
	add_names(names, &names->tables[0], 0);
	add_names(names, &names->tables[1], (uint32_t)names->tables[0].table.count);
	if (ic_keyed_sort(names->sorted, names->count))
		return true;
	ic_symtab_names_free(names);
	return ic_fail_memory(err);
}

bool ic_symtab_names_find(const struct ic_symtab_names *names, const char *name, uint32_t number,
			  struct ic_elf_symbol *symbol)
{
	uint64_t hash = ic_text_hash(name), first_count = names->tables[0].table.count;

	for (uint32_t i = ic_keyed_find(names->sorted, names->count, hash);
	     i < names->count && names->sorted[i].key == hash; i++) {
		uint32_t at = names->sorted[i].number;
		bool is_second = at >= first_count;
		const struct ic_named_symbols *named = &names->tables[is_second];
		struct ic_raw_symbol raw =
			ic_symbol_table_read(&named->table, is_second ? at - first_count : at);
		if (strcmp(name_in(named, &raw), name) != 0 || number-- > 0)
			continue;
		return make_symbol(symbol, named, &raw);
	}
	return false;
}

void ic_symtab_names_free(struct ic_symtab_names *names)
{
	free(names->sorted);
	*names = (struct ic_symtab_names){ .sorted = NULL };
}
