// A borrowed run of bytes, and loads of numbers at any alignment.
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <inlinecall/range.h> // IC_NO_ADDR

struct ic_bytes {
	const uint8_t *data;
	size_t size;
};

static inline bool ic_bytes_are_zero(struct ic_bytes bytes)
{
	size_t i = 0;

	while (i < bytes.size && bytes.data[i] == 0)
		i++;
	return i == bytes.size;
}

#define IC_HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

#define IC_NONE UINT32_MAX // no index

// The strings up to the last terminated one: an unterminated one is invalid, and checking for the
// end of each of a million strings would take too long.
static inline struct ic_bytes ic_bytes_cut_after_nul(struct ic_bytes strings)
{
	while (strings.size > 0 && strings.data[strings.size - 1] != 0)
		strings.size--;
	return strings;
}

// The first multiple of `to` from an offset on.
static inline uint64_t ic_align_up(uint64_t off, uint64_t to)
{
	return (off + to - 1) / to * to;
}

// The low bits of a number, 1 to 64 of them, extended to 64 by zeros or by their sign.
static inline uint64_t ic_extend(uint64_t number, unsigned bits, bool is_signed)
{
	uint64_t high = number << (64 - bits);

	return is_signed ? (uint64_t)((int64_t)high >> (64 - bits)) : high >> (64 - bits);
}

// Writes the low bytes of a number, 1 to 8, in our byte order or, with `swap`, in the other.
static inline void ic_store(uint8_t *at, uint64_t number, unsigned size, bool swap)
{
	bool is_big = swap != IC_HOST_IS_BIG_ENDIAN;

	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(number >> 8 * (is_big ? size - 1 - i : i));
}

static inline uint16_t ic_load16(const uint8_t *at, bool swap)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return swap ? __builtin_bswap16(value) : value;
}

static inline uint32_t ic_load32(const uint8_t *at, bool swap)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return swap ? __builtin_bswap32(value) : value;
}

static inline uint64_t ic_load64(const uint8_t *at, bool swap)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return swap ? __builtin_bswap64(value) : value;
}

#endif
