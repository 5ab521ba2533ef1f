#include "shapes.h"

int dies_too(int value) { return scale(clamp(value, 8), leaf(value)); }

static inline int pick(int which, int value)
{
	switch (which) {
	case 0:
		return area(value, 3);
	case 1:
		return scale(value, 2) + leaf(value);
	default:
		return guarded(value);
	}
}

#ifdef __clang__
static int nested(int base, int value)
{
	return clamp(base + leaf(value), 50) + clamp(base, 60);
}
#else
static int nested(int base, int value)
{
	// A GNU nested function: a subprogram below a subprogram, with copies of its own.
	int add(int more) { return clamp(base + more, 50) + leaf(more); }
	__attribute__((noinline)) int far(int more) { return clamp(base - more, 60) + sink; }

	return add(value) + add(value + 1) + far(value);
}
#endif

int second_entry(int a, int b)
{
	return pick(a & 3, b) + pick(b & 3, a) + pick(0, 4) + nested(a, b);
}
