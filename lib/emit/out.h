// The bytes of a section that is being made, in either byte order.
#ifndef EMIT_OUT_H
#define EMIT_OUT_H

#include "base/array.h"
#include "base/bytes.h"

struct ic_out { // zero-initialised is empty, in our byte order
	IC_ARRAY(uint8_t) bytes;
	bool swap;   // not in our byte order
	bool failed; // memory runs out, or the section has 4 GiB: what follows is not kept
};

// The low bytes of a number, 1 to 8.
void ic_out_uint(struct ic_out *out, uint64_t number, unsigned size);

void ic_out_uleb(struct ic_out *out, uint64_t number);
void ic_out_sleb(struct ic_out *out, int64_t number);
void ic_out_bytes(struct ic_out *out, const void *bytes, size_t size);

// With its NUL.
void ic_out_string(struct ic_out *out, const char *text);

// Room for a length of 4 bytes, whose offset is returned, and filling it in: it is that of all
// bytes behind it (DWARF 5, 7.4).
uint32_t ic_out_length_begin(struct ic_out *out);
void ic_out_length_end(struct ic_out *out, uint32_t off);

void ic_out_free(struct ic_out *out);

#endif
