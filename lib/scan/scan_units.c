#include "scan/scan_units.h"

#include <inttypes.h>
#include <stdlib.h>

// A string without an end is none, and looking for the ends of a million of them would take its
// time.
static struct ic_bytes cut_behind_last_nul(struct ic_bytes strings)
{
	while (strings.size > 0 && strings.data[strings.size - 1] != 0)
		strings.size--;
	return strings;
}

static void cut_strings(struct ic_dwarf *dwarf)
{
	dwarf->str = cut_behind_last_nul(dwarf->str);
	dwarf->line_str = cut_behind_last_nul(dwarf->line_str);
}

static void report_cut_units(const struct ic_unit_list *list, const struct ic_dwarf *dwarf,
			     struct ic_problems *problems)
{
	struct ic_error err;

	ic_fail_at(&err, dwarf->info_name, list->first_cut_off,
		   "unit that is shorter than its header, the first of %" PRIu64, list->cut_count);
	ic_problems_add(problems, &err, NULL, 0);
}

// The sections of one file stand for one another: an object has one .debug_rnglists for a thousand
// .debug_info, and a thousand .dwo files borrow one .debug_ranges.
static uint64_t size_unless_counted(struct ic_bytes section, const uint8_t **counted)
{
	if (section.data == *counted)
		return 0;
	*counted = section.data;
	return section.size;
}

static void count_shared(struct ic_scan_context *context, const struct ic_dwarf *dwarf)
{
	context->list_bytes += size_unless_counted(dwarf->ranges, &context->counted.ranges) +
			       size_unless_counted(dwarf->rnglists, &context->counted.rnglists);
	context->line_bytes += size_unless_counted(dwarf->line, &context->counted.line);
}

bool ic_scan_units_add(struct ic_scan_context *context, struct ic_dwarf *dwarf,
		       struct ic_problems *problems, struct ic_error *err)
{
	struct ic_unit_list *list = &context->units;

	dwarf->info_base = context->next_base;
	context->next_base += dwarf->info.size + 1; // the end of one is not the start of the next
	count_shared(context, dwarf);
	cut_strings(dwarf);
	list->cut_count = 0;
	problems->file = dwarf->file;
	bool ok = ic_unit_list_parse(list, dwarf, err);
	if (!ok && err->code != IC_ERROR_MEMORY) {
		ic_problems_add(problems, err, NULL, 0);
		ok = true;
	}
	if (list->cut_count > 0)
		report_cut_units(list, dwarf, problems);
	problems->file = NULL;
	return ok;
}

bool ic_scan_units_add_one(struct ic_scan_context *context, struct ic_dwarf *dwarf, uint64_t off,
			   struct ic_error *err)
{
	context->next_base = dwarf->info_base + dwarf->info.size + 1;
	count_shared(context, dwarf);
	cut_strings(dwarf);
	return ic_unit_list_parse_one(&context->units, dwarf, off, err);
}

static int compare_types(const void *left, const void *right)
{
	const struct ic_scan_type *a = left, *b = right;

	if (a->signature != b->signature)
		return a->signature < b->signature ? -1 : 1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

static bool list_types(struct ic_scan_context *context)
{
	const struct ic_unit_list *list = &context->units;

	for (uint32_t i = 0; i < list->units.count; i++) {
		const struct ic_unit *unit = &list->units.items[i];
		if (unit->type != DW_UT_type && unit->type != DW_UT_split_type)
			continue;
		struct ic_scan_type *place = IC_ARRAY_PUSH(&context->types);
		if (!place)
			return false;
		*place = (struct ic_scan_type){ unit->id, i };
	}
	if (context->types.count > 0)
		qsort(context->types.items, context->types.count, sizeof(*context->types.items),
		      compare_types);
	return true;
}

bool ic_scan_units_finish(struct ic_scan_context *context, struct ic_error *err)
{
	uint64_t count = context->units.units.count + 1ull;

	context->list_allowance = 64 + 4 * context->list_bytes / count;
	context->line_allowance = 4096 + 4 * context->line_bytes / count;
	context->row_allowance = 65536 + 4 * context->line_bytes;
	return list_types(context) || ic_fail_memory(err);
}

bool ic_scan_units_find_type(const struct ic_scan_context *context, uint64_t signature,
			     uint64_t *off)
{
	uint32_t first = 0, count = context->types.count;

	while (count > 0) { // the first of a signature not below
		uint32_t half = count / 2;
		if (context->types.items[first + half].signature < signature) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	if (first == context->types.count || context->types.items[first].signature != signature)
		return false;
	const struct ic_unit *unit = &context->units.units.items[context->types.items[first].unit];
	*off = ic_unit_global_off(unit, unit->off + unit->type_off);
	return unit->type_off < unit->end_off - unit->off; // else it would be another unit's
}

bool ic_scan_units_map_ids(struct ic_map *by_id, const struct ic_unit_list *list, uint32_t first)
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

void ic_scan_units_free(struct ic_scan_context *context)
{
	IC_ARRAY_FREE(&context->units.units);
	IC_ARRAY_FREE(&context->types);
}
