// Functions that gcc clones: with other parameters, and in parts.
#include <stdlib.h>

volatile int sink;

static inline int leaf(int a)
{
	return a * 3 + sink;
}

static __attribute__((noinline)) int only(int times, int unused)
{
	(void)unused;
	for (int i = 0; i < times; i++)
		sink += leaf(i) * times;
	return sink;
}

static __attribute__((noinline)) int split(const int *p, int n)
{
	if (__builtin_expect(n < 0, 0))
		abort();
	return *p + n;
}

int main(int argc, char **argv)
{
	(void)argv;
	return only(argc, 7) + split(&argc, argc);
}
