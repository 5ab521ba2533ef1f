// Functions that forget their arguments: only their callers know them when the last one waits.
#include <stdio.h>
#include <unistd.h>

#define FUNCTION           __attribute__((noinline, noclone))
#define SAY(function, ...) printf(#function " " __VA_ARGS__)

struct pair {
	int first, second;
};

volatile long sink;

FUNCTION static void waits(void)
{
	puts("here");
	fflush(stdout);
	pause();
	sink++;
}

FUNCTION static long floating(double wide, float narrow, double sum)
{
	SAY(floating, "wide=%.17g narrow=%.9g sum=%.17g\n", wide, (double)narrow, sum);
	waits();
	return sink;
}

FUNCTION static long pointing(struct pair *pair, int *number)
{
	SAY(pointing, "pair=%p number=%p\n", (void *)pair, (void *)number);
	sink = floating(1.25, -0.5f, 1e300) + pair->first;
	return sink;
}

FUNCTION static long by_pointer(int number, long other)
{
	struct pair pair = { 1, 2 };
	int local = 3;

	SAY(by_pointer, "number=%d other=%ld\n", number, other);
	sink = pointing(&pair, &local);
	return sink + pair.second;
}

// It needs the pointer also after the call.
FUNCTION static long through(long (*function)(int, long))
{
	sink = function(-5, 0x100000001);
	return sink + (long)function;
}

int main(void)
{
	return (int)through(sink ? NULL : by_pointer);
}
