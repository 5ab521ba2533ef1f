#include "elf/symbols/symtab.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

// ---- Which symbol names an address

static int compare_entries(const struct ic_symtab_entry *a, const struct ic_symtab_entry *b)
{
	return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
				: (a->number > b->number) - (a->number < b->number);
}

static int compare_last_is_best(const void *a, const void *b)
{
	return compare_entries(a, b);
}

static int compare_first_is_best(const void *left, const void *right)
{
	const struct ic_symtab_entry *a = left, *b = right;

	return a->key != b->key ? compare_entries(a, b) : compare_entries(b, a);
}

struct output {
	struct ic_symbol *symbols;
	uint32_t count;
	uint64_t sized_end; // the furthest of the functions so far
};

static uint64_t lesser_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void put_symbol(struct output *output, const struct ic_symtab_entry *entry, uint64_t reach)
{
	if (reach > entry->start)
		output->symbols[output->count++] = (struct ic_symbol){ entry->start, entry->end,
								       reach, entry->name,
								       entry->source };
}

// Symbols at one address; `next` is where the next one starts.
static void put_innermost(struct output *output, const struct ic_symtab_entry *first,
			  const struct ic_symtab_entry *end, uint64_t next)
{
	for (const struct ic_symtab_entry *i = first; i < end; i++)
		if (i->has_size && !i->only_ends && i->end > output->sized_end)
			output->sized_end = i->end;
	for (const struct ic_symtab_entry *i = first; i < end; i++) {
		bool is_inside = output->sized_end > i->start;
		if (!i->only_ends)
			put_symbol(output, i,
				   i->has_size ? i->end
				   : is_inside ? i->start
					       : lesser_of(next, i->section_end));
	}
}

static void put_for_llvm(struct output *output, const struct ic_symtab_entry *best, uint64_t next)
{
	put_symbol(output, best, best->has_size ? lesser_of(best->end, next) : next);
}

// GNU's rule gives a symbol of unknown size one byte.
static uint64_t gnu_end(const struct ic_symtab_entry *entry)
{
	return entry->has_size ? entry->end : entry->start + 1;
}

static void put_for_gnu(struct output *output, const struct ic_symtab_entry *first,
			const struct ic_symtab_entry *end, uint64_t next)
{
	const struct ic_symtab_entry *largest = first;

	for (const struct ic_symtab_entry *i = first; i < end; i++)
		if (gnu_end(i) > gnu_end(largest) ||
		    (gnu_end(i) == gnu_end(largest) && i->number < largest->number))
			largest = i;
	put_symbol(output, largest, lesser_of(next, largest->section_end));
	for (const struct ic_symtab_entry *i = first; i < end; i++)
		put_symbol(output, i, lesser_of(gnu_end(i), lesser_of(next, i->section_end)));
}

static void put_group(struct output *output, struct ic_symtab_entry *first, uint32_t count,
		      uint64_t next, enum ic_symtab_rule rule)
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

static bool put_all(struct output *output, struct ic_symtab_entry *entries, struct ic_keyed *order,
		    uint32_t count, uint64_t next_start, enum ic_symtab_rule rule)
{
	struct ic_symtab_entry *group = NULL; // the first of several at one address
	uint32_t capacity = 0;

	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && order[end].key == order[i].key;)
			end++;
		uint64_t next = end < count ? order[end].key : next_start;
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

// Makes the output in the arena; `next` is where the first symbol that is not among the entries
// starts. False if memory runs out.
static bool arrange_entries(struct output *output, struct ic_symtab_entry *entries, uint32_t count,
			    uint64_t next, enum ic_symtab_rule rule, struct ic_arena *arena)
{
	uint64_t most = rule == SYMTAB_GNU ? 2ull * count : count; // the largest twice
	struct ic_keyed *order = ic_items_alloc(count + 1ull, sizeof(*order));

	*output = (struct output){ ic_arena_items(arena, most, sizeof(*output->symbols)), 0, 0 };
	bool ok = output->symbols && order && most < UINT32_MAX;
	for (uint32_t i = 0; ok && i < count; i++)
		order[i] = (struct ic_keyed){ entries[i].start, i };
	ok = ok && ic_keyed_sort(order, count) &&
	     put_all(output, entries, order, count, next, rule);
	free(order);
	return ok;
}

// Whether symbols may have versions in their names ("f@@V2"): in dynamic objects, and in objects
// linked into them.
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

// Removes versions from names. False if memory runs out.
static bool cut_versions(struct output *output, const struct ic_elf_file *file,
			 enum ic_symtab_rule rule, struct ic_arena *arena)
{
	bool ok = true;

	if (rule == SYMTAB_INNERMOST && may_have_versions(file))
		for (uint32_t i = 0; ok && i < output->count; i++)
			ok = cut_version(&output->symbols[i], arena);
	return ok;
}

// ---- All symbols

static void add_all(struct ic_symtab_entry *entries, uint32_t *count,
		    const struct ic_named_symbols *named, enum ic_symtab_rule rule)
{
	struct ic_symtab_source source = { .file = NULL };

	for (uint64_t i = 0; i < named->table.count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(&named->table, i);
		struct ic_symtab_entry *entry = &entries[*count];
		if (ELF64_ST_TYPE(raw.info) == STT_FILE)
			ic_symtab_source_note(&source, named, &raw);
		else
			source.seen_symbol |= i > 0; // the first is null
		if (!ic_symtab_entry_make(entry, named, &raw, rule))
			continue;
		entry->source = ic_symtab_source_of(&source, &raw, rule);
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
	struct ic_arena scratch = { .memory = NULL };
	struct ic_symtab_entry *entries = ic_arena_items(&scratch, all + 1, sizeof(*entries));
	uint32_t count = 0;
	for (size_t i = 0; entries && i < 2; i++)
		add_all(entries, &count, &tables[i], rule);
	struct output output;
	bool ok = entries && arrange_entries(&output, entries, count, UINT64_MAX, rule, arena);
	ic_arena_free(&scratch);
	ok = ok && cut_versions(&output, file, rule, arena) &&
	     ic_symbols_build(symbols, output.symbols, output.count, arena);
	return ok || ic_fail_memory(err);
}

// ---- Those near an address

struct near { // the entries that matter for an address
	IC_ARRAY(struct ic_symtab_entry) entries;
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
		ic_symbol_table_previous_near(table, table->count, IC_FIRST_TAGGED,
					      IC_LAST_TAGGED) == table->count);
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

// As ic_symtab_source_of() for a symbol if the symbols were read in their order.
static const char *find_source(struct files *files, const struct ic_raw_symbol *raw, uint64_t index,
			       enum ic_symtab_rule rule)
{
	struct ic_symtab_source source = { .file = NULL };

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
	ic_symtab_source_note(&source, files->named, &file);
	return ic_symtab_source_of(&source, raw, rule);
}

// Adds the entries of a table that start nearest to the address, and those that extend beyond that
// start: all that matter between it and the next symbol. Also adds some others, which were the
// nearest so far or extend beyond those.
static bool add_near(struct near *near, const struct ic_named_symbols *named, uint64_t first_number,
		     enum ic_symtab_rule rule)
{
	const struct ic_symbol_table *table = &named->table;
	struct files files = list_files(named, rule);
	bool quick = are_addrs(named, rule);
	struct ic_symtab_entry entry;

	// From the end: linkers sort local symbols by address, so the first is the nearest.
	for (uint64_t i = table->count; i > 0;) {
		i = quick ? ic_symbol_table_previous_near(table, i, near->nearest, near->addr)
			  : i - 1;
		if (i == table->count)
			break;
		struct ic_raw_symbol raw = ic_symbol_table_read(table, i);
		if (!ic_symtab_entry_make(&entry, named, &raw, rule) || entry.start > near->addr ||
		    (entry.start < near->nearest && entry.end <= near->nearest))
			continue;
		if (entry.start > near->nearest)
			near->nearest = entry.start;
		entry.source = find_source(&files, &raw, i, rule);
		entry.number = first_number + i;
		if (!IC_ARRAY_ADD(&near->entries, entry))
			return false;
	}
	return true;
}

// The start of the first entry after the address.
static uint64_t find_next(const struct ic_named_symbols *named, uint64_t addr, uint64_t next,
			  enum ic_symtab_rule rule)
{
	bool quick = are_addrs(named, rule);
	struct ic_symtab_entry entry;

	for (uint64_t i = 0; i < named->table.count; i++) {
		struct ic_raw_symbol raw = ic_symbol_table_read(&named->table, i);
		if (quick && (raw.value <= addr || raw.value >= next))
			continue;
		if (ic_symtab_entry_make(&entry, named, &raw, rule) && entry.start > addr &&
		    entry.start < next)
			next = entry.start;
	}
	return next;
}

// Whether the start of the next symbol matters for a range.
static bool needs_next(const struct near *near, struct ic_range range, enum ic_symtab_rule rule)
{
	bool needs = rule != SYMTAB_INNERMOST;

	for (uint32_t i = 0; i < near->entries.count; i++)
		needs |= !near->entries.items[i].has_size;
	return needs && range.end - range.start > 1;
}

bool ic_symtab_find(const struct ic_symtab_query *query, struct ic_symbol *symbol,
		    struct ic_arena *arena, struct ic_error *err)
{
	const struct ic_range range = query->range;
	enum ic_symtab_rule rule = query->rule;
	struct ic_named_symbols tables[2];
	struct near near = { .addr = range.start, .entries.memory = arena->memory };
	struct ic_symbols symbols;
	struct output output;
	struct ic_arena scratch = { .memory = arena->memory };
	uint64_t next = UINT64_MAX;

	*symbol = (struct ic_symbol){ .name = NULL };
	if (ic_named_symbols_open(tables, query->file, query->second) > UINT32_MAX)
		return ic_named_symbols_fail_count(query->file, err);
	if (range.start >= range.end)
		return true;
	bool ok = add_near(&near, &tables[0], 0, rule) &&
		  add_near(&near, &tables[1], tables[0].table.count, rule);
	for (size_t i = 0; ok && i < 2 && needs_next(&near, range, rule); i++)
		next = find_next(&tables[i], range.start, next, rule);
	ok = ok &&
	     arrange_entries(&output, near.entries.items, near.entries.count, next, rule,
			     &scratch) &&
	     cut_versions(&output, query->file, rule, arena) &&
	     ic_symbols_build(&symbols, output.symbols, output.count, &scratch);
	const struct ic_symbol *best = ok ? ic_symbols_find_named(&symbols, range, query->function)
					  : NULL;
	if (best)
		*symbol = *best;
	IC_ARRAY_FREE(&near.entries);
	ic_arena_free(&scratch);
	return ok || ic_fail_memory(err);
}
