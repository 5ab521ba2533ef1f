// Keeps a CPU busy for a while, in functions that are inlined into each other.
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline))
#define APART  __attribute__((noinline))

volatile uint64_t sink;

INLINE uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccd;
	return x ^ x >> 33;
}

INLINE uint64_t twice(uint64_t x)
{
	return mix(x) + mix(x + 1);
}

INLINE uint64_t fold(uint64_t x)
{
	uint64_t sum = 0;

	for (int i = 0; i < 64; i++)
		sum += twice(x + sum);
	return sum;
}

INLINE void store(uint64_t x)
{
	sink = fold(x) ^ sink;
}

APART void work(uint64_t x)
{
	for (int i = 0; i < 1000; i++)
		store(x + i);
}

APART void outer(uint64_t x)
{
	work(x);
	work(x + 1);
}

int main(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC;

	for (uint64_t x = 0; clock() < end; x++)
		outer(x);
	printf("%llu\n", (unsigned long long)sink);
	return 0;
}
