// Prints each call of an inlined function with its arguments, which tracers are to see too.
#include <stdio.h>

struct box {
	int n;
	long m;
};

static long limits[4] = { 3, -5, 7, -9 };
volatile int sink;

static inline __attribute__((always_inline)) int leaf(int a, unsigned char b, struct box *c,
						      long limit, _Bool flag)
{
	printf("leaf a=%d b=%u c=%p limit=%ld flag=%d\n", a, b, (void *)c, limit, flag);
	for (int i = 0; i < c->n; i++)
		sink += a * 3 + b;
	return a * 3 + b + (int)limit + flag + sink;
}

__attribute__((noinline)) int one(int a, struct box *c)
{
	return leaf(a, 7, c, c->m, a > 0) + 1;
}

__attribute__((noinline)) int two(int *a, struct box *c)
{
	return leaf(a[2], (unsigned char)a[1], c, limits[1], 1) - leaf(*a, 2, c, -3, 0);
}

int main(int argc, char **argv)
{
	struct box c = { 2, -5 };
	int v[3] = { argc, -4, 9 };

	(void)argv;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 0; i < 3; i++) {
		v[2] = i - 1;
		limits[1] -= i;
		one(1 - i, &c);
		two(v, &c);
	}
	return 0;
}
