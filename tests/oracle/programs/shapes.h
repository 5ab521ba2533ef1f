// Inline functions that two translation units share: each unit gets its own abstract instances.
#ifndef SHAPES_H
#define SHAPES_H

extern volatile int sink;
extern int flags;

int outside(int value);
void fail(int code) __attribute__((cold, noinline, noreturn));

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS int clamp(int value, int limit)
{
	if (__builtin_expect(value < 0, 0))
		fail(value); // a cold path: the copy gets a range in .text.unlikely
	return value > limit ? limit : value;
}

ALWAYS int scale(int value, int factor)
{
	int scaled = 0;
	for (int i = 0; i < factor; i++) {
		int step = clamp(value + i, 100); // under a lexical block
		{
			int twice = step * 2;
			scaled += twice ^ sink;
		}
	}
	return scaled;
}

ALWAYS int area(int width, int height)
{
	int a = scale(width, height);
	int b = scale(height, width);
	return clamp(a, 1000) + b;
}

static inline int leaf(int value) { return value * 3 + flags; }

// GCC splits this: the test is inlined everywhere, the long part stays once.
static inline int guarded(int value)
{
	if (!(flags & 1))
		return 0;
	for (int i = 0; i < 40; i++) {
		sink += outside(value + i);
		sink -= outside(value - i);
		sink ^= outside(value * i);
		sink |= outside(value | i);
	}
	return sink + value;
}

// Every copy is optimised away: only an empty range at its entry stays.
ALWAYS void nothing(int value) { (void)value; }
ALWAYS int constant(void) { return 7; }

#endif
