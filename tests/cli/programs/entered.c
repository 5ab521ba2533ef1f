// Copies that are entered in several places, or otherwise than where they begin: of loops that are
// unrolled or peeled, of a jump that is led past the beginning, of a call of itself that is made a
// loop. Prints how often each function was really called.
#include <stdio.h>

static unsigned long of_unrolled, of_peeled, of_threaded, of_divided;
volatile long sink;

__attribute__((noinline)) static void use(long value)
{
	sink += value;
}

static inline void unrolled(int at, long *list)
{
	of_unrolled++;
	list[at] += sink;
	use(list[at]);
}

static inline int peeled(long *list, int at)
{
	of_peeled++;
	use(list[at]);
	return list[at] & 1;
}

static inline void threaded(const char *text, int number)
{
	of_threaded++;
	use(number);
	if (text)
		use(*text);
}

__attribute__((noinline)) static long divided(long a, long b)
{
	of_divided++;
	return b == 0 ? a : divided(b, a % b);
}

__attribute__((noinline)) void unrolls(long *list)
{
	for (int i = 0; i < 4; i++)
		unrolled(i, list);
}

__attribute__((noinline)) int peels(long *list, int count)
{
	int i = 0;

	do {
		if (peeled(list, i))
			break;
	} while (++i < count);
	return i;
}

__attribute__((noinline)) void threads(int number, const char *text)
{
	use(number);
	threaded(number & 1 ? "text" : text, number * 3);
}

int main(void)
{
	long list[8] = { 2, 4, 6, 8, 10, 12, 14, 16 };

	for (int i = 0; i < 10; i++) {
		unrolls(list);
		for (int j = 0; j < 8; j++)
			list[j] = j * 2;
		peels(list, 8);
		threads(i, 0);
		use(divided(55 + i, 34));
	}
	printf("unrolled %lu\npeeled %lu\nthreaded %lu\ndivided %lu\n", of_unrolled, of_peeled,
	       of_threaded, of_divided);
	return 0;
}
