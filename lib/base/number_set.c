#include "base/number_set.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"

enum { WORD_BITS = 64 };

bool ic_number_set_init(struct ic_number_set *set, uint32_t bound)
{
	uint32_t size = bound;
	uint64_t words = 0;
	int levels = 0;

	*set = (struct ic_number_set){ { NULL }, { 0 } };
	do {
		size = size / WORD_BITS + (size % WORD_BITS != 0 || size == 0);
		set->sizes[levels++] = size;
		words += size;
	} while (size > 1);
	uint64_t *at = ic_items_zeroed(words, sizeof(*at));
	for (int i = 0; at && i < levels; at += set->sizes[i], i++)
		set->levels[i] = at;
	return set->levels[0] != NULL;
}

void ic_number_set_deinit(struct ic_number_set *set)
{
	free(set->levels[0]);
	*set = (struct ic_number_set){ { NULL }, { 0 } };
}

void ic_number_set_add(struct ic_number_set *set, uint32_t number)
{
	for (int i = 0; i < IC_NUMBER_SET_LEVELS && set->levels[i]; i++, number /= WORD_BITS)
		set->levels[i][number / WORD_BITS] |= UINT64_C(1) << number % WORD_BITS;
}

void ic_number_set_remove(struct ic_number_set *set, uint32_t number)
{
	for (int i = 0; i < IC_NUMBER_SET_LEVELS && set->levels[i]; i++, number /= WORD_BITS) {
		uint64_t *word = &set->levels[i][number / WORD_BITS];

		*word &= ~(UINT64_C(1) << number % WORD_BITS);
		if (*word != 0)
			break; // the word has other numbers left
	}
}

uint32_t ic_number_set_next(const struct ic_number_set *set, uint32_t number)
{
	uint64_t at = (uint64_t)number + 1; // the first candidate

	for (int i = 0; i < IC_NUMBER_SET_LEVELS && set->levels[i]; i++) {
		uint64_t word = at / WORD_BITS < set->sizes[i]
					? set->levels[i][at / WORD_BITS] >> at % WORD_BITS
					: 0;
		if (word != 0) {
			at += (uint64_t)__builtin_ctzll(word);
			while (i-- > 0)
				at = at * WORD_BITS + (uint64_t)__builtin_ctzll(set->levels[i][at]);
			return (uint32_t)at;
		}
		at = at / WORD_BITS + 1;
	}
	return IC_NONE;
}

uint32_t ic_number_set_previous(const struct ic_number_set *set, uint32_t number)
{
	uint64_t end = number; // after the last candidate

	for (int i = 0; i < IC_NUMBER_SET_LEVELS && set->levels[i] && end > 0; i++) {
		uint64_t at = end / WORD_BITS, bits = end % WORD_BITS;
		uint64_t word = bits > 0 ? set->levels[i][at] & ((UINT64_C(1) << bits) - 1) : 0;
		if (word != 0) {
			at = at * WORD_BITS + WORD_BITS - 1 - (uint64_t)__builtin_clzll(word);
			while (i-- > 0)
				at = at * WORD_BITS + WORD_BITS - 1 -
				     (uint64_t)__builtin_clzll(set->levels[i][at]);
			return (uint32_t)at;
		}
		end = at;
	}
	return IC_NONE;
}
