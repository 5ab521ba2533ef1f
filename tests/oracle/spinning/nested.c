// Functions that are inlined into inlined ones, in two hosts.
#include "spin.h"

static double in_one, one_hot, one_warm, one_warm_hot, two_warm, two_warm_hot;

INLINE void hot(double *spent)
{
	SPIN(*spent, +, 40000);
}

INLINE void warm(double *spent, double *of_hot)
{
	SPIN(*spent, ^, 20000);
	hot(of_hot);
}

NOINLINE static void one(void)
{
	SPIN(in_one, -, 10000);
	hot(&one_hot);
	warm(&one_warm, &one_warm_hot);
}

NOINLINE static void two(void)
{
	warm(&two_warm, &two_warm_hot);
	__asm__ volatile("");
}

int main(void)
{
	for (double began = now(); now() - began < SECONDS;) {
		one();
		two();
		two();
	}
	PRINT("one", in_one);
	PRINT("one;hot", one_hot);
	PRINT("one;warm", one_warm);
	PRINT("one;warm;hot", one_warm_hot);
	PRINT("two;warm", two_warm);
	PRINT("two;warm;hot", two_warm_hot);
	return 0;
}
