#include "elf/symtab.h"

#include <elf.h>
#include <stdlib.h>

#include "base/array.h"
#include "elf/symbol.h"

struct entry { // a symbol that counts by a rule
	uint64_t start, end;
	uint64_t section_end;
	uint64_t key;    // of two at one address the one with the larger key is the better name
	uint64_t number; // of all that count, in the order of the tables
	const char *name, *source;
	bool has_size;
	bool only_ends; // names nothing, but ends symbols of unknown size
};

// ---- What counts

struct source { // of the symbols that are read in their order
	const char *file;
	bool seen_symbol;
	bool file_after_symbol;
};

// Where an entry is: a section whose contents are in memory, NULL if it is in none.
static const struct ic_section *section_of(const struct ic_elf_file *file,
					   const struct ic_raw_symbol *raw)
{
	const struct ic_section *section =
		raw->section < file->section_count ? &file->sections[raw->section] : NULL;

	return section && ic_section_is_loaded(section) ? section : NULL;
}

// ARM and RISC-V mark what is code and what is data by symbols such as $a and $d.
static bool is_mark(const struct ic_elf_file *file, const char *name)
{
	return (file->machine == EM_ARM || file->machine == EM_AARCH64 ||
		file->machine == EM_RISCV) &&
	       name[0] == '$' && name[1] && strchr("adtx", name[1]);
}

// Assemblers for RISC-V label what they take the difference of.
static bool is_fake_label(const struct ic_elf_file *file, const char *name)
{
	return file->machine == EM_RISCV && (!name[0] || strcmp(name, ".L0 ") == 0);
}

// Labels that are local to a piece of assembly, and those of annobin.
static bool is_hidden_label(const struct ic_raw_symbol *raw)
{
	return raw->size == 0 && ELF64_ST_TYPE(raw->info) == STT_NOTYPE &&
	       ELF64_ST_BIND(raw->info) == STB_LOCAL &&
	       ELF64_ST_VISIBILITY(raw->other) == STV_HIDDEN;
}

static uint64_t binding_key(uint8_t info)
{
	switch (ELF64_ST_BIND(info)) {
	case STB_LOCAL: return 0;
	case STB_WEAK: return 1;
	}
	return 2;
}

static bool counts_as_innermost(struct entry *entry, const struct ic_raw_symbol *raw,
				const struct ic_section *section)
{
	uint8_t type = ELF64_ST_TYPE(raw->info);
	bool is_code = section && ic_section_is_code(section);

	entry->key = binding_key(raw->info);
	if (ic_raw_symbol_is_function(raw))
		return raw->size > 0 || is_code;
	// Assembly may leave the type out: what is in code is a function, as a kernel's
	// entry_SYSCALL_64.
	entry->only_ends = type == STT_OBJECT;
	if (type == STT_NOTYPE)
		return is_code && (raw->size > 0 || (!is_hidden_label(raw) && entry->name[0] &&
						     strncmp(entry->name, ".L", 2) != 0));
	return is_code && type == STT_OBJECT;
}

static bool counts_for_llvm(struct entry *entry, const struct ic_raw_symbol *raw,
			    const struct ic_section *section)
{
	uint8_t type = ELF64_ST_TYPE(raw->info);

	entry->key = raw->size;
	return section &&
	       (ic_raw_symbol_is_function(raw) || type == STT_NOTYPE || type == STT_OBJECT);
}

// Addresses from one to the other have tags.
#define FIRST_TAGGED (1ull << 55)
#define LAST_TAGGED  0xff7fffffffffffffull

#define SIZE_BITS 62

static bool counts_for_gnu(struct entry *entry, const struct ic_raw_symbol *raw,
			   const struct ic_section *section)
{
	uint8_t type = ELF64_ST_TYPE(raw->info);
	uint64_t most = (1ull << SIZE_BITS) - 1, size = raw->size ? raw->size : 1;
	uint64_t class = type == STT_FUNC ? 2 : type != STT_NOTYPE;

	entry->key = class << SIZE_BITS | (size < most ? most - size : 0);
	return section && !is_hidden_label(raw) && entry->start >= section->addr &&
	       entry->start < entry->section_end &&
	       (ic_raw_symbol_is_function(raw) || type == STT_NOTYPE || type >= STT_LOOS);
}

// Of an address of the kernel the highest byte is ones.
static uint64_t untag(uint64_t addr)
{
	return (addr & FIRST_TAGGED ? ~0ull << 56 : 0) | (addr & ~0ull >> 8);
}

// Fills in the entry of a symbol; false if it does not count by the rule.
static bool make_entry(struct entry *entry, const struct ic_named_symbols *named,
		       const struct ic_raw_symbol *raw, enum ic_symtab_rule rule)
{
	const struct ic_elf_file *file = named->table.file;
	const struct ic_section *section = section_of(file, raw);

	if (raw->section == SHN_UNDEF || raw->section == SHN_COMMON ||
	    raw->name >= named->names.size)
		return false;
	uint64_t start = ic_named_symbols_addr(named, raw), section_end = UINT64_MAX;
	if (rule == SYMTAB_LLVM_UNTAGGED)
		start = untag(start);
	if (section && __builtin_add_overflow(section->addr, section->size, &section_end))
		section_end = UINT64_MAX;
	*entry = (struct entry){ .start = start,
				 .section_end = section_end,
				 .name = ic_named_symbols_name(named, raw),
				 .has_size = raw->size > 0 };
	if (__builtin_add_overflow(start, raw->size, &entry->end))
		entry->end = UINT64_MAX;
	if (ELF64_ST_TYPE(raw->info) == STT_NOTYPE && is_mark(file, entry->name))
		return false;
	switch (rule) {
	case SYMTAB_INNERMOST: return counts_as_innermost(entry, raw, section);
	case SYMTAB_LLVM:
	case SYMTAB_LLVM_UNTAGGED:
		return !is_fake_label(file, entry->name) && counts_for_llvm(entry, raw, section);
	case SYMTAB_GNU: return counts_for_gnu(entry, raw, section);
	}
	return false;
}

// The local symbols behind a file symbol are that file's. The linker has one without a name for
// what it made itself.
static void note_file(struct source *source, const struct ic_named_symbols *named,
		      const struct ic_raw_symbol *raw)
{
	bool has_name = raw->name < named->names.size && named->names.data[raw->name];

	source->file = has_name ? ic_named_symbols_name(named, raw) : NULL;
	source->file_after_symbol |= source->seen_symbol;
}

// The source of a symbol; for GNU's that of a global one too, as long as there may be one file
// only.
static const char *source_of(const struct source *source, const struct ic_raw_symbol *raw,
			     enum ic_symtab_rule rule)
{
	bool is_local = ELF64_ST_BIND(raw->info) == STB_LOCAL;

	return is_local || (rule == SYMTAB_GNU && !source->file_after_symbol) ? source->file : NULL;
}

// ---- Who names what

static int compare(const struct entry *a, const struct entry *b)
{
	return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
				: (a->number > b->number) - (a->number < b->number);
}

static int compare_last_is_best(const void *a, const void *b)
{
	return compare(a, b);
}

static int compare_first_is_best(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return a->key != b->key ? compare(a, b) : compare(b, a);
}

struct output {
	struct ic_symbol *symbols;
	uint32_t count;
	uint64_t sized_end; // the furthest of the functions so far
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void put(struct output *output, const struct entry *entry, uint64_t reach)
{
	if (reach > entry->start)
		output->symbols[output->count++] = (struct ic_symbol){ entry->start, entry->end,
								       reach, entry->name,
								       entry->source };
}

// Those at one address; `next` is where the next one starts.
static void put_innermost(struct output *output, const struct entry *first, const struct entry *end,
			  uint64_t next)
{
	for (const struct entry *i = first; i < end; i++)
		if (i->has_size && !i->only_ends && i->end > output->sized_end)
			output->sized_end = i->end;
	for (const struct entry *i = first; i < end; i++) {
		bool is_inside = output->sized_end > i->start;
		if (!i->only_ends)
			put(output, i,
			    i->has_size ? i->end
			    : is_inside ? i->start
					: least(next, i->section_end));
	}
}

static void put_for_llvm(struct output *output, const struct entry *best, uint64_t next)
{
	put(output, best, best->has_size ? least(best->end, next) : next);
}

// What is of unknown size holds one byte for GNU's.
static uint64_t gnu_end(const struct entry *entry)
{
	return entry->has_size ? entry->end : entry->start + 1;
}

static void put_for_gnu(struct output *output, const struct entry *first, const struct entry *end,
			uint64_t next)
{
	const struct entry *largest = first;

	for (const struct entry *i = first; i < end; i++)
		if (gnu_end(i) > gnu_end(largest) ||
		    (gnu_end(i) == gnu_end(largest) && i->number < largest->number))
			largest = i;
	put(output, largest, least(next, largest->section_end));
	for (const struct entry *i = first; i < end; i++)
		put(output, i, least(gnu_end(i), least(next, i->section_end)));
}

static void put_group(struct output *output, struct entry *first, uint32_t count, uint64_t next,
		      enum ic_symtab_rule rule)
{
	if (count > 1)
		qsort(first, count, sizeof(*first),
		      rule == SYMTAB_LLVM || rule == SYMTAB_LLVM_UNTAGGED ? compare_last_is_best
									  : compare_first_is_best);
	switch (rule) {
	case SYMTAB_INNERMOST: put_innermost(output, first, first + count, next); break;
	case SYMTAB_LLVM:
	case SYMTAB_LLVM_UNTAGGED: put_for_llvm(output, first + count - 1, next); break;
	case SYMTAB_GNU: put_for_gnu(output, first, first + count, next); break;
	}
}

static bool put_all(struct output *output, struct entry *entries, struct ic_keyed *order,
		    uint32_t count, enum ic_symtab_rule rule)
{
	struct entry *group = NULL; // of several at one address
	uint32_t capacity = 0;

	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && order[end].key == order[i].key;)
			end++;
		uint64_t next = end < count ? order[end].key : UINT64_MAX;
		if (end - i == 1) {
			put_group(output, &entries[order[i].number], 1, next, rule);
			continue;
		}
		if (end - i > capacity) {
			capacity = end - i;
			free(group);
			group = ic_items_alloc(capacity, sizeof(*group));
			if (!group)
				return false;
		}
		for (uint32_t j = i; j < end; j++)
			group[j - i] = entries[order[j].number];
		put_group(output, group, end - i, next, rule);
	}
	free(group);
	return true;
}

// Makes the output, in the arena. False if memory is out.
static bool arrange(struct output *output, struct entry *entries, uint32_t count,
		    enum ic_symtab_rule rule, struct ic_arena *arena)
{
	uint64_t most = rule == SYMTAB_GNU ? 2ull * count : count; // the largest is there twice
	struct ic_keyed *order = ic_items_alloc(count + 1ull, sizeof(*order));

	*output = (struct output){ ic_arena_items(arena, most, sizeof(*output->symbols)), 0, 0 };
	bool ok = output->symbols && order && most < UINT32_MAX;
	for (uint32_t i = 0; ok && i < count; i++)
		order[i] = (struct ic_keyed){ entries[i].start, i };
	ok = ok && ic_keyed_sort(order, count) && put_all(output, entries, order, count, rule);
	free(order);
	return ok;
}

// Whether symbols may have versions in their names ("f@@V2"): of dynamic objects, or of objects for
// them.
static bool may_have_versions(const struct ic_elf_file *file)
{
	return file->is_relocatable || ic_elf_file_section(file, ".gnu.version");
}

static bool cut_version(struct ic_symbol *symbol, struct ic_arena *arena)
{
	size_t length = strcspn(symbol->name, "@");

	if (length == 0 || symbol->name[length] == 0)
		return true;
	char *name = ic_arena_alloc(arena, length + 1);
	if (!name)
		return false;
	memcpy(name, symbol->name, length);
	name[length] = 0;
	symbol->name = name;
	return true;
}

// ---- All symbols

static void add_all(struct entry *entries, uint32_t *count, const struct ic_named_symbols *named,
		    enum ic_symtab_rule rule)
{
	struct source source = { .file = NULL };

	for (uint64_t i = 0; i < named->table.count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(&named->table, i);
		struct entry *entry = &entries[*count];
		if (ELF64_ST_TYPE(raw.info) == STT_FILE)
			note_file(&source, named, &raw);
		else
			source.seen_symbol |= i > 0; // the first is none
		if (!make_entry(entry, named, &raw, rule))
			continue;
		entry->source = source_of(&source, &raw, rule);
		entry->number = (*count)++;
	}
}

bool ic_symtab_read(struct ic_symbols *symbols, const struct ic_elf_file *file,
		    const struct ic_elf_file *second, enum ic_symtab_rule rule,
		    struct ic_arena *arena, struct ic_error *err)
{
	struct ic_named_symbols tables[2];
	uint64_t all = ic_named_symbols_open(tables, file, second);

	*symbols = (struct ic_symbols){ .items = NULL };
	if (all > UINT32_MAX)
		return ic_named_symbols_fail_count(file, err);
	struct entry *entries = ic_items_alloc(all + 1, sizeof(*entries));
	uint32_t count = 0;
	for (size_t i = 0; entries && i < 2; i++)
		add_all(entries, &count, &tables[i], rule);
	struct output output;
	bool ok = entries && arrange(&output, entries, count, rule, arena);
	free(entries);
	bool cut = rule == SYMTAB_INNERMOST && may_have_versions(file);
	for (uint32_t i = 0; ok && cut && i < output.count; i++)
		ok = cut_version(&output.symbols[i], arena);
	ok = ok && ic_symbols_build(symbols, output.symbols, output.count, arena);
	return ok || ic_fail_memory(err);
}

// ---- Those near an address

struct near { // the entries that matter for an address
	IC_ARRAY(struct entry) entries;
	uint64_t addr;
	uint64_t nearest; // the last start of an entry up to the address, 0 if there is none
};

struct files { // the file symbols of a table that is read from its end
	const struct ic_named_symbols *named;
	uint64_t one_file_end; // of the symbols up to the first file symbol after another symbol
	uint64_t end;          // of those up to the last file symbol before the current symbol
};

static bool is_file(const struct ic_named_symbols *named, uint64_t index)
{
	return ELF64_ST_TYPE(ic_symbol_table_read(&named->table, index).info) == STT_FILE;
}

// Whether the values of symbols are the addresses that they name.
static bool are_addrs(const struct ic_named_symbols *named, enum ic_symtab_rule rule)
{
	const struct ic_symbol_table *table = &named->table;

	return ic_named_symbols_are_addrs(named) &&
	       (rule != SYMTAB_LLVM_UNTAGGED ||
		ic_symbol_table_previous_near(table, table->count, FIRST_TAGGED, LAST_TAGGED) ==
			table->count);
}

static struct files list_files(const struct ic_named_symbols *named, enum ic_symtab_rule rule)
{
	uint64_t count = named->table.count;
	struct files files = { named, 1, count };

	if (rule != SYMTAB_GNU)
		return files;
	while (files.one_file_end < count && is_file(named, files.one_file_end))
		files.one_file_end++;
	while (files.one_file_end < count && !is_file(named, files.one_file_end))
		files.one_file_end++;
	return files;
}

// What source_of() has for a symbol when the symbols are read in their order.
static const char *find_source(struct files *files, const struct ic_raw_symbol *raw, uint64_t index,
			       enum ic_symtab_rule rule)
{
	struct source source = { .file = NULL };

	if (ELF64_ST_BIND(raw->info) != STB_LOCAL &&
	    (rule != SYMTAB_GNU || index > files->one_file_end))
		return NULL;
	if (files->end > index)
		for (files->end = index; files->end > 0; files->end--)
			if (is_file(files->named, files->end - 1))
				break;
	if (files->end == 0)
		return NULL;
	struct ic_raw_symbol file = ic_symbol_table_read(&files->named->table, files->end - 1);
	note_file(&source, files->named, &file);
	return source_of(&source, raw, rule);
}

// Adds the entries of a table that start nearest to the address, and those that reach beyond that
// start: all that matters for what is between it and the next symbol. Some others are added, too,
// which were the nearest so far or reach beyond those.
static bool add_near(struct near *near, const struct ic_named_symbols *named, uint64_t first_number,
		     enum ic_symtab_rule rule)
{
	const struct ic_symbol_table *table = &named->table;
	struct files files = list_files(named, rule);
	bool quick = are_addrs(named, rule);
	struct entry entry;

	// From the end: linkers write local symbols by their addresses, and so the first is the
	// nearest.
	for (uint64_t i = table->count; i > 0;) {
		i = quick ? ic_symbol_table_previous_near(table, i, near->nearest, near->addr)
			  : i - 1;
		if (i == table->count)
			break;
		struct ic_raw_symbol raw = ic_symbol_table_read(table, i);
		if (!make_entry(&entry, named, &raw, rule) || entry.start > near->addr ||
		    (entry.start < near->nearest && entry.end <= near->nearest))
			continue;
		if (entry.start > near->nearest)
			near->nearest = entry.start;
		entry.source = find_source(&files, &raw, i, rule);
		entry.number = first_number + i;
		struct entry *place = IC_ARRAY_PUSH(&near->entries);
		if (!place)
			return false;
		*place = entry;
	}
	return true;
}

bool ic_symtab_find_at(struct ic_symbol *symbol, const struct ic_elf_file *file,
		       const struct ic_elf_file *second, enum ic_symtab_rule rule, uint64_t addr,
		       struct ic_arena *arena, struct ic_error *err)
{
	struct ic_named_symbols tables[2];
	struct near near = { .addr = addr };
	struct ic_symbols symbols;
	struct output output;
	struct ic_arena scratch = { .blocks = NULL };

	*symbol = (struct ic_symbol){ .name = NULL };
	if (ic_named_symbols_open(tables, file, second) > UINT32_MAX)
		return ic_named_symbols_fail_count(file, err);
	if (addr == UINT64_MAX)
		return true;
	bool ok = add_near(&near, &tables[0], 0, rule) &&
		  add_near(&near, &tables[1], tables[0].table.count, rule) &&
		  arrange(&output, near.entries.items, near.entries.count, rule, &scratch) &&
		  ic_symbols_build(&symbols, output.symbols, output.count, &scratch);
	const struct ic_symbol *best =
		ok ? ic_symbols_find(&symbols, (struct ic_range){ addr, addr + 1 }) : NULL;
	if (best)
		*symbol = *best;
	if (best && rule == SYMTAB_INNERMOST && may_have_versions(file))
		ok = cut_version(symbol, arena);
	IC_ARRAY_FREE(&near.entries);
	ic_arena_free(&scratch);
	return ok || ic_fail_memory(err);
}
