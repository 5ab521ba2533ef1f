#include "process/space.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"
#include "base/sort.h"
#include "process/kernel.h"
#include "process/proc_maps.h"

// ---- Mappings

static void free_mappings(struct ic_space *space, struct ic_space_mappings *mappings)
{
	for (uint32_t i = 0; i < mappings->list.count; i++)
		ic_module_release(space->modules, mappings->list.items[i].module);
	IC_ARRAY_FREE(&mappings->list);
}

static bool push_mapping(struct ic_space_mappings *mappings, struct ic_mapped_code mapping)
{
	return IC_ARRAY_ADD(&mappings->list, mapping);
}

// The rests of a mapping on both sides of a new one; empty ones do not count.
static uint32_t cut_out(struct ic_mapped_code parts[2], const struct ic_mapped_code *old,
			const struct ic_mapped_code *new)
{
	parts[0] = parts[1] = *old;
	if (parts[0].end > new->start)
		parts[0].end = new->start;
	if (parts[1].start < new->end) {
		parts[1].offset += new->end - parts[1].start;
		parts[1].start = new->end;
	}
	return (parts[0].start < parts[0].end) + (parts[1].start < parts[1].end);
}

// Builds the mappings with a new one inserted; references are not changed. False if memory runs
// out.
static bool put_among(struct ic_space_mappings *to, const struct ic_space_mappings *old,
		      const struct ic_mapped_code *new)
{
	struct ic_mapped_code parts[2];
	bool is_put = false, ok = true;

	for (uint32_t i = 0; ok && i < old->list.count; i++) {
		cut_out(parts, &old->list.items[i], new);
		if (parts[0].start < parts[0].end)
			ok = push_mapping(to, parts[0]);
		if (ok && !is_put && old->list.items[i].end > new->start)
			ok = is_put = push_mapping(to, *new);
		if (ok && parts[1].start < parts[1].end)
			ok = push_mapping(to, parts[1]);
	}
	return ok && (is_put || push_mapping(to, *new));
}

static bool insert_mapping(struct ic_space *space, const struct ic_mapped_code *new)
{
	struct ic_space_mappings *old = &space->mappings, mappings = { .list = { 0 } };
	struct ic_mapped_code parts[2];

	if (!put_among(&mappings, old, new)) {
		IC_ARRAY_FREE(&mappings.list);
		return false;
	}
	ic_module_share(space->modules, new->module);
	for (uint32_t i = 0; i < old->list.count; i++) {
		struct ic_module *module = old->list.items[i].module;
		uint32_t left = cut_out(parts, &old->list.items[i], new);
		if (left == 0)
			ic_module_release(space->modules, module);
		else if (left == 2)
			ic_module_share(space->modules, module);
	}
	IC_ARRAY_FREE(&old->list);
	*old = mappings;
	return true;
}

const struct ic_mapped_code *ic_space_mapping_find(const struct ic_space_mappings *mappings,
						   uint64_t addr)
{
	uint32_t first = ic_search_up_to(mappings->list.items, sizeof(struct ic_mapped_code),
					 mappings->list.count, addr);
	const struct ic_mapped_code *found = first > 0 ? &mappings->list.items[first - 1] : NULL;
	return found && addr < found->end ? found : NULL;
}

struct ic_space *ic_space_new(struct ic_modules *modules, struct ic_error *err)
{
	struct ic_space *space = calloc(1, sizeof(*space));
	struct ic_error unwanted;

	if (!space || pthread_rwlock_init(&space->lock, NULL) != 0) {
		free(space);
		ic_fail_memory(err ? err : &unwanted);
		return NULL;
	}
	space->modules = modules;
	return space;
}

void ic_space_free(struct ic_space *space)
{
	if (!space)
		return;
	free_mappings(space, &space->mappings);
	ic_kernel_names_release(space->names);
	pthread_rwlock_destroy(&space->lock);
	free(space);
}

// Adds a mapping of the module with this key.
static bool add_mapping(struct ic_space *space, struct ic_mapped_code new,
			const struct ic_module_key *key)
{
	new.module = ic_module_take(space->modules, key);
	if (!new.module)
		return false;
	pthread_rwlock_wrlock(&space->lock);
	bool ok = insert_mapping(space, &new);
	pthread_rwlock_unlock(&space->lock);
	ic_module_release(space->modules, new.module);
	return ok;
}

bool ic_space_add_memory(struct ic_space *space, uint64_t start, uint64_t end, const char *name,
			 struct ic_bytes file)
{
	const struct ic_module_key key = { .path = name,
					   .memory = file,
					   .has_file = file.size > 0 };

	return add_mapping(space, (struct ic_mapped_code){ .start = start, .end = end }, &key);
}

bool ic_space_add_start(struct ic_space *space, const struct ic_space_mapping *mapping,
			struct ic_bytes start, struct ic_error *err)
{
	uint64_t last;

	if (!mapping->path || mapping->start >= mapping->end ||
	    __builtin_add_overflow(mapping->offset, mapping->end - mapping->start, &last))
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "%s: 0x%" PRIx64 " to 0x%" PRIx64 " from offset 0x%" PRIx64
			       " is not a valid file mapping",
			       mapping->path ? mapping->path : "NULL", mapping->start, mapping->end,
			       mapping->offset);
	const struct ic_module_key key = {
		.path = mapping->path,
		.build_id = { mapping->build_id, mapping->build_id_size },
		.start = start,
		.has_file = true,
	};
	const struct ic_mapped_code new = { .start = mapping->start,
					    .end = mapping->end,
					    .offset = mapping->offset,
					    .has_addr = mapping->has_addr };
	return add_mapping(space, new, &key) || ic_fail_memory(err);
}

bool ic_space_add(struct ic_space *space, const struct ic_space_mapping *mapping,
		  struct ic_error *err)
{
	struct ic_error unwanted;

	return ic_space_add_start(space, mapping, (struct ic_bytes){ NULL, 0 },
				  err ? err : &unwanted);
}

bool ic_space_code_at(struct ic_space *space, uint64_t addr, struct ic_space_code *code)
{
	pthread_rwlock_rdlock(&space->lock);
	const struct ic_mapped_code *mapping = ic_space_mapping_find(&space->mappings, addr);
	if (mapping) {
		*code = (struct ic_space_code){
			mapping->start,    mapping->end,    mapping->offset,
			mapping->has_addr, mapping->module, mapping->place
		};
		ic_module_share(space->modules, code->module);
	}
	pthread_rwlock_unlock(&space->lock);
	return mapping;
}

bool ic_space_locate(struct ic_space *space, uint64_t addr, struct ic_space_place *place)
{
	struct ic_space_code code;

	if (!ic_space_code_at(space, addr, &code))
		return false;
	const struct ic_module_key *key = ic_module_key(code.module);
	struct ic_bytes id;
	bool ok = key->has_file &&
		  ic_module_identify(space->modules, code.module, &code.place, &id);
	if (ok)
		*place = (struct ic_space_place){ .path = key->path,
						  .offset = code.offset + (addr - code.start),
						  .is_addr = code.has_addr,
						  .build_id = id.size > 0 ? id.data : NULL,
						  .build_id_size = id.size };
	ic_module_release(space->modules, code.module);
	return ok;
}

void ic_space_set_kernel(struct ic_space *space, struct ic_space *kernel)
{
	pthread_rwlock_wrlock(&space->lock);
	space->kernel = kernel;
	pthread_rwlock_unlock(&space->lock);
}

// Replaces the mappings and names of a space.
static void replace_mappings(struct ic_space *space, struct ic_space_mappings *mappings,
			     struct ic_kernel_names *names)
{
	pthread_rwlock_wrlock(&space->lock);
	struct ic_space_mappings old = space->mappings;
	struct ic_kernel_names *old_names = space->names;
	space->mappings = *mappings;
	space->names = ic_kernel_names_hold(names);
	pthread_rwlock_unlock(&space->lock);
	ic_kernel_names_release(old_names);
	*mappings = old;
}

// ---- Of a process

enum { MOST_MEMORY = 1 << 20 }; // of the vDSO, which takes a few pages

// Copies memory of a process; empty if it cannot be read. False if memory runs out.
static bool read_memory(struct ic_bytes *bytes, int pid, const struct ic_map_line *map)
{
	size_t size = (size_t)(map->end - map->start);
	char path[64];

	*bytes = (struct ic_bytes){ NULL, 0 };
	if (map->end - map->start > MOST_MEMORY)
		return true;
	uint8_t *copy = malloc(size);
	if (!copy)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	FILE *memory = fopen(path, "rbe");
	bool ok = memory || errno != ENOMEM;
	if (memory && fseeko(memory, (off_t)map->start, SEEK_SET) == 0)
		*bytes = (struct ic_bytes){ copy, fread(copy, 1, size, memory) };
	if (memory)
		fclose(memory);
	if (bytes->size > 0)
		return true;
	free(copy);
	*bytes = (struct ic_bytes){ NULL, 0 };
	return ok;
}

// Takes the module of a code mapping, and adds the mapping. False if memory runs out.
static bool add_line(struct ic_space *space, struct ic_space_mappings *mappings, int pid,
		     const struct ic_map_line *map)
{
	bool is_vdso = strcmp(map->name, "[vdso]") == 0;
	struct ic_module_key key = { .path = map->name,
				     .device = map->device,
				     .inode = map->inode,
				     .has_file = map->name[0] == '/' && map->inode != 0 };

	if (is_vdso && !read_memory(&key.memory, pid, map))
		return false;
	key.has_file |= key.memory.size > 0;
	struct ic_mapped_code new = { map->start,
				      map->end,
				      is_vdso ? 0 : map->offset,
				      ic_module_take(space->modules, &key),
				      { pid, map->start, map->end },
				      false };
	free((uint8_t *)key.memory.data);
	if (!new.module)
		return false;
	if (push_mapping(mappings, new))
		return true;
	ic_module_release(space->modules, new.module);
	return false;
}

static bool read_maps(struct ic_space *space, struct ic_space_mappings *mappings, int pid,
		      FILE *file, struct ic_error *err)
{
	struct ic_map_line map;
	char *line = NULL;
	size_t capacity = 0;
	uint64_t end = 0, lines = 0;
	bool ok = true;

	// The kernel sorts them; anything out of order is not from a kernel.
	for (; ok && getline(&line, &capacity, file) >= 0; lines++)
		if (ic_map_line_parse(&map, line) && map.is_code && map.start >= end) {
			ok = add_line(space, mappings, pid, &map) || ic_fail_memory(err);
			end = map.end;
		}
	if (ok && !feof(file))
		ok = errno == ENOMEM ? ic_fail_memory(err)
				     : ic_fail_system(err, "read", "the mappings of the process");
	if (ok && lines == 0)
		ok = ic_fail(err, IC_ERROR_SYSTEM,
			     "/proc/%d/maps: empty: the process has exited or is a kernel thread",
			     pid);
	free(line);
	return ok;
}

bool ic_space_read_process(struct ic_space *space, int pid, struct ic_error *err)
{
	struct ic_space_mappings mappings = { .list = { 0 } };
	struct ic_error unwanted;
	char path[64];

	if (!err)
		err = &unwanted;
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return ic_fail_system(err, "open", path);
	bool ok = read_maps(space, &mappings, pid, file, err);
	fclose(file);
	if (ok)
		replace_mappings(space, &mappings, NULL);
	free_mappings(space, &mappings);
	return ok;
}

// ---- Of the kernel

// Code already in another part is not added again: freed code may appear in both. False if memory
// runs out.
static bool map_kernel(struct ic_space *space, struct ic_space_mappings *mappings,
		       const struct ic_kernel *kernel)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < kernel->parts.count; i++) {
		const struct ic_kernel_part *part = &kernel->parts.items[i];
		uint64_t start = part->start > end ? part->start : end;
		const struct ic_mapped_code new = {
			start,        part->end,    part->addr + (start - part->start),
			part->module, { .pid = 0 }, true
		};
		if (start >= part->end)
			continue;
		if (!push_mapping(mappings, new))
			return false;
		ic_module_share(space->modules, part->module);
		end = part->end;
	}
	return true;
}

bool ic_space_read_kernel(struct ic_space *space, const struct ic_space_kernel_options *options,
			  struct ic_error *err)
{
	struct ic_space_mappings mappings = { .list = { 0 } };
	struct ic_kernel kernel = { .parts = { 0 } };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	bool ok = ic_kernel_read(&kernel, space->modules, options, err) &&
		  (map_kernel(space, &mappings, &kernel) || ic_fail_memory(err));
	if (ok)
		replace_mappings(space, &mappings, kernel.names);
	ic_kernel_free(&kernel, space->modules);
	free_mappings(space, &mappings);
	return ok;
}
