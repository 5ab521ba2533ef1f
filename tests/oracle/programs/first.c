#include "shapes.h"

volatile int sink;
int flags;

void fail(int code)
{
	sink = code;
	for (;;)
		sink++;
}

__attribute__((noinline)) int outside(int value)
{
	sink = leaf(value);
	return sink;
}

static inline int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); // inlined into itself
}

int loops(int count)
{
	int total = 0;
	for (int i = 0; i < count; i++) {
		total += clamp(i, count);
		total += leaf(i);
		if (total > 9) {
			int rest = total - 9;
			total = clamp(rest, 9) + constant();
		}
	}
	nothing(total);
	return total;
}

int twice_on_a_line(int a, int b) { return clamp(a, 3) + clamp(b, 4); }

int splits(int value)
{
	int got = guarded(value) + sink;
	got += guarded(value + 1);
	return got;
}

static inline int kept_out_of_line(int value) { return clamp(value, 5) + leaf(value); }
int (*pointer)(int) = kept_out_of_line;

int recursion(int n) { return fibonacci(n) + kept_out_of_line(n); }

int dies_by_gc(int a, int b) { return area(a, b) + splits(a); }
int second_entry(int a, int b);

int main(int argc, char **argv)
{
	(void)argv;
	flags = argc;
	return area(argc, flags) + loops(argc) + recursion(argc) + splits(argc) +
	       twice_on_a_line(argc, flags) + second_entry(argc, flags);
}
