// Functions in functions, one with a part elsewhere, and data:
// for lookups by address.
#include <stdio.h>

#define INLINE static inline __attribute__((always_inline))
#define APART  __attribute__((noinline))

volatile int sink;
int counter = 3;
static int table[4] = { 1 };

INLINE int leaf(int x)
{
	if (x > 3)
		sink += x;
	return sink * x;
}

INLINE int middle(int x)
{
	int sum = 0;

	for (int i = 0; i < x; i++)
		sum += leaf(i);
	return sum;
}

APART static int top(int x)
{
	return middle(x) + leaf(x + 1) + table[x & 3];
}

__attribute__((cold)) APART static void cold_one(int x)
{
	printf("%d\n", x);
}

int main(int count, char **arguments)
{
	(void)arguments;
	if (count > 5)
		cold_one(count);
	return top(count) + top(count + 1) + counter;
}
