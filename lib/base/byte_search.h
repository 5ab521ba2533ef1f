// Finds some short runs of bytes at any position of a long one, all of them in one pass.
//
// 32 positions are looked at together if the machine can: each needle has one of eight bits,
// and two tables of sixteen bytes, for the halves of a byte, say which needles may have that byte
// at their first, second or third place. If a bit is left after three places, its needles are
// compared. Time: little more than that of reading the bytes.
#ifndef BASE_BYTE_SEARCH_H
#define BASE_BYTE_SEARCH_H

#include "base/array.h"
#include "base/bytes.h"

struct ic_needle {
	uint8_t bytes[4]; // those after the last are 0
	uint8_t size;     // 1 to 4
	uint32_t of;      // whatever it is of
};

enum { IC_BYTE_SEARCH_MOST = 1024 }; // needles; with many more nearly every position has a bit

enum { IC_BYTE_SEARCH_PLACES = 3 };

struct ic_byte_search { // zero-initialised: no needles
	IC_ARRAY(struct ic_needle) needles;
	uint8_t low[IC_BYTE_SEARCH_PLACES][16]; // by place, then by half a byte
	uint8_t high[IC_BYTE_SEARCH_PLACES][16];
};

// Adds one, before the search is made ready. False if memory is out.
bool ic_byte_search_add(struct ic_byte_search *search, struct ic_needle needle);

// Makes the search ready. From then on any number of threads may use it.
void ic_byte_search_prepare(struct ic_byte_search *search);

// Told of each needle that begins at a position, in the order of the positions.
typedef void ic_byte_found(const struct ic_needle *needle, size_t position, void *context);

// Looks at the positions [start, end) of `bytes`; the end of a needle may be beyond `end`.
void ic_byte_search_run(const struct ic_byte_search *search, struct ic_bytes bytes, size_t start,
			size_t end, ic_byte_found *found, void *context);

void ic_byte_search_free(struct ic_byte_search *search);

#endif
