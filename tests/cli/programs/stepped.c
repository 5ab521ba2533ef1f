// Each line with NOTE() prints its number and the variables that it names, each time that it is
// executed.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
	int weight;
	const char *name;
	struct item *next;
};

__attribute__((noinline)) static void note(int line, int count, ...)
{
	va_list list;

	va_start(list, count);
	fprintf(stderr, "%d", line);
	for (int i = 0; i < count; i++)
		fprintf(stderr, " %d", va_arg(list, int));
	fputc('\n', stderr);
	va_end(list);
}

#define NOTE1(a)       note(__LINE__, 1, a)
#define NOTE2(a, b)    note(__LINE__, 2, a, b)
#define NOTE3(a, b, c) note(__LINE__, 3, a, b, c)

static inline int weigh(struct item *item, int most)
{
	int sum = 0;

	for (; item; item = item->next) {
		int weight = item->weight * most;
		sum += weight;
		NOTE3(most, sum, weight);
		if (weight % 3 == 0) {
			int sum = weight / 3; // hides the other
			NOTE2(sum, weight);
		}
	}
	NOTE2(most, sum);
	return sum;
}

static inline int spread(int n)
{
	int total = 0;

	for (int i = 0; i < 4; i++) { // unrolled by -O3
		total += i * n;
		NOTE3(n, i, total);
	}
	while (n > 0)
		NOTE1(n--);
	return total;
}

static int descend(int depth)
{
	NOTE1(depth);
	return depth > 0 ? descend(depth - 1) ^ depth : 0;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 5, total = 0;
	struct item *list = NULL;

	for (int i = 0; i < count; i++) {
		struct item *item = malloc(sizeof(*item));
		*item = (struct item){ i, argv[0], list };
		list = item;
		total += weigh(list, i);
		NOTE2(i, total);
	}
	total += weigh(list, 7) + spread(count);
	total += descend(count) + spread(total % 3);
	NOTE2(count, total);
	while (list) {
		struct item *next = list->next;
		free(list);
		list = next;
	}
	return 0;
}
