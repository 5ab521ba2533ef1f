// Finds several short byte strings in a long one, all in one pass.
//
// With AVX2, 32 positions are searched at once: each needle has one of eight bits, and two tables
// of sixteen bytes, for the two halves of a byte, tell which needles may have that byte at their
// first, second or third place. If a bit is left after three places, or after two if there are only
// few needles, the needles with that first byte are compared. Time: little more than reading the
// bytes, for up to about twenty needles. A few hundred leave a bit nearly everywhere; use
// base/offset_set.h for those.
#ifndef TEXT_BYTE_SEARCH_H
#define TEXT_BYTE_SEARCH_H

#include "base/array.h"
#include "base/bytes.h"

struct ic_needle {
	uint8_t bytes[4]; // unused bytes are 0
	uint8_t mask[4];  // ones for the used bytes; set by ic_byte_search_prepare()
	uint8_t size;     // 1 to 4
	uint32_t of;      // the caller's number
	uint32_t next; // index of the next one with the same first byte, IC_NONE for the last; set
		       // by ic_byte_search_prepare()
};

enum { IC_BYTE_SEARCH_PLACES = 3 };

struct ic_byte_search { // no needles if zero-initialised
	IC_ARRAY(struct ic_needle) needles;
	uint8_t low[IC_BYTE_SEARCH_PLACES][16]; // by place, then by half of a byte
	uint8_t high[IC_BYTE_SEARCH_PLACES][16];
	bool two_tell;       // two places are enough: each needle has its own bit
	uint32_t first[256]; // index of a needle with that first byte, IC_NONE if there is none
};

// Adds a needle, before the search is prepared. Returns false if memory runs out.
bool ic_byte_search_add(struct ic_byte_search *search, struct ic_needle needle);

// Prepares the search, which any number of threads may use then.
void ic_byte_search_prepare(struct ic_byte_search *search);

// Called for each needle found, in the order of positions, until it returns false.
typedef bool ic_byte_found(const struct ic_needle *needle, size_t position, void *context);

// Searches the positions [start, end) of `bytes`; a needle may end after `end`.
void ic_byte_search_run(const struct ic_byte_search *search, struct ic_bytes bytes, size_t start,
			size_t end, ic_byte_found *found, void *context);

void ic_byte_search_free(struct ic_byte_search *search);

#endif
