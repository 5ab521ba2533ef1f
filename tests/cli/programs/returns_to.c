// Functions that print where they return to: NAME ADDRESS.
#include <stdio.h>
#include <stdlib.h>

#define PRINT() fprintf(stderr, "%s %p\n", __func__, __builtin_return_address(0))

__attribute__((noinline)) int leaf(int n)
{
	PRINT();
	return n + 1;
}

static inline __attribute__((always_inline)) int inlined(int n)
{
	return leaf(n) + 1;
}

__attribute__((noinline)) int host(int n)
{
	PRINT();
	return inlined(n) * 2;
}

__attribute__((noinline)) int leaves_by_jump(int n)
{
	PRINT();
	return leaf(n * 3);
}

__attribute__((noinline)) int compare(const void *left, const void *right)
{
	PRINT();
	return *(const int *)left - *(const int *)right;
}

int main(void)
{
	int items[] = { 2, 1 };

	for (int i = 0; i < 3; i++)
		host(i);
	leaves_by_jump(1);
	qsort(items, 2, sizeof(*items), compare);
	return 0;
}
