#include "unwind/tables/table.h"

#include "base/search.h"

#include <stdlib.h>

#define NO_CIE (IC_NONE - 1) // in the map: one that cannot be read, which is reported once

// The number of overlapping FDEs that are examined for one address.
enum { MOST_OVERLAPPING = 1000 };

// This many terminators in a row are an error: there is one at the end, linkers leave single ones
// between entries, and sections are padded.
enum { SURE_ZEROS = 4 };

struct build {
	struct ic_cfi_table *table;
	uint32_t zeros;     // terminators since the last entry
	struct ic_map cies; // index by offset
	struct ic_problems *problems;
};

// The index of the CIE at an offset, or NO_CIE; false if memory runs out.
static bool find_cie(struct build *build, uint64_t off, uint32_t *number)
{
	struct ic_cfi_table *table = build->table;
	uint32_t *slot = ic_map_at(&build->cies, off);
	struct ic_error err;
	struct ic_cie cie;

	if (!slot)
		return false;
	if (*slot == IC_NONE) {
		*slot = NO_CIE;
		if (ic_cie_read(&table->section, off, &cie, &err)) {
			if (!IC_ARRAY_ADD(&table->cies, cie))
				return false;
			*slot = table->cies.count - 1;
		} else {
			ic_problems_add(build->problems, &err, table->section.name, off);
		}
	}
	*number = *slot;
	return true;
}

static bool add_fde(struct build *build, const struct ic_cfi_entry *entry)
{
	struct ic_cfi_table *table = build->table;
	struct ic_error err;
	struct ic_fde fde;
	uint32_t cie;

	if (!find_cie(build, entry->cie_off, &cie))
		return false;
	if (cie == NO_CIE)
		return true;
	if (!ic_fde_read(&table->section, entry, &table->cies.items[cie], &fde, &err)) {
		ic_problems_add(build->problems, &err, table->section.name, entry->off);
		return true;
	}
	table->fde_count++;
	if (fde.start == fde.end) // the code is not in the file
		return true;
	if (!ic_cursor_ok(&fde.data, &err))
		ic_problems_add(build->problems, &err, table->section.name, entry->off);
	struct ic_cfi_place *place = IC_ARRAY_PUSH(&table->places);
	if (place)
		*place = (struct ic_cfi_place){ fde.start, fde.end, 0, entry->off, cie };
	return place;
}

// Reads the header of the next entry. An error in it is a problem. False at the end, and if memory
// runs out.
static bool add_next(struct build *build, struct ic_cfi_walk *walk, bool *ok)
{
	struct ic_cfi_entry entry;
	struct ic_error err;
	uint64_t off = walk->next_off;
	uint32_t cie;

	if (!ic_cfi_entry_next(walk, &entry, &err)) {
		if (err.code == IC_ERROR_NONE)
			return false;
		ic_problems_add(build->problems, &err, build->table->section.name, off);
	} else if (entry.kind == IC_CFI_TERMINATOR) {
		if (++build->zeros == SURE_ZEROS) {
			ic_fail_at(&err, build->table->section.name, off,
				   "zeros instead of entries");
			ic_problems_add(build->problems, &err, NULL, 0);
		}
	} else {
		build->zeros = 0;
		*ok = entry.kind == IC_CFI_FDE ? add_fde(build, &entry)
					       : find_cie(build, entry.off, &cie);
	}
	return *ok;
}

static int compare_places(const void *left, const void *right)
{
	const struct ic_cfi_place *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->off < b->off ? -1 : a->off > b->off;
}

void ic_cfi_table_sort(struct ic_cfi_table *table)
{
	struct ic_cfi_place *places = table->places.items;
	uint32_t count = table->places.count;
	bool sorted = true;
	uint64_t reach = 0;

	for (uint32_t i = 1; sorted && i < count; i++)
		sorted = compare_places(&places[i - 1], &places[i]) < 0;
	if (!sorted) // linkers write functions in order of address
		qsort(places, count, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < count; i++) {
		reach = places[i].end > reach ? places[i].end : reach;
		places[i].reach = reach;
	}
}

bool ic_cfi_table_build(struct ic_cfi_table *table, struct ic_memory *memory,
			struct ic_problems *problems)
{
	struct build build = { .table = table, .problems = problems };
	struct ic_cfi_walk walk = { .section = &table->section };
	bool ok = true;

	table->places.memory = table->cies.memory = memory;
	while (add_next(&build, &walk, &ok))
		;
	ic_map_free(&build.cies);
	ic_cfi_table_sort(table);
	return ok;
}

const struct ic_cfi_place *ic_cfi_table_find(const struct ic_cfi_table *table, uint64_t addr)
{
	const struct ic_cfi_place *places = table->places.items;
	uint32_t next; // the first one that begins after the address

	IC_SEARCH(next, table->places.count, at, places[at].start <= addr);
	for (uint32_t i = next; i > 0 && next - i < MOST_OVERLAPPING && places[i - 1].reach > addr;
	     i--)
		if (places[i - 1].end > addr)
			return &places[i - 1];
	return NULL;
}

void ic_cfi_table_free(struct ic_cfi_table *table)
{
	IC_ARRAY_FREE(&table->places);
	IC_ARRAY_FREE(&table->cies);
}
