#include "elf/sections/reloc_chunks.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/workers.h"

enum {
	ITEM = 64,             // chunks that a worker takes at a time
	WORTH = 256,           // chunks that are worth one more worker
	RUNS = 8,              // of entries that are read in turn
	LEAST_SIZE = 16,       // of a chunk
	MOST_CHUNKS = 1 << 15, // of a table
};

#define NO_ENTRY UINT64_MAX

struct chunk_job {
	struct ic_chunked_tables *tables;
	void (*run)(const struct ic_reloc_machine *machine, struct ic_chunked_table *table,
		    uint64_t first, uint64_t end); // chunks
};

bool ic_chunked_table_init(struct ic_chunked_table *table, const struct ic_reloc_machine *machine)
{
	uint64_t count = ic_reloc_count(machine, table->table.relocs);

	table->chunk_size = count / MOST_CHUNKS + LEAST_SIZE;
	table->chunk_count = (count + table->chunk_size - 1) / table->chunk_size;
	table->chunks = calloc(table->chunk_count + 1, sizeof(*table->chunks));
	return table->chunks != NULL;
}

// The table of an item: the last one whose first item is at or before it.
static struct ic_chunked_table *table_of_item(const struct ic_chunked_tables *tables, uint32_t item)
{
	uint32_t next;

	IC_SEARCH(next, tables->count, at, tables->items[at].first_item <= item);
	return &tables->items[next > 0 ? next - 1 : 0];
}

static void run_some(struct ic_items *items, uint32_t worker, void *context)
{
	const struct chunk_job *job = context;
	(void)worker;

	for (uint32_t item; ic_items_take(items, &item);) {
		struct ic_chunked_table *table = table_of_item(job->tables, item);
		uint64_t first = (uint64_t)(item - table->first_item) * ITEM;
		uint64_t left = table->chunk_count - first;
		job->run(job->tables->machine, table, first, first + (left < ITEM ? left : ITEM));
	}
}

static void run_all(struct chunk_job *job, bool with_deferred, uint32_t jobs)
{
	uint32_t count = 0, worth = 1;

	for (uint32_t i = 0; i < job->tables->count; i++) {
		struct ic_chunked_table *table = &job->tables->items[i];
		table->first_item = count;
		if (!with_deferred && table->is_deferred)
			continue;
		count += (uint32_t)((table->chunk_count + ITEM - 1) / ITEM);
		worth += (uint32_t)(table->chunk_count / WORTH);
	}
	ic_workers_run(ic_workers_count(jobs, worth), count, run_some, job);
}

// Whether the entries from `first` on are in the order of their offsets, and after the one before
// them. Reads several runs in turn, so that the memory accesses of a large table overlap.
static bool are_in_order(const struct ic_reloc_machine *machine, const struct ic_section *relocs,
			 uint64_t first, uint64_t end)
{
	uint64_t size = ic_reloc_entry_size(machine, relocs), run = (end - first) / RUNS;
	uint64_t last[RUNS];
	const uint8_t *entries[RUNS];
	bool ok = true;

	for (uint64_t i = 0; i < RUNS; i++) {
		entries[i] = relocs->raw.data + (first + i * run) * size;
		last[i] = first + i * run > 0 ? ic_reloc_off(machine, entries[i] - size) : 0;
	}
	for (uint64_t left = run; left > 0; left--) {
		for (uint64_t i = 0; i < RUNS; i++) {
			uint64_t off = ic_reloc_off(machine, entries[i]);
			ok &= off >= last[i];
			last[i] = off;
			entries[i] += size;
		}
	}
	for (uint64_t i = first + RUNS * run; i < end; i++) { // the rest after the last run
		uint64_t off = ic_reloc_off(machine, relocs->raw.data + i * size);
		ok &= off >= last[RUNS - 1];
		last[RUNS - 1] = off;
	}
	return ok;
}

// Of the entries that would be the chunk if fields had no width, finds the first one at which a
// chunk can begin.
static struct ic_reloc_chunk begin_chunk(const struct ic_reloc_machine *machine,
					 const struct ic_section *relocs, uint64_t first,
					 uint64_t end)
{
	uint64_t size = ic_reloc_entry_size(machine, relocs);
	const uint8_t *entry = relocs->raw.data + first * size;

	if (first == 0)
		return (struct ic_reloc_chunk){ .first = 0 };
	for (uint64_t i = first; i < end; i++, entry += size) {
		uint64_t off = ic_reloc_off(machine, entry);
		if (off - ic_reloc_off(machine, entry - size) >= IC_RELOC_MOST_FIELD)
			return (struct ic_reloc_chunk){ .first = i, .start = off };
	}
	return (struct ic_reloc_chunk){ .first = NO_ENTRY };
}

static void split_chunks(const struct ic_reloc_machine *machine, struct ic_chunked_table *table,
			 uint64_t first, uint64_t end)
{
	const struct ic_section *relocs = table->table.relocs;
	uint64_t count = ic_reloc_count(machine, relocs), size = table->chunk_size;
	bool in_order = are_in_order(machine, relocs, first * size,
				     end == table->chunk_count ? count : end * size);

	for (uint64_t i = first; i < end; i++) {
		uint64_t chunk_end = i + 1 < table->chunk_count ? (i + 1) * size : count;
		table->chunks[i] = begin_chunk(machine, relocs, i * size, chunk_end);
		table->chunks[i].is_in_order = in_order;
	}
}

static bool is_in_order(const struct ic_chunked_table *table)
{
	for (uint64_t i = 0; i < table->chunk_count; i++)
		if (!table->chunks[i].is_in_order)
			return false;
	return true;
}

// Entries at which no chunk can begin belong to the chunk before: all of them if they are not in
// order.
static void join_chunks(struct ic_chunked_table *table, const struct ic_reloc_machine *machine)
{
	uint64_t kept = 0, count = is_in_order(table) ? table->chunk_count : 1;

	if (table->chunk_count == 0)
		return;
	for (uint64_t i = 0; i < count; i++)
		if (table->chunks[i].first != NO_ENTRY)
			table->chunks[kept++] = table->chunks[i];
	for (uint64_t i = 0; i + 1 < kept; i++)
		table->chunks[i].end = table->chunks[i + 1].first;
	table->chunks[kept - 1].end = ic_reloc_count(machine, table->table.relocs);
	table->chunk_count = kept;
}

void ic_chunked_tables_split(struct ic_chunked_tables *tables, uint32_t jobs)
{
	struct chunk_job job = { tables, split_chunks };

	run_all(&job, true, jobs);
	for (uint32_t i = 0; i < tables->count; i++)
		join_chunks(&tables->items[i], tables->machine);
}

static void apply_chunk(const struct ic_reloc_machine *machine, struct ic_chunked_table *table,
			uint64_t number)
{
	struct ic_reloc_chunk *chunk = &table->chunks[number];

	for (; !chunk->fault && chunk->first < chunk->end; chunk->first++) {
		chunk->fault = ic_reloc_apply(machine, &table->table, chunk->first);
		if (chunk->fault)
			return; // that is the next chunk
	}
}

static void apply_chunks(const struct ic_reloc_machine *machine, struct ic_chunked_table *table,
			 uint64_t first, uint64_t end)
{
	for (uint64_t i = first; i < end; i++)
		apply_chunk(machine, table, i);
}

void ic_chunked_tables_apply(struct ic_chunked_tables *tables, uint32_t jobs)
{
	struct chunk_job job = { tables, apply_chunks };

	run_all(&job, false, jobs);
}

// The last chunk that begins at or before `off`.
static uint64_t find_chunk(const struct ic_chunked_table *table, uint64_t off)
{
	uint32_t next;

	IC_SEARCH(next, (uint32_t)table->chunk_count, at, table->chunks[at].start <= off);
	return next > 0 ? next - 1 : 0;
}

const struct ic_reloc_chunk *ic_chunked_table_apply_part(struct ic_chunked_table *table,
							 const struct ic_reloc_machine *machine,
							 uint64_t start, uint64_t end)
{
	const struct ic_reloc_chunk *faulty = NULL;

	if (start >= end || table->chunk_count == 0)
		return NULL;
	for (uint64_t i = find_chunk(table, start);
	     i < table->chunk_count && table->chunks[i].start < end; i++) {
		apply_chunk(machine, table, i);
		if (!faulty && table->chunks[i].fault)
			faulty = &table->chunks[i];
	}
	return faulty;
}

const struct ic_reloc_chunk *ic_chunked_table_fault(const struct ic_chunked_table *table)
{
	for (uint64_t i = 0; i < table->chunk_count; i++)
		if (table->chunks[i].fault)
			return &table->chunks[i];
	return NULL;
}
