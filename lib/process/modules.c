#include "process/modules.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "elf/files/build_id.h"
#include "elf/files/file_start.h"
#include "elf/image/image.h"
#include "elf/image/image_build_id.h"
#include "text/text.h"

#include <inlinecall/extra/space.h>

struct ic_module {
	struct ic_module_key key; // owned
	pthread_mutex_t opening;
	// Protected by that lock; unchanged while the module is open and held.
	struct ic_module_open open;
	struct ic_arena reasons; // answers may refer to any of them
	const char *last_reason;
	// Where it was last searched for, and how often it had been taken by then.
	struct ic_module_place tried_place;
	uint32_t tried;
	bool is_identified;  // with an extra reference for that
	struct ic_bytes own; // the build ID of the file, if the key has none; owned
	// Protected by the lock of all modules.
	uint32_t takes; // in total
	uint32_t taken, held;
	uint64_t held_last; // value of ic_modules::now
	bool is_open;       // and in the list of open modules
};

struct ic_modules {
	struct ic_modules_options options;
	pthread_mutex_t lock; // protects the rest
	void *by_key;         // a tsearch() tree
	IC_ARRAY(struct ic_module *) open;
	IC_ARRAY(struct ic_module *) kept; // with an extra reference, until all are freed
	uint64_t now;                      // counts holds
};

// ---- What a module is known by

static int compare_bytes(struct ic_bytes a, struct ic_bytes b)
{
	if (a.size != b.size)
		return a.size < b.size ? -1 : 1;
	return a.size > 0 ? memcmp(a.data, b.data, a.size) : 0;
}

static int compare_keys(const void *left, const void *right)
{
	const struct ic_module_key *a = left, *b = right; // a module begins with its key
	int order = strcmp(a->path, b->path);

	if (order == 0)
		order = (a->inode > b->inode) - (a->inode < b->inode);
	if (order == 0)
		order = (a->modified > b->modified) - (a->modified < b->modified);
	if (order == 0)
		order = (a->device > b->device) - (a->device < b->device);
	if (order == 0)
		order = (int)a->has_file - (int)b->has_file;
	if (order == 0)
		order = compare_bytes(a->build_id, b->build_id);
	if (order == 0)
		order = compare_bytes(a->start, b->start);
	return order ? order : compare_bytes(a->memory, b->memory);
}

static bool copy_bytes(struct ic_bytes *bytes)
{
	uint8_t *copy = malloc(bytes->size + 1);

	if (copy && bytes->size > 0)
		memcpy(copy, bytes->data, bytes->size);
	bytes->data = copy;
	return copy != NULL;
}

static void free_module(struct ic_module *module)
{
	ic_symbolizer_free(module->open.symbolizer);
	ic_image_free(module->open.image);
	ic_arena_free(&module->reasons);
	pthread_mutex_destroy(&module->opening);
	free((char *)module->key.path);
	free((uint8_t *)module->key.build_id.data);
	free((uint8_t *)module->own.data);
	free((uint8_t *)module->key.start.data);
	free((uint8_t *)module->key.memory.data);
	free(module);
}

static struct ic_module *new_module(const struct ic_module_key *key)
{
	struct ic_module *module = calloc(1, sizeof(*module));

	if (!module || pthread_mutex_init(&module->opening, NULL) != 0) {
		free(module);
		return NULL;
	}
	module->key = *key;
	module->key.path = strdup(key->path);
	bool has_id = copy_bytes(&module->key.build_id);
	bool has_start = copy_bytes(&module->key.start);
	if (copy_bytes(&module->key.memory) && has_id && has_start && module->key.path)
		return module;
	free_module(module);
	return NULL;
}

static uint64_t modified_time(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * 1000000000 + (uint64_t)st->st_mtim.tv_nsec;
}

void ic_module_key_pin(struct ic_module_key *key)
{
	struct stat st;

	if (stat(key->path, &st) != 0)
		return;
	key->inode = st.st_ino;
	key->modified = modified_time(&st);
}

const struct ic_module_key *ic_module_key(const struct ic_module *module)
{
	return &module->key;
}

// The caller holds the lock.
static struct ic_module *find_module(struct ic_modules *modules, const struct ic_module_key *key)
{
	struct ic_module **found = tfind(key, &modules->by_key, compare_keys);

	if (found)
		return *found;
	struct ic_module *module = new_module(key);
	if (module && tsearch(module, &modules->by_key, compare_keys))
		return module;
	if (module)
		free_module(module);
	return NULL;
}

struct ic_module *ic_module_take(struct ic_modules *modules, const struct ic_module_key *key)
{
	pthread_mutex_lock(&modules->lock);
	struct ic_module *module = find_module(modules, key);
	if (module) {
		module->taken++;
		module->takes++;
	}
	pthread_mutex_unlock(&modules->lock);
	return module;
}

void ic_module_share(struct ic_modules *modules, struct ic_module *module)
{
	pthread_mutex_lock(&modules->lock);
	module->taken++;
	pthread_mutex_unlock(&modules->lock);
}

// Forgets an unreferenced module. The caller holds the lock.
static void forget_unused(struct ic_modules *modules, struct ic_module *module)
{
	if (module->taken > 0 || module->held > 0 || module->is_open)
		return;
	tdelete(module, &modules->by_key, compare_keys);
	free_module(module);
}

void ic_module_release(struct ic_modules *modules, struct ic_module *module)
{
	pthread_mutex_lock(&modules->lock);
	module->taken--;
	forget_unused(modules, module);
	pthread_mutex_unlock(&modules->lock);
}

// ---- Opening

static bool is_file_of(int fd, const struct ic_module_key *key)
{
	struct stat st;

	if (key->inode == 0)
		return true;
	return fstat(fd, &st) == 0 && st.st_ino == key->inode &&
	       (key->modified == 0 || modified_time(&st) == key->modified);
}

// Opens the file as the process sees it: it may have been deleted since, or be in another mount
// namespace. -1 if the process has ended, or we may not inspect it.
static int open_mapped(const struct ic_module *module, const struct ic_module_place *place)
{
	enum { MAP_FILE, ROOT, PROGRAM, WAYS }; // the first needs privileges
	char path[64 + 4096];

	for (int way = 0; place->pid > 0 && way < WAYS; way++) {
		int length = snprintf(path, sizeof(path), "/proc/%d/", place->pid);
		char *rest = path + length;
		size_t room = sizeof(path) - (size_t)length;
		switch (way) {
		case MAP_FILE:
			snprintf(rest, room, "map_files/%" PRIx64 "-%" PRIx64, place->start,
				 place->end);
			break;
		case ROOT: snprintf(rest, room, "root%s", module->key.path); break;
		case PROGRAM: snprintf(rest, room, "exe"); break;
		}
		int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0 && is_file_of(fd, &module->key))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

// Gets the file from the caller's open_file; -1 if it returns none.
static int ask_for_file(const struct ic_modules *modules, const struct ic_module_key *key)
{
	const struct ic_modules_options *options = &modules->options;

	return options->open_file
		       ? options->open_file(options->open_context, key->path,
					    key->build_id.size > 0 ? key->build_id.data : NULL,
					    key->build_id.size)
		       : -1;
}

// Finds the file of a module. Returns a descriptor, or -1.
static int find_file(const struct ic_modules *modules, const struct ic_module *module,
		     const struct ic_module_place *place, struct ic_error *err)
{
	const struct ic_module_key *key = &module->key;
	int fd = ask_for_file(modules, key);

	if (fd >= 0)
		return fd;
	fd = open_mapped(module, place);
	if (fd < 0)
		fd = open(key->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		ic_fail_system(err, "open", key->path);
		return -1;
	}
	if (is_file_of(fd, key))
		return fd;
	if (key->modified != 0)
		ic_fail(err, IC_ERROR_NO_DEBUG,
			"%s: not the file that was placed: it has been replaced or modified",
			key->path);
	else
		ic_fail(err, IC_ERROR_NO_DEBUG,
			"%s: not the file that was mapped, which had inode %" PRIu64, key->path,
			key->inode);
	close(fd);
	return -1;
}

static struct ic_image *open_file(const struct ic_modules *modules, const struct ic_module *module,
				  const struct ic_module_place *place, struct ic_error *err)
{
	const struct ic_image_options *options = &modules->options.image;
	const struct ic_module_key *key = &module->key;

	if (key->memory.size > 0)
		return ic_image_open_memory(key->memory.data, key->memory.size, key->path, options,
					    err);
	int fd = find_file(modules, module, place, err);
	if (fd < 0)
		return NULL;
	struct ic_image *image = ic_image_open_fd(fd, key->path, options, err);
	close(fd);
	return image;
}

// Reads the build ID of the file. False if memory runs out. The caller holds the module's lock.
static bool read_build_id(const struct ic_modules *modules, struct ic_module *module,
			  const struct ic_module_place *place)
{
	const struct ic_module_key *key = &module->key;
	bool is_in_memory = key->memory.size > 0;
	struct ic_elf_file file;
	struct ic_error err;

	if (module->open.image) {
		module->own = ic_build_id_find(&module->open.image->file);
		return copy_bytes(&module->own);
	}
	int fd = is_in_memory ? -1 : find_file(modules, module, place, &err);
	if (fd < 0 && !is_in_memory)
		return true;
	const struct ic_place from = { .name = key->path,
				       .path = key->path,
				       .size = IC_PLACE_TO_END,
				       // A non-NULL pointer is the file, even if it is empty.
				       .bytes = { is_in_memory ? key->memory.data : NULL,
						  key->memory.size },
				       .has_fd = fd >= 0,
				       .fd = fd,
				       .is_read = modules->options.image.read_files };
	bool ok = ic_elf_file_open_place(&file, &from, &err);
	if (fd >= 0)
		close(fd);
	if (!ok)
		return err.code != IC_ERROR_MEMORY;
	module->own = ic_build_id_find(&file);
	ok = copy_bytes(&module->own);
	ic_elf_file_close(&file);
	return ok;
}

// Keeps a module until the modules are freed. False if memory runs out.
static bool keep_module(struct ic_modules *modules, struct ic_module *module)
{
	pthread_mutex_lock(&modules->lock);
	bool ok = IC_ARRAY_ADD(&modules->kept, module);
	module->taken += ok;
	pthread_mutex_unlock(&modules->lock);
	return ok;
}

bool ic_module_identify(struct ic_modules *modules, struct ic_module *module,
			const struct ic_module_place *place, struct ic_bytes *id)
{
	bool ok = true;

	pthread_mutex_lock(&module->opening);
	bool is_first = !module->is_identified;
	if (is_first && module->key.build_id.size == 0)
		ok = read_build_id(modules, module, place);
	ok = ok && (!is_first || keep_module(modules, module));
	module->is_identified |= ok;
	*id = module->key.build_id.size > 0 ? module->key.build_id : module->own;
	pthread_mutex_unlock(&module->opening);
	return ok;
}

// Whether the file is the build that was mapped, as far as known.
static bool is_build_of(const struct ic_image *image, const struct ic_module_key *key,
			struct ic_error *err)
{
	char own[IC_BUILD_ID_TEXT_SIZE], wanted[IC_BUILD_ID_TEXT_SIZE];
	struct ic_bytes id = ic_build_id_find(&image->file);

	if (key->build_id.size > 0 && compare_bytes(id, key->build_id) != 0)
		return ic_fail(err, IC_ERROR_NO_DEBUG, "%s: build ID is %s, but the mapping has %s",
			       key->path, ic_build_id_text(id, own),
			       ic_build_id_text(key->build_id, wanted));
	return ic_elf_file_starts_as(&image->file, key->start, key->build_id.size > 0) ||
	       ic_fail(err, IC_ERROR_NO_DEBUG,
		       "%s: not the file that was mapped: its headers or notes differ from those "
		       "in memory",
		       key->path);
}

// Opens the file at the module's path; or, if that is another build than the known one, searches by
// build ID. On NULL, the error is about the path.
static struct ic_image *open_build(const struct ic_modules *modules, const struct ic_module *module,
				   const struct ic_module_place *place, struct ic_error *err)
{
	const struct ic_image_options *options = &modules->options.image;
	struct ic_image *image = open_file(modules, module, place, err);
	struct ic_error of_id;

	if (image && is_build_of(image, &module->key, err))
		return image;
	ic_image_free(image);
	if (module->key.build_id.size == 0 || err->code == IC_ERROR_MEMORY)
		return NULL;
	image = ic_image_open_program(module->key.build_id, options, &of_id);
	if (image && is_build_of(image, &module->key, &of_id))
		return image;
	ic_image_free(image);
	if (of_id.code == IC_ERROR_MEMORY)
		*err = of_id;
	else if (options->debuginfod)
		ic_text_append(err->message, sizeof(err->message), "; debuginfod: %.150s",
			       of_id.message);
	return NULL;
}

// The caller holds the module's lock.
static void open_module(const struct ic_modules *modules, struct ic_module *module,
			const struct ic_module_place *place)
{
	struct ic_module_open *open = &module->open;
	struct ic_error err;

	*open = (struct ic_module_open){ .image = NULL };
	open->image = open_build(modules, module, place, &err);
	if (open->image)
		open->symbolizer =
			ic_symbolizer_new(open->image, &modules->options.symbolizer, &err);
	if (open->symbolizer)
		return;
	ic_image_free(open->image);
	open->image = NULL;
	open->code = err.code;
	// It may be tried any number of times, and mostly fails for the same reason.
	if (!module->last_reason || strcmp(module->last_reason, err.message) != 0)
		module->last_reason =
			ic_arena_copy(&module->reasons, err.message, strlen(err.message) + 1, 1);
	open->reason = module->last_reason ? module->last_reason : "out of memory";
}

static bool is_same_place(const struct ic_module_place *a, const struct ic_module_place *b)
{
	return a->pid == b->pid && a->start == b->start && a->end == b->end;
}

struct ic_module_open ic_module_hold(struct ic_modules *modules, struct ic_module *module,
				     const struct ic_module_place *place)
{
	pthread_mutex_lock(&modules->lock);
	uint32_t takes = module->takes;
	bool is_listed = module->is_open; // at least until it is no longer held
	module->held++;
	module->held_last = ++modules->now;
	pthread_mutex_unlock(&modules->lock);

	pthread_mutex_lock(&module->opening);
	if (!module->open.symbolizer &&
	    (module->tried != takes || !is_same_place(&module->tried_place, place))) {
		open_module(modules, module, place);
		module->tried = takes;
		module->tried_place = *place;
	}
	struct ic_module_open open = module->open;
	pthread_mutex_unlock(&module->opening);
	if (is_listed || !open.symbolizer)
		return open;

	// If memory runs out here, the next hold adds it.
	pthread_mutex_lock(&modules->lock);
	struct ic_module **slot = module->is_open ? NULL : IC_ARRAY_PUSH(&modules->open);
	if (slot)
		*slot = module;
	module->is_open |= slot != NULL;
	pthread_mutex_unlock(&modules->lock);
	return open;
}

// ---- Closing

// The caller holds the lock.
static uint64_t sum_memory(const struct ic_modules *modules)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < modules->open.count; i++)
		sum += atomic_load_explicit(&modules->open.items[i]->open.image->memory.used,
					    memory_order_relaxed);
	return sum;
}

// The least recently held module that is open and not held; the count if there is none. The caller
// holds the lock.
static uint32_t find_oldest(const struct ic_modules *modules)
{
	uint32_t count = modules->open.count, oldest = count;

	for (uint32_t i = 0; i < count; i++) {
		const struct ic_module *module = modules->open.items[i];
		if (module->held == 0 &&
		    (oldest == count || module->held_last < modules->open.items[oldest]->held_last))
			oldest = i;
	}
	return oldest;
}

// The caller holds the lock, so the module cannot be held meanwhile.
static void close_module(struct ic_modules *modules, uint32_t number)
{
	struct ic_module *module = modules->open.items[number];

	ic_symbolizer_free(module->open.symbolizer);
	ic_image_free(module->open.image);
	module->open = (struct ic_module_open){ .image = NULL };
	module->tried = 0; // takes are counted from 1
	module->is_open = false;
	modules->open.items[number] = modules->open.items[--modules->open.count];
	forget_unused(modules, module);
}

// The caller holds the lock.
static void trim_modules(struct ic_modules *modules, uint64_t memory)
{
	uint32_t oldest;

	while (sum_memory(modules) > memory &&
	       (oldest = find_oldest(modules)) < modules->open.count)
		close_module(modules, oldest);
}

void ic_module_let_go(struct ic_modules *modules, struct ic_module *module)
{
	pthread_mutex_lock(&modules->lock);
	module->held--;
	forget_unused(modules, module);
	if (modules->options.max_memory > 0)
		trim_modules(modules, modules->options.max_memory);
	pthread_mutex_unlock(&modules->lock);
}

// ---- All of them

struct ic_modules *ic_modules_new(const struct ic_modules_options *options, struct ic_error *err)
{
	struct ic_modules *modules = calloc(1, sizeof(*modules));
	struct ic_error unwanted;

	if (!modules || pthread_mutex_init(&modules->lock, NULL) != 0) {
		free(modules);
		ic_fail_memory(err ? err : &unwanted);
		return NULL;
	}
	if (options)
		modules->options = *options;
	return modules;
}

void ic_modules_free(struct ic_modules *modules)
{
	if (!modules)
		return;
	while (modules->open.count > 0)
		close_module(modules, modules->open.count - 1);
	IC_ARRAY_FREE(&modules->open);
	for (uint32_t i = 0; i < modules->kept.count; i++)
		ic_module_release(modules, modules->kept.items[i]);
	IC_ARRAY_FREE(&modules->kept);
	pthread_mutex_destroy(&modules->lock);
	free(modules);
}

const struct ic_image_options *ic_modules_image_options(const struct ic_modules *modules)
{
	return &modules->options.image;
}

uint64_t ic_modules_memory(struct ic_modules *modules)
{
	pthread_mutex_lock(&modules->lock);
	uint64_t sum = sum_memory(modules);
	pthread_mutex_unlock(&modules->lock);
	return sum;
}

void ic_modules_trim(struct ic_modules *modules, uint64_t memory)
{
	pthread_mutex_lock(&modules->lock);
	trim_modules(modules, memory);
	pthread_mutex_unlock(&modules->lock);
}
