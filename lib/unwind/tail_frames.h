// Tail calls between the frames of stacks, by file; each query is answered once and cached.
#ifndef UNWIND_TAIL_FRAMES_H
#define UNWIND_TAIL_FRAMES_H

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "unwind/targets/target.h"

#include <inlinecall/extra/tail_calls.h>

struct ic_tail_frames { // zero-initialised, except for an arena for the answers
	struct ic_arena *arena;
	struct ic_target *target;
	IC_ARRAY(struct ic_tail_reader *) readers; // owned by the arena
	IC_ARRAY(struct ic_tail_answer) answers;
	struct ic_map by_hash;
};

struct ic_tail_reader { // for a file at its load address
	struct ic_target *target;
	struct ic_symbolizer *symbolizer;
	uint64_t bias;
	struct ic_tail_calls *calls;
};

struct ic_tail_answer {
	struct ic_symbolizer *caller; // for the functions in the list, except the first
	uint64_t bias;                // the same
	struct ic_tail_calls_query query;
	const struct ic_tail_call *list;
	size_t count;
	uint32_t next; // with the same hash, or IC_NONE
};

// Same as ic_tail_calls_find() for the caller's file, whose addresses in memory are higher by
// `bias`. False if memory runs out.
bool ic_tail_frames_find(struct ic_tail_frames *frames, struct ic_symbolizer *caller, uint64_t bias,
			 const struct ic_tail_calls_query *query, struct ic_tail_answer *answer);

// Same as ic_tail_calls_may_return() for the file. False if memory runs out.
bool ic_tail_frames_may_return(struct ic_tail_frames *frames, struct ic_symbolizer *symbolizer,
			       uint64_t bias, uint64_t addr, bool *may_return);

void ic_tail_frames_free(struct ic_tail_frames *frames);

#endif
