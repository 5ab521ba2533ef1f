#include "unwind/tail_frames.h"

#include "base/bytes.h"
#include "unwind/bound_calls.h"

static bool find_bound(void *context, uint64_t addr, bool is_after, uint64_t *callee)
{
	const struct ic_tail_reader *reader = context;
	uint64_t found, bias;

	if (!ic_bound_call_find(reader->target, addr + reader->bias, is_after, &found))
		return false;
	const struct ic_image *here =
		ic_target_image_at(reader->target, addr + reader->bias - is_after, &bias);
	if (ic_target_image_at(reader->target, found, &bias) != here || bias != reader->bias)
		return false;
	*callee = found - bias;
	return true;
}

// NULL if memory runs out.
static struct ic_tail_calls *calls_of(struct ic_tail_frames *frames,
				      struct ic_symbolizer *symbolizer, uint64_t bias)
{
	for (uint32_t i = 0; i < frames->readers.count; i++)
		if (frames->readers.items[i]->symbolizer == symbolizer &&
		    frames->readers.items[i]->bias == bias)
			return frames->readers.items[i]->calls;
	struct ic_tail_calls *calls = ic_tail_calls_open(symbolizer, NULL);
	const struct ic_tail_reader made = { frames->target, symbolizer, bias, calls };
	struct ic_tail_reader *reader = calls ? ic_arena_copy(frames->arena, &made, 1, sizeof(made))
					      : NULL;
	struct ic_tail_reader **slot = reader ? IC_ARRAY_PUSH(&frames->readers) : NULL;
	if (slot) {
		*slot = reader;
		ic_tail_calls_set_bound(calls, find_bound, reader);
	} else {
		ic_tail_calls_free(calls);
	}
	return slot ? calls : NULL;
}

static bool is_same(const struct ic_tail_answer *answer, const struct ic_symbolizer *caller,
		    uint64_t bias, const struct ic_tail_calls_query *query)
{
	return answer->caller == caller && answer->bias == bias &&
	       answer->query.is_from_outside == query->is_from_outside &&
	       answer->query.start == query->start &&
	       answer->query.return_addr == query->return_addr &&
	       answer->query.symbolizer == query->symbolizer && answer->query.entry == query->entry;
}

static struct ic_tail_answer *find_answer(struct ic_tail_frames *frames,
					  struct ic_symbolizer *caller, uint64_t bias,
					  const struct ic_tail_calls_query *query)
{
	uint32_t *slot =
		ic_map_at(&frames->by_hash, query->return_addr * 0x9e3779b97f4a7c15 ^ query->entry);
	uint32_t first = slot ? *slot : IC_NONE;

	for (uint32_t i = first; i != IC_NONE; i = frames->answers.items[i].next)
		if (is_same(&frames->answers.items[i], caller, bias, query))
			return &frames->answers.items[i];
	struct ic_tail_calls *calls = slot ? calls_of(frames, caller, bias) : NULL;
	struct ic_tail_answer *answer = calls ? IC_ARRAY_PUSH(&frames->answers) : NULL;
	const struct ic_tail_call *list;
	if (!answer)
		return NULL;
	*slot = frames->answers.count - 1;
	*answer = (struct ic_tail_answer){
		.caller = caller, .bias = bias, .query = *query, .next = first
	};
	answer->count = ic_tail_calls_find(calls, query, &list, NULL);
	if (answer->count == SIZE_MAX)
		return NULL;
	answer->list = ic_arena_copy(frames->arena, list, answer->count, sizeof(*list));
	return answer->list ? answer : NULL;
}

bool ic_tail_frames_find(struct ic_tail_frames *frames, struct ic_symbolizer *caller, uint64_t bias,
			 const struct ic_tail_calls_query *query, struct ic_tail_answer *answer)
{
	const struct ic_tail_answer *found = find_answer(frames, caller, bias, query);

	if (found)
		*answer = *found;
	return found;
}

bool ic_tail_frames_may_return(struct ic_tail_frames *frames, struct ic_symbolizer *symbolizer,
			       uint64_t bias, uint64_t addr, bool *may_return)
{
	struct ic_tail_calls *calls = calls_of(frames, symbolizer, bias);

	return calls && ic_tail_calls_may_return(calls, addr, may_return, NULL);
}

void ic_tail_frames_free(struct ic_tail_frames *frames)
{
	for (uint32_t i = 0; i < frames->readers.count; i++)
		ic_tail_calls_free(frames->readers.items[i]->calls);
	IC_ARRAY_FREE(&frames->readers);
	IC_ARRAY_FREE(&frames->answers);
	ic_map_free(&frames->by_hash);
}
