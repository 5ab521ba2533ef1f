// Spins in three functions, of which two are inlined, for half, three and two tenths of the time of
// its processor, which it measures itself.
#include <time.h>

static volatile unsigned long sink;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#define SPIN(what)                                 \
	for (unsigned long i = 0; i < 200000; i++) \
	sink = sink what i

static inline __attribute__((always_inline)) void most(void)
{
	SPIN(+);
}

static inline __attribute__((always_inline)) void some(void)
{
	SPIN(^);
}

static __attribute__((noinline)) void rest(void)
{
	SPIN(-);
}

int main(void)
{
	double began = now(), spent[3] = { 0, 0, 0 };
	const double shares[3] = { 0.5, 0.3, 0.2 };

	for (double at = began; at - began < 1.5;) {
		int next = 0;
		for (int i = 1; i < 3; i++)
			if (spent[i] / shares[i] < spent[next] / shares[next])
				next = i;
		if (next == 0)
			most();
		else if (next == 1)
			some();
		else
			rest();
		double end = now();
		spent[next] += end - at;
		at = end;
	}
	return 0;
}
