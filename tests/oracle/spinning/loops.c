// Functions that are inlined into loops, which compilers unroll and peel.
#include "spin.h"

static double of_add, step_add, of_mix, of_step, in_work;

INLINE void add(double *spent)
{
	SPIN(*spent, +, 5000);
}

INLINE void mix(void)
{
	SPIN(of_mix, *3 ^, 15000);
}

INLINE void step(int i)
{
	if (i % 3 == 0)
		add(&step_add);
	else
		mix();
	SPIN(of_step, -, 8000);
}

NOINLINE static void work(int count)
{
	for (int i = 0; i < count; i++)
		step(i);
	for (int i = 0; i < 3; i++)
		add(&of_add);
	SPIN(in_work, ^, 9000);
}

int main(void)
{
	for (double began = now(); now() - began < SECONDS;)
		work(7);
	PRINT("work;add", of_add);
	PRINT("work;step;add", step_add);
	PRINT("work;step;mix", of_mix);
	PRINT("work;step", of_step);
	PRINT("work", in_work);
	return 0;
}
