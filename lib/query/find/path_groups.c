#include "query/find/path_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "text/text.h"

enum { MOST_PATH = 4096 };

struct path {
	const char *plain;
	uint32_t number; // in the order in which they were found
};

struct grouping {
	const struct ic_definitions *definitions;
	struct ic_arena *arena;
	struct ic_map by_text; // numbers of paths: functions of a unit share the same strings
	IC_ARRAY(struct path) paths;
};

// Numbers the path of a function. False if memory runs out.
static bool add_path(struct grouping *grouping, const char *path, uint32_t *number)
{
	char plain[MOST_PATH];
	uint32_t *known = ic_map_at(&grouping->by_text, (uintptr_t)path);

	if (!known)
		return false;
	if (*known == IC_NONE) {
		*known = grouping->paths.count; // before anything fails: it must be set
		ic_text_plain_path(path, plain, sizeof(plain));
		struct path *added = IC_ARRAY_PUSH(&grouping->paths);
		if (!added)
			return false;
		added->number = *known;
		added->plain = ic_arena_copy(grouping->arena, plain, strlen(plain) + 1, 1);
		if (!added->plain)
			return false;
	}
	*number = *known;
	return true;
}

static int compare_paths(const void *left, const void *right)
{
	const struct path *a = left, *b = right;

	return strcmp(a->plain, b->plain);
}

// Merges equal paths: sets the number of each path to that of its file.
static void join_paths(struct ic_path_groups *groups, struct grouping *grouping, uint32_t *joined)
{
	struct path *paths = grouping->paths.items;

	groups->paths[groups->count++] = NULL;
	if (grouping->paths.count > 0)
		qsort(paths, grouping->paths.count, sizeof(*paths), compare_paths);
	for (uint32_t i = 0; i < grouping->paths.count; i++) {
		if (i == 0 || strcmp(paths[i].plain, paths[i - 1].plain) != 0)
			groups->paths[groups->count++] = paths[i].plain;
		joined[paths[i].number] = groups->count - 1;
	}
}

static bool find_paths(struct ic_path_groups *groups, struct grouping *grouping)
{
	const struct ic_definitions *definitions = grouping->definitions;

	for (uint32_t i = 0; i < definitions->items.count; i++) {
		const struct ic_function *function = definitions->items.items[i];
		groups->numbers[i] = IC_NONE;
		if (function && function->decl_file &&
		    !add_path(grouping, function->decl_file, &groups->numbers[i]))
			return false;
	}
	return true;
}

bool ic_path_groups_build(struct ic_path_groups *groups, const struct ic_definitions *definitions,
			  struct ic_arena *arena)
{
	struct grouping grouping = { .definitions = definitions, .arena = arena };
	uint32_t count = definitions->items.count;

	*groups = (struct ic_path_groups){ .count = 0 };
	groups->numbers = ic_items_alloc(count + 1ull, sizeof(*groups->numbers));
	bool ok = groups->numbers && find_paths(groups, &grouping);
	uint32_t *joined = ic_items_alloc(grouping.paths.count + 1ull, sizeof(*joined));
	groups->paths = ic_items_alloc(grouping.paths.count + 1ull, sizeof(*groups->paths));
	ok = ok && joined && groups->paths;
	if (ok)
		join_paths(groups, &grouping, joined);
	for (uint32_t i = 0; ok && i < count; i++)
		groups->numbers[i] = groups->numbers[i] == IC_NONE ? 0 : joined[groups->numbers[i]];
	free(joined);
	ic_map_free(&grouping.by_text);
	IC_ARRAY_FREE(&grouping.paths);
	if (!ok)
		ic_path_groups_free(groups);
	return ok;
}

// ---- Units

struct named_unit {
	const char *name, *directory;
	uint32_t number;
};

// Names starting with "<" are not paths: "<artificial>" is GCC's link of several units.
static struct named_unit name_unit(const struct ic_unit_model *unit, uint32_t number)
{
	const char *name = unit->name ? unit->name : "";
	bool is_relative = name[0] != 0 && name[0] != '/' && name[0] != '<';

	return (struct named_unit){ name, is_relative ? unit->directory : NULL, number };
}

static int compare_names(const struct named_unit *left, const struct named_unit *right)
{
	return left->name == right->name ? 0 : strncmp(left->name, right->name, MOST_PATH);
}

static int compare_units(const void *left, const void *right)
{
	const struct named_unit *a = left, *b = right;
	int order = compare_names(a, b);

	if (order == 0)
		order = ic_text_compare_paths(a->directory, b->directory);
	return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

// Sorts units so that those with the same name are adjacent, and among them those with the same
// directory: by hash first, since few are equal. False if memory runs out.
static bool sort_units(struct named_unit *units, const struct ic_index *index)
{
	struct ic_keyed *keyed = ic_items_alloc(index->unit_count + 1ull, sizeof(*keyed));
	uint32_t count = index->unit_count;

	for (uint32_t i = 0; keyed && i < count; i++) {
		const char *name = name_unit(&index->units[i], i).name;
		keyed[i] =
			(struct ic_keyed){ ic_text_hash_up_to(name, strnlen(name, MOST_PATH)), i };
	}
	bool ok = keyed && ic_keyed_sort(keyed, count);
	for (uint32_t i = 0, end; ok && i < count; i = end) {
		for (end = i; end < count && keyed[end].key == keyed[i].key; end++)
			units[end] = name_unit(&index->units[keyed[end].number], keyed[end].number);
		if (end - i > 1)
			qsort(units + i, end - i, sizeof(*units), compare_units);
	}
	free(keyed);
	return ok;
}

static const char *path_of(const struct named_unit *unit, struct ic_arena *arena)
{
	char path[2 * MOST_PATH], plain[MOST_PATH];

	if (!unit->directory)
		return unit->name;
	snprintf(path, sizeof(path), "%s/%s", unit->directory, unit->name);
	ic_text_plain_path(path, plain, sizeof(plain));
	return ic_arena_copy(arena, plain, strlen(plain) + 1, 1);
}

// Numbers the units with one name. False if memory runs out.
static bool group_units(struct ic_path_groups *groups, const struct named_unit *units,
			uint32_t count, struct ic_arena *arena)
{
	bool is_shared = ic_text_compare_paths(units[0].directory, units[count - 1].directory) != 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct named_unit *unit = &units[i];
		if (i == 0 || ic_text_compare_paths(unit->directory, units[i - 1].directory) != 0) {
			const char *path = is_shared ? path_of(unit, arena) : unit->name;
			if (!path)
				return false;
			groups->paths[groups->count++] = path;
		}
		groups->numbers[unit->number] = unit->name[0] ? groups->count - 1 : 0;
	}
	return true;
}

bool ic_path_groups_of_units(struct ic_path_groups *groups, const struct ic_index *index,
			     struct ic_arena *arena)
{
	uint32_t count = index->unit_count;
	struct named_unit *units = ic_items_alloc(count + 1ull, sizeof(*units));

	*groups = (struct ic_path_groups){ .count = 0 };
	groups->numbers = ic_items_alloc(count + 1ull, sizeof(*groups->numbers));
	groups->paths = ic_items_alloc(count + 1ull, sizeof(*groups->paths));
	bool ok = units && groups->numbers && groups->paths && sort_units(units, index);
	if (ok)
		groups->paths[groups->count++] = NULL;
	for (uint32_t i = 0, end; ok && i < count; i = end) {
		for (end = i + 1; end < count && compare_names(&units[i], &units[end]) == 0;)
			end++;
		ok = group_units(groups, units + i, end - i, arena);
	}
	free(units);
	if (!ok)
		ic_path_groups_free(groups);
	return ok;
}

void ic_path_groups_free(struct ic_path_groups *groups)
{
	free(groups->numbers);
	free(groups->paths);
	*groups = (struct ic_path_groups){ .count = 0 };
}
