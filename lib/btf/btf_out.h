// Numbers put one after another into memory that is large enough, in either byte order.
#ifndef BTF_BTF_OUT_H
#define BTF_BTF_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

struct ic_btf_out {
	uint8_t *at;
	bool swap; // not in our order
};

// The low bytes of a number: 1, 2, 4 or 8.
static inline void ic_btf_put(struct ic_btf_out *out, uint64_t number, unsigned size)
{
	bool is_big = out->swap != IC_HOST_IS_BIG_ENDIAN;

	for (unsigned i = 0; i < size; i++)
		*out->at++ = (uint8_t)(number >> 8 * (is_big ? size - 1 - i : i));
}

static inline void ic_btf_put_bytes(struct ic_btf_out *out, const void *bytes, size_t size)
{
	if (size > 0)
		memcpy(out->at, bytes, size);
	out->at += size;
}

#endif
