#include "profile/profile.h"

#include <stdlib.h>

#define DEFAULT_MEMORY (4ull << 30)

// Bytes for a node and a cell, including their maps, which are at most half full.
enum {
	NODE_BYTES = sizeof(struct ic_profile_node) + 4 * sizeof(struct ic_map_slot),
	CELL_BYTES = sizeof(struct ic_profile_cell) + 4 * sizeof(struct ic_map_slot),
};

struct ic_profile *ic_profile_new(struct ic_modules *modules,
				  const struct ic_profile_options *options, struct ic_error *err)
{
	uint64_t most = options && options->max_memory ? options->max_memory : DEFAULT_MEMORY;
	struct ic_profile *profile = calloc(1, sizeof(*profile));
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!profile) {
		ic_fail_memory(err);
		return NULL;
	}
	if (most > (uint64_t)IC_NONE * CELL_BYTES)
		most = (uint64_t)IC_NONE * CELL_BYTES;
	profile->modules = modules;
	profile->problems.arena = &profile->arena;
	profile->limits.memory = most;
	profile->limits.nodes = (uint32_t)(most / 2 / NODE_BYTES);
	profile->limits.cells = (uint32_t)(most / 2 / CELL_BYTES);
	uint64_t moments = most / 4 / sizeof(struct ic_profile_moment);
	if (options && options->keep_times)
		profile->limits.moments = moments < IC_NONE ? (uint32_t)moments : IC_NONE;
	if (options && options->sysroot) {
		profile->sysroot = ic_profile_text(profile, options->sysroot);
		if (!profile->sysroot) {
			ic_profile_free(profile);
			ic_fail_memory(err);
			return NULL;
		}
	}
	return profile;
}

void ic_profile_free(struct ic_profile *profile)
{
	if (!profile)
		return;
	for (uint32_t i = 0; i < profile->resolved.answers.count; i++)
		ic_space_answers_free(profile->resolved.answers.items[i]);
	IC_ARRAY_FREE(&profile->resolved.answers);
	ic_space_free(profile->resolved.space);
	for (uint32_t i = 0; i < profile->kernels.count; i++) {
		ic_space_free(profile->kernels.items[i].space);
		IC_ARRAY_FREE(&profile->kernels.items[i].modules);
	}
	IC_ARRAY_FREE(&profile->kernels);
	for (uint32_t i = 0; i < profile->files.count; i++)
		ic_map_free(&profile->files.items[i].locations);
	for (uint32_t i = 0; i < profile->recordings.count; i++)
		ic_mapping_close(&profile->recordings.items[i]);
	IC_ARRAY_FREE(&profile->recordings);
	IC_ARRAY_FREE(&profile->events);
	IC_ARRAY_FREE(&profile->threads);
	IC_ARRAY_FREE(&profile->files);
	ic_byte_pool_free(&profile->file_keys);
	IC_ARRAY_FREE(&profile->locations);
	IC_ARRAY_FREE(&profile->given);
	ic_profile_keys_free(&profile->given_keys);
	ic_byte_pool_free(&profile->kept.texts);
	IC_ARRAY_FREE(&profile->kept.text_copies);
	IC_ARRAY_FREE(&profile->nodes);
	ic_map_free(&profile->node_of);
	IC_ARRAY_FREE(&profile->cells);
	IC_ARRAY_FREE(&profile->moments);
	ic_map_free(&profile->cell_of);
	ic_byte_pool_free(&profile->contexts);
	ic_profile_keys_free(&profile->thread_keys);
	IC_ARRAY_FREE(&profile->resolved.frames);
	IC_ARRAY_FREE(&profile->resolved.functions);
	ic_profile_keys_free(&profile->resolved.function_keys);
	IC_ARRAY_FREE(&profile->problems.list);
	ic_arena_free(&profile->arena);
	free(profile);
}

const char *ic_profile_text(struct ic_profile *profile, const char *text)
{
	return ic_arena_copy(&profile->arena, text, strlen(text) + 1, 1);
}

uint32_t ic_profile_text_number(struct ic_profile *profile, struct ic_bytes text)
{
	uint32_t count = profile->kept.text_copies.count;

	if (text.size >= UINT32_MAX || !IC_ARRAY_RESERVE(&profile->kept.text_copies, count + 1ull))
		return IC_NONE;
	uint32_t number = ic_byte_pool_find(&profile->kept.texts, text.data, (uint32_t)text.size);
	if (number != IC_NONE)
		return number;
	// The pool and the copies have the same numbers, so the copy is made first.
	char *copy = ic_arena_alloc(&profile->arena, text.size + 1);
	number = copy ? ic_byte_pool_add(&profile->kept.texts, text.data, (uint32_t)text.size)
		      : IC_NONE;
	if (number == IC_NONE)
		return IC_NONE;
	if (text.size > 0)
		memcpy(copy, text.data, text.size);
	copy[text.size] = '\0';
	profile->kept.text_copies.items[profile->kept.text_copies.count++] = copy;
	return number;
}

uint32_t ic_profile_thread_add(struct ic_profile *profile, const struct ic_profile_thread *thread)
{
	const uint32_t key[] = { ic_profile_keys_text(&profile->thread_keys, thread->name),
				 thread->pid, thread->tid, thread->is_unknown };
	uint32_t *number = ic_profile_keys_at(&profile->thread_keys, key, sizeof(key));

	if (!number || *number != IC_NONE)
		return number ? *number : IC_NONE;
	if (!IC_ARRAY_ADD(&profile->threads, *thread))
		return IC_NONE;
	return *number = profile->threads.count - 1;
}

uint32_t ic_profile_event_add(struct ic_profile *profile, const char *name, const char *unit)
{
	struct ic_profile_event *event = IC_ARRAY_PUSH(&profile->events);

	if (!event)
		return IC_NONE;
	*event = (struct ic_profile_event){ .name = name, .unit = unit };
	return profile->events.count - 1;
}

bool ic_profile_problem_get(struct ic_profile *profile, size_t number,
			    struct ic_index_problem *problem)
{
	static const struct ic_index_problem no_memory = {
		.message = "out of memory: not all problems are known, and names may be missing"
	};

	if (ic_problems_get(&profile->problems, number, problem))
		return true;
	*problem = no_memory;
	return profile->problems.out_of_memory &&
	       number == profile->problems.list.count +
				 (ic_problems_more(&profile->problems) != NULL);
}

bool ic_profile_event_get(const struct ic_profile *profile, size_t number,
			  struct ic_profile_event *event)
{
	if (number >= profile->events.count)
		return false;
	*event = profile->events.items[number];
	return true;
}

uint64_t ic_profile_lost(const struct ic_profile *profile)
{
	return profile->lost;
}

enum ic_profile_file_kind ic_profile_file_kind_of(const char *path)
{
	static const char *const memory[] = { "//anon",  "[",         "anon_inode:",
					      "/memfd:", "/dev/zero", "/SYSV" };

	if (strcmp(path, "[vdso]") == 0)
		return IC_PROFILE_VDSO;
	for (size_t i = 0; i < sizeof(memory) / sizeof(*memory); i++)
		if (strncmp(path, memory[i], strlen(memory[i])) == 0)
			return IC_PROFILE_MEMORY;
	return *path ? IC_PROFILE_DISK : IC_PROFILE_MEMORY;
}

// Files are equal if their paths, their build IDs, and for process memory their processes are
// equal.
static uint32_t number_file(struct ic_profile *profile, const struct ic_profile_file *file)
{
	struct {
		uint32_t kind, pid, flags, build_id_size;
		uint8_t build_id[sizeof(file->build_id)];
	} key = { .kind = file->kind,
		  .pid = file->pid,
		  .flags = (file->has_addr ? 1u : 0) | (file->is_kernel ? 2u : 0),
		  .build_id_size = file->build_id_size };
	size_t length = strlen(file->path);
	uint8_t bytes[sizeof(key) + 4096]; // PATH_MAX

	memcpy(key.build_id, file->build_id, file->build_id_size);
	if (length > sizeof(bytes) - sizeof(key))
		length = sizeof(bytes) - sizeof(key);
	memcpy(bytes, &key, sizeof(key));
	memcpy(bytes + sizeof(key), file->path, length);
	return ic_byte_pool_add(&profile->file_keys, bytes, (uint32_t)(sizeof(key) + length));
}

uint32_t ic_profile_file_add(struct ic_profile *profile, const struct ic_profile_file *file)
{
	uint32_t number = number_file(profile, file);

	if (number < profile->files.count || number == IC_NONE)
		return number;
	const char *path = ic_profile_text(profile, file->path);
	const char *name = file->name ? ic_profile_text(profile, file->name) : path;
	struct ic_profile_file *place = path && name ? IC_ARRAY_PUSH(&profile->files) : NULL;
	if (!place)
		return IC_NONE;
	*place = *file;
	place->path = path;
	place->name = name;
	return number;
}

uint32_t ic_profile_location_add(struct ic_profile *profile, uint32_t file, uint64_t addr)
{
	struct ic_profile_file *of = &profile->files.items[file];
	uint32_t *number = ic_map_at(&of->locations, addr);

	if (!number || *number != IC_NONE)
		return number ? *number : IC_NONE;
	struct ic_profile_location *place = IC_ARRAY_PUSH(&profile->locations);
	if (!place)
		return IC_NONE;
	*place = (struct ic_profile_location){ .addr = addr, .file = file };
	if (addr > of->last_addr)
		of->last_addr = addr;
	return *number = profile->locations.count - 1;
}

void ic_profile_given_reverse(struct ic_profile_given *frames, uint32_t count)
{
	for (uint32_t i = 0; i < count / 2; i++) {
		struct ic_profile_given frame = frames[i];
		frames[i] = frames[count - 1 - i];
		frames[count - 1 - i] = frame;
	}
}

bool ic_profile_location_give(struct ic_profile *profile, uint32_t location,
			      const struct ic_profile_given *frames, uint32_t count)
{
	struct ic_profile_location *of = &profile->locations.items[location];
	uint32_t first = profile->given.count;

	if (of->given_count > 0 || count == 0)
		return true;
	if (!IC_ARRAY_RESERVE(&profile->given, (uint64_t)first + count))
		return false;
	memcpy(profile->given.items + first, frames, count * sizeof(*frames));
	profile->given.count = first + count;
	of->first_given = first;
	of->given_count = count;
	return true;
}

uint32_t ic_profile_named_location_add(struct ic_profile *profile, uint32_t file,
				       const struct ic_profile_given *frames, uint32_t count)
{
	struct key { // identifies a list: its first frame, and the list of the others
		struct ic_profile_given frame;
		uint32_t file, others;
	};
	uint32_t list = IC_NONE;

	for (uint32_t i = count; i > 0; i--) {
		const struct key key = { frames[i - 1], file, list };
		uint32_t *place = ic_profile_keys_at(&profile->given_keys, &key, sizeof(key));
		if (!place)
			return IC_NONE;
		if (*place == IC_NONE)
			*place = profile->given_lists++;
		list = *place;
	}
	uint32_t location = ic_profile_location_add(profile, file, list);
	return location != IC_NONE && ic_profile_location_give(profile, location, frames, count)
		       ? location
		       : IC_NONE;
}

bool ic_profile_node_add(struct ic_profile *profile, uint32_t caller, uint32_t location,
			 uint32_t *node)
{
	uint64_t key = (uint64_t)caller << 32 | location;
	const uint32_t *found = ic_map_find(&profile->node_of, key);

	*node = found ? *found : IC_NONE;
	if (found || profile->nodes.count >= profile->limits.nodes)
		return true;
	uint32_t *number = ic_map_at(&profile->node_of, key);
	struct ic_profile_node *place = IC_ARRAY_PUSH(&profile->nodes);
	if (!number || !place)
		return false;
	*place = (struct ic_profile_node){ caller, location };
	*node = *number = profile->nodes.count - 1;
	return true;
}

// The index of the cell that counts the samples; IC_NONE if memory runs out.
static uint32_t count_samples(struct ic_profile *profile, const struct ic_profile_cell *samples)
{
	const uint32_t context[] = { samples->thread, samples->event };
	uint32_t number = ic_byte_pool_add(&profile->contexts, context, sizeof(context));
	struct ic_profile_event *event = &profile->events.items[samples->event];
	uint32_t node = samples->node;

	if (number == IC_NONE)
		return IC_NONE;
	ic_profile_add(&event->samples, samples->samples);
	ic_profile_add(&event->weight, samples->weight);
	// There is always a cell for samples without a stack, even beyond the limit.
	uint64_t key = (uint64_t)node << 32 | number;
	if (profile->cells.count >= profile->limits.cells && !ic_map_find(&profile->cell_of, key))
		key = (uint64_t)(node = IC_NONE) << 32 | number;
	if (node == IC_NONE)
		ic_profile_add(&event->without_stack, samples->samples);
	uint32_t *cell = ic_map_at(&profile->cell_of, key);
	if (!cell)
		return IC_NONE;
	if (*cell == IC_NONE) {
		struct ic_profile_cell *place = IC_ARRAY_PUSH(&profile->cells);
		if (!place)
			return IC_NONE;
		*place = (struct ic_profile_cell){ node, samples->thread, samples->event, 0, 0 };
		*cell = profile->cells.count - 1;
	}
	ic_profile_add(&profile->cells.items[*cell].weight, samples->weight);
	ic_profile_add(&profile->cells.items[*cell].samples, samples->samples);
	return *cell;
}

bool ic_profile_samples_add(struct ic_profile *profile, const struct ic_profile_cell *samples)
{
	return count_samples(profile, samples) != IC_NONE;
}

bool ic_profile_sample_add(struct ic_profile *profile, const struct ic_profile_cell *sample,
			   uint64_t time)
{
	uint32_t cell = count_samples(profile, sample);

	if (cell == IC_NONE || time == IC_PROFILE_NO_TIME ||
	    profile->moments.count >= profile->limits.moments)
		return cell != IC_NONE;
	struct ic_profile_moment *place = IC_ARRAY_PUSH(&profile->moments);
	if (place)
		*place = (struct ic_profile_moment){ time, sample->weight, cell };
	return place != NULL;
}
