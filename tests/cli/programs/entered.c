// Copies that are entered in several places, or otherwise than where they begin: of loops that are
// unrolled or peeled, of a jump that is led past the beginning, of a call of itself that is made a
// loop. Prints how often each function was really called.
#include <stdio.h>

static unsigned long of_unrolled, of_peeled, of_threaded, of_divided, of_reversed, of_halved;
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

struct item {
	struct item *next;
	long value;
};

// The row of the caller's statement is at its entry, too.
static struct item *reversed(struct item *item, struct item *before)
{
	__asm__ volatile("" : "+m"(of_reversed));
	of_reversed++;
	if (!item)
		return before;
	struct item *next = item->next;
	item->next = before;
	return reversed(next, item);
}

// Some of its code is moved in front of its entry.
static int halved(long number, int steps)
{
	of_halved++;
	sink += number;
	if (number == 1)
		return steps;
	return number & 1 ? halved(3 * number + 1, steps + 1) : halved(number / 2, steps + 1);
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

__attribute__((noinline)) void reverses(void)
{
	static struct item items[] = { { items + 1, 1 }, { items + 2, 2 }, { 0, 3 } };
	struct item *list = items;

	use(list->value);
	list = reversed(list, 0);
	use(list->value);
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
		use(halved(i + 1, 0));
	}
	reverses();
	printf("unrolled %lu\npeeled %lu\nthreaded %lu\ndivided %lu\nreversed %lu\nhalved %lu\n",
	       of_unrolled, of_peeled, of_threaded, of_divided, of_reversed, of_halved);
	return 0;
}
