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

int main(int argc, char **argv)
{
	struct pair pair = { argc, 2 };
	int number = 7;

	(void)argv;
	sink = pointing(&pair, &number);
	return (int)sink + pair.second + number;
}
