// A function that calls itself, and what is inlined at each level.
#include "spin.h"

static double in_down, down_leaf;

INLINE void leaf(void)
{
	SPIN(down_leaf, +, 60000);
}

NOINLINE static int down(int depth)
{
	int below = depth > 0 ? down(depth - 1) : 0;

	leaf();
	SPIN(in_down, ^, 30000);
	return below + 1;
}

int main(void)
{
	for (double began = now(); now() - began < SECONDS;)
		down(6);
	PRINT("down;leaf", down_leaf);
	PRINT("down", in_down);
	return 0;
}
