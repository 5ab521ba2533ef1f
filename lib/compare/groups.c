#include "compare/groups.h"

#include <string.h>

#include "query/find/names.h"
#include "text/template_name.h"
#include "text/text.h"

struct grouper {
	const struct ic_grouping *grouping;
	IC_ARRAY(struct ic_changed_function) groups;
	struct ic_byte_pool keys; // by group
	// The directories of both builds: the number of that of the new build that it became, which
	// is its own for those of the new build. IC_NONE if there is none.
	struct ic_byte_map directories;
};

struct key { // of a group: its name or, if it is one function, 0 and the number of that
	char bytes[IC_LONGEST_NAME];
	size_t size;
};

static bool is_of_function(const struct key *key)
{
	return key->size > 0 && key->bytes[0] == 0;
}

static void set_key(struct key *key, const void *bytes, size_t size)
{
	key->size = size < sizeof(key->bytes) ? size : sizeof(key->bytes);
	memcpy(key->bytes, bytes, key->size);
}

// ---- Directories

static uint32_t *directory_at(struct grouper *grouper, const char *path)
{
	struct ic_bytes directory = ic_text_directory(path);

	return ic_byte_map_at(&grouper->directories, directory.data, (uint32_t)directory.size);
}

static bool add_new_directories(struct grouper *grouper)
{
	const struct ic_build *after = grouper->grouping->after;

	for (uint32_t i = 0; i < after->functions.count; i++) {
		const char *path = after->functions.items[i].decl_file;
		uint32_t *number = path ? directory_at(grouper, path) : NULL;
		if (number)
			*number = (uint32_t)(number - grouper->directories.values.items);
		else if (path)
			return false;
	}
	return true;
}

// A directory that the new build does not have became that of its first file that the new build
// has.
static bool add_old_directories(struct grouper *grouper)
{
	const struct ic_build *before = grouper->grouping->before;

	for (uint32_t i = 0; i < before->functions.count; i++) {
		const char *file = grouper->grouping->functions->new_files[i];
		if (!file)
			continue;
		const uint32_t *found = directory_at(grouper, file);
		uint32_t after = found ? *found : IC_NONE;
		uint32_t *number = directory_at(grouper, before->functions.items[i].decl_file);
		if (!found || !number)
			return false;
		if (*number == IC_NONE)
			*number = after;
	}
	return true;
}

static void set_directory_key(const struct grouper *grouper, const char *path, struct key *key)
{
	struct ic_bytes directory = ic_text_directory(path);
	uint32_t number =
		ic_byte_map_find(&grouper->directories, directory.data, (uint32_t)directory.size);

	if (number != IC_NONE)
		directory = ic_byte_pool_get(&grouper->directories.keys, number);
	set_key(key, directory.data, directory.size);
}

// ---- Keys

// A function that is no template is a group of its own.
static void set_template_key(struct key *key, const struct ic_changed_function *changed)
{
	const char *name = changed->change.function, *file = changed->change.source;

	if (name)
		key->size = ic_template_name(name, file, key->bytes, sizeof(key->bytes));
	if (name && (key->size != strlen(name) || memcmp(name, key->bytes, key->size) != 0))
		return;
	key->bytes[0] = 0;
	memcpy(key->bytes + 1, &changed->number, sizeof(changed->number));
	key->size = 1 + sizeof(changed->number);
}

// The key is empty if the file is unknown.
static void find_key(const struct grouper *grouper, const struct ic_changed_function *changed,
		     struct key *key)
{
	const char *file = changed->change.source;

	key->size = 0;
	if (grouper->grouping->by == IC_COMPARISON_BY_TEMPLATE)
		set_template_key(key, changed);
	else if (file && grouper->grouping->by == IC_COMPARISON_BY_DIRECTORY)
		set_directory_key(grouper, file, key);
	else if (file)
		set_key(key, file, strlen(file));
}

// ---- Groups

// Adds what a function is in a build, if it is there. Only a position that all functions share is
// one of the group.
static void add_side(struct ic_change_side *sum, const struct ic_change_side *side)
{
	if (side->inlined == IC_INLINED_UNKNOWN)
		return;
	if (sum->inlined == IC_INLINED_UNKNOWN) {
		*sum = *side;
		return;
	}
	if (ic_text_compare_paths(sum->decl_file, side->decl_file) != 0)
		sum->decl_file = NULL;
	if (!sum->decl_file || sum->decl_line != side->decl_line)
		sum->decl_line = 0;
	sum->copies += side->copies;
	sum->out_of_line += side->out_of_line;
	sum->size += side->size;
	sum->out_of_line_size += side->out_of_line_size;
}

static void add_numbers(struct ic_change *sum, const struct ic_change *change)
{
	add_side(&sum->before, &change->before);
	add_side(&sum->after, &change->after);
	if (ic_text_compare_paths(sum->source, change->source) != 0)
		sum->source = NULL;
	sum->kinds |= change->kinds;
	sum->functions += change->functions;
	sum->inlined += change->inlined;
	sum->outlined += change->outlined;
	sum->added += change->added;
	sum->removed += change->removed;
	sum->came += change->came;
	sum->went += change->went;
	sum->emptied += change->emptied;
	sum->filled += change->filled;
	sum->readable += change->readable;
	sum->unreadable += change->unreadable;
	sum->explained += change->explained;
	sum->grown += change->grown;
}

// The name of a group that is not one function; NULL if memory runs out.
static const char *copy_name(struct grouper *grouper, const struct key *key)
{
	char *name = ic_arena_alloc(grouper->grouping->arena, key->size + 1);

	if (!name)
		return NULL;
	memcpy(name, key->bytes, key->size);
	name[key->size] = 0;
	return name;
}

static bool begin_group(struct grouper *grouper, const struct ic_changed_function *changed,
			const struct key *key)
{
	struct ic_changed_function group = *changed;
	struct ic_change *change = &group.change;

	if (is_of_function(key)) {
		change->group = change->function;
	} else {
		change->function = change->linkage_name = NULL;
		change->path_count = change->argument_count = 0;
		change->group = key->size > 0 ? copy_name(grouper, key) : NULL;
		if (key->size > 0 && !change->group)
			return false;
	}
	return IC_ARRAY_ADD(&grouper->groups, group);
}

static bool add_changed(struct grouper *grouper, const struct ic_changed_function *changed)
{
	struct key key;

	find_key(grouper, changed, &key);
	uint32_t number = ic_byte_pool_add(&grouper->keys, key.bytes, (uint32_t)key.size);
	if (number == IC_NONE)
		return false;
	if (number == grouper->groups.count)
		return begin_group(grouper, changed, &key);
	struct ic_changed_function *group = &grouper->groups.items[number];
	add_numbers(&group->change, &changed->change);
	group->is_small &= changed->is_small;
	return true;
}

// Removes what only applies to one function.
static void end_side(struct ic_change_side *side, enum ic_comparison_by by)
{
	side->inlined = IC_INLINED_UNKNOWN;
	if (by != IC_COMPARISON_BY_TEMPLATE)
		side->decl_line = 0;
	if (by == IC_COMPARISON_BY_DIRECTORY)
		side->decl_file = NULL;
}

static bool make_groups(struct grouper *grouper, const struct ic_changed_function *changes,
			uint32_t count)
{
	enum ic_comparison_by by = grouper->grouping->by;

	if (by == IC_COMPARISON_BY_DIRECTORY &&
	    (!add_new_directories(grouper) || !add_old_directories(grouper)))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!add_changed(grouper, &changes[i]))
			return false;
	for (uint32_t i = 0; i < grouper->groups.count; i++) {
		struct ic_change *change = &grouper->groups.items[i].change;
		if (change->function)
			continue;
		end_side(&change->before, by);
		end_side(&change->after, by);
	}
	return true;
}

bool ic_changes_group(const struct ic_grouping *grouping, struct ic_changed_function *changes,
		      uint32_t *count)
{
	struct grouper grouper = { .grouping = grouping };
	bool ok = make_groups(&grouper, changes, *count);

	if (ok && *count > 0) {
		*count = grouper.groups.count;
		memcpy(changes, grouper.groups.items, *count * sizeof(*changes));
	}
	IC_ARRAY_FREE(&grouper.groups);
	ic_byte_pool_free(&grouper.keys);
	ic_byte_map_free(&grouper.directories);
	return ok;
}
