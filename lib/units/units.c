#include "units/units.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/search.h"
#include "dwarf/units/constants.h"
#include "units/source.h"

// Only if readable; other sections are cut when they are loaded.
static void cut_strings(struct ic_dwarf *dwarf)
{
	if (dwarf->str.data)
		dwarf->str = ic_bytes_cut_after_nul(dwarf->str);
	if (dwarf->line_str.data)
		dwarf->line_str = ic_bytes_cut_after_nul(dwarf->line_str);
}

static void report_cut_units(const struct ic_unit_list *list, const struct ic_dwarf *dwarf,
			     struct ic_problems *problems)
{
	struct ic_error err;

	ic_fail_at(&err, dwarf->info_name, list->first_cut_off,
		   "unit is shorter than its header, the first of %" PRIu64, list->cut_count);
	ic_problems_add(problems, &err, NULL, 0);
}

// The size of a section, or 0 if it has been counted: an object has one .debug_rnglists for a
// thousand .debug_info sections, and a thousand .dwo files borrow one .debug_ranges.
static uint64_t size_unless_counted(const struct ic_dwarf *dwarf, struct ic_bytes section,
				    const void **counted)
{
	const void *identity = section.data ? (const void *)section.data : dwarf->loader;

	if (identity == *counted)
		return 0;
	*counted = identity;
	return section.size;
}

static void count_shared(struct ic_units *units, const struct ic_dwarf *dwarf)
{
	units->list_bytes += size_unless_counted(dwarf, dwarf->ranges, &units->counted.ranges) +
			     size_unless_counted(dwarf, dwarf->rnglists, &units->counted.rnglists);
	units->line_bytes += size_unless_counted(dwarf, dwarf->line, &units->counted.line);
}

// The dwarfs of one file are adjacent, and share a loader.
static bool note_loader(struct ic_units *units, const struct ic_dwarf *dwarf)
{
	uint32_t count = units->loaders.count;

	if (!dwarf->loader || (count > 0 && units->loaders.items[count - 1] == dwarf->loader))
		return true;
	struct ic_dwarf_loader **place = IC_ARRAY_PUSH(&units->loaders);
	if (place)
		*place = dwarf->loader;
	return place != NULL;
}

void ic_units_number(struct ic_units *units, struct ic_dwarf *dwarf)
{
	dwarf->info_base = units->next_base;
	// The end of one must not be the start of the next.
	units->next_base += dwarf->info.size + 1;
	cut_strings(dwarf);
}

bool ic_units_add(struct ic_units *units, const struct ic_dwarf *dwarf,
		  struct ic_problems *problems, struct ic_error *err)
{
	struct ic_unit_list *list = &units->list;

	count_shared(units, dwarf);
	if (!note_loader(units, dwarf))
		return ic_fail_memory(err);
	list->cut_count = 0;
	problems->file = dwarf->file;
	bool ok = dwarf->source->list(list, dwarf, err);
	if (!ok && err->code != IC_ERROR_MEMORY) {
		ic_problems_add(problems, err, NULL, 0);
		ok = true;
	}
	if (list->cut_count > 0)
		report_cut_units(list, dwarf, problems);
	problems->file = NULL;
	return ok;
}

bool ic_units_add_one(struct ic_units *units, const struct ic_dwarf *dwarf, uint64_t off,
		      struct ic_error *err)
{
	units->next_base = dwarf->info_base + dwarf->info.size + 1;
	count_shared(units, dwarf);
	if (!note_loader(units, dwarf))
		return ic_fail_memory(err);
	return ic_unit_list_parse_one(&units->list, dwarf, off, err);
}

void ic_units_report(const struct ic_units *units, uint64_t *reported, struct ic_problems *problems)
{
	for (uint32_t i = 0; i < units->loaders.count; i++) {
		struct ic_dwarf_loader *loader = units->loaders.items[i];
		loader->report(loader, &reported[i], problems);
	}
}

bool ic_units_lack_sections(const struct ic_units *units)
{
	bool lack = false;

	for (uint32_t i = 0; i < units->loaders.count; i++)
		lack |= units->loaders.items[i]->has_failed(units->loaders.items[i]);
	return lack;
}

static int compare_types(const void *left, const void *right)
{
	const struct ic_type_unit *a = left, *b = right;

	if (a->signature != b->signature)
		return a->signature < b->signature ? -1 : 1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

static bool list_types(struct ic_units *units)
{
	const struct ic_unit_list *list = &units->list;

	for (uint32_t i = 0; i < list->units.count; i++) {
		const struct ic_unit *unit = &list->units.items[i];
		if (unit->type != DW_UT_type && unit->type != DW_UT_split_type)
			continue;
		if (!IC_ARRAY_ADD(&units->types, (struct ic_type_unit){ unit->id, i }))
			return false;
	}
	if (units->types.count > 0)
		qsort(units->types.items, units->types.count, sizeof(*units->types.items),
		      compare_types);
	return true;
}

bool ic_units_finish(struct ic_units *units, struct ic_error *err)
{
	uint64_t count = units->list.units.count + 1ull;

	units->list_allowance = 64 + 4 * units->list_bytes / count;
	units->line_allowance = 4096 + 4 * units->line_bytes / count;
	return (list_types(units) || ic_fail_memory(err)) &&
	       ic_shared_tables_build(&units->tables, &units->list, &ic_model_tags, units->jobs,
				      err);
}

bool ic_units_find_type(const struct ic_units *units, uint64_t signature, uint64_t *off)
{
	uint32_t first;

	IC_SEARCH(first, units->types.count, at, units->types.items[at].signature < signature);
	if (first == units->types.count || units->types.items[first].signature != signature)
		return false;
	const struct ic_unit *unit = &units->list.units.items[units->types.items[first].unit];
	*off = ic_unit_global_off(unit, unit->off + unit->type_off);
	return unit->type_off < unit->end_off - unit->off; // otherwise it is in another unit
}

bool ic_units_map_ids(struct ic_map *by_id, const struct ic_unit_list *list, uint32_t first)
{
	for (uint32_t i = first; i < list->units.count; i++) {
		const struct ic_unit *unit = &list->units.items[i];
		if (!unit->dwarf->is_split || unit->is_passive)
			continue;
		uint32_t *number = ic_map_at(by_id, unit->id);
		if (!number)
			return false;
		if (*number == IC_NONE)
			*number = i;
	}
	return true;
}

bool ic_units_copy(struct ic_unit_list *copy, const struct ic_units *units)
{
	const struct ic_unit_list *list = &units->list;
	uint32_t count = list->units.count;

	*copy = (struct ic_unit_list){ .units.memory = list->units.memory };
	if (!IC_ARRAY_RESERVE(&copy->units, count))
		return false;
	for (; copy->units.count < count; copy->units.count++) {
		struct ic_unit *unit = &copy->units.items[copy->units.count];
		*unit = list->units.items[copy->units.count];
		if (unit->skeleton)
			unit->skeleton = copy->units.items + (unit->skeleton - list->units.items);
	}
	return true;
}

void ic_units_free(struct ic_units *units)
{
	ic_shared_tables_free(&units->tables);
	IC_ARRAY_FREE(&units->list.units);
	IC_ARRAY_FREE(&units->types);
	IC_ARRAY_FREE(&units->loaders);
}
