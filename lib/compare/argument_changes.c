#include "compare/argument_changes.h"

#include <stdlib.h>

struct finder {
	struct ic_argument_changes *changes;
	const struct ic_path_pairs *pairs;
	// By name of the older build: that of the newer one, or IC_NONE; and the other way round.
	uint32_t *new_names, *old_names;
	struct ic_map by_function;    // numbers of changes, by function and name
	IC_ARRAY(uint32_t) functions; // by change
};

// ---- Names

// By name of a build, the same name of another; NULL if memory runs out.
static uint32_t *translate_names(const struct ic_byte_pool *names, const struct ic_byte_pool *other)
{
	uint32_t count = names->runs.count;
	uint32_t *numbers = ic_items_alloc(count + 1ull, sizeof(*numbers));

	for (uint32_t i = 0; numbers && i < count; i++) {
		struct ic_bytes name = ic_byte_pool_get(names, i);
		numbers[i] = ic_byte_pool_find(other, name.data, (uint32_t)name.size);
	}
	return numbers;
}

// ---- Arguments

static const struct ic_built_argument none;

// The argument of a name and a path of a build; both may be IC_NONE.
static const struct ic_built_argument *find_argument(const struct ic_build *build, uint32_t path,
						     uint32_t name)
{
	const uint32_t *number =
		path == IC_NONE || name == IC_NONE
			? NULL
			: ic_map_find(&build->by_name, (uint64_t)path << 32 | name);

	return number ? &build->arguments.items[*number] : &none;
}

// Of the copies that both builds have, the number of those in which an argument was readable in the
// first build, and certainly is not in the second: which copy is which is not known.
static uint64_t count_lost(const struct ic_built_argument *first,
			   const struct ic_built_argument *second)
{
	uint64_t gone = first->copies > second->copies ? first->copies - second->copies : 0;
	uint64_t kept = gone + second->readable;

	return first->readable > kept ? first->readable - kept : 0;
}

// The change of an argument. A name of the newer build alone has the numbers from the end of the
// older one's. NULL if memory runs out.
static struct ic_argument_change *change_at(struct finder *finder, uint32_t function, uint32_t name,
					    const char *text)
{
	struct ic_argument_changes *changes = finder->changes;
	uint32_t *number = ic_map_at(&finder->by_function, (uint64_t)function << 32 | name);

	if (!number)
		return NULL;
	if (*number == IC_NONE) {
		*number = changes->items.count;
		if (!IC_ARRAY_ADD(&changes->items, (struct ic_argument_change){ .name = text }) ||
		    !IC_ARRAY_ADD(&finder->functions, function))
			return NULL;
	}
	return &changes->items.items[*number];
}

static const char *text_of(const struct ic_build *build, const struct ic_built_argument *argument)
{
	return (const char *)ic_byte_pool_get(&build->argument_names, argument->name).data;
}

static bool add_before(struct finder *finder, const struct ic_built_argument *argument)
{
	const struct ic_path_pair *pair = &finder->pairs->items.items[argument->path];
	const struct ic_built_argument *after =
		find_argument(finder->pairs->after, pair->after, finder->new_names[argument->name]);
	struct ic_argument_change *change = change_at(finder, pair->function, argument->name,
						      text_of(finder->pairs->before, argument));

	if (!change)
		return false;
	change->old_copies += argument->copies;
	change->old_readable += argument->readable;
	if (after->copies > 0) {
		change->unreadable += count_lost(argument, after);
		change->readable += count_lost(after, argument);
	}
	return true;
}

static bool add_after(struct finder *finder, const struct ic_built_argument *argument)
{
	const struct ic_path_pair *pair =
		&finder->pairs->items.items[finder->pairs->of_after[argument->path]];
	uint32_t name = finder->old_names[argument->name];

	if (name == IC_NONE)
		name = finder->pairs->before->argument_names.runs.count + argument->name;
	struct ic_argument_change *change =
		change_at(finder, pair->function, name, text_of(finder->pairs->after, argument));
	if (!change)
		return false;
	change->new_copies += argument->copies;
	change->new_readable += argument->readable;
	return true;
}

// ---- All of them

static bool add_builds(struct finder *finder)
{
	const struct ic_build *before = finder->pairs->before, *after = finder->pairs->after;

	finder->new_names = translate_names(&before->argument_names, &after->argument_names);
	finder->old_names = translate_names(&after->argument_names, &before->argument_names);
	if (!finder->new_names || !finder->old_names)
		return false;
	for (uint32_t i = 0; i < before->arguments.count; i++)
		if (!add_before(finder, &before->arguments.items[i]))
			return false;
	for (uint32_t i = 0; i < after->arguments.count; i++)
		if (!add_after(finder, &after->arguments.items[i]))
			return false;
	return true;
}

static bool list_changed(struct finder *finder)
{
	struct ic_argument_changes *changes = finder->changes;

	for (uint32_t i = 0; i < changes->items.count; i++) {
		const struct ic_argument_change *change = &changes->items.items[i];
		if (change->readable + change->unreadable > 0 &&
		    !IC_ARRAY_ADD(&changes->changed,
				  (struct ic_keyed){ finder->functions.items[i], i }))
			return false;
	}
	return ic_keyed_sort(changes->changed.items, changes->changed.count);
}

bool ic_argument_changes_find(struct ic_argument_changes *changes,
			      const struct ic_path_pairs *pairs)
{
	struct finder finder = { .changes = changes, .pairs = pairs };

	*changes = (struct ic_argument_changes){ .items = { 0 } };
	if (!pairs->before->has_arguments || !pairs->after->has_arguments)
		return true;
	bool ok = add_builds(&finder) && list_changed(&finder);
	free(finder.new_names);
	free(finder.old_names);
	ic_map_free(&finder.by_function);
	IC_ARRAY_FREE(&finder.functions);
	return ok;
}

void ic_argument_changes_free(struct ic_argument_changes *changes)
{
	IC_ARRAY_FREE(&changes->items);
	IC_ARRAY_FREE(&changes->changed);
}
