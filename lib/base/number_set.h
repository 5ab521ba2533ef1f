// A set of numbers below a bound, with fast access to neighbours: an array of bits, and above every
// 64 words a word of bits that tell which of them are not zero.
#ifndef BASE_NUMBER_SET_H
#define BASE_NUMBER_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { IC_NUMBER_SET_LEVELS = 6 }; // 64^6 is beyond 2^32

struct ic_number_set {
	uint64_t *levels[IC_NUMBER_SET_LEVELS]; // a single allocation; the bits of the numbers are
						// level 0
	uint32_t sizes[IC_NUMBER_SET_LEVELS];   // in words; the last one's is 1
};

// Initialises an empty set of numbers below `bound`; false if memory runs out.
bool ic_number_set_init(struct ic_number_set *set, uint32_t bound);
void ic_number_set_deinit(struct ic_number_set *set);

// Time of these functions: O(log n) to base 64.
void ic_number_set_add(struct ic_number_set *set, uint32_t number);
void ic_number_set_remove(struct ic_number_set *set, uint32_t number);

// The nearest number in the set above `number`, or below it; IC_NONE if there is none.
uint32_t ic_number_set_next(const struct ic_number_set *set, uint32_t number);
uint32_t ic_number_set_previous(const struct ic_number_set *set, uint32_t number);

#endif
