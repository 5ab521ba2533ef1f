// A function that is inlined in one place and called in another.
#include "spin.h"

static double inlined, called, in_other;

static inline void often(double *spent)
{
	SPIN(*spent, +, 20000);
}

static void (*volatile pointer)(double *spent) = often;

NOINLINE static void host(void)
{
	often(&inlined);
	__asm__ volatile("");
}

NOINLINE static void other(void)
{
	SPIN(in_other, ^, 12000);
	pointer(&called);
	__asm__ volatile("");
}

int main(void)
{
	for (double began = now(); now() - began < SECONDS;) {
		host();
		host();
		other();
	}
	PRINT("host;often", inlined);
	PRINT("other;often", called);
	PRINT("other", in_other);
	return 0;
}
