#include "query/counts/tree.h"

#include <stdlib.h>
#include <string.h>

#include "query/counts/tree_sizes.h"
#include "query/find/matcher.h"
#include "query/find/names.h"

struct member {          // an instance in a tree, in forest order
	uint32_t number; // in the unit
	uint32_t depth;
	bool is_large; // it is as large as the query requires
	bool has_more; // there are large ones directly inside it
};

struct selection { // for one unit at a time
	const struct ic_trees_query *query;
	struct ic_matchers names;
	IC_ARRAY(bool) functions; // by number: whether it matches
	// Indexed by the instances of the unit:
	IC_ARRAY(uint32_t) roots;     // root of its tree, IC_NONE if it is in none
	IC_ARRAY(uint32_t) hosts;     // its host, IC_NONE if it has none
	IC_ARRAY(uint32_t) places;    // for a root: the next free place of its tree in the forest
	IC_ARRAY(uint32_t) positions; // its position in the forest
	// The forest, tree after tree:
	IC_ARRAY(struct member) members;
	IC_ARRAY(struct ic_tree_item) items;
	IC_ARRAY(struct ic_tree_range) ranges;
	uint32_t deepest;
	IC_ARRAY(bool) followed; // by depth, for finding last siblings
};

static bool match_functions(struct selection *selection, const struct ic_unit_model *unit)
{
	bool any = false;

	if (!IC_ARRAY_RESERVE(&selection->functions, unit->function_count))
		return false;
	for (uint32_t i = 0; i < unit->function_count; i++)
		any |= selection->functions.items[i] =
			ic_matchers_match(&selection->names, &unit->functions[i]);
	selection->functions.count = any; // if none matches, there is nothing to find
	return true;
}

static bool is_root(const struct selection *selection, const struct ic_instance *instance)
{
	if (instance->function == IC_NONE ? selection->names.count > 0
					  : !selection->functions.items[instance->function])
		return false;
	return instance->kind == IC_INSTANCE_HOST ? instance->range_count > 0
						  : selection->query->inlined;
}

// Whether an instance gets no node of its own: its contents belong to the function that it is a
// part of.
static bool is_transparent(const struct selection *selection, const struct ic_unit_model *unit,
			   uint32_t number)
{
	return !selection->query->parts && selection->roots.items[number] != number &&
	       ic_instance_is_part(unit, &unit->instances[number]);
}

// Finds the tree and the host, if any, of each instance: parents come before children. `places`
// temporarily has the size of each root's tree.
static bool find_roots(struct selection *selection, const struct ic_unit_model *unit)
{
	if (!IC_ARRAY_RESERVE(&selection->roots, unit->instance_count) ||
	    !IC_ARRAY_RESERVE(&selection->hosts, unit->instance_count) ||
	    !IC_ARRAY_RESERVE(&selection->places, unit->instance_count) ||
	    !IC_ARRAY_RESERVE(&selection->positions, unit->instance_count))
		return false;
	uint32_t *roots = selection->roots.items, *hosts = selection->hosts.items;
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		bool is_inside = instance->parent != IC_NONE;

		hosts[i] = ic_instance_host(unit, i, hosts);
		roots[i] = is_inside ? roots[instance->parent] : IC_NONE;
		if (roots[i] == IC_NONE && is_root(selection, instance))
			roots[i] = i;
		selection->places.items[i] = 0;
		if (roots[i] != IC_NONE && !is_transparent(selection, unit, i))
			selection->places.items[roots[i]]++;
	}
	return true;
}

// Reserves a part of the forest for each tree.
static bool reserve_forest(struct selection *selection, const struct ic_unit_model *unit)
{
	uint32_t *places = selection->places.items, count = 0;

	for (uint32_t i = 0; i < unit->instance_count; i++) {
		uint32_t size = places[i]; // 0 if it is not a root
		places[i] = count;
		count += size;
	}
	if (!IC_ARRAY_RESERVE(&selection->members, count) ||
	    !IC_ARRAY_RESERVE(&selection->items, count))
		return false;
	selection->members.count = selection->items.count = count;
	selection->ranges.count = 0;
	selection->deepest = 0;
	return true;
}

static bool add_ranges(struct selection *selection, const struct ic_unit_model *unit,
		       const struct ic_instance *instance, uint32_t position)
{
	for (uint32_t i = 0; i < instance->range_count; i++) {
		struct ic_tree_range *range = IC_ARRAY_PUSH(&selection->ranges);
		if (!range)
			return false;
		*range =
			(struct ic_tree_range){ unit->ranges[instance->first_range + i], position };
	}
	return true;
}

// Takes the next place of a tree. Returns its number.
static uint32_t plant_node(struct selection *selection, uint32_t number, uint32_t root,
			   uint32_t parent)
{
	uint32_t position = selection->places.items[root]++;
	uint32_t depth = parent == IC_NONE ? 0 : selection->members.items[parent].depth + 1;

	selection->members.items[position] = (struct member){ .number = number, .depth = depth };
	selection->items.items[position] = (struct ic_tree_item){ .parent = parent };
	if (depth > selection->deepest)
		selection->deepest = depth;
	return position;
}

// Arranges the trees consecutively: DIEs inside a function may include those of another host, as
// for nested functions.
static bool plant_forest(struct selection *selection, const struct ic_unit_model *unit)
{
	uint32_t *positions = selection->positions.items;

	if (!reserve_forest(selection, unit))
		return false;
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		uint32_t root = selection->roots.items[i];
		if (root == IC_NONE)
			continue;
		uint32_t parent = i == root ? IC_NONE : positions[instance->parent];
		positions[i] = is_transparent(selection, unit, i)
				       ? parent
				       : plant_node(selection, i, root, parent);
		if (!add_ranges(selection, unit, instance, positions[i]))
			return false;
	}
	return true;
}

static void mark_large(struct selection *selection)
{
	for (uint32_t i = 0; i < selection->members.count; i++) {
		const struct ic_tree_item *item = &selection->items.items[i];
		struct member *member = &selection->members.items[i];

		member->is_large = item->size >= selection->query->least_size;
		if (member->is_large && item->parent != IC_NONE)
			selection->members.items[item->parent].has_more = true;
	}
}

// If an instance is selected, so are all around it: they are at least as large, and at a lower
// depth.
static bool is_wanted(const struct selection *selection, const struct member *member)
{
	// Without names, the query means every function into which something was inlined.
	return member->is_large &&
	       (selection->names.count > 0 || member->depth > 0 || member->has_more);
}

static bool is_too_low(const struct selection *selection, const struct member *member)
{
	return selection->query->levels > 0 && member->depth >= selection->query->levels;
}

// Goes backwards: a depth seen already, with no lower depth since, means a later sibling.
static bool mark_last(struct selection *selection, struct ic_tree_place *places, uint32_t count)
{
	uint32_t deepest = 0;

	if (!IC_ARRAY_RESERVE(&selection->followed, selection->deepest + 1ull))
		return false;
	bool *followed = selection->followed.items;
	memset(followed, 0, (selection->deepest + 1ull) * sizeof(*followed));
	for (uint32_t i = count; i-- > 0;) {
		uint32_t depth = places[i].depth;
		for (; deepest > depth; deepest--)
			followed[deepest] = false;
		deepest = depth;
		places[i].is_last = depth == 0 || !followed[depth];
		followed[depth] = true;
	}
	return true;
}

static bool add_places(struct ic_trees *trees, struct selection *selection, uint32_t unit)
{
	uint32_t first = trees->places.count;

	mark_large(selection);
	for (uint32_t i = 0; i < selection->members.count; i++) {
		const struct member *member = &selection->members.items[i];
		if (!is_wanted(selection, member))
			continue;
		if (is_too_low(selection, member)) {
			trees->left_out++;
			continue;
		}
		struct ic_tree_place *place = IC_ARRAY_PUSH(&trees->places);
		if (!place)
			return false;
		*place = (struct ic_tree_place){ .size = selection->items.items[i].size,
						 .own_size = selection->items.items[i].own_size,
						 .unit = unit,
						 .number = member->number,
						 .host = selection->hosts.items[member->number],
						 .depth = member->depth };
	}
	uint32_t count = trees->places.count - first;
	return count == 0 || mark_last(selection, &trees->places.items[first], count);
}

static bool add_unit(struct ic_trees *trees, struct selection *selection, uint32_t number)
{
	const struct ic_unit_model *unit = &trees->index->units[number];

	if (!match_functions(selection, unit))
		return false;
	if (selection->functions.count == 0 && selection->names.count > 0)
		return true;
	return find_roots(selection, unit) && plant_forest(selection, unit) &&
	       ic_tree_sizes_count(selection->items.items, selection->items.count,
				   selection->ranges.items, selection->ranges.count) &&
	       add_places(trees, selection, number);
}

static void release_selection(struct selection *selection)
{
	ic_matchers_deinit(&selection->names);
	IC_ARRAY_FREE(&selection->functions);
	IC_ARRAY_FREE(&selection->roots);
	IC_ARRAY_FREE(&selection->hosts);
	IC_ARRAY_FREE(&selection->places);
	IC_ARRAY_FREE(&selection->positions);
	IC_ARRAY_FREE(&selection->members);
	IC_ARRAY_FREE(&selection->items);
	IC_ARRAY_FREE(&selection->ranges);
	IC_ARRAY_FREE(&selection->followed);
}

struct ic_trees *ic_trees_find(const struct ic_index *index, const struct ic_trees_query *query,
			       struct ic_error *err)
{
	static const struct ic_trees_query everything = { .function = NULL };
	struct selection selection = { .query = query ? query : &everything };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	query = selection.query;
	if (index->inline_table) {
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"a table of inlined calls does not record how copies are nested");
		return NULL;
	}
	if (!ic_matchers_init(&selection.names, index, query->function,
			      query->function ? query->more_functions : NULL, query->match, err))
		return NULL;
	struct ic_trees *trees = calloc(1, sizeof(*trees));
	bool ok = trees != NULL;
	if (trees) {
		trees->index = index;
		trees->has_parts = query->parts;
	}
	for (uint32_t i = 0; ok && i < index->unit_count; i++)
		ok = add_unit(trees, &selection, i);
	if (!ok || !ic_matchers_are_sound(&selection.names)) {
		ic_fail_memory(err);
		ic_trees_free(trees);
		trees = NULL;
	}
	release_selection(&selection);
	return trees;
}

void ic_trees_free(struct ic_trees *trees)
{
	if (!trees)
		return;
	IC_ARRAY_FREE(&trees->places);
	free(trees);
}

size_t ic_trees_count(const struct ic_trees *trees)
{
	return trees->places.count;
}

static const struct ic_function *function_of(const struct ic_unit_model *unit, uint32_t instance)
{
	uint32_t function = instance == IC_NONE ? IC_NONE : unit->instances[instance].function;

	return function == IC_NONE ? NULL : &unit->functions[function];
}

const struct ic_function *ic_tree_function(const struct ic_index *index,
					   const struct ic_tree_place *place)
{
	return function_of(&index->units[place->unit], place->number);
}

const struct ic_function *ic_tree_host(const struct ic_index *index,
				       const struct ic_tree_place *place)
{
	return function_of(&index->units[place->unit], place->host);
}

static void describe_functions(struct ic_tree_node *node, const struct ic_function *function,
			       const struct ic_function *host)
{
	if (function) {
		node->function = ic_function_name(function);
		node->linkage_name = function->linkage_name;
		node->decl_file = function->decl_file;
		node->decl_line = function->decl_line;
	}
	if (host) {
		node->host = ic_function_name(host);
		node->host_linkage_name = host->linkage_name;
	}
}

bool ic_trees_get(const struct ic_trees *trees, size_t number, struct ic_tree_node *node)
{
	if (number >= trees->places.count)
		return false;
	const struct ic_tree_place *place = &trees->places.items[number];
	const struct ic_unit_model *unit = &trees->index->units[place->unit];
	const struct ic_instance *instance = &unit->instances[place->number];
	uint32_t parent = instance->parent;

	while (!trees->has_parts && parent != IC_NONE &&
	       ic_instance_is_part(unit, &unit->instances[parent]))
		parent = unit->instances[parent].parent;
	*node = (struct ic_tree_node){
		.depth = place->depth,
		.is_last = place->is_last,
		.is_inlined = instance->kind == IC_INSTANCE_INLINED,
		.is_part = ic_instance_is_part(unit, instance),
		.size = place->size,
		.own_size = place->own_size,
		.call_file = instance->call_file == IC_NONE ? NULL
							    : unit->files[instance->call_file],
		.call_line = instance->call_line,
		.call_column = instance->call_column,
		.ranges = unit->ranges + instance->first_range,
		.range_count = instance->range_count,
		.entry = instance->entry,
		.unit = unit->name,
		.die_off = unit->off + instance->die_off,
		.parent_off = parent == IC_NONE ? UINT64_MAX
						: unit->off + unit->instances[parent].die_off,
		.die_file = unit->file,
	};
	describe_functions(node, ic_tree_function(trees->index, place),
			   ic_tree_host(trees->index, place));
	return true;
}
