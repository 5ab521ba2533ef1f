// Cache of the rows that an unwinder found, by address. Rows are small, so that those of many
// addresses fit in the processor's cache.
#ifndef UNWIND_FRAMES_ROW_CACHE_H
#define UNWIND_FRAMES_ROW_CACHE_H

#include "unwind/frames/row.h"

#include <inlinecall/extra/call_frames.h>

enum {
	IC_CACHED_ROWS = 8192, // a power of two: stacks of a compiler have some thousand addresses
	IC_CACHED_RULES = 8 * IC_CACHED_ROWS, // most rows have at most seven
};

struct ic_row_cache {        // zero-initialised, then emptied once
	uint64_t period;     // increased when the cache is emptied, from 1 on
	uint32_t rule_count; // number of rules in use
	struct ic_register_rule rules[IC_CACHED_RULES];
	struct ic_unwind_row rows[IC_CACHED_ROWS]; // indexed by a part of the address
};

static inline uint32_t ic_row_cache_slot(uint64_t addr)
{
	return (addr ^ addr >> 12) % IC_CACHED_ROWS;
}

// The cached row for an address; NULL if there is none.
static inline const struct ic_unwind_row *ic_row_cache_find(const struct ic_row_cache *cache,
							    uint64_t addr, bool of_exact)
{
	const struct ic_unwind_row *row = &cache->rows[ic_row_cache_slot(addr)];

	return row->found_in == cache->period && row->addr == addr && row->of_exact == of_exact
		       ? row
		       : NULL;
}

// Caches a row, replacing another one; if there is no room for its rules, replacing all. Valid
// until the next is cached.
const struct ic_unwind_row *ic_row_cache_keep(struct ic_row_cache *cache,
					      const struct ic_unwind_row_draft *draft);

void ic_row_cache_forget(struct ic_row_cache *cache);

#endif
