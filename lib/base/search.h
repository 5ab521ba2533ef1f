// Binary search in sorted items of any type.
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The number of items, out of `count` items of `size` bytes, that start with a number up to `key`.
// Each starts with a 64-bit number, by which they must be sorted. Time: O(log n).
static inline uint32_t ic_search_up_to(const void *items, size_t size, uint32_t count, uint64_t key)
{
	uint32_t first = 0;

	while (count > 0) { // find the first item with a larger one
		uint32_t half = count / 2;
		uint64_t number;
		memcpy(&number, (const char *)items + (first + (size_t)half) * size,
		       sizeof(number));
		if (number <= key) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return first;
}

// Sets `first` to the number of the first of `count` items for which `is_before` is false, an
// expression in the item's number `at`: it is true for all items before that one, and false for all
// after it. Time: O(log n).
#define IC_SEARCH(first, count, at, is_before)                \
	do {                                                  \
		uint32_t rest_ = (count), half_;              \
		for ((first) = 0; rest_ > 0; rest_ = half_) { \
			half_ = rest_ / 2;                    \
			const uint32_t at = (first) + half_;  \
			if (!(is_before))                     \
				continue;                     \
			(first) = at + 1;                     \
			half_ = rest_ - half_ - 1;            \
		}                                             \
	} while (0)

#endif
