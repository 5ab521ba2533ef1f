// A bounds-checked reader of one section. The first read that does not fit sets `fault` and moves
// `pos` to `end`; every later read yields 0. A parser can therefore read a whole record, and check
// once at its end.
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include "base/bytes.h"
#include "base/error.h"

struct ic_cursor {
	const uint8_t *pos, *end;
	const uint8_t *begin; // start of the section, for offsets in messages
	const char *fault;    // NULL while all reads have fitted
	uint64_t fault_off;   // section offset of the first read that did not fit
	const char *section;  // its name, for messages
	bool swap;            // the image's byte order is not the host's
};

// A cursor over `size` bytes at `off` in a section; faulted from the start if they are outside it.
struct ic_cursor ic_cursor_at(struct ic_bytes section, const char *name, uint64_t off,
			      uint64_t size, bool swap);

// Records a fault at the cursor's position; only the first one counts.
void ic_cursor_fault(struct ic_cursor *cur, const char *what) IC_COLD;

// Returns true if all reads so far have fitted; otherwise fills in *err from the first one that did
// not.
bool ic_cursor_ok(const struct ic_cursor *cur, struct ic_error *err) IC_CHECKED;

static inline bool ic_cursor_more(const struct ic_cursor *cur)
{
	return cur->pos < cur->end;
}

static inline uint64_t ic_cursor_off(const struct ic_cursor *cur)
{
	return (uint64_t)(cur->pos - cur->begin);
}

static inline const uint8_t *ic_cursor_take(struct ic_cursor *cur, uint64_t size)
{
	if (__builtin_expect(size > (uint64_t)(cur->end - cur->pos), 0)) {
		ic_cursor_fault(cur, "unexpected end of data");
		return NULL;
	}
	const uint8_t *bytes = cur->pos;
	cur->pos += size;
	return bytes;
}

static inline uint8_t ic_cursor_u8(struct ic_cursor *cur)
{
	const uint8_t *bytes = ic_cursor_take(cur, 1);

	return bytes ? *bytes : 0;
}

static inline uint16_t ic_cursor_u16(struct ic_cursor *cur)
{
	const uint8_t *bytes = ic_cursor_take(cur, 2);

	return bytes ? ic_load16(bytes, cur->swap) : 0;
}

static inline uint32_t ic_cursor_u32(struct ic_cursor *cur)
{
	const uint8_t *bytes = ic_cursor_take(cur, 4);

	return bytes ? ic_load32(bytes, cur->swap) : 0;
}

static inline uint64_t ic_cursor_u64(struct ic_cursor *cur)
{
	const uint8_t *bytes = ic_cursor_take(cur, 8);

	return bytes ? ic_load64(bytes, cur->swap) : 0;
}

// An unsigned number of 1 to 8 bytes: addresses, offsets, DW_FORM_strx3.
static inline uint64_t ic_cursor_uint(struct ic_cursor *cur, unsigned size)
{
	switch (size) {
	case 4: return ic_cursor_u32(cur);
	case 8: return ic_cursor_u64(cur);
	case 1: return ic_cursor_u8(cur);
	case 2: return ic_cursor_u16(cur);
	}
	const uint8_t *bytes = ic_cursor_take(cur, size);
	bool big_endian = cur->swap != IC_HOST_IS_BIG_ENDIAN;
	uint64_t value = 0;

	for (unsigned i = 0; bytes && i < size; i++)
		value |= (uint64_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
	return value;
}

// The general case of the readers below: several bytes, and a maximum of `most`.
uint64_t ic_cursor_uleb_long(struct ic_cursor *cur, uint64_t most);

int64_t ic_cursor_sleb(struct ic_cursor *cur);

static inline uint64_t ic_cursor_uleb_upto(struct ic_cursor *cur, uint64_t most)
{
	if (__builtin_expect(cur->pos < cur->end && *cur->pos < 0x80, 1))
		return *cur->pos++;
	return ic_cursor_uleb_long(cur, most);
}

// LEB128 numbers may be padded (DWARF 5, 7.6); one that does not fit in 64 bits is a fault.
static inline uint64_t ic_cursor_uleb(struct ic_cursor *cur)
{
	return ic_cursor_uleb_upto(cur, UINT64_MAX);
}

// A ULEB128 number that must fit in 16 or 32 bits; a larger one is a fault.
static inline uint16_t ic_cursor_uleb16(struct ic_cursor *cur)
{
	return (uint16_t)ic_cursor_uleb_upto(cur, UINT16_MAX);
}

static inline uint32_t ic_cursor_uleb32(struct ic_cursor *cur)
{
	return (uint32_t)ic_cursor_uleb_upto(cur, UINT32_MAX);
}

// A NUL-terminated string inside the bounds; "" after a fault.
const char *ic_cursor_string(struct ic_cursor *cur);

// Reads the initial length of a unit or table (DWARF 5, 7.4): sets the cursor's `end` to its end,
// and returns whether offsets have 4 or 8 bytes. A length beyond the section is a fault.
uint8_t ic_cursor_initial_length(struct ic_cursor *cur);

#endif
