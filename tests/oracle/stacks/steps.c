// Every kind of prologue, epilogue and call, for step_unwind.c: what is between the two signals is
// run instruction by instruction.
#include <alloca.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, noclone))

struct large {
	long items[20];
};

volatile long sink;

FUNCTION static long leaf(long a)
{
	return a + sink;
}

FUNCTION static long saves_registers(long a, long b, long c)
{
	long x = leaf(a), y = leaf(b), z = leaf(c);

	return leaf(x + y) + leaf(y + z) + leaf(z + x) + x + y + z;
}

FUNCTION static long grows_its_stack(size_t size)
{
	char *bytes = alloca(size);

	memset(bytes, 1, size);
	return leaf(bytes[size - 1]);
}

FUNCTION static struct large returns_a_struct(long a, struct large by_value)
{
	by_value.items[3] = leaf(a);
	return by_value;
}

FUNCTION static long many_arguments(long a, long b, long c, long d, long e, long f, long g, long h)
{
	return leaf(a) + leaf(h) + b + c + d + e + f + g;
}

FUNCTION static long variadic(int count, ...)
{
	va_list list;
	long sum = 0;

	va_start(list, count);
	while (count-- > 0)
		sum += va_arg(list, long);
	va_end(list);
	return sum;
}

FUNCTION static long recurses(long depth)
{
	return depth == 0 ? leaf(1) : recurses(depth - 1) + leaf(depth);
}

FUNCTION static long tail_called(long a)
{
	return a > sink ? saves_registers(a, 1, 2) : leaf(a);
}

FUNCTION static long returns_early(long a, long b)
{
	if (a < b)
		return leaf(a);
	if (a == b)
		return leaf(b) + leaf(a);
	return a;
}

static int compare(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

static void handler(int number)
{
	sink = leaf(number) + recurses(2);
}

FUNCTION static void chain(void)
{
	struct large large = { { 1 } };
	int numbers[] = { 3, 1, 2 };
	char text[64];

	sink = saves_registers(1, 2, 3);
	sink += grows_its_stack(40) + grows_its_stack(5000);
	large = returns_a_struct(7, large);
	sink += large.items[3] + many_arguments(1, 2, 3, 4, 5, 6, 7, 8);
	sink += variadic(3, 1L, 2L, 3L) + recurses(4) + tail_called(1) + tail_called(1000000);
	sink += returns_early(1, 2) + returns_early(2, 2) + returns_early(3, 2);
	qsort(numbers, 3, sizeof(*numbers), compare); // through the PLT, and back
	snprintf(text, sizeof(text), "%d %s", numbers[0], "text");
	sink += (long)strlen(text);
	raise(SIGALRM);
}

int main(void)
{
	signal(SIGALRM, handler);
	raise(SIGUSR1);
	chain();
	raise(SIGUSR2);
	return 0;
}
