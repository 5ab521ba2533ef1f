// A section of strings, each stored once.
#ifndef EMIT_STRING_OUT_H
#define EMIT_STRING_OUT_H

#include "base/byte_pool.h"

// Adds a string, and returns its offset in the pool's bytes, which are the section; IC_NONE if
// memory runs out or there would be 4 GiB.
static inline uint32_t ic_string_out(struct ic_byte_pool *strings, const char *text)
{
	uint32_t run = ic_byte_pool_add(strings, text, (uint32_t)strlen(text) + 1);

	return run == IC_NONE ? IC_NONE : strings->runs.items[run].off;
}

#endif
