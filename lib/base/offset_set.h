// A set of 32-bit numbers, such as string offsets, for which to search a section: for all of them
// in one pass, however many there are.
//
// Each position costs one lookup in 32 KiB of hashed bits, which stay in the fastest cache; if the
// bit is set, a second one in a bit a number decides.
#ifndef BASE_OFFSET_SET_H
#define BASE_OFFSET_SET_H

#include "base/bytes.h"

enum { IC_OFFSET_SET_HASHED = 1 << 18, IC_OFFSET_SET_FEW = 32 };

struct ic_offset_set {                   // empty if zero-initialised
	uint32_t *hashed;                // bits, by hash
	uint32_t *bits;                  // by number, after `hashed`
	uint64_t limit;                  // of the numbers
	uint32_t few[IC_OFFSET_SET_FEW]; // the first few of them
	uint32_t count;
};

// Empties the set, and makes room for numbers below `limit`, at most 2^32: one bit each. Returns
// false if memory runs out.
bool ic_offset_set_begin(struct ic_offset_set *set, uint64_t limit);

// The number must be below the limit.
void ic_offset_set_add(struct ic_offset_set *set, uint32_t number);

static inline uint32_t ic_offset_set_hash(uint32_t number)
{
	return (number ^ number >> 14) % IC_OFFSET_SET_HASHED;
}

static inline bool ic_offset_set_has(const struct ic_offset_set *set, uint32_t number)
{
	uint32_t hash = ic_offset_set_hash(number);

	return set->hashed[hash / 32] >> hash % 32 & 1 && number < set->limit &&
	       set->bits[number / 32] >> number % 32 & 1;
}

// The first position in [start, end) at which four bytes are a number in the set; `end` if there is
// none. The bytes are in the host's order or, with `swap`, in the other one.
size_t ic_offset_set_find(const struct ic_offset_set *set, struct ic_bytes bytes, bool swap,
			  size_t start, size_t end);

void ic_offset_set_free(struct ic_offset_set *set);

#endif
