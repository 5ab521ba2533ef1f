// Stores numbers one after another, in either byte order, into memory that must be large enough.
#ifndef BTF_OUT_H
#define BTF_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

struct ic_btf_out {
	uint8_t *at;
	bool swap; // the byte order is not the host's
};

// Writes the low-order 1, 2, 4 or 8 bytes of a number.
static inline void ic_btf_put(struct ic_btf_out *out, uint64_t number, unsigned size)
{
	ic_store(out->at, number, size, out->swap);
	out->at += size;
}

static inline void ic_btf_put_bytes(struct ic_btf_out *out, const void *bytes, size_t size)
{
	if (size > 0)
		memcpy(out->at, bytes, size);
	out->at += size;
}

#endif
