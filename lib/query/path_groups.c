#include "query/path_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"

struct path {
	const char *plain;
	uint32_t number; // in the order in which they were found
};

struct grouping {
	const struct ic_definitions *definitions;
	struct ic_arena *arena;
	struct ic_map by_text; // numbers of paths: functions of a unit share texts
	IC_ARRAY(struct path) paths;
};

// Numbers the path of a function. False if memory is out.
static bool add_path(struct grouping *grouping, const char *path, uint32_t *number)
{
	char plain[4096];
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

// Joins paths that are the same: sets by number of a path that of its file.
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

void ic_path_groups_free(struct ic_path_groups *groups)
{
	free(groups->numbers);
	free(groups->paths);
	*groups = (struct ic_path_groups){ .count = 0 };
}
