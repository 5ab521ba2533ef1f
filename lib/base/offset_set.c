#include "base/offset_set.h"

#include <stdlib.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

#include "base/array.h"

enum { BLOCK = 32, HASHED_WORDS = IC_OFFSET_SET_HASHED / 32 };

bool ic_offset_set_begin(struct ic_offset_set *set, uint64_t limit)
{
	ic_offset_set_free(set);
	set->limit = limit;
	set->hashed = ic_items_zeroed(HASHED_WORDS + limit / 32 + 1, sizeof(*set->hashed));
	set->bits = set->hashed ? set->hashed + HASHED_WORDS : NULL;
	return set->bits != NULL;
}

void ic_offset_set_add(struct ic_offset_set *set, uint32_t number)
{
	uint32_t hash = ic_offset_set_hash(number);

	if (set->bits[number / 32] >> number % 32 & 1)
		return;
	set->bits[number / 32] |= 1u << number % 32;
	set->hashed[hash / 32] |= 1u << hash % 32;
	if (set->count < IC_OFFSET_SET_FEW)
		set->few[set->count] = number;
	set->count++;
}

static size_t find_slowly(const struct ic_offset_set *set, struct ic_bytes bytes, bool swap,
			  size_t start, size_t stop)
{
	while (start < stop && !ic_offset_set_has(set, ic_load32(bytes.data + start, swap)))
		start++;
	return start;
}

#if HAS_AVX2
// Compares unsigned bytes: at most `most`.
__attribute__((target("avx2"))) static inline __m256i are_at_most(__m256i bytes, __m256i most)
{
	return _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, most), bytes);
}

// Searches blocks of 32 positions for little-endian numbers: the two highest bytes of most numbers
// show that they are above the limit. Returns the first position that matches, or that was not
// searched.
__attribute__((target("avx2"))) static size_t find_in_blocks(const struct ic_offset_set *set,
							     struct ic_bytes bytes, size_t start,
							     size_t stop)
{
	const uint32_t most = (uint32_t)(set->limit - 1);
	const __m256i top = _mm256_set1_epi8((char)(most >> 24));
	const __m256i next = _mm256_set1_epi8((char)(most >> 16));
	size_t i = start;

	for (; stop - i >= BLOCK; i += BLOCK) {
		const uint8_t *at = bytes.data + i;
		__m256i third = _mm256_loadu_si256((const __m256i *)(at + 2));
		__m256i fourth = _mm256_loadu_si256((const __m256i *)(at + 3));
		__m256i beyond = _mm256_andnot_si256(are_at_most(third, next),
						     _mm256_cmpeq_epi8(fourth, top));
		uint32_t some = (uint32_t)_mm256_movemask_epi8(
			_mm256_andnot_si256(beyond, are_at_most(fourth, top)));
		for (; some; some &= some - 1) {
			size_t position = (size_t)__builtin_ctz(some);
			if (__builtin_expect(
				    ic_offset_set_has(set, ic_load32(at + position, false)), 0))
				return i + position;
		}
	}
	return i;
}
#endif

size_t ic_offset_set_find(const struct ic_offset_set *set, struct ic_bytes bytes, bool swap,
			  size_t start, size_t end)
{
	size_t most = bytes.size < 4 ? 0 : bytes.size - 4 + 1, stop = end < most ? end : most;

	if (set->count == 0 || start >= stop)
		return end;
#if HAS_AVX2
	if (__builtin_cpu_supports("avx2") && !swap)
		start = find_in_blocks(set, bytes, start, stop);
#endif
	size_t found = find_slowly(set, bytes, swap, start, stop);
	return found < stop ? found : end;
}

void ic_offset_set_free(struct ic_offset_set *set)
{
	free(set->hashed);
	*set = (struct ic_offset_set){ .count = 0 };
}
