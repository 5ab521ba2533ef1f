// A function that is inlined in a program and, with -DLIBRARY, in a library that the program uses.
// Each call is printed on standard error.
#include <stdio.h>

static volatile int sink;

static inline __attribute__((always_inline)) void shared(int number, int where)
{
	sink += number * where;
	fprintf(stderr, "number=%d where=%d\n", number, where);
}

void of_library(int number);

#ifdef LIBRARY
__attribute__((noinline)) static void once_more(int number)
{
	shared(number, 3);
}

void of_library(int number)
{
	shared(number, 2);
	once_more(number + 1);
}
#else
int main(void)
{
	for (int i = 0; i < 100; i++) {
		shared(i, 1);
		of_library(2 * i);
	}
	return 0;
}
#endif
