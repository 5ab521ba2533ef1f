#include "elf/symbols/go_tables.h"

// Program headers may all refer to the same bytes of a file, which are not searched for each: takes
// the part of a segment to search from a total budget.
static uint64_t take_bytes(uint64_t *left, uint64_t size)
{
	uint64_t taken = size < *left ? size : *left;

	*left -= taken;
	return taken;
}

static uint64_t most_searched(const struct ic_elf_file *file)
{
	return 2 * (uint64_t)file->size; // the segments of real files hardly overlap
}

// ---- The module data

// Candidate addresses: real files have one or two, and each takes as long as reading everything
// that the dynamic linker would fill in, or the whole file.
enum { MOST_MODULES = 32, MOST_TABLES = 32 };

struct module_search {
	const struct ic_elf_file *file;
	const struct ic_go_pclntab *table;
	struct ic_relatives relatives;
	uint64_t *words;
	uint64_t left; // bytes to search
	uint32_t tried;
	bool is_found;
};

// Reads words at an address, and checks whether they are the module data.
static bool is_module_at(struct module_search *search, uint64_t addr)
{
	unsigned size = search->file->addr_size;
	struct ic_bytes bytes = ic_loaded_at(search->file, addr);
	uint8_t copy[IC_GO_MODULE_WORDS * 8];

	if (bytes.size < (size_t)IC_GO_MODULE_WORDS * size || search->tried++ >= MOST_MODULES)
		return false;
	memcpy(copy, bytes.data, (size_t)IC_GO_MODULE_WORDS * size);
	ic_relatives_apply(&search->relatives, addr, copy, (uint64_t)IC_GO_MODULE_WORDS * size);
	for (unsigned i = 0; i < IC_GO_MODULE_WORDS; i++)
		search->words[i] = size == 8 ? ic_load64(copy + i * 8, search->file->swap)
					     : ic_load32(copy + i * 4, search->file->swap);
	return ic_go_module_is_of(search->words, search->table);
}

static bool visit_filled(void *context, uint64_t addr)
{
	struct module_search *search = context;

	search->is_found = is_module_at(search, addr);
	return !search->is_found && search->tried < MOST_MODULES;
}

// Checks each aligned word of a segment for the table's address.
static bool search_segment(struct module_search *search, const struct ic_loaded *loaded)
{
	unsigned size = search->file->addr_size;
	uint64_t sought = search->table->addr, first = -loaded->addr & (size - 1);
	uint64_t end = take_bytes(&search->left, loaded->bytes.size);
	bool swap = search->file->swap;

	for (uint64_t off = first; off + size <= end; off += size) {
		const uint8_t *at = loaded->bytes.data + off;
		uint64_t word = size == 8 ? ic_load64(at, swap) : ic_load32(at, swap);
		if (word == sought && is_module_at(search, loaded->addr + off))
			return true;
	}
	return false;
}

bool ic_go_module_find(const struct ic_elf_file *file, const struct ic_go_pclntab *table,
		       uint64_t words[IC_GO_MODULE_WORDS])
{
	struct module_search search = { .file = file,
					.table = table,
					.relatives = ic_relatives_of(file),
					.words = words,
					.left = most_searched(file) };

	ic_relatives_of_value(&search.relatives, table->addr, visit_filled, &search);
	// Data comes last, and is smaller than what precedes it.
	for (uint32_t i = file->layout.loaded_count; !search.is_found && i-- > 0;)
		search.is_found = search_segment(&search, &file->layout.loaded[i]);
	return search.is_found;
}

// ---- The table

static const char *const section_names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };

// Go's linker writes these into every program, and other linkers keep them.
static const char *const go_names[] = { ".go.buildinfo", ".note.go.buildid" };

static bool may_be_joined(const struct ic_elf_file *file)
{
	bool has = file->section_count == 0;

	for (size_t i = 0; !has && i < sizeof(go_names) / sizeof(*go_names); i++)
		has = ic_elf_file_section(file, go_names[i]) != NULL;
	return has && !file->is_relocatable;
}

static bool is_table(const struct ic_elf_file *file, const struct ic_go_place *place)
{
	uint64_t words[IC_GO_MODULE_WORDS];
	struct ic_go_pclntab table;
	struct ic_error unwanted;

	if (!ic_go_pclntab_open(&table, place->bytes, place->addr, file->swap, place->name,
				&unwanted) ||
	    table.function_count == 0)
		return false;
	return table.format >= IC_GO_FORMAT_18
		       ? ic_go_module_find(file, &table, words)
		       : ic_go_function_entry(&table, 0) < ic_go_function_entry(&table, 1);
}

static bool search_table(const struct ic_elf_file *file, const struct ic_loaded *loaded,
			 uint64_t *left, uint32_t *tried, struct ic_go_place *place)
{
	uint64_t end = take_bytes(left, loaded->bytes.size);
	unsigned step = file->addr_size;
	struct ic_go_pattern pattern = ic_go_pclntab_pattern(file->swap, file->addr_size);

	for (uint64_t off = -loaded->addr & (step - 1);
	     off + IC_GO_HEADER_SIZE <= end && *tried < MOST_TABLES; off += step) {
		const uint8_t *at = loaded->bytes.data + off;
		uint64_t word;
		memcpy(&word, at, sizeof(word));
		if ((word & pattern.mask) != pattern.value ||
		    !ic_go_pclntab_begins(at, file->swap, file->addr_size))
			continue;
		*place = (struct ic_go_place){ "runtime.pclntab",
					       { at, loaded->bytes.size - (size_t)off },
					       loaded->addr + off };
		++*tried;
		if (is_table(file, place))
			return true;
	}
	return false;
}

bool ic_go_place_is_likely(const struct ic_elf_file *file)
{
	bool has = may_be_joined(file);

	for (size_t i = 0; !has && i < sizeof(section_names) / sizeof(*section_names); i++)
		has = ic_elf_file_section(file, section_names[i]) != NULL;
	return has;
}

bool ic_go_place_find(const struct ic_elf_file *file, struct ic_go_place *place)
{
	uint64_t left = most_searched(file);
	uint32_t tried = 0;

	for (size_t i = 0; i < sizeof(section_names) / sizeof(*section_names); i++) {
		const struct ic_section *section = ic_elf_file_section(file, section_names[i]);
		if (!section || section->raw.size == 0 || file->is_relocatable)
			continue;
		*place = (struct ic_go_place){ section_names[i], section->raw, section->addr };
		return true;
	}
	if (!may_be_joined(file))
		return false;
	for (uint32_t i = 0; i < file->layout.loaded_count; i++)
		if (!file->layout.loaded[i].is_code &&
		    search_table(file, &file->layout.loaded[i], &left, &tried, place))
			return true;
	// Without separate segments for code, constants are next to it.
	for (uint32_t i = 0; i < file->layout.loaded_count; i++)
		if (file->layout.loaded[i].is_code &&
		    search_table(file, &file->layout.loaded[i], &left, &tried, place))
			return true;
	return false;
}
