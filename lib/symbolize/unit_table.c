#include "symbolize/unit_table.h"

#include "base/array.h"
#include "base/search.h"
#include <stdlib.h>

bool ic_aranges_find(struct ic_aranges *aranges, uint64_t addr, uint64_t *info_off)
{
	struct ic_range range;

	while (ic_aranges_next_set(aranges)) {
		while (ic_aranges_next(aranges, &range)) {
			if (addr < range.start || addr >= range.end)
				continue;
			*info_off = aranges->info_off;
			return true;
		}
	}
	return false;
}

static bool make_slots(struct ic_unit_table *table, struct ic_arena *arena)
{
	table->models = ic_arena_items(arena, table->count, sizeof(*table->models));
	for (uint32_t i = 0; table->models && i < table->count; i++)
		atomic_init(&table->models[i], NULL);
	return table->models != NULL;
}

// The number of the unit whose header is at an offset in the file's own .debug_info; IC_NONE if
// there is none.
static uint32_t unit_at(const struct ic_unit_list *list, uint64_t off)
{
	const struct ic_unit *units = list->units.items;
	uint32_t first; // that does not begin before it; those of other files follow

	IC_SEARCH(first, list->units.count, at,
		  ic_unit_global_off(&units[at], units[at].off) < off);
	return first < list->units.count &&
			       ic_unit_global_off(&units[first], units[first].off) == off
		       ? first
		       : IC_NONE;
}

// Maps each skeleton to its split unit, which has the answers for the skeleton's code.
static uint32_t *map_skeletons(const struct ic_unit_list *list)
{
	uint32_t *numbers = ic_items_alloc(list->units.count + 1ull, sizeof(*numbers));

	for (uint32_t i = 0; numbers && i < list->units.count; i++)
		numbers[i] = i;
	for (uint32_t i = 0; numbers && i < list->units.count; i++)
		if (list->units.items[i].skeleton)
			numbers[list->units.items[i].skeleton - list->units.items] = i;
	return numbers;
}

struct completion { // a table being completed
	struct ic_unit_table *table;
	struct ic_scan *scan;
	struct ic_claims claims;
	uint32_t *split_of; // by unit: itself or, for a skeleton, its split unit
	bool *known;        // by unit: its claims are known
	uint32_t set_count; // number of sets in .debug_aranges, whose claims come first, in order
};

// Takes the claims in .debug_aranges for the units it lists, if it is readable to the end.
static bool take_listed(struct completion *all, struct ic_bytes section,
			struct ic_problems *problems)
{
	const struct ic_read_context *context = &all->scan->context;
	struct ic_aranges aranges;
	struct ic_range range;
	struct ic_error err;

	if (section.size == 0 || context->units.units.count == 0)
		return true;
	ic_aranges_open(&aranges, section, context->units.units.items[0].dwarf->swap);
	for (; ic_aranges_next_set(&aranges); all->set_count++) {
		uint32_t unit = unit_at(&context->units, aranges.info_off);
		if (unit == IC_NONE)
			continue;
		unit = all->split_of[unit];
		uint32_t empty = 0, doubtful = 0;
		while (ic_aranges_next(&aranges, &range)) {
			const struct ic_range *code =
				ic_range_set_find(&context->index->code, range.start);
			// Skip discarded code and damaged ranges.
			if (range.start == range.end)
				empty++;
			else if (!code || range.end < range.start || range.end > code->end)
				doubtful++;
			if (!code)
				continue;
			all->known[unit] = true;
			if (!ic_claims_add(&all->claims, range, all->set_count, unit))
				return false;
		}
		// One empty range ends the set; others may be what is left of lost ones.
		if (empty > 1 || doubtful > 0)
			all->known[unit] = false;
	}
	if (!ic_aranges_ok(&aranges, &err)) // the units themselves claim what is missing
		ic_problems_add(problems, &err, NULL, 0);
	return true;
}

// Adds what the code of a unit is that is decoded.
static bool claim_by_code(struct ic_claims *claims, const struct ic_unit_model *model,
			  uint64_t rank, uint32_t unit)
{
	const struct ic_code_map *map = &model->code_map;
	const struct ic_segment *segments = map->instances.items;

	for (uint32_t i = 0; i < map->sequence_count; i++)
		if (!ic_claims_add(claims, map->sequences[i].range, rank, unit))
			return false;
	for (uint32_t i = 0; i + 1 < map->instances.count; i++) {
		struct ic_range range = { segments[i].start, segments[i + 1].start };
		if (segments[i].owner != IC_NONE && !ic_claims_add(claims, range, rank, unit))
			return false;
	}
	return true;
}

// Decodes units whose root DIEs do not have all of their ranges.
static bool decode_unsure(struct completion *all, struct ic_problems *problems,
			  struct ic_error *err)
{
	const struct ic_unit_model *models = all->scan->context.index->units;
	uint32_t count = all->claims.unsure.count;
	uint32_t *numbers = ic_items_alloc(count + 1ull, sizeof(*numbers));

	for (uint32_t i = 0; numbers && i < count; i++)
		numbers[i] = all->claims.unsure.items[i];
	bool ok = numbers ? count == 0 ||
				    ic_scan_read(all->scan, numbers, count, NULL, problems, err)
			  : ic_fail_memory(err);
	for (uint32_t i = 0; ok && i < count; i++) {
		const struct ic_unit_model *model = &models[numbers[i]];
		ic_problems_copy(problems, model->problems, model->problem_count);
		atomic_store(&all->table->models[numbers[i]], model);
	}
	free(numbers);
	return ok;
}

// Builds the map of the claims, and of the code of the unsure units, which are decoded.
static bool build_map(struct ic_unit_table *table, struct ic_claims *claims, uint64_t first_rank,
		      struct ic_arena *arena, struct ic_error *err)
{
	for (uint32_t i = 0; i < claims->unsure.count; i++) {
		uint32_t unit = claims->unsure.items[i];
		const struct ic_unit_model *model = atomic_load(&table->models[unit]);
		if (!claim_by_code(claims, model, first_rank + unit, unit))
			return ic_fail_memory(err);
		table->is_incomplete |= model->problem_count > 0;
	}
	return ic_unit_map_build(&table->map, claims, arena) || ic_fail_memory(err);
}

// Reads the claims of the units that are not `known`, by number; NULL if none is.
static bool read_claims(struct ic_claims *claims, struct ic_scan *scan, const bool *known,
			uint64_t first_rank, struct ic_error *err)
{
	const struct ic_unit_list *list = &scan->context.units;
	uint32_t *numbers = ic_items_alloc(list->units.count + 1ull, sizeof(*numbers)), count = 0;

	for (uint32_t i = 0; numbers && i < list->units.count; i++)
		if (!list->units.items[i].is_passive && !(known && known[i]))
			numbers[count++] = i;
	bool ok = numbers ? ic_claims_read(claims, scan, numbers, count, first_rank, err)
			  : ic_fail_memory(err);
	free(numbers);
	return ok;
}

static bool open_completion(struct completion *all, struct ic_unit_table *table,
			    struct ic_scan *scan)
{
	const struct ic_unit_list *list = &scan->context.units;

	*all = (struct completion){
		.table = table,
		.scan = scan,
		.split_of = map_skeletons(list),
		.known = ic_items_zeroed(list->units.count + 1ull, sizeof(bool)),
	};
	table->count = list->units.count;
	return all->split_of && all->known;
}

static void close_completion(struct completion *all)
{
	ic_claims_free(&all->claims);
	free(all->split_of);
	free(all->known);
}

bool ic_unit_table_build(struct ic_unit_table *table, struct ic_scan *scan, struct ic_bytes aranges,
			 struct ic_problems *problems, struct ic_error *err)
{
	struct completion all;

	bool ok = (open_completion(&all, table, scan) &&
		   make_slots(table, &scan->context.index->arena) &&
		   take_listed(&all, aranges, problems)) ||
		  ic_fail_memory(err);
	ok = ok && read_claims(&all.claims, scan, all.known, all.set_count, err) &&
	     decode_unsure(&all, problems, err) &&
	     build_map(table, &all.claims, all.set_count, &scan->context.index->arena, err);
	ic_scan_report(scan, problems);
	table->listed_count = all.set_count;
	if (ok && all.claims.list.count == 0 && all.claims.outside_addr != 0)
		ic_scan_report_outside(problems, all.claims.outside_addr);
	close_completion(&all);
	return ok;
}

bool ic_unit_claims_read(struct ic_claims *claims, struct ic_scan *scan, struct ic_error *err)
{
	claims->wants_unplaced = true;
	return read_claims(claims, scan, NULL, 0, err);
}

bool ic_unit_table_build_rest(struct ic_unit_table *rest, const struct ic_unit_table *table,
			      struct ic_claims *claims, struct ic_arena *arena,
			      struct ic_error *err)
{
	*rest = (struct ic_unit_table){ .models = table->models,
					.count = table->count,
					.is_incomplete = table->is_incomplete };
	return build_map(rest, claims, 0, arena, err);
}
