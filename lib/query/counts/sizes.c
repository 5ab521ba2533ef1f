#include "query/counts/sizes.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "query/counts/coverage.h"
#include "query/counts/own_ranges.h"
#include "query/counts/size_gaps.h"
#include "query/counts/size_groups.h"
#include "query/find/definitions.h"
#include "query/find/parts.h"

enum layer { TOTAL = 1 << 0, INLINED = 1 << 1 }; // of the coverage
enum { TOTAL_PLACE, INLINED_PLACE };             // the same, as indexes into sizes

struct piece { // a piece of code in one copy, and in nothing inlined into it
	struct ic_range range;
	uint32_t group, definition;
	bool inlined;
};

struct sizing {
	const struct ic_index *index;
	const struct ic_sizes_query *query;
	struct ic_sizes *sizes;
	struct ic_definitions definitions;
	struct ic_size_groups groups;
	struct ic_parts parts;
	struct ic_own_ranges own;
	struct ic_coverage coverage;
	struct ic_code_parts code;
	uint32_t next_part; // the part of the code that may contain the next piece
	struct ic_size_gaps gaps;
	IC_ARRAY(struct piece) pieces;
	IC_ARRAY(struct ic_size) numbers; // indexed by group
	bool *has_code;                   // indexed by definition
};

// ---- Copies

static struct ic_size *numbers_of(struct sizing *sizing, uint32_t group)
{
	uint32_t count = sizing->numbers.count;

	if (group < count)
		return &sizing->numbers.items[group];
	if (!IC_ARRAY_RESERVE(&sizing->numbers, group + 1ull))
		return NULL;
	memset(sizing->numbers.items + count, 0,
	       (group + 1ull - count) * sizeof(*sizing->numbers.items));
	sizing->numbers.count = group + 1;
	return &sizing->numbers.items[group];
}

static bool count_copy(struct sizing *sizing, uint32_t group, const struct ic_unit_model *unit,
		       const struct ic_instance *instance)
{
	struct ic_size *numbers = numbers_of(sizing, group);

	if (numbers && instance->kind == IC_INSTANCE_INLINED)
		numbers->copies++;
	else if (numbers && !ic_parts_has(&sizing->parts, unit, instance))
		numbers->out_of_line++;
	return numbers != NULL;
}

static bool cover_instance(struct sizing *sizing, uint32_t unit, uint32_t definition,
			   const struct ic_instance *instance)
{
	bool inlined = instance->kind == IC_INSTANCE_INLINED;
	uint32_t counted = IC_NONE;

	for (uint32_t i = 0; i < instance->range_count; i++) {
		struct ic_range range =
			sizing->index->units[unit].ranges[instance->first_range + i];
		uint32_t group = ic_size_groups_of(&sizing->groups, unit, definition, range.start);
		const struct ic_covered covered = { range, group, inlined ? TOTAL | INLINED : TOTAL,
						    0 };
		// A copy counts once, where its code starts.
		if (!ic_coverage_add(&sizing->coverage, &covered) ||
		    (i == 0 && !count_copy(sizing, group, &sizing->index->units[unit], instance)) ||
		    (group != counted && !numbers_of(sizing, group)))
			return false;
		counted = group;
	}
	return true;
}

static bool add_pieces(struct sizing *sizing, uint32_t unit, uint32_t definition, uint32_t number)
{
	const struct ic_unit_model *model = &sizing->index->units[unit];
	bool inlined = model->instances[number].kind == IC_INSTANCE_INLINED;

	if (!ic_own_ranges_find(&sizing->own, model, number))
		return false;
	for (uint32_t i = 0; i < sizing->own.own.count; i++) {
		struct ic_range range = sizing->own.own.items[i];
		uint32_t group = ic_size_groups_of(&sizing->groups, unit, definition, range.start);
		struct piece *piece = IC_ARRAY_PUSH(&sizing->pieces);
		if (!piece || !numbers_of(sizing, group))
			return false;
		*piece = (struct piece){ range, group, definition, inlined };
	}
	return true;
}

static bool add_unit(struct sizing *sizing, uint32_t number)
{
	const struct ic_unit_model *unit = &sizing->index->units[number];

	if (!ic_own_ranges_begin(&sizing->own, unit))
		return false;
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		uint32_t definition = ic_definition_of(&sizing->definitions, number, instance);
		// The code of a part belongs to the copy around it.
		if (instance->range_count == 0 ||
		    (instance->kind == IC_INSTANCE_INLINED && ic_instance_is_part(unit, instance)))
			continue;
		if (!cover_instance(sizing, number, definition, instance) ||
		    !add_pieces(sizing, number, definition, i))
			return false;
	}
	return true;
}

// ---- Bytes of their own

// If the code of sections is known, a section has all of it, described or not.
static bool counts_sections(const struct sizing *sizing)
{
	return sizing->query->by == IC_SIZES_BY_SECTION && sizing->code.items.count > 0;
}

static bool count_sections(struct sizing *sizing)
{
	if (counts_sections(sizing) && !numbers_of(sizing, sizing->index->all_section_count))
		return false;
	for (uint32_t i = 0; counts_sections(sizing) && i < sizing->code.items.count; i++) {
		const struct ic_code_part *part = &sizing->code.items.items[i];
		sizing->numbers.items[part->section].self += part->range.end - part->range.start;
	}
	return true;
}

// Counts a piece in the sections that it is in, whose code is counted already; what is beyond the
// code is in none. Pieces come by address.
static void count_in_sections(struct sizing *sizing, struct ic_range range, bool inlined)
{
	const struct ic_code_part *parts = sizing->code.items.items;
	struct ic_size *beyond = &sizing->numbers.items[sizing->index->all_section_count];
	uint32_t count = sizing->code.items.count;
	uint64_t rest = range.end - range.start;

	while (sizing->next_part < count && parts[sizing->next_part].range.end <= range.start)
		sizing->next_part++;
	for (uint32_t i = sizing->next_part; i < count && parts[i].range.start < range.end; i++) {
		uint64_t end = range.end < parts[i].range.end ? range.end : parts[i].range.end;
		if (parts[i].range.start > range.start)
			range.start = parts[i].range.start;
		sizing->numbers.items[parts[i].section].self_inlined += inlined ? end - range.start
										: 0;
		rest -= end - range.start;
	}
	beyond->self += rest;
	beyond->self_inlined += inlined ? rest : 0;
}

static void count_piece(struct sizing *sizing, const struct piece *piece, struct ic_range range)
{
	struct ic_size *numbers = &sizing->numbers.items[piece->group];
	struct ic_sizes_total *total = &sizing->sizes->total;
	uint64_t size = range.end - range.start;

	if (!counts_sections(sizing)) {
		numbers->self += size;
		numbers->self_inlined += piece->inlined ? size : 0;
	} else {
		count_in_sections(sizing, range, piece->inlined);
	}
	total->functions += size;
	total->inlined += piece->inlined ? size : 0;
	total->function_count += !sizing->has_code[piece->definition];
	sizing->has_code[piece->definition] = true;
}

// Counts each byte in the piece that starts first; if several start at one address, in that of the
// first unit. Sets `covered` to the union of all pieces.
static bool count_pieces(struct sizing *sizing, struct ic_range_set *covered)
{
	uint32_t count = sizing->pieces.count;
	struct ic_keyed *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	struct ic_range *ranges = ic_items_alloc(count + 1ull, sizeof(*ranges));
	uint64_t end = 0;

	for (uint32_t i = 0; sorted && i < count; i++)
		sorted[i] = (struct ic_keyed){ sizing->pieces.items[i].range.start, i };
	bool ok = sorted && ranges && ic_keyed_sort(sorted, count);
	for (uint32_t i = 0; ok && i < count; i++) {
		const struct piece *piece = &sizing->pieces.items[sorted[i].number];
		uint64_t start = piece->range.start > end ? piece->range.start : end;
		if (start >= piece->range.end)
			continue;
		count_piece(sizing, piece, (struct ic_range){ start, piece->range.end });
		if (covered->count == 0 || start > end)
			ranges[covered->count++].start = start;
		end = piece->range.end;
		ranges[covered->count - 1].end = end;
	}
	free(sorted);
	covered->ranges = ranges;
	return ok;
}

static bool count_gaps(struct sizing *sizing, const struct ic_range_set *covered)
{
	struct ic_sizes_total *total = &sizing->sizes->total;

	if (sizing->code.items.count == 0)
		return true;
	if (!ic_size_gaps_find(&sizing->gaps, sizing->index, &sizing->code, covered))
		return false;
	total->symbols = sizing->gaps.named;
	total->linkage = sizing->gaps.linkage;
	total->padding = sizing->gaps.padding;
	total->unnamed = sizing->gaps.unnamed;
	total->code = total->functions + total->symbols + total->linkage + total->padding +
		      total->unnamed;
	return true;
}

static bool count_totals(struct sizing *sizing)
{
	if (counts_sections(sizing)) { // the code around inlined code is in the same section
		for (uint32_t i = 0; i < sizing->numbers.count; i++) {
			struct ic_size *numbers = &sizing->numbers.items[i];
			numbers->total = numbers->self;
			numbers->total_inlined = numbers->self_inlined;
		}
		return true;
	}
	uint32_t count = sizing->numbers.count;
	uint64_t *sizes = ic_items_zeroed(count * (uint64_t)IC_COVERAGE_LAYERS + 1, sizeof(*sizes));
	bool ok = sizes && ic_coverage_count(&sizing->coverage, count, sizes);

	for (uint32_t i = 0; ok && i < count; i++) {
		const uint64_t *of = sizes + (uint64_t)i * IC_COVERAGE_LAYERS;
		sizing->numbers.items[i].total = of[TOTAL_PLACE];
		sizing->numbers.items[i].total_inlined = of[INLINED_PLACE];
	}
	free(sizes);
	return ok;
}

// ---- Groups

static int64_t saving_of(const struct sizing *sizing, const struct ic_size *numbers)
{
	// A call takes five bytes on x86, and one or two instructions of four bytes elsewhere.
	enum { CALL = 5 };
	uint64_t calls = numbers->copies * CALL;

	if (sizing->query->by != IC_SIZES_BY_FUNCTION || numbers->copies == 0)
		return IC_SIZE_NONE;
	uint64_t body = numbers->out_of_line > 0 ? 0 : numbers->total_inlined / numbers->copies;
	return (int64_t)numbers->total_inlined - (int64_t)(calls + body);
}

static struct ic_sizes_group *add_group(struct sizing *sizing, enum ic_size_kind kind)
{
	struct ic_sizes_group *group = IC_ARRAY_PUSH(&sizing->sizes->groups);

	if (group)
		*group = (struct ic_sizes_group){
			.numbers = { .by = sizing->query->by, .kind = kind, .saving = IC_SIZE_NONE }
		};
	return group;
}

static bool add_groups(struct sizing *sizing)
{
	for (uint32_t i = 0; i < sizing->numbers.count; i++) {
		const struct ic_size *numbers = &sizing->numbers.items[i];
		if (numbers->total == 0)
			continue;
		bool is_section = sizing->query->by == IC_SIZES_BY_SECTION;
		struct ic_sizes_group *group = add_group(sizing, IC_SIZE_FUNCTION);
		if (!group)
			return false;
		group->numbers = *numbers;
		group->numbers.kind = is_section ? IC_SIZE_SECTION : IC_SIZE_FUNCTION;
		group->numbers.by = sizing->query->by;
		group->numbers.saving = saving_of(sizing, numbers);
		if (sizing->query->by == IC_SIZES_BY_FUNCTION)
			group->function = sizing->definitions.items.items[i];
		if (!ic_size_groups_name(&sizing->groups, i, &sizing->sizes->arena,
					 &group->numbers))
			return false;
	}
	return true;
}

static void set_sizes(struct ic_size *numbers, uint64_t size)
{
	numbers->self += size;
	numbers->total += size;
}

static int compare_symbols(const void *left, const void *right)
{
	const struct ic_size_symbol *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->start > b->start) - (a->start < b->start);
}

// When grouping by function, symbols with the same name form a group; otherwise all symbols form
// one.
static bool add_symbols(struct sizing *sizing)
{
	struct ic_size_symbol *symbols = sizing->gaps.symbols.items;
	uint32_t count = sizing->gaps.symbols.count;
	bool by_function = sizing->query->by == IC_SIZES_BY_FUNCTION;
	struct ic_sizes_group *group = NULL;

	if (count > 0)
		qsort(symbols, count, sizeof(*symbols), compare_symbols);
	for (uint32_t i = 0; i < count; i++) {
		bool is_same = i > 0 && strcmp(symbols[i].name, symbols[i - 1].name) == 0;
		if (!group || (by_function && !is_same)) {
			group = add_group(sizing, IC_SIZE_SYMBOL);
			if (!group)
				return false;
			group->numbers.function = by_function ? symbols[i].name : NULL;
		}
		group->numbers.out_of_line +=
			by_function && (!is_same || symbols[i].start != symbols[i - 1].start);
		set_sizes(&group->numbers, symbols[i].size);
	}
	return true;
}

static bool add_rest(struct sizing *sizing, enum ic_size_kind kind, uint64_t size)
{
	struct ic_sizes_group *group = size > 0 ? add_group(sizing, kind) : NULL;

	if (group)
		set_sizes(&group->numbers, size);
	return group || size == 0;
}

static const char *name_of(const struct ic_size *size)
{
	const char *name = size->function ? size->function : size->group;

	return name ? name : size->decl_file ? size->decl_file : "";
}

static int64_t key_of(enum ic_sizes_order order, const struct ic_size *size)
{
	switch (order) {
	case IC_SIZES_MOST_SELF: return (int64_t)size->self;
	case IC_SIZES_MOST_TOTAL: return (int64_t)size->total;
	case IC_SIZES_MOST_COPIES: return (int64_t)size->copies;
	case IC_SIZES_MOST_SAVING: return size->saving;
	case IC_SIZES_BY_NAME: break;
	}
	return 0;
}

static int compare_groups(const void *left, const void *right)
{
	const struct ic_sizes_group *a = left, *b = right;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	if (a->second != b->second)
		return a->second > b->second ? -1 : 1;
	int names = strcmp(name_of(&a->numbers), name_of(&b->numbers));
	if (names == 0)
		names = ic_function_compare(a->function, b->function);
	return names ? names : (a->number > b->number) - (a->number < b->number);
}

static bool make_groups(struct sizing *sizing)
{
	struct ic_sizes *sizes = sizing->sizes;
	enum ic_sizes_order order = sizing->query->order;

	if (!add_groups(sizing) || (!counts_sections(sizing) && !add_symbols(sizing)))
		return false;
	for (uint32_t i = 0; i < sizes->groups.count; i++) {
		struct ic_sizes_group *group = &sizes->groups.items[i];
		group->number = i;
		group->key = key_of(order, &group->numbers);
		group->second = order == IC_SIZES_BY_NAME ? 0 : group->numbers.self;
	}
	if (sizes->groups.count > 1)
		qsort(sizes->groups.items, sizes->groups.count, sizeof(*sizes->groups.items),
		      compare_groups);
	sizes->left_out = ic_items_limit(&sizes->groups.count, sizing->query->limit);
	if (counts_sections(sizing))
		return true;
	return add_rest(sizing, IC_SIZE_LINKAGE, sizes->total.linkage) &&
	       add_rest(sizing, IC_SIZE_PADDING, sizes->total.padding) &&
	       add_rest(sizing, IC_SIZE_UNNAMED, sizes->total.unnamed);
}

// ---- All

static bool count_sizes(struct sizing *sizing)
{
	const struct ic_index *index = sizing->index;
	struct ic_range_set covered = { NULL, 0 };
	bool ok = ic_definitions_build(&sizing->definitions, index, NULL) &&
		  ic_size_groups_init(&sizing->groups, index, &sizing->definitions,
				      sizing->query->by, &sizing->sizes->arena);

	sizing->has_code = ok ? ic_items_zeroed(sizing->definitions.items.count + 1ull,
						sizeof(*sizing->has_code))
			      : NULL;
	ok = sizing->has_code && ic_code_parts_find(&sizing->code, index) && count_sections(sizing);
	for (uint32_t i = 0; ok && i < index->unit_count; i++)
		ok = add_unit(sizing, i);
	ok = ok && count_pieces(sizing, &covered) && count_gaps(sizing, &covered) &&
	     count_totals(sizing) && make_groups(sizing) && !sizing->groups.out_of_memory &&
	     !sizing->parts.out_of_memory;
	free(covered.ranges);
	return ok;
}

static void release_sizing(struct sizing *sizing)
{
	ic_definitions_free(&sizing->definitions);
	ic_size_groups_free(&sizing->groups);
	ic_parts_free(&sizing->parts);
	ic_own_ranges_free(&sizing->own);
	ic_coverage_free(&sizing->coverage);
	ic_size_gaps_free(&sizing->gaps);
	IC_ARRAY_FREE(&sizing->code.items);
	IC_ARRAY_FREE(&sizing->pieces);
	IC_ARRAY_FREE(&sizing->numbers);
	free(sizing->has_code);
}

struct ic_sizes *ic_sizes_find(const struct ic_index *index, const struct ic_sizes_query *query,
			       struct ic_error *err)
{
	static const struct ic_sizes_query everything = { .limit = 0 };
	struct sizing sizing = { .index = index, .query = query ? query : &everything };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (sizing.query->by >= IC_SIZES_OF_ALL) {
		ic_fail(err, IC_ERROR_ARGUMENT, "sizes cannot be grouped by %d",
			(int)sizing.query->by);
		return NULL;
	}
	if (index->inline_table) {
		ic_fail(err, IC_ERROR_UNSUPPORTED, "a table of inlined calls has no sizes");
		return NULL;
	}
	sizing.sizes = calloc(1, sizeof(*sizing.sizes));
	if (!sizing.sizes) {
		ic_fail_memory(err);
		return NULL;
	}
	sizing.sizes->index = index;
	sizing.sizes->arena.memory = index->arena.memory;
	sizing.sizes->by = sizing.query->by;
	ic_parts_init(&sizing.parts, index);
	if (!count_sizes(&sizing)) {
		ic_fail_memory(err);
		ic_sizes_free(sizing.sizes);
		sizing.sizes = NULL;
	}
	release_sizing(&sizing);
	return sizing.sizes;
}

void ic_sizes_free(struct ic_sizes *sizes)
{
	if (!sizes)
		return;
	IC_ARRAY_FREE(&sizes->groups);
	ic_arena_free(&sizes->arena);
	free(sizes);
}

size_t ic_sizes_count(const struct ic_sizes *sizes)
{
	return sizes->groups.count;
}

bool ic_sizes_get(const struct ic_sizes *sizes, size_t number, struct ic_size *size)
{
	if (number >= sizes->groups.count)
		return false;
	*size = sizes->groups.items[number].numbers;
	return true;
}

void ic_sizes_total(const struct ic_sizes *sizes, struct ic_sizes_total *total)
{
	*total = sizes->total;
}
