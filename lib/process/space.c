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

struct mapping {
	uint64_t start, end;
	uint64_t offset;          // in the file, or an address as the file numbers it
	struct ic_module *module; // taken
	struct ic_module_place place;
	bool has_addr;
};

struct mappings { // sorted, none overlaps another
	IC_ARRAY(struct mapping) list;
};

struct ic_space {
	struct ic_modules *modules;
	pthread_rwlock_t lock; // of what follows
	struct mappings mappings;
	struct ic_kernel_names *names; // of what is not mapped, if it is a kernel's; else NULL
};

// ---- Mappings

static void free_mappings(struct ic_space *space, struct mappings *mappings)
{
	for (uint32_t i = 0; i < mappings->list.count; i++)
		ic_module_release(space->modules, mappings->list.items[i].module);
	IC_ARRAY_FREE(&mappings->list);
}

static bool push(struct mappings *mappings, struct mapping mapping)
{
	return IC_ARRAY_ADD(&mappings->list, mapping);
}

// What is left of a mapping on both sides of another one: of those parts each that is not empty
// counts.
static uint32_t cut_out(struct mapping parts[2], const struct mapping *old,
			const struct mapping *new)
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

// The mappings that there are once a new one has its place; of none the references are changed.
// False if memory is out.
static bool put_among(struct mappings *to, const struct mappings *old, const struct mapping *new)
{
	struct mapping parts[2];
	bool is_put = false, ok = true;

	for (uint32_t i = 0; ok && i < old->list.count; i++) {
		cut_out(parts, &old->list.items[i], new);
		if (parts[0].start < parts[0].end)
			ok = push(to, parts[0]);
		if (ok && !is_put && old->list.items[i].end > new->start)
			ok = is_put = push(to, *new);
		if (ok && parts[1].start < parts[1].end)
			ok = push(to, parts[1]);
	}
	return ok && (is_put || push(to, *new));
}

static bool insert(struct ic_space *space, const struct mapping *new)
{
	struct mappings *old = &space->mappings, mappings = { .list = { 0 } };
	struct mapping parts[2];

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

static const struct mapping *find_mapping(const struct mappings *mappings, uint64_t addr)
{
	uint32_t first = ic_search_up_to(mappings->list.items, sizeof(struct mapping),
					 mappings->list.count, addr);
	const struct mapping *found = first > 0 ? &mappings->list.items[first - 1] : NULL;
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

// Adds a mapping of the module that has this key.
static bool add(struct ic_space *space, struct mapping new, const struct ic_module_key *key)
{
	new.module = ic_module_take(space->modules, key);
	if (!new.module)
		return false;
	pthread_rwlock_wrlock(&space->lock);
	bool ok = insert(space, &new);
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

	return add(space, (struct mapping){ .start = start, .end = end }, &key);
}

bool ic_space_add_start(struct ic_space *space, const struct ic_space_mapping *mapping,
			struct ic_bytes start, struct ic_error *err)
{
	uint64_t last;

	if (!mapping->path || mapping->start >= mapping->end ||
	    __builtin_add_overflow(mapping->offset, mapping->end - mapping->start, &last))
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "%s: 0x%" PRIx64 " to 0x%" PRIx64 " from offset 0x%" PRIx64
			       " is no mapping of a file",
			       mapping->path ? mapping->path : "NULL", mapping->start, mapping->end,
			       mapping->offset);
	const struct ic_module_key key = {
		.path = mapping->path,
		.build_id = { mapping->build_id, mapping->build_id_size },
		.start = start,
		.has_file = true,
	};
	const struct mapping new = { .start = mapping->start,
				     .end = mapping->end,
				     .offset = mapping->offset,
				     .has_addr = mapping->has_addr };
	return add(space, new, &key) || ic_fail_memory(err);
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
	const struct mapping *mapping = find_mapping(&space->mappings, addr);
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

struct ic_modules *ic_space_modules(const struct ic_space *space)
{
	return space->modules;
}

// Gives the space these mappings and names, instead of those that it had.
static void replace(struct ic_space *space, struct mappings *mappings,
		    struct ic_kernel_names *names)
{
	pthread_rwlock_wrlock(&space->lock);
	struct mappings old = space->mappings;
	struct ic_kernel_names *old_names = space->names;
	space->mappings = *mappings;
	space->names = ic_kernel_names_hold(names);
	pthread_rwlock_unlock(&space->lock);
	ic_kernel_names_release(old_names);
	*mappings = old;
}

// ---- Of a process

enum { MOST_MEMORY = 1 << 20 }; // of the vDSO, which has a few pages

// Copies memory of a process; empty if it cannot be read. False if memory is out.
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

// Takes the module of a line of code, and adds the mapping. False if memory is out.
static bool add_line(struct ic_space *space, struct mappings *mappings, int pid,
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
	struct mapping new = { map->start,
			       map->end,
			       is_vdso ? 0 : map->offset,
			       ic_module_take(space->modules, &key),
			       { pid, map->start, map->end },
			       false };
	free((uint8_t *)key.memory.data);
	if (!new.module)
		return false;
	if (push(mappings, new))
		return true;
	ic_module_release(space->modules, new.module);
	return false;
}

static bool read_maps(struct ic_space *space, struct mappings *mappings, int pid, FILE *file,
		      struct ic_error *err)
{
	struct ic_map_line map;
	char *line = NULL;
	size_t capacity = 0;
	uint64_t end = 0, lines = 0;
	bool ok = true;

	// The kernel sorts them; one that is not in order would come from no kernel.
	for (; ok && getline(&line, &capacity, file) >= 0; lines++)
		if (ic_map_line_parse(&map, line) && map.is_code && map.start >= end) {
			ok = add_line(space, mappings, pid, &map) || ic_fail_memory(err);
			end = map.end;
		}
	if (ok && !feof(file))
		ok = errno == ENOMEM ? ic_fail_memory(err)
				     : ic_fail_system(err, "read", "the mappings of the process");
	if (ok && lines == 0)
		ok = ic_fail(
			err, IC_ERROR_SYSTEM,
			"/proc/%d/maps: is empty, since the process has ended or is the kernel's",
			pid);
	free(line);
	return ok;
}

bool ic_space_read_process(struct ic_space *space, int pid, struct ic_error *err)
{
	struct mappings mappings = { .list = { 0 } };
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
		replace(space, &mappings, NULL);
	free_mappings(space, &mappings);
	return ok;
}

// ---- Of the kernel

// What another part has already is not taken again, as code that is freed may be said to be. False
// if memory is out.
static bool map_kernel(struct ic_space *space, struct mappings *mappings,
		       const struct ic_kernel *kernel)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < kernel->parts.count; i++) {
		const struct ic_kernel_part *part = &kernel->parts.items[i];
		uint64_t start = part->start > end ? part->start : end;
		const struct mapping new = {
			start,        part->end,    part->addr + (start - part->start),
			part->module, { .pid = 0 }, true
		};
		if (start >= part->end)
			continue;
		if (!push(mappings, new))
			return false;
		ic_module_share(space->modules, part->module);
		end = part->end;
	}
	return true;
}

bool ic_space_read_kernel(struct ic_space *space, const struct ic_space_kernel_options *options,
			  struct ic_error *err)
{
	struct mappings mappings = { .list = { 0 } };
	struct ic_kernel kernel = { .parts = { 0 } };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	bool ok = ic_kernel_read(&kernel, space->modules, options, err) &&
		  (map_kernel(space, &mappings, &kernel) || ic_fail_memory(err));
	if (ok)
		replace(space, &mappings, kernel.names);
	ic_kernel_free(&kernel, space->modules);
	free_mappings(space, &mappings);
	return ok;
}

// ---- Answers

struct found { // of an address
	enum ic_space_status status;
	uint32_t part;   // that it is in; IC_NONE if it is in no mapping
	uint32_t number; // in the stacks of the part, or of the name; IC_NONE if it is in neither
	uint64_t offset, addr;
};

struct part {                     // addresses of one module, one after the other
	struct ic_module *module; // taken; also held if it has a file
	struct ic_module_place place;
	struct ic_module_open open;
	struct ic_stacks *stacks; // of those that are addresses of the file
	uint32_t first, count;    // in the order of the addresses
	uint32_t stack_count;
};

struct named { // of a list of symbols
	const char *owner;
	struct ic_frame frame;
};

struct ic_space_answers {
	struct ic_modules *modules;
	struct found *found; // by number of the address
	IC_ARRAY(struct part) parts;
	IC_ARRAY(struct named) named;
	struct ic_kernel_names *names; // that they are of
};

// Under the lock, of an address that is not mapped. False if memory is out.
static bool find_name(struct ic_space_answers *answers, const struct ic_kernel_names *names,
		      uint64_t addr, struct found *found)
{
	const struct ic_kernel_name *name = ic_kernel_names_find(names, addr);

	if (!name)
		return true;
	struct named *named = IC_ARRAY_PUSH(&answers->named);
	if (!named)
		return false;
	*named = (struct named){
		name->owner, { .function = name->function, .start = name->start, .is_symbol = true }
	};
	found->status = IC_SPACE_SYMBOL;
	found->number = answers->named.count - 1;
	return true;
}

// Under the lock: finds the mappings of sorted addresses. False if memory is out.
static bool find_parts(struct ic_space_answers *answers, const struct ic_space *space,
		       const struct ic_keyed *sorted, uint32_t count)
{
	struct part *part = NULL;

	for (uint32_t i = 0; i < count; i++) {
		struct found *found = &answers->found[sorted[i].number];
		const struct mapping *mapping = find_mapping(&space->mappings, sorted[i].key);
		*found = (struct found){ IC_SPACE_NONE, IC_NONE, IC_NONE, 0, UINT64_MAX };
		if (!mapping) {
			if (!find_name(answers, space->names, sorted[i].key, found))
				return false;
			continue;
		}
		if (!part || part->module != mapping->module) {
			part = IC_ARRAY_PUSH(&answers->parts);
			if (!part)
				return false;
			*part = (struct part){ .module = mapping->module,
					       .place = mapping->place,
					       .first = i };
			ic_module_share(answers->modules, part->module);
		}
		found->part = (uint32_t)(part - answers->parts.items);
		uint64_t at = mapping->offset + (sorted[i].key - mapping->start);
		*(mapping->has_addr ? &found->addr : &found->offset) = at;
		part->count = i + 1 - part->first;
	}
	return true;
}

// Has the addresses of a part looked up in their file. False if memory is out.
static bool look_up(struct ic_space_answers *answers, struct part *part, uint32_t number,
		    const struct ic_keyed *sorted, uint64_t *addrs, struct ic_error *err)
{
	bool has_file = ic_module_key(part->module)->has_file;

	if (has_file)
		part->open = ic_module_hold(answers->modules, part->module, &part->place);
	for (uint32_t i = part->first; i < part->first + part->count; i++) {
		struct found *found = &answers->found[sorted[i].number];
		if (found->part != number) // between two mappings of the module
			continue;
		found->status = !has_file               ? IC_SPACE_NO_FILE
				: part->open.symbolizer ? IC_SPACE_FILE
							: IC_SPACE_UNOPENED;
		if (!part->open.symbolizer ||
		    (found->addr == UINT64_MAX &&
		     !ic_image_addr_of_offset(part->open.image, found->offset, &found->addr)))
			continue;
		found->number = part->stack_count;
		addrs[part->stack_count++] = found->addr;
	}
	if (part->stack_count > 0)
		part->stacks = ic_stacks_find(part->open.symbolizer, addrs, part->stack_count, err);
	return part->stack_count == 0 || part->stacks;
}

static bool find_all(struct ic_space_answers *answers, struct ic_space *space,
		     const uint64_t *addrs, uint32_t count, struct ic_error *err)
{
	struct ic_keyed *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	uint64_t *in_file = ic_items_alloc(count + 1ull, sizeof(*in_file));

	answers->found = ic_items_alloc(count + 1ull, sizeof(*answers->found));
	for (uint32_t i = 0; sorted && i < count; i++)
		sorted[i] = (struct ic_keyed){ addrs[i], i };
	bool ok = sorted && in_file && answers->found && ic_keyed_sort(sorted, count);
	if (ok) {
		pthread_rwlock_rdlock(&space->lock);
		ok = find_parts(answers, space, sorted, count);
		answers->names = ic_kernel_names_hold(space->names);
		pthread_rwlock_unlock(&space->lock);
	}
	ok = ok || ic_fail_memory(err);
	for (uint32_t i = 0; ok && i < answers->parts.count; i++)
		ok = look_up(answers, &answers->parts.items[i], i, sorted, in_file, err);
	free(sorted);
	free(in_file);
	return ok;
}

static IC_COLD struct ic_space_answers *find_without_error(struct ic_space *space,
							   const uint64_t *addrs, size_t count)
{
	struct ic_error unwanted;

	return ic_space_find(space, addrs, count, &unwanted);
}

struct ic_space_answers *ic_space_find(struct ic_space *space, const uint64_t *addrs, size_t count,
				       struct ic_error *err)
{
	if (!err)
		return find_without_error(space, addrs, count);
	struct ic_space_answers *answers = calloc(1, sizeof(*answers));
	if (!answers) {
		ic_fail_memory(err);
		return NULL;
	}
	answers->modules = space->modules;
	bool ok = count < UINT32_MAX
			  ? find_all(answers, space, addrs, (uint32_t)count, err)
			  : ic_fail(err, IC_ERROR_ARGUMENT,
				    "%zu addresses are too many to be found at once", count);
	if (ok)
		return answers;
	ic_space_answers_free(answers);
	return NULL;
}

void ic_space_answers_get(const struct ic_space_answers *answers, size_t number,
			  struct ic_space_answer *answer)
{
	const struct found *found = &answers->found[number];

	*answer = (struct ic_space_answer){ .status = found->status,
					    .lookup = IC_LOOKUP_OUTSIDE,
					    .addr = found->addr,
					    .offset = found->offset };
	if (found->status == IC_SPACE_SYMBOL) {
		const struct named *named = &answers->named.items[found->number];
		answer->lookup = IC_LOOKUP_NO_DEBUG;
		answer->path = named->owner;
		answer->frames = &named->frame;
		answer->frame_count = 1;
	}
	if (found->part == IC_NONE)
		return;
	const struct part *part = &answers->parts.items[found->part];
	answer->path = ic_module_key(part->module)->path;
	answer->reason = part->open.reason;
	answer->symbolizer = part->open.symbolizer;
	if (found->number == IC_NONE)
		return;
	answer->frame_count = ic_stacks_get(part->stacks, found->number, &answer->frames);
	answer->lookup = ic_stacks_status(part->stacks, found->number);
}

void ic_space_answers_free(struct ic_space_answers *answers)
{
	if (!answers)
		return;
	for (uint32_t i = 0; i < answers->parts.count; i++) {
		struct part *part = &answers->parts.items[i];
		ic_stacks_free(part->stacks);
		if (part->open.symbolizer || part->open.reason)
			ic_module_let_go(answers->modules, part->module);
		ic_module_release(answers->modules, part->module);
	}
	IC_ARRAY_FREE(&answers->parts);
	IC_ARRAY_FREE(&answers->named);
	ic_kernel_names_release(answers->names);
	free(answers->found);
	free(answers);
}
