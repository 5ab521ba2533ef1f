#include "module_paths.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <inlinecall/placement.h>

#include "cli.h"

enum { MOST_DEPTH = 32 };

static bool fail_memory(void)
{
	cli_complain("out of memory");
	return false;
}

bool cli_module_paths_add(struct cli_module_paths *paths, const char *path, const char *name,
			  unsigned stage)
{
	if (paths->count == paths->capacity) {
		size_t capacity = paths->capacity * 2 + 16;
		struct cli_module_path *items =
			realloc(paths->items, capacity * sizeof(*paths->items));
		if (!items)
			return fail_memory();
		paths->items = items;
		paths->capacity = capacity;
	}
	struct cli_module_path *item = &paths->items[paths->count];
	*item = (struct cli_module_path){ .path = strdup(path), .stage = stage };
	if (!item->path)
		return fail_memory();
	snprintf(item->name, sizeof(item->name), "%s", name);
	paths->count++;
	paths->is_sorted = false;
	return true;
}

// Beside modules, a build leaves much that has ".ko" in its name.
static bool is_module_file(const char *name)
{
	static const char *const ends[] = {
		".ko", ".ko.debug", ".ko.gz", ".ko.xz", ".ko.zst",
	};
	size_t size = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (size > strlen(ends[i]) && name[0] != '.' &&
		    strcmp(name + size - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

static bool is_directory(const char *path, unsigned char type)
{
	struct stat st;

	if (type != DT_UNKNOWN)
		return type == DT_DIR;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool walk(struct cli_module_paths *paths, const char *directory, unsigned stage,
		 unsigned depth)
{
	char path[PATH_MAX], name[CLI_MODULE_NAME_SIZE];
	DIR *entries = opendir(directory);
	bool ok = true;

	if (!entries && errno != ENOENT && errno != ENOTDIR) {
		cli_complain("cannot open %s: %s", directory, strerror(errno));
		return false;
	}
	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		int size = snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    size < 0 || (size_t)size >= sizeof(path))
			continue;
		if (is_directory(path, entry->d_type))
			ok &= depth == MOST_DEPTH || walk(paths, path, stage, depth + 1);
		else if (is_module_file(entry->d_name) &&
			 ic_module_name(path, (size_t)size, name, sizeof(name)))
			ok &= cli_module_paths_add(paths, path, name, stage);
	}
	if (entries)
		closedir(entries);
	return ok;
}

bool cli_module_paths_add_directory(struct cli_module_paths *paths, const char *directory,
				    unsigned stage)
{
	return walk(paths, directory, stage, 0);
}

static int compare(const void *one, const void *other)
{
	const struct cli_module_path *first = one, *second = other;
	int order = strcmp(first->name, second->name);

	if (order == 0)
		order = (first->stage > second->stage) - (first->stage < second->stage);
	return order != 0 ? order : strcmp(first->path, second->path);
}

// A directory that was named may be in another one.
static void sort(struct cli_module_paths *paths)
{
	size_t kept = 0;

	qsort(paths->items, paths->count, sizeof(*paths->items), compare);
	for (size_t i = 0; i < paths->count; i++) {
		struct cli_module_path *last = kept > 0 ? &paths->items[kept - 1] : NULL;
		if (last && compare(last, &paths->items[i]) == 0) {
			last->taken |= paths->items[i].taken;
			free(paths->items[i].path);
		} else {
			paths->items[kept++] = paths->items[i];
		}
	}
	paths->count = kept;
	paths->is_sorted = true;
}

struct cli_module_path *cli_module_paths_find(struct cli_module_paths *paths, struct ic_span name,
					      size_t *count)
{
	char wanted[CLI_MODULE_NAME_SIZE];
	size_t low = 0, high, end;

	*count = 0;
	if (name.size >= sizeof(wanted) || paths->count == 0)
		return NULL;
	for (size_t i = 0; i < name.size; i++)
		wanted[i] = name.text[i] == '-' ? '_' : name.text[i];
	wanted[name.size] = 0;
	if (!paths->is_sorted)
		sort(paths);
	high = paths->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(paths->items[middle].name, wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < paths->count && strcmp(paths->items[end].name, wanted) == 0;)
		end++;
	*count = end - low;
	return paths->items + low;
}

void cli_module_paths_deinit(struct cli_module_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->items[i].path);
	free(paths->items);
	*paths = (struct cli_module_paths){ .items = NULL };
}

bool cli_is_module_name(const char *module, struct ic_span name)
{
	if (name.size != strlen(module) || name.size == 0)
		return false;
	for (size_t i = 0; i < name.size; i++)
		if (module[i] != (name.text[i] == '-' ? '_' : name.text[i]))
			return false;
	return true;
}
