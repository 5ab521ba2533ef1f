#include "elf/sections/relocate.h"

#include <elf.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/array.h"
#include "elf/files/symbol.h"
#include "elf/sections/crel.h"
#include "elf/sections/reloc_chunks.h"

struct ic_pending_relocs {
	struct ic_reloc_machine machine;
	struct ic_chunked_table table;
};

// The values of a symbol table's symbols, as the sections were laid out. NULL if memory runs out.
static uint64_t *read_symbol_values(const struct ic_elf_file *file, const struct ic_section *symtab,
				    uint32_t *count)
{
	struct ic_symbol_table table = ic_symbol_table_of(file, symtab);

	*count = table.count <= UINT32_MAX ? (uint32_t)table.count : UINT32_MAX;
	uint64_t *values = ic_items_alloc(*count + 1ull, sizeof(*values));
	for (uint32_t i = 0; values && i < *count; i++) {
		struct ic_raw_symbol symbol = ic_symbol_table_read(&table, i);
		values[i] = ic_raw_symbol_addr(file, &symbol);
	}
	return values;
}

// What is needed to prepare a file's relocations. Sizes are counted, since many headers can refer
// to the same bytes: a small file would make us read them a thousand times.
struct preparation {
	const struct ic_elf_file *file;
	struct ic_arena arena, *file_arena; // the second lives as long as the file
	struct ic_reloc_machine machine;
	struct ic_chunked_tables tables; // has room for each section to be relocated
	uint32_t *relocs_of;     // by target: 1 + the number of its section of relocations, or 0
	bool *has_two;           // by target
	uint64_t **symbols;      // by symbol table: the values, read on first use
	uint32_t *symbol_counts; // likewise
	uint64_t relocs_size, symbols_size;
};

static bool preparation_init(struct preparation *preparation, struct ic_elf_file *file,
			     uint32_t section_count)
{
	uint64_t count = file->section_count + 1ull;

	preparation->file = file;
	preparation->arena.memory = file->memory;
	preparation->file_arena = &file->loading.pending_arena;
	preparation->tables.machine = &preparation->machine;
	preparation->tables.items =
		ic_items_zeroed(section_count + 1ull, sizeof(*preparation->tables.items));
	preparation->relocs_of = ic_items_zeroed(count, sizeof(*preparation->relocs_of));
	preparation->has_two = ic_items_zeroed(count, sizeof(*preparation->has_two));
	preparation->symbols = ic_items_zeroed(count, sizeof(*preparation->symbols));
	preparation->symbol_counts = ic_items_zeroed(count, sizeof(*preparation->symbol_counts));
	if (!preparation->tables.items || !preparation->relocs_of || !preparation->has_two ||
	    !preparation->symbols || !preparation->symbol_counts)
		return false;
	for (uint32_t i = 0; i < file->section_count; i++) {
		const struct ic_section *relocs = &file->sections[i];
		if (!ic_section_is_relocs(relocs) || relocs->info >= file->section_count ||
		    relocs->link >= file->section_count)
			continue;
		preparation->has_two[relocs->info] = preparation->relocs_of[relocs->info] != 0;
		preparation->relocs_of[relocs->info] = i + 1;
	}
	return true;
}

static void preparation_deinit(struct preparation *preparation)
{
	for (uint32_t i = 0; preparation->symbols && i < preparation->file->section_count; i++)
		free(preparation->symbols[i]);
	for (uint32_t i = 0; i < preparation->tables.count; i++)
		free(preparation->tables.items[i].chunks);
	free(preparation->tables.items);
	free(preparation->symbols);
	free(preparation->symbol_counts);
	free(preparation->relocs_of);
	free(preparation->has_two);
	ic_arena_free(&preparation->arena);
}

// Reads the symbol table once for all sections of relocations that refer to it.
static bool prepare_symbols(struct preparation *preparation, uint32_t link, struct ic_error *err)
{
	const struct ic_elf_file *file = preparation->file;
	const struct ic_section *symtab = &file->sections[link];

	if (preparation->symbols[link] || symtab->type != SHT_SYMTAB)
		return true;
	preparation->symbols_size += symtab->raw.size;
	if (preparation->symbols_size > file->size)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: symbol tables overlap", file->path);
	preparation->symbols[link] =
		read_symbol_values(file, symtab, &preparation->symbol_counts[link]);
	return preparation->symbols[link] || ic_fail_memory(err);
}

// Refuses two sections of relocations for the same target, whose order would be undefined.
static bool prepare_section(struct preparation *preparation, const struct ic_section *target,
			    bool is_deferred, struct ic_error *err)
{
	const struct ic_elf_file *file = preparation->file;
	uint32_t target_index = (uint32_t)(target - file->sections);

	if (preparation->relocs_of[target_index] == 0)
		return true;
	if (preparation->has_two[target_index])
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: %s has two relocation sections",
			       file->path, target->name);
	const struct ic_section *relocs = &file->sections[preparation->relocs_of[target_index] - 1];
	preparation->relocs_size += relocs->raw.size;
	if (preparation->relocs_size > file->size)
		return ic_fail(err, IC_ERROR_MALFORMED, "%s: relocation sections overlap",
			       file->path);
	if (!prepare_symbols(preparation, relocs->link, err))
		return false;
	if (relocs->type == IC_SHT_CREL)
		relocs = ic_crel_expand(file, relocs,
					is_deferred ? preparation->file_arena : &preparation->arena,
					err);
	if (!relocs)
		return false;
	struct ic_chunked_table *table = &preparation->tables.items[preparation->tables.count];
	*table = (struct ic_chunked_table){
		.table = { .relocs = relocs,
			   .target = target,
			   .symbols = preparation->symbols[relocs->link],
			   .symbol_count = preparation->symbol_counts[relocs->link] },
		.is_deferred = is_deferred,
	};
	if (!ic_chunked_table_init(table, &preparation->machine))
		return ic_fail_memory(err);
	preparation->tables.count++;
	return true;
}

struct placed_section {
	const struct ic_section *section;
	bool is_wanted;
};

static int compare_places(const void *left, const void *right)
{
	const struct ic_section *a = ((const struct placed_section *)left)->section;
	const struct ic_section *b = ((const struct placed_section *)right)->section;

	if (a->raw.data != b->raw.data)
		return a->raw.data < b->raw.data ? -1 : 1;
	return (a > b) - (a < b);
}

static const struct ic_section *last_to_end(const struct ic_section *a, const struct ic_section *b)
{
	return !a || b->raw.data + b->raw.size > a->raw.data + a->raw.size ? b : a;
}

// Refuses overlapping sections: they could be relocated concurrently, or patched while being read
// as relocations. Sections that are not relocated may overlap.
static bool check_places(struct placed_section *places, uint32_t count,
			 const struct ic_elf_file *file, struct ic_error *err)
{
	const struct ic_section *last = NULL, *last_wanted = NULL; // the furthest end so far

	qsort(places, count, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < count; i++) {
		const struct ic_section *section = places[i].section;
		const struct ic_section *before = places[i].is_wanted ? last : last_wanted;
		if (before && section->raw.data < before->raw.data + before->raw.size)
			return ic_fail(err, IC_ERROR_MALFORMED, "%s: sections %s and %s overlap",
				       file->path,
				       places[i].is_wanted ? section->name : before->name,
				       places[i].is_wanted ? before->name : section->name);
		last = last_to_end(last, section);
		if (places[i].is_wanted)
			last_wanted = last_to_end(last_wanted, section);
	}
	return true;
}

static bool check_overlaps(const struct ic_elf_file *file, struct ic_section *const *sections,
			   uint32_t section_count, struct ic_error *err)
{
	struct placed_section *places =
		ic_items_zeroed(file->section_count + 1ull, sizeof(*places));
	uint32_t count = 0;

	if (!places)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < section_count; i++)
		places[sections[i] - file->sections].is_wanted = true;
	for (uint32_t i = 0; i < file->section_count; i++)
		if (file->sections[i].raw.size > 0)
			places[count++] =
				(struct placed_section){ &file->sections[i], places[i].is_wanted };
	bool ok = check_places(places, count, file, err);
	free(places);
	return ok;
}

static bool prepare_sections(struct preparation *preparation, struct ic_elf_file *file,
			     struct ic_section *const *sections, uint32_t section_count,
			     const struct ic_section *deferred, struct ic_error *err)
{
	if (!ic_reloc_machine_init(&preparation->machine, file))
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "%s: relocatable file for a machine (e_machine %u) whose "
			       "relocations are not supported",
			       file->path, file->machine);
	if (!check_overlaps(file, sections, section_count, err))
		return false;
	if (!preparation_init(preparation, file, section_count))
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < section_count; i++)
		if (!prepare_section(preparation, sections[i], sections[i] == deferred, err))
			return false;
	return true;
}

static bool fail_reloc(const struct ic_elf_file *file, const struct ic_reloc_machine *machine,
		       const struct ic_chunked_table *table, const struct ic_reloc_chunk *chunk,
		       struct ic_error *err)
{
	const struct ic_section *relocs = table->table.relocs;

	return ic_fail(err, IC_ERROR_MALFORMED, "%s: %s, entry %" PRIu64 ": %s (type %u)",
		       file->path, relocs->name, chunk->first, chunk->fault,
		       ic_reloc_code(machine, relocs, chunk->first));
}

static bool apply_all(struct ic_chunked_tables *tables, const struct ic_elf_file *file,
		      uint32_t jobs, struct ic_error *err)
{
	ic_chunked_tables_apply(tables, jobs);
	for (uint32_t i = 0; i < tables->count; i++) {
		const struct ic_chunked_table *table = &tables->items[i];
		const struct ic_reloc_chunk *chunk = ic_chunked_table_fault(table);
		if (chunk)
			return fail_reloc(file, tables->machine, table, chunk, err);
	}
	return true;
}

// Copies to the file's memory what is needed to apply a table later.
static struct ic_pending_relocs *make_pending(const struct ic_reloc_machine *machine,
					      const struct ic_chunked_table *table,
					      struct ic_arena *arena)
{
	struct ic_pending_relocs *pending = ic_arena_alloc(arena, sizeof(*pending));
	uint64_t *symbols = ic_arena_copy(arena, table->table.symbols, table->table.symbol_count,
					  sizeof(*symbols));
	struct ic_reloc_chunk *chunks =
		ic_arena_copy(arena, table->chunks, table->chunk_count, sizeof(*chunks));

	if (!pending || !symbols || !chunks)
		return NULL;
	*pending = (struct ic_pending_relocs){ *machine, *table };
	pending->table.table.symbols = symbols;
	pending->table.chunks = chunks;
	pending->table.is_deferred = false; // from now on
	return pending;
}

// The deferred section has no table if it has no relocations, or was loaded before.
static bool keep_deferred(const struct ic_chunked_tables *tables, struct ic_elf_file *file,
			  struct ic_section *deferred, struct ic_error *err)
{
	for (uint32_t i = 0; i < tables->count; i++) {
		if (!tables->items[i].is_deferred)
			continue;
		deferred->pending = make_pending(tables->machine, &tables->items[i],
						 &file->loading.pending_arena);
		if (!deferred->pending)
			return ic_fail_memory(err);
	}
	return true;
}

bool ic_sections_relocate(struct ic_elf_file *file, struct ic_section *const *sections,
			  uint32_t section_count, struct ic_section *deferred, uint32_t jobs,
			  struct ic_error *err)
{
	struct preparation preparation = { 0 };
	bool ok = prepare_sections(&preparation, file, sections, section_count, deferred, err);

	if (ok) {
		ic_chunked_tables_split(&preparation.tables, jobs);
		ok = apply_all(&preparation.tables, file, jobs, err) &&
		     keep_deferred(&preparation.tables, file, deferred, err);
	}
	preparation_deinit(&preparation);
	return ok;
}

bool ic_section_relocate_part(const struct ic_elf_file *file, const struct ic_section *section,
			      uint64_t start, uint64_t end, struct ic_error *err)
{
	struct ic_pending_relocs *pending = section->pending;

	if (!pending)
		return true;
	const struct ic_reloc_chunk *faulty =
		ic_chunked_table_apply_part(&pending->table, &pending->machine, start, end);
	return !faulty || fail_reloc(file, &pending->machine, &pending->table, faulty, err);
}

bool ic_section_relocate_rest(const struct ic_elf_file *file, const struct ic_section *section,
			      uint32_t jobs, struct ic_error *err)
{
	struct ic_pending_relocs *pending = section->pending;

	if (!pending)
		return true;
	struct ic_chunked_tables tables = { &pending->machine, &pending->table, 1 };
	return apply_all(&tables, file, jobs, err);
}

// ---- Searching instead of applying

static bool is_string_section(const struct ic_section *section)
{
	return ic_section_has_debug_name(section, ".debug_str") ||
	       ic_section_has_debug_name(section, ".debug_line_str");
}

// Whether references to strings are only offsets in a section, not offsets from symbols somewhere
// in it.
static bool are_strings_by_section(const struct ic_elf_file *file, const struct ic_section *symtab)
{
	struct ic_symbol_table table = ic_symbol_table_of(file, symtab);

	for (uint64_t i = 0; i < table.count; i++) {
		struct ic_raw_symbol symbol = ic_symbol_table_read(&table, i);
		if (symbol.value != 0 && symbol.section < file->section_count &&
		    is_string_section(&file->sections[symbol.section]))
			return false;
	}
	return true;
}

bool ic_section_pending_addends(const struct ic_elf_file *file, const struct ic_section *section,
				struct ic_pending_addends *addends)
{
	const struct ic_pending_relocs *pending = section->pending;

	if (!pending)
		return false;
	const struct ic_section *relocs = pending->table.table.relocs;
	uint64_t size = ic_reloc_entry_size(&pending->machine, relocs);
	if (size != sizeof(Elf64_Rela) || pending->machine.has_addends_in_place ||
	    file->sections[relocs->link].type != SHT_SYMTAB ||
	    !are_strings_by_section(file, &file->sections[relocs->link]))
		return false;
	bool is_big_endian = IC_HOST_IS_BIG_ENDIAN != file->swap;
	*addends = (struct ic_pending_addends){
		.entries = { relocs->raw.data, relocs->raw.size - relocs->raw.size % size },
		.entry_size = (uint32_t)size,
		.at = offsetof(Elf64_Rela, r_addend) + (is_big_endian ? 4 : 0),
		.swap = file->swap,
	};
	return true;
}
