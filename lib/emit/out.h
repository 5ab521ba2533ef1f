// The bytes of a section being written, in either byte order.
#ifndef EMIT_OUT_H
#define EMIT_OUT_H

#include "base/array.h"
#include "base/bytes.h"

struct ic_out { // empty, and in the host's byte order, if zero-initialised
	IC_ARRAY(uint8_t) bytes;
	bool swap;      // the byte order is not the host's
	bool failed;    // memory ran out, or too_large: later bytes are dropped
	bool too_large; // the section would be 4 GiB or larger
};

// Appends the low-order bytes of a number, 1 to 8.
void ic_out_uint(struct ic_out *out, uint64_t number, unsigned size);

void ic_out_uleb(struct ic_out *out, uint64_t number);
void ic_out_sleb(struct ic_out *out, int64_t number);
void ic_out_bytes(struct ic_out *out, const void *bytes, size_t size);

// Appends a string with its NUL.
void ic_out_string(struct ic_out *out, const char *text);

// Reserves 4 bytes for a length and returns their offset, and fills the length in: the number of
// bytes after it (DWARF 5, 7.4).
uint32_t ic_out_length_begin(struct ic_out *out);
void ic_out_length_end(struct ic_out *out, uint32_t off);

void ic_out_free(struct ic_out *out);

#endif
