#include "emit/out.h"

#include <string.h>

static uint8_t *extend_bytes(struct ic_out *out, size_t size)
{
	uint64_t wanted = (uint64_t)out->bytes.count + size;

	out->too_large |= wanted > UINT32_MAX - 16; // the largest numbers are not lengths
	if (out->failed || out->too_large || !IC_ARRAY_RESERVE(&out->bytes, wanted)) {
		out->failed = true;
		return NULL;
	}
	uint8_t *at = out->bytes.items + out->bytes.count;
	out->bytes.count = (uint32_t)wanted;
	return at;
}

void ic_out_uint(struct ic_out *out, uint64_t number, unsigned size)
{
	uint8_t *at = extend_bytes(out, size);

	if (at)
		ic_store(at, number, size, out->swap);
}

void ic_out_uleb(struct ic_out *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		ic_out_uint(out, (number & 0x7f) | 0x80, 1);
	ic_out_uint(out, number, 1);
}

void ic_out_sleb(struct ic_out *out, int64_t number)
{
	for (; number < -0x40 || number > 0x3f; number >>= 7)
		ic_out_uint(out, ((uint64_t)number & 0x7f) | 0x80, 1);
	ic_out_uint(out, (uint64_t)number & 0x7f, 1);
}

void ic_out_bytes(struct ic_out *out, const void *bytes, size_t size)
{
	uint8_t *at = extend_bytes(out, size);

	if (at && size > 0)
		memcpy(at, bytes, size);
}

void ic_out_string(struct ic_out *out, const char *text)
{
	ic_out_bytes(out, text, strlen(text) + 1);
}

uint32_t ic_out_length_begin(struct ic_out *out)
{
	uint32_t off = out->bytes.count;

	ic_out_uint(out, 0, 4);
	return off;
}

void ic_out_length_end(struct ic_out *out, uint32_t off)
{
	if (!out->failed)
		ic_store(out->bytes.items + off, out->bytes.count - off - 4, 4, out->swap);
}

void ic_out_free(struct ic_out *out)
{
	IC_ARRAY_FREE(&out->bytes);
}
