#include "profile/profile.h"

#include <stdlib.h>

#define DEFAULT_MEMORY (4ull << 30)

// Bytes that a node and a cell take, with their maps, which are at most half full.
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
	profile->most_nodes = (uint32_t)(most / 2 / NODE_BYTES);
	profile->most_cells = (uint32_t)(most / 2 / CELL_BYTES);
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
	ic_space_answers_free(profile->answers);
	ic_space_answers_free(profile->kernel_answers);
	ic_space_free(profile->space);
	ic_space_free(profile->kernel);
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
	IC_ARRAY_FREE(&profile->nodes);
	ic_map_free(&profile->node_of);
	IC_ARRAY_FREE(&profile->cells);
	ic_map_free(&profile->cell_of);
	ic_byte_pool_free(&profile->contexts);
	IC_ARRAY_FREE(&profile->frames);
	IC_ARRAY_FREE(&profile->functions);
	ic_profile_keys_free(&profile->function_keys);
	IC_ARRAY_FREE(&profile->problems.list);
	ic_arena_free(&profile->arena);
	free(profile);
}

const char *ic_profile_text(struct ic_profile *profile, const char *text)
{
	return ic_arena_copy(&profile->arena, text, strlen(text) + 1, 1);
}

bool ic_profile_problem_get(struct ic_profile *profile, uint64_t number,
			    struct ic_index_problem *problem)
{
	static const struct ic_index_problem no_memory = {
		.message = "memory is out: not all that is wrong is known, and names may be missing"
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

// Files are the same if their paths, their build IDs, and the processes in whose memory they are,
// are.
static uint32_t number_file(struct ic_profile *profile, const struct ic_profile_file *file)
{
	struct {
		uint32_t kind, pid, build_id_size;
		uint8_t build_id[sizeof(file->build_id)];
	} key = { .kind = file->kind, .pid = file->pid, .build_id_size = file->build_id_size };
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
	struct ic_profile_file *place = IC_ARRAY_PUSH(&profile->files);
	const char *path = ic_profile_text(profile, file->path);
	const char *name = file->name ? ic_profile_text(profile, file->name) : path;
	if (!place || !path || !name)
		return IC_NONE;
	*place = *file;
	place->path = path;
	place->name = name;
	return number;
}

bool ic_profile_file_map(const struct ic_profile *profile, const struct ic_profile_file *file,
			 uint64_t start, uint64_t end, uint64_t offset, struct ic_space *space,
			 struct ic_error *err)
{
	char *path;

	if (file->kind != IC_PROFILE_DISK)
		return true;
	if (asprintf(&path, "%s%s", profile->sysroot ? profile->sysroot : "", file->path) < 0)
		return ic_fail_memory(err);
	const struct ic_space_mapping mapping = { .start = start,
						  .end = end,
						  .offset = offset,
						  .path = path,
						  .build_id = file->build_id,
						  .build_id_size = file->build_id_size };
	bool ok = ic_space_add(space, &mapping, err);
	free(path);
	return ok;
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

bool ic_profile_node_add(struct ic_profile *profile, uint32_t caller, uint32_t location,
			 uint32_t *node)
{
	uint64_t key = (uint64_t)caller << 32 | location;
	const uint32_t *found = ic_map_find(&profile->node_of, key);

	*node = found ? *found : IC_NONE;
	if (found || profile->nodes.count >= profile->most_nodes)
		return true;
	uint32_t *number = ic_map_at(&profile->node_of, key);
	struct ic_profile_node *place = IC_ARRAY_PUSH(&profile->nodes);
	if (!number || !place)
		return false;
	*place = (struct ic_profile_node){ caller, location };
	*node = *number = profile->nodes.count - 1;
	return true;
}

bool ic_profile_sample_add(struct ic_profile *profile, uint32_t node, uint32_t thread,
			   uint32_t event, uint64_t weight)
{
	const uint32_t context[] = { thread, event };
	uint32_t number = ic_byte_pool_add(&profile->contexts, context, sizeof(context));
	struct ic_profile_event *counted = &profile->events.items[event];

	if (number == IC_NONE)
		return false;
	counted->samples++;
	ic_profile_add(&counted->weight, weight);
	// A cell for what has no stack is there even if there are too many.
	uint64_t key = (uint64_t)node << 32 | number;
	if (profile->cells.count >= profile->most_cells && !ic_map_find(&profile->cell_of, key))
		key = (uint64_t)(node = IC_NONE) << 32 | number;
	if (node == IC_NONE)
		counted->without_stack++;
	uint32_t *cell = ic_map_at(&profile->cell_of, key);
	if (!cell)
		return false;
	if (*cell == IC_NONE) {
		struct ic_profile_cell *place = IC_ARRAY_PUSH(&profile->cells);
		if (!place)
			return false;
		*place = (struct ic_profile_cell){ .node = node, .thread = thread, .event = event };
		*cell = profile->cells.count - 1;
	}
	ic_profile_add(&profile->cells.items[*cell].weight, weight);
	profile->cells.items[*cell].samples++;
	return true;
}
