#include "text/byte_search.h"

#include <stdlib.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

enum { BITS = 8, BLOCK = 32, PLACES = IC_BYTE_SEARCH_PLACES, GATHERED = 256 };

bool ic_byte_search_add(struct ic_byte_search *search, struct ic_needle needle)
{
	return IC_ARRAY_ADD(&search->needles, needle);
}

// Compares needles as little-endian numbers: in files of the usual byte order, this keeps nearby
// offsets together.
static int compare_needles(const void *left, const void *right)
{
	const struct ic_needle *a = left, *b = right;

	for (int i = 3; i >= 0; i--)
		if (a->bytes[i] != b->bytes[i])
			return a->bytes[i] < b->bytes[i] ? -1 : 1;
	return a->size - b->size;
}

// Whether the first two bytes distinguish a needle from nearly all other bytes.
static bool is_telling(const struct ic_needle *needle)
{
	return needle->size >= 2 && needle->bytes[0] != 0 && needle->bytes[1] != 0;
}

// Neighbouring needles share a bit: they are similar, so few other bytes set it.
void ic_byte_search_prepare(struct ic_byte_search *search)
{
	uint32_t count = search->needles.count;

	if (count > 0)
		qsort(search->needles.items, count, sizeof(*search->needles.items),
		      compare_needles);
	search->two_tell = count <= BITS;
	memset(search->first, 0xff, sizeof(search->first)); // IC_NONE
	for (uint32_t i = 0; i < count; i++) {
		struct ic_needle *needle = &search->needles.items[i];
		needle->next = search->first[needle->bytes[0]];
		search->first[needle->bytes[0]] = i;
		memset(needle->mask, 0xff, needle->size);
		search->two_tell &= is_telling(needle);
		uint8_t bit = (uint8_t)(1u << ((uint64_t)i * BITS / count));
		for (int place = 0; place < PLACES; place++) {
			for (int half = 0; place >= needle->size && half < 16; half++) {
				search->low[place][half] |= bit;
				search->high[place][half] |= bit;
			}
			search->low[place][needle->bytes[place] & 15] |= bit;
			search->high[place][needle->bytes[place] >> 4] |= bit;
		}
	}
}

static bool is_at(const struct ic_needle *needle, struct ic_bytes bytes, size_t position)
{
	size_t rest = bytes.size - position;

	if (rest >= sizeof(uint32_t))
		return ((ic_load32(bytes.data + position, false) ^
			 ic_load32(needle->bytes, false)) &
			ic_load32(needle->mask, false)) == 0;
	return needle->size <= rest &&
	       memcmp(bytes.data + position, needle->bytes, needle->size) == 0;
}

// Compares the needles with one position. Returns whether to continue.
static bool compare_at(const struct ic_byte_search *search, struct ic_bytes bytes, size_t position,
		       ic_byte_found *found, void *context)
{
	const struct ic_needle *needles = search->needles.items;

	for (uint32_t i = search->first[bytes.data[position]]; i != IC_NONE; i = needles[i].next)
		if (is_at(&needles[i], bytes, position) && !found(&needles[i], position, context))
			return false;
	return true;
}

// Searches one position after another.
static void run_slowly(const struct ic_byte_search *search, struct ic_bytes bytes, size_t start,
		       size_t end, ic_byte_found *found, void *context)
{
	for (size_t i = start; i < end; i++)
		if (search->first[bytes.data[i]] != IC_NONE &&
		    !compare_at(search, bytes, i, found, context))
			return;
}

#if HAS_AVX2
struct place_tables {
	__m256i low, high;
};

__attribute__((target("avx2"))) static inline __m256i load_table(const uint8_t table[16])
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
}

__attribute__((target("avx2"))) static inline struct place_tables load_tables(
	const struct ic_byte_search *search, int place)
{
	return (struct place_tables){ load_table(search->low[place]),
				      load_table(search->high[place]) };
}

// The bits of the needles that may have each of 32 bytes at the place; the bytes are given in
// halves.
__attribute__((target("avx2"))) static inline __m256i look_up(struct place_tables tables,
							      __m256i low, __m256i high)
{
	return _mm256_and_si256(_mm256_shuffle_epi8(tables.low, low),
				_mm256_shuffle_epi8(tables.high, high));
}

// Searches whole blocks. Returns the first position that was not searched, or `end` if `found`
// stopped the search. A position is decided when the bytes of all its places have been seen; for
// the last ones of a block, that is with the next block. Positions with a bit are collected, since
// a call would spill the registers.
__attribute__((target("avx2"), always_inline)) static inline size_t run_blocks(
	const struct ic_byte_search *search, int places, struct ic_bytes bytes, size_t start,
	size_t end, ic_byte_found *found, void *context)
{
	const struct place_tables first_tables = load_tables(search, 0);
	const struct place_tables second_tables = load_tables(search, 1);
	const struct place_tables third_tables = load_tables(search, 2);
	const __m256i half = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
	const size_t most = bytes.size < BLOCK ? 0 : bytes.size - BLOCK + 1;
	const size_t stop = end < most ? end : most; // limit of the positions at which blocks start
	__m256i last_first = zero, last_second = zero;
	size_t positions[GATHERED], i = start;

	while (i < stop) {
		uint32_t count = 0;
		for (; i < stop && count <= GATHERED - BLOCK; i += BLOCK) {
			__m256i block = _mm256_loadu_si256((const __m256i *)(bytes.data + i));
			__m256i low = _mm256_and_si256(block, half);
			__m256i high = _mm256_and_si256(_mm256_srli_epi16(block, 4), half);
			__m256i first = look_up(first_tables, low, high);
			__m256i bits = look_up(second_tables, low, high);
			// The end of the last block, and the beginning of this one.
			__m256i firsts = _mm256_permute2x128_si256(last_first, first, 0x21);
			last_first = first;
			if (places == 3) {
				__m256i second = bits;
				__m256i seconds =
					_mm256_permute2x128_si256(last_second, second, 0x21);
				last_second = second;
				bits = _mm256_and_si256(
					_mm256_alignr_epi8(first, firsts, 16 - 2),
					_mm256_alignr_epi8(second, seconds, 16 - 1));
				bits = _mm256_and_si256(bits, look_up(third_tables, low, high));
			} else {
				bits = _mm256_and_si256(bits,
							_mm256_alignr_epi8(first, firsts, 16 - 1));
			}
			if (__builtin_expect(_mm256_testz_si256(bits, bits), 1))
				continue;
			uint32_t none =
				(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bits, zero));
			for (uint32_t some = ~none; some; some &= some - 1)
				positions[count++] =
					i + (size_t)__builtin_ctz(some) - (size_t)(places - 1);
		}
		for (uint32_t j = 0; j < count && positions[j] < end; j++)
			if (!compare_at(search, bytes, positions[j], found, context))
				return end;
	}
	return i > start ? i - (size_t)(places - 1) : start;
}

__attribute__((target("avx2"))) static size_t run_two_places(const struct ic_byte_search *search,
							     struct ic_bytes bytes, size_t start,
							     size_t end, ic_byte_found *found,
							     void *context)
{
	return run_blocks(search, 2, bytes, start, end, found, context);
}

__attribute__((target("avx2"))) static size_t run_three_places(const struct ic_byte_search *search,
							       struct ic_bytes bytes, size_t start,
							       size_t end, ic_byte_found *found,
							       void *context)
{
	return run_blocks(search, 3, bytes, start, end, found, context);
}
#endif

void ic_byte_search_run(const struct ic_byte_search *search, struct ic_bytes bytes, size_t start,
			size_t end, ic_byte_found *found, void *context)
{
	if (search->needles.count == 0)
		return;
#if HAS_AVX2
	if (__builtin_cpu_supports("avx2"))
		start = (search->two_tell ? run_two_places : run_three_places)(search, bytes, start,
									       end, found, context);
#endif
	run_slowly(search, bytes, start, end, found, context);
}

void ic_byte_search_free(struct ic_byte_search *search)
{
	IC_ARRAY_FREE(&search->needles);
	*search = (struct ic_byte_search){ .needles = { 0 } };
}
