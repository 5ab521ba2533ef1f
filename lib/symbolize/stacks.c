// Finds the frames at many addresses at once.
#include <stdlib.h>

#include "base/array.h"
#include "base/sort.h"
#include "base/workers.h"
#include "symbolize/symbolizer.h"

enum { CHUNK = 256 }; // addresses that a worker takes at a time

struct stack { // where the frames of an address are stored
	uint32_t chunk;
	uint32_t first, count; // in the chunk's frames
	enum ic_lookup_status status;
};

struct chunk {
	IC_ARRAY(struct ic_frame) frames;
	bool out_of_memory;
};

struct ic_stacks {
	struct stack *stacks; // in the order of the caller's addresses
	struct chunk *chunks;
	uint32_t count, chunk_count;
};

struct stacks_job {
	struct ic_symbolizer *symbolizer;
	struct ic_stacks *stacks;
	const struct ic_partial_models *partial; // its members are NULL if nothing was decoded
	const struct ic_keyed *sorted;           // the addresses
	uint32_t count;
};

static bool take_frames(const struct stacks_job *job, uint64_t addr, struct chunk *chunk,
			enum ic_lookup_status *status)
{
	const struct ic_partial_models *partial = job->partial->models ? job->partial : NULL;
	struct ic_frame *free_frames = chunk->frames.items + chunk->frames.count;
	size_t room = chunk->frames.capacity - chunk->frames.count;
	size_t count =
		ic_symbolizer_find(job->symbolizer, partial, addr, free_frames, room, status);

	if (count > room) {
		if (count > UINT32_MAX - chunk->frames.count ||
		    !IC_ARRAY_RESERVE(&chunk->frames, chunk->frames.count + count))
			return false;
		free_frames = chunk->frames.items + chunk->frames.count;
		// The first call may have read a single unit, while now the others cannot be read.
		size_t again = ic_symbolizer_find(job->symbolizer, partial, addr, free_frames,
						  count, status);
		count = again < count ? again : count;
	}
	chunk->frames.count += (uint32_t)count;
	return true;
}

static void fill_chunk(const struct stacks_job *job, uint32_t number)
{
	struct chunk *chunk = &job->stacks->chunks[number];
	uint32_t first = number * CHUNK;
	uint32_t end = job->count - first < CHUNK ? job->count : first + CHUNK;

	if (!IC_ARRAY_RESERVE(&chunk->frames, 2ull * (end - first))) {
		chunk->out_of_memory = true;
		return;
	}
	for (uint32_t i = first; i < end; i++) {
		struct stack *stack = &job->stacks->stacks[job->sorted[i].number];
		stack->chunk = number;
		stack->first = chunk->frames.count;
		// Repeated addresses share their frames.
		if (i > first && job->sorted[i].key == job->sorted[i - 1].key)
			*stack = job->stacks->stacks[job->sorted[i - 1].number];
		else if (take_frames(job, job->sorted[i].key, chunk, &stack->status))
			stack->count = chunk->frames.count - stack->first;
		else
			chunk->out_of_memory = true;
	}
}

static void fill_chunks(struct ic_items *items, uint32_t worker, void *context)
{
	(void)worker;
	for (uint32_t i; ic_items_take(items, &i);)
		fill_chunk(context, i);
}

// Decodes the units that contain the addresses, together. For a few addresses it is not worth
// reading the headers of all units.
static bool decode_units(const struct stacks_job *job, struct ic_partial_models *partial,
			 struct ic_error *err)
{
	struct ic_symbolizer *symbolizer = job->symbolizer;
	const struct ic_unit_table *all = job->count > IC_MOST_ALONE ? ic_symbolizer_all(symbolizer)
								     : NULL;

	if (!all)
		return true;
	uint64_t *addrs = ic_items_alloc(job->count + 1ull, sizeof(*addrs));
	for (uint32_t i = 0; addrs && i < job->count; i++)
		addrs[i] = job->sorted[i].key;
	bool ok = addrs ? ic_symbolizer_decode(symbolizer, all, addrs, job->count, partial, err)
			: ic_fail_memory(err);
	free(addrs);
	return ok;
}

static bool find_all(struct ic_stacks *stacks, struct ic_symbolizer *symbolizer,
		     const uint64_t *addrs, uint32_t count, struct ic_error *err)
{
	struct ic_keyed *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	struct ic_partial_models partial = { NULL, NULL };
	struct stacks_job job = { symbolizer, stacks, &partial, sorted, count };

	stacks->count = count;
	stacks->chunk_count = count / CHUNK + (count % CHUNK != 0);
	stacks->stacks = ic_items_zeroed(count + 1ull, sizeof(*stacks->stacks));
	stacks->chunks = ic_items_zeroed(stacks->chunk_count + 1ull, sizeof(*stacks->chunks));
	for (uint32_t i = 0; sorted && i < count; i++)
		sorted[i] = (struct ic_keyed){ addrs[i], i };
	bool ok = ((sorted && stacks->stacks && stacks->chunks && ic_keyed_sort(sorted, count)) ||
		   ic_fail_memory(err)) &&
		  decode_units(&job, &partial, err);
	if (ok)
		ic_workers_run(ic_workers_count(symbolizer->want.jobs, stacks->chunk_count),
			       stacks->chunk_count, fill_chunks, &job);
	for (uint32_t i = 0; ok && i < stacks->chunk_count; i++)
		ok = !stacks->chunks[i].out_of_memory || ic_fail_memory(err);
	ic_partial_models_free(&partial);
	free(sorted);
	return ok;
}

static IC_COLD struct ic_stacks *find_without_error(struct ic_symbolizer *symbolizer,
						    const uint64_t *addrs, size_t count)
{
	struct ic_error unwanted;

	return ic_stacks_find(symbolizer, addrs, count, &unwanted);
}

struct ic_stacks *ic_stacks_find(struct ic_symbolizer *symbolizer, const uint64_t *addrs,
				 size_t count, struct ic_error *err)
{
	if (!err)
		return find_without_error(symbolizer, addrs, count);
	struct ic_stacks *stacks = calloc(1, sizeof(*stacks));
	if (count >= UINT32_MAX)
		ic_fail(err, IC_ERROR_ARGUMENT, "too many addresses for one lookup: %zu", count);
	else if (stacks ? find_all(stacks, symbolizer, addrs, (uint32_t)count, err)
			: ic_fail_memory(err))
		return stacks;
	if (err->code == IC_ERROR_MEMORY)
		(void)ic_image_fail_memory(symbolizer->image, err);
	ic_stacks_free(stacks);
	return NULL;
}

bool ic_stacks_get(const struct ic_stacks *stacks, size_t number, struct ic_stack *stack)
{
	if (number >= stacks->count)
		return false;
	const struct stack *found = &stacks->stacks[number];
	*stack = (struct ic_stack){ stacks->chunks[found->chunk].frames.items + found->first,
				    found->count, found->status };
	return true;
}

void ic_stacks_free(struct ic_stacks *stacks)
{
	if (!stacks)
		return;
	for (uint32_t i = 0; stacks->chunks && i < stacks->chunk_count; i++)
		IC_ARRAY_FREE(&stacks->chunks[i].frames);
	free(stacks->chunks);
	free(stacks->stacks);
	free(stacks);
}
