// The rows that an unwinder has found, by address. What is kept of a row is small, so that those of
// many addresses stay in the processor's cache.
#ifndef UNWIND_FRAMES_ROW_CACHE_H
#define UNWIND_FRAMES_ROW_CACHE_H

#include "unwind/frames/row.h"

#include <inlinecall/extra/call_frames.h>

enum {
	IC_CACHED_ROWS = 8192, // a power of two: stacks of a compiler have some thousand addresses
	IC_CACHED_RULES = 8 * IC_CACHED_ROWS, // most rows have seven or less
};

struct ic_row_cache {        // zero-initialised, then forgotten once
	uint64_t period;     // since all were forgotten, from 1 on
	uint32_t rule_count; // of those used
	struct ic_register_rule rules[IC_CACHED_RULES];
	struct ic_unwind_row rows[IC_CACHED_ROWS]; // by a part of the address
};

static inline uint32_t ic_row_cache_slot(uint64_t addr)
{
	return (addr ^ addr >> 12) % IC_CACHED_ROWS;
}

// The row that was kept for an address; NULL if none is.
static inline const struct ic_unwind_row *ic_row_cache_find(const struct ic_row_cache *cache,
							    uint64_t addr, bool of_exact)
{
	const struct ic_unwind_row *row = &cache->rows[ic_row_cache_slot(addr)];

	return row->found_in == cache->period && row->addr == addr && row->of_exact == of_exact
		       ? row
		       : NULL;
}

// Keeps a row in place of another one; if there is no room for its rules, in place of all. It is
// valid until the next is kept.
const struct ic_unwind_row *ic_row_cache_keep(struct ic_row_cache *cache,
					      const struct ic_unwind_row_draft *draft);

void ic_row_cache_forget(struct ic_row_cache *cache);

#endif
