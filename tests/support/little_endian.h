// Numbers as they are in little-endian files and code, whatever this machine is.
#ifndef TEST_LITTLE_ENDIAN_H
#define TEST_LITTLE_ENDIAN_H

#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LITTLE32(number) __builtin_bswap32(number)
#define LITTLE64(number) __builtin_bswap64(number)
#else
#define LITTLE32(number) (uint32_t)(number)
#define LITTLE64(number) (uint64_t)(number)
#endif

// Makes words of code little-endian.
static inline void little_words(uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		words[i] = LITTLE32(words[i]);
}

#endif
