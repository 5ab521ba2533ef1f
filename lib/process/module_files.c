#include <inlinecall/extra/module_files.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/search.h"

enum { MOST_DEPTH = 32, MOST_NAME_SIZE = 128 };

struct ic_module_files {
	IC_ARRAY(struct ic_module_file) list;
	struct ic_arena arena; // owns the texts
	bool is_sorted;
};

struct ic_module_files *ic_module_files_new(struct ic_error *err)
{
	struct ic_module_files *files = calloc(1, sizeof(*files));
	struct ic_error unwanted;

	if (!files)
		ic_fail_memory(err ? err : &unwanted);
	return files;
}

void ic_module_files_free(struct ic_module_files *files)
{
	if (!files)
		return;
	IC_ARRAY_FREE(&files->list);
	ic_arena_free(&files->arena);
	free(files);
}

// ---- Adding

bool ic_module_files_add(struct ic_module_files *files, const char *path, unsigned rank,
			 struct ic_error *err)
{
	char name[MOST_NAME_SIZE];
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!ic_module_name(path, strlen(path), name, sizeof(name)))
		return ic_fail(err, IC_ERROR_ARGUMENT, "%s: not the name of a kernel module file",
			       path);
	const struct ic_module_file file = {
		.path = ic_arena_copy(&files->arena, path, strlen(path) + 1, 1),
		.name = ic_arena_copy(&files->arena, name, strlen(name) + 1, 1),
		.rank = rank,
	};
	struct ic_module_file *added = file.path && file.name ? IC_ARRAY_PUSH(&files->list) : NULL;
	if (!added)
		return ic_fail_memory(err);
	*added = file;
	files->is_sorted = false;
	return true;
}

// Besides modules, a build leaves many files with ".ko" in their names.
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

struct walk {
	struct ic_module_files *files;
	unsigned rank;
	void (*left_out)(void *context, const char *directory, const struct ic_error *err);
	void *context;
	char name[MOST_NAME_SIZE];
};

static bool leave_out(const struct walk *walk, const char *directory, const struct ic_error *err)
{
	if (walk->left_out)
		walk->left_out(walk->context, directory, err);
	return false;
}

// The next entry; NULL with errno 0 at the end.
static struct dirent *next_entry(DIR *entries)
{
	errno = 0;
	return readdir(entries);
}

static bool walk_directory(struct walk *walk, const char *directory, unsigned depth)
{
	DIR *entries = opendir(directory);
	struct ic_error err;
	char path[PATH_MAX];
	bool ok = true;

	if (!entries && errno != ENOENT && errno != ENOTDIR) {
		ic_fail_system(&err, "open", directory);
		return leave_out(walk, directory, &err);
	}
	for (struct dirent *entry; entries && (entry = next_entry(entries));) {
		int size = snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (size < 0 || (size_t)size >= sizeof(path) ||
		    (depth == MOST_DEPTH && is_directory(path, entry->d_type))) {
			ic_fail(&err, IC_ERROR_UNSUPPORTED, "%s/%s: path is too long or too deep",
				directory, entry->d_name);
			ok = leave_out(walk, directory, &err);
			continue;
		}
		if (is_directory(path, entry->d_type))
			ok &= walk_directory(walk, path, depth + 1);
		else if (is_module_file(entry->d_name) &&
			 ic_module_name(path, (size_t)size, walk->name, sizeof(walk->name)) &&
			 !ic_module_files_add(walk->files, path, walk->rank, &err))
			ok = leave_out(walk, directory, &err);
	}
	if (entries && errno != 0) {
		ic_fail_system(&err, "read", directory);
		ok = leave_out(walk, directory, &err);
	}
	if (entries)
		closedir(entries);
	return ok;
}

bool ic_module_files_add_directory(struct ic_module_files *files, const char *directory,
				   unsigned rank,
				   void (*left_out)(void *context, const char *directory,
						    const struct ic_error *err),
				   void *context)
{
	struct walk walk = {
		.files = files, .rank = rank, .left_out = left_out, .context = context
	};

	return walk_directory(&walk, directory, 0);
}

// ---- Finding

static int compare_files(const void *one, const void *other)
{
	const struct ic_module_file *first = one, *second = other;
	int order = strcmp(first->name, second->name);

	if (order == 0)
		order = (first->rank > second->rank) - (first->rank < second->rank);
	return order != 0 ? order : strcmp(first->path, second->path);
}

// A named directory may be inside another one.
static void sort_files(struct ic_module_files *files)
{
	struct ic_module_file *items = files->list.items;
	uint32_t kept = 0;

	qsort(items, files->list.count, sizeof(*items), compare_files);
	for (uint32_t i = 0; i < files->list.count; i++) {
		struct ic_module_file *last = kept > 0 ? &items[kept - 1] : NULL;
		if (last && compare_files(last, &items[i]) == 0)
			last->is_taken |= items[i].is_taken;
		else
			items[kept++] = items[i];
	}
	files->list.count = kept;
	files->is_sorted = true;
}

size_t ic_module_files_count(const struct ic_module_files *files)
{
	return files->list.count;
}

struct ic_module_file *ic_module_files_get(struct ic_module_files *files, size_t number)
{
	return &files->list.items[number];
}

struct ic_module_file *ic_module_files_find(struct ic_module_files *files, struct ic_span name,
					    size_t *count)
{
	char wanted[MOST_NAME_SIZE];
	uint32_t first, end;

	*count = 0;
	if (name.size >= sizeof(wanted) || files->list.count == 0)
		return NULL;
	for (size_t i = 0; i < name.size; i++)
		wanted[i] = name.text[i] == '-' ? '_' : name.text[i];
	wanted[name.size] = 0;
	if (!files->is_sorted)
		sort_files(files);
	IC_SEARCH(first, files->list.count, at, strcmp(files->list.items[at].name, wanted) < 0);
	for (end = first;
	     end < files->list.count && strcmp(files->list.items[end].name, wanted) == 0;)
		end++;
	*count = end - first;
	return end > first ? &files->list.items[first] : NULL;
}
