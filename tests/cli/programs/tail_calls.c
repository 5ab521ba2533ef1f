// Functions that leave the stack by tail calls, on the way that the argument names, to last(),
// which says with what it was called, and waits.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

volatile int sink;

NOINLINE int last(int number)
{
	printf("last number=%d\n", number);
	puts("here");
	fflush(stdout);
	pause();
	return sink;
}

NOINLINE int second(int number)
{
	sink = number;
	return last(12);
}

static inline __attribute__((always_inline)) int within(int number)
{
	sink += number;
	return second(number * 2);
}

NOINLINE int first(int number)
{
	sink = number;
	return within(number + 3);
}

NOINLINE int either(int number)
{
	sink = number;
	return number > 3 ? second(4) : first(5);
}

NOINLINE int again(int number)
{
	sink = number;
	return number > 3 ? either(number - 9) : last(16);
}

int (*volatile pointer)(int) = last;

NOINLINE int indirect(int number)
{
	sink = number;
	return pointer(17);
}

NOINLINE int passes(int number)
{
	sink++;
	return last(number);
}

NOINLINE int odd(int number);

NOINLINE int even(int number)
{
	sink = number;
	return number == 0 ? last(18) : odd(number - 1);
}

NOINLINE int odd(int number)
{
	sink = number;
	return even(number - 1);
}

NOINLINE int turns(int number);

NOINLINE int returns(int number)
{
	sink = number;
	return turns(number - 1);
}

NOINLINE int turns(int number)
{
	if (number > 5)
		return returns(number - 1);
	return last(number) + 1;
}

NOINLINE int external(int number)
{
	sink = number;
	puts("here");
	fflush(stdout);
	return (int)sleep(1000);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	switch (way[0]) {
	case 'f': sink = first(1); break;
	case 'e': sink = either(argc + 7); break;
	case 'a': sink = again(argc + 7); break;
	case 'i': sink = indirect(1); break;
	case 'p': sink = passes(41); break;
	case 'P': sink = passes(42); break;
	case 'o': sink = even(4); break;
	case 't': sink = turns(8); break;
	case 'x': sink = external(1); break;
	}
	return sink;
}
