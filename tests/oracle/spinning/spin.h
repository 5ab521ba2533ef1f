// For programs that spin in inlined functions and measure how long, by the time of their thread:
// they print a line for each stack of functions, "outermost;...;innermost SECONDS".
#ifndef SPIN_H
#define SPIN_H

#include <stdio.h>
#include <time.h>

#ifndef SECONDS
#define SECONDS 1.5
#endif

#define INLINE   static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A number of rounds around `about`, so that nothing keeps time with the samples.
static unsigned long around(unsigned long about)
{
	static __thread unsigned long seed = 12345;

	seed = seed * 6364136223846793005ul + 1442695040888963407ul;
	return about / 2 + seed % about;
}

static volatile unsigned long sink;

// Spins where it is written, and adds the time to `spent`. Reading the clock is a system call,
// which must take no noticeable part of it.
#define SPIN(spent, what, about)                               \
	do {                                                   \
		unsigned long rounds_ = 16 * around(about);    \
		double began_ = now();                         \
		for (unsigned long i_ = 0; i_ < rounds_; i_++) \
			sink = sink what i_;                   \
		spent += now() - began_;                       \
	} while (0)

#define PRINT(stack, spent) printf("%s %.9f\n", stack, spent)

#endif
