#include "emit/unit_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/version.h>

#include "base/sort.h"
#include "dwarf/units/constants.h"
#include "emit/instance_links.h"
#include "emit/string_out.h"
#include "text/text.h"

enum { INLINED = 1 }; // DW_INL_inlined (DWARF 5, 7.14)

struct unit { // a unit being written
	struct ic_units_out *out;
	const struct ic_index *index;
	const struct ic_unit_model *model;
	uint16_t language; // DW_LANG_*, 0 if unknown
	uint32_t off;      // offset of its header
	struct ic_range_set code;
	IC_ARRAY(const char *) files; // of the model, and those in which functions are declared
	struct ic_map file_of;        // by the address of the path
	struct ic_map root_of;        // by ic_function::die_off
	// By function: the content of its DIE, and the DIE's offset from the header; 0 if it has
	// none.
	bool *is_inlined, *has_code; // `has_code`: it has out-of-line code
	uint32_t *die_of;
	uint32_t *root;         // the inlined function that is the same one, or itself
	struct ic_keyed *order; // functions by scope
	struct ic_instance_links links;
	IC_ARRAY(uint32_t) open, chain; // scopes: those that are open, and those to open
	uint32_t open_unit;             // the unit of these
	bool has_lists;                 // the header of its range lists is written
	uint32_t lists_off;
};

static void give_string(struct unit *unit, struct ic_die_out *die, enum ic_die_attr attr,
			const char *text)
{
	if (!text)
		return;
	uint32_t off = ic_string_out(&unit->out->strings, text);
	unit->out->failed |= off == IC_NONE;
	ic_die_give(die, attr, off);
}

static void give_number(struct ic_die_out *die, enum ic_die_attr attr, uint64_t number)
{
	if (number > 0)
		ic_die_give(die, attr, number);
}

static uint32_t put_die(struct unit *unit, const struct ic_die_out *die)
{
	return ic_dies_out_put(&unit->out->dies, die) - unit->off;
}

// ---- Ranges

// Writes the header of the unit's lists before the first list (DWARF 5, 7.28).
static void begin_lists(struct unit *unit)
{
	struct ic_out *out = &unit->out->ranges;

	if (unit->has_lists || unit->out->version < 5)
		return;
	unit->has_lists = true;
	unit->lists_off = ic_out_length_begin(out);
	ic_out_uint(out, 5, 2);
	ic_out_uint(out, unit->out->addr_size, 1);
	ic_out_uint(out, 0, 1); // no segments
	ic_out_uint(out, 0, 4); // no offset table
}

// The base of offsets in lists, which is the unit's DW_AT_low_pc (DWARF 5, 2.17.3). The lowest
// address keeps them short. In DWARF 4 their size is fixed, and an empty range at the base would
// end the list.
static uint64_t base_of(const struct unit *unit)
{
	return unit->out->version >= 5 ? unit->code.ranges[0].start : 0;
}

static void put_range(struct unit *unit, uint64_t start, uint64_t end)
{
	uint64_t base = base_of(unit);
	struct ic_out *out = &unit->out->ranges;

	if (unit->out->version >= 5) {
		ic_out_uint(out, DW_RLE_offset_pair, 1);
		ic_out_uleb(out, start - base);
		ic_out_uleb(out, end - base);
	} else {
		ic_out_uint(out, start - base, unit->out->addr_size);
		ic_out_uint(out, end - base, unit->out->addr_size);
	}
}

// Writes a list. If `entry` is not IC_NO_ADDR, it begins with an empty range there.
static uint32_t put_list(struct unit *unit, const struct ic_range *ranges, uint32_t count,
			 uint64_t entry)
{
	struct ic_out *out = &unit->out->ranges;

	begin_lists(unit);
	uint32_t off = out->bytes.count;
	if (entry != IC_NO_ADDR)
		put_range(unit, entry, entry);
	for (uint32_t i = 0; i < count; i++)
		put_range(unit, ranges[i].start, ranges[i].end);
	if (unit->out->version >= 5) {
		ic_out_uint(out, DW_RLE_end_of_list, 1);
	} else {
		ic_out_uint(out, 0, unit->out->addr_size);
		ic_out_uint(out, 0, unit->out->addr_size);
	}
	return off;
}

static void give_ranges(struct unit *unit, struct ic_die_out *die, const struct ic_range *ranges,
			uint32_t count, uint64_t entry)
{
	if (count == 1 && ranges->end - ranges->start <= UINT32_MAX && entry == IC_NO_ADDR) {
		ic_die_give(die, IC_DIE_low_pc, ranges->start);
		ic_die_give(die, IC_DIE_high_pc, ranges->end - ranges->start);
	} else if (count > 0) {
		ic_die_give(die, IC_DIE_ranges, put_list(unit, ranges, count, entry));
	}
}

// The entry of an instance, if it is in none of its ranges: GCC writes an empty range at such an
// entry if it is in a later view of the address. IC_NO_ADDR otherwise.
static uint64_t entry_outside(const struct unit *unit, const struct ic_instance *instance)
{
	const struct ic_range *ranges = unit->model->ranges + instance->first_range;

	if (instance->entry == IC_NO_ADDR || instance->entry < base_of(unit))
		return IC_NO_ADDR;
	for (uint32_t i = 0; i < instance->range_count; i++)
		if (ranges[i].start <= instance->entry && instance->entry < ranges[i].end)
			return IC_NO_ADDR;
	return instance->entry;
}

// Finds all code of the unit: that of its functions and of its rows. Returns false if memory runs
// out.
static bool find_code(struct unit *unit)
{
	const struct ic_unit_model *model = unit->model;
	const struct ic_code_map *map = &model->code_map;
	struct ic_range *ranges =
		ic_items_alloc(1ull + model->range_count + map->sequence_count, sizeof(*ranges));
	uint32_t count = 0;

	if (!ranges)
		return false;
	for (uint32_t i = 0; i < model->range_count; i++)
		ranges[count++] = model->ranges[i];
	for (uint32_t i = 0; i < map->sequence_count; i++)
		ranges[count++] = map->sequences[i].range;
	unit->code = ic_range_set_build(ranges, count);
	return true;
}

// DWARF 5, 6.1.2: the tuples are aligned to their size.
static void put_aranges(struct unit *unit)
{
	unsigned size = unit->out->addr_size;
	struct ic_out *out = &unit->out->aranges;
	uint32_t off = ic_out_length_begin(out);

	ic_out_uint(out, 2, 2);
	ic_out_uint(out, unit->off, 4);
	ic_out_uint(out, size, 1);
	ic_out_uint(out, 0, 1);
	while (!out->failed && (out->bytes.count - off) % (2 * size) != 0)
		ic_out_uint(out, 0, 1);
	for (uint32_t i = 0; i < unit->code.count; i++) {
		ic_out_uint(out, unit->code.ranges[i].start, size);
		ic_out_uint(out, unit->code.ranges[i].end - unit->code.ranges[i].start, size);
	}
	ic_out_uint(out, 0, size);
	ic_out_uint(out, 0, size);
	ic_out_length_end(out, off);
}

// ---- Files

// The number of a path; 0 for NULL.
static uint64_t file_number(struct unit *unit, const char *path)
{
	uint32_t *known = path ? ic_map_at(&unit->file_of, (uintptr_t)path) : NULL;

	if (!path)
		return 0;
	if (known && *known == IC_NONE) {
		const char **place = IC_ARRAY_PUSH(&unit->files);
		if (place)
			*place = path;
		*known = place ? unit->files.count : 0;
	}
	unit->out->failed |= !known || *known == 0;
	return known ? *known : 0;
}

// File i of the model gets number i + 1.
static void list_files(struct unit *unit)
{
	const struct ic_unit_model *model = unit->model;

	for (uint32_t i = 0; i < model->file_count; i++) {
		const char **place = IC_ARRAY_PUSH(&unit->files);
		uint32_t *known = ic_map_at(&unit->file_of, (uintptr_t)model->files[i]);
		unit->out->failed |= !place || !known;
		if (place)
			*place = model->files[i] ? model->files[i] : "";
		if (known && *known == IC_NONE)
			*known = i + 1;
	}
	for (uint32_t i = 0; i < model->function_count; i++)
		(void)file_number(unit, model->functions[i].decl_file);
}

// ---- Functions

// Writes the attributes that a function does not share with its root: GCC splits functions, and
// what it split off has nothing but a name for the linker.
static void give_function(struct unit *unit, struct ic_die_out *die, uint32_t number)
{
	static const struct ic_function none;
	const struct ic_function *function = &unit->model->functions[number];
	uint32_t root = unit->root[number];
	const struct ic_function *known = root == number ? &none : &unit->model->functions[root];

	if (!ic_text_is_same(function->name, known->name))
		give_string(unit, die, IC_DIE_name, function->name);
	// In Go, both names are the same. GNU addr2line takes the name of a symbol if a function
	// has no linkage name.
	if (!ic_text_is_same(function->linkage_name, known->linkage_name))
		give_string(unit, die, IC_DIE_linkage_name, function->linkage_name);
	else if (known == &none && unit->language == DW_LANG_Go)
		give_string(unit, die, IC_DIE_linkage_name, function->name);
	if (!ic_text_is_same(function->decl_file, known->decl_file))
		give_number(die, IC_DIE_decl_file, file_number(unit, function->decl_file));
	if (function->decl_line != known->decl_line)
		give_number(die, IC_DIE_decl_line, function->decl_line);
	if (function->decl_column != known->decl_column)
		give_number(die, IC_DIE_decl_column, function->decl_column);
}

static const struct ic_scope *scope_of(const struct ic_index *index, uint32_t unit, uint32_t scope)
{
	return scope != IC_NONE && unit < index->unit_count &&
			       scope < index->units[unit].scope_count
		       ? &index->units[unit].scopes[scope]
		       : NULL;
}

// Closes and opens scopes so that those around a function are open. Unnamed scopes, such as
// anonymous namespaces, stay unnamed.
static void enter_scope(struct unit *unit, uint32_t scope_unit, uint32_t number)
{
	const struct ic_scope *scope;
	uint32_t depth = 0, kept = 0;

	unit->chain.count = 0;
	for (; (scope = scope_of(unit->index, scope_unit, number)); number = scope->parent) {
		if (!IC_ARRAY_ADD(&unit->chain, number)) {
			unit->out->failed = true;
			return;
		}
	}
	depth = unit->chain.count;
	while (kept < depth && kept < unit->open.count && unit->open_unit == scope_unit &&
	       unit->open.items[kept] == unit->chain.items[depth - 1 - kept])
		kept++;
	for (; unit->open.count > kept; unit->open.count--)
		ic_dies_out_end(&unit->out->dies);
	unit->open_unit = scope_unit;
	for (; kept < depth; kept++) {
		uint32_t *place = IC_ARRAY_PUSH(&unit->open);
		if (!place) {
			unit->out->failed = true;
			return;
		}
		*place = unit->chain.items[depth - 1 - kept];
		scope = scope_of(unit->index, scope_unit, *place);
		struct ic_die_out die = { .tag = scope->is_namespace ? DW_TAG_namespace
								     : DW_TAG_structure_type,
					  .has_children = true };
		give_string(unit, &die, IC_DIE_name, scope->name);
		if (!scope->name)
			give_number(&die, IC_DIE_decl_line, scope->decl_line);
		put_die(unit, &die);
	}
}

// Writes the DIEs that instances refer to: an abstract instance for each inlined function, and a
// declaration for each other function in a scope.
static void put_functions(struct unit *unit)
{
	const struct ic_unit_model *model = unit->model;

	for (uint32_t i = 0; i < model->function_count; i++) {
		const struct ic_function *function = &model->functions[i];
		unit->order[i] =
			(struct ic_keyed){ (uint64_t)function->scope_unit << 32 | function->scope,
					   i };
	}
	unit->out->failed |= !ic_keyed_sort(unit->order, model->function_count);
	for (uint32_t i = 0; i < model->function_count; i++) {
		uint32_t number = unit->order[i].number;
		const struct ic_function *function = &model->functions[number];
		bool is_inlined = unit->is_inlined[number];
		struct ic_die_out die = { .tag = DW_TAG_subprogram };
		bool is_scoped = scope_of(unit->index, function->scope_unit, function->scope);
		bool is_declared = is_scoped && unit->has_code[number] &&
				   unit->root[number] == number;
		if (!is_inlined && !is_declared)
			continue;
		enter_scope(unit, function->scope_unit, function->scope);
		give_function(unit, &die, number);
		if (is_inlined)
			ic_die_give(&die, IC_DIE_inline, INLINED);
		else
			ic_die_give(&die, IC_DIE_declaration, 1);
		unit->die_of[number] = put_die(unit, &die);
		unit->out->functions++;
	}
	enter_scope(unit, IC_NONE, IC_NONE);
}

// ---- Instances

static void give_call(struct ic_die_out *die, const struct ic_instance *instance)
{
	if (instance->call_file != IC_NONE)
		ic_die_give(die, IC_DIE_call_file, instance->call_file + 1ull);
	if (instance->call_file != IC_NONE || instance->call_line > 0)
		ic_die_give(die, IC_DIE_call_line, instance->call_line);
	give_number(die, IC_DIE_call_column, instance->call_column);
	give_number(die, IC_DIE_GNU_discriminator, instance->call_discriminator);
}

static void give_origin(struct unit *unit, struct ic_die_out *die, uint32_t function)
{
	uint32_t root = unit->root[function];
	bool has_die = unit->die_of[root] > 0;

	if (has_die)
		ic_die_give(die,
			    unit->is_inlined[root] ? IC_DIE_abstract_origin : IC_DIE_specification,
			    unit->die_of[root]);
	if (!has_die || root != function)
		give_function(unit, die, function);
}

static void put_instance(struct unit *unit, uint32_t number)
{
	const struct ic_unit_model *model = unit->model;
	const struct ic_instance *instance = &model->instances[number];
	const struct ic_range *ranges = model->ranges + instance->first_range;
	bool is_inlined = instance->kind == IC_INSTANCE_INLINED;
	struct ic_die_out die = { .tag = is_inlined ? DW_TAG_inlined_subroutine : DW_TAG_subprogram,
				  .has_children = unit->links.first_child[number] != IC_NONE };

	if (instance->function != IC_NONE)
		give_origin(unit, &die, instance->function);
	give_ranges(unit, &die, ranges, instance->range_count, entry_outside(unit, instance));
	if (instance->entry != IC_NO_ADDR &&
	    (instance->range_count == 0 || instance->entry != ranges->start))
		ic_die_give(&die, IC_DIE_entry_pc, instance->entry);
	if (is_inlined)
		give_call(&die, instance);
	put_die(unit, &die);
	unit->out->copies += is_inlined;
	unit->out->functions += !is_inlined;
}

// Writes an instance and those inlined into it.
static void put_tree(struct unit *unit, uint32_t root)
{
	const struct ic_instance *instances = unit->model->instances;
	const struct ic_instance_links *links = &unit->links;

	for (uint32_t at = root;; at = links->next[at]) {
		put_instance(unit, at);
		while (links->first_child[at] != IC_NONE) {
			at = links->first_child[at];
			put_instance(unit, at);
		}
		while (at != root && links->next[at] == IC_NONE) {
			at = instances[at].parent;
			ic_dies_out_end(&unit->out->dies);
		}
		if (at == root)
			return;
	}
}

// Finds which functions were inlined, and which have code.
static void judge_functions(struct unit *unit)
{
	const struct ic_unit_model *model = unit->model;

	for (uint32_t i = 0; i < model->instance_count; i++) {
		const struct ic_instance *instance = &model->instances[i];
		if (instance->kind == IC_INSTANCE_INLINED && instance->function != IC_NONE)
			unit->is_inlined[instance->function] = true;
		if (instance->kind == IC_INSTANCE_HOST && instance->function != IC_NONE)
			unit->has_code[instance->function] |= instance->range_count > 0;
	}
}

// An inlined function has one DIE, and its out-of-line code refers to that, so that readers know
// that both are the same function (DWARF 5, 3.3.8.3).
static void find_roots(struct unit *unit)
{
	const struct ic_unit_model *model = unit->model;

	for (uint32_t i = 0; i < model->function_count; i++) {
		unit->root[i] = i;
		if (!unit->is_inlined[i] || model->functions[i].die_off == 0)
			continue;
		uint32_t *place = ic_map_at(&unit->root_of, model->functions[i].die_off);
		unit->out->failed |= !place;
		if (place && *place == IC_NONE)
			*place = i;
	}
	for (uint32_t i = 0; i < model->function_count; i++) {
		const uint32_t *root =
			unit->is_inlined[i]
				? NULL
				: ic_map_find(&unit->root_of, model->functions[i].die_off);
		if (root)
			unit->root[i] = *root;
	}
}

// ---- Units

static bool alloc_unit(struct unit *unit)
{
	uint64_t functions = unit->model->function_count + 1ull;

	unit->is_inlined = ic_items_zeroed(functions, sizeof(*unit->is_inlined));
	unit->has_code = ic_items_zeroed(functions, sizeof(*unit->has_code));
	unit->die_of = ic_items_zeroed(functions, sizeof(*unit->die_of));
	unit->root = ic_items_zeroed(functions, sizeof(*unit->root));
	unit->order = ic_items_alloc(functions, sizeof(*unit->order));
	return unit->is_inlined && unit->has_code && unit->die_of && unit->root && unit->order &&
	       ic_instance_links_build(&unit->links, unit->model) && find_code(unit);
}

static void free_unit(struct unit *unit)
{
	free(unit->is_inlined);
	free(unit->has_code);
	free(unit->die_of);
	free(unit->root);
	free(unit->order);
	ic_instance_links_free(&unit->links);
	free(unit->code.ranges);
	IC_ARRAY_FREE(&unit->files);
	IC_ARRAY_FREE(&unit->open);
	IC_ARRAY_FREE(&unit->chain);
	ic_map_free(&unit->file_of);
	ic_map_free(&unit->root_of);
}

// DWARF 5, 7.5.1.1; DWARF 4, 7.5.1.1.
static uint32_t begin_unit(struct unit *unit)
{
	struct ic_out *info = &unit->out->dies.info;

	unit->off = ic_out_length_begin(info);
	ic_out_uint(info, unit->out->version, 2);
	if (unit->out->version >= 5) {
		ic_out_uint(info, DW_UT_compile, 1);
		ic_out_uint(info, unit->out->addr_size, 1);
	}
	ic_out_uint(info, 0, 4); // all units share the first abbreviation table
	if (unit->out->version < 5)
		ic_out_uint(info, unit->out->addr_size, 1);
	return unit->off;
}

static void put_root(struct unit *unit)
{
	const char *const *files = (const char *const *)unit->files.items;
	const char *name = unit->model->name;
	char producer[64];
	struct ic_die_out die = { .tag = DW_TAG_compile_unit, .has_children = true };

	if (!name && unit->files.count > 0)
		name = files[0];
	snprintf(producer, sizeof(producer), "inlinecall %s", ic_version());
	give_string(unit, &die, IC_DIE_producer, producer);
	give_number(&die, IC_DIE_language, unit->language);
	give_string(unit, &die, IC_DIE_name, name);
	ic_die_give(&die, IC_DIE_stmt_list,
		    ic_lines_out_put(&unit->out->lines, &unit->model->code_map, files,
				     unit->files.count));
	ic_die_give(&die, IC_DIE_low_pc, base_of(unit));
	if (unit->code.count == 1 && unit->out->version >= 5)
		give_ranges(unit, &die, unit->code.ranges, 1, IC_NO_ADDR);
	else
		ic_die_give(&die, IC_DIE_ranges,
			    put_list(unit, unit->code.ranges, unit->code.count, IC_NO_ADDR));
	put_die(unit, &die);
}

static void put_unit(struct unit *unit)
{
	list_files(unit);
	judge_functions(unit);
	find_roots(unit);
	uint32_t off = begin_unit(unit);
	put_root(unit);
	put_functions(unit);
	// A function without code was discarded by the linker, along with its instances.
	for (uint32_t i = 0; i < unit->model->instance_count; i++)
		if (unit->model->instances[i].parent == IC_NONE &&
		    unit->model->instances[i].range_count > 0)
			put_tree(unit, i);
	ic_dies_out_end(&unit->out->dies);
	ic_out_length_end(&unit->out->dies.info, off);
	if (unit->has_lists)
		ic_out_length_end(&unit->out->ranges, unit->lists_off);
	put_aranges(unit);
}

bool ic_units_out_put(struct ic_units_out *out, const struct ic_index *index, uint32_t number,
		      uint16_t language)
{
	struct unit unit = {
		.out = out, .index = index, .model = &index->units[number], .language = language
	};
	bool ok = alloc_unit(&unit);

	if (ok && unit.code.count > 0)
		put_unit(&unit);
	free_unit(&unit);
	return ok && !out->failed;
}

bool ic_units_out_finish(struct ic_units_out *out)
{
	ic_dies_out_finish(&out->dies);
	return !out->failed && !out->lines.failed && !out->lines.line.failed &&
	       !out->dies.info.failed && !out->dies.abbrev.failed && !out->ranges.failed &&
	       !out->aranges.failed;
}

bool ic_units_out_are_too_large(const struct ic_units_out *out)
{
	return out->lines.line.too_large || out->lines.strings.too_large ||
	       out->dies.info.too_large || out->dies.abbrev.too_large || out->ranges.too_large ||
	       out->aranges.too_large || out->strings.too_large;
}

void ic_units_out_free(struct ic_units_out *out)
{
	ic_dies_out_free(&out->dies);
	ic_lines_out_free(&out->lines);
	ic_out_free(&out->ranges);
	ic_out_free(&out->aranges);
	ic_byte_pool_free(&out->strings);
}
