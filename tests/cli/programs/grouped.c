// Calls leaf(), which is inlined into one() and two(), as often as the first argument says, in as
// many threads as the second says. Prints, on standard error, a line for each combination of
// thread, host and arguments: how often it occurred, and the sum, the least and the most of
// item->size.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	unsigned char kind;
	long long size;
};

enum { HOSTS = 2, NUMBERS = 8, STRINGS = 3, KINDS = 3, MOST_THREADS = 2 };

static const char *const strings[STRINGS] = { "even", "odd",
					      "a string of more than thirty-two bytes" };

struct sum {
	unsigned long long count;
	long long sum, least, most;
};

struct sums {
	struct sum list[HOSTS][NUMBERS][STRINGS][KINDS];
};

static struct sums sums[MOST_THREADS];
volatile long sink;

static void note(struct sum *sum, long long value)
{
	if (sum->count == 0 || value < sum->least)
		sum->least = value;
	if (sum->count == 0 || value > sum->most)
		sum->most = value;
	sum->count++;
	sum->sum += value;
}

static inline __attribute__((always_inline)) void leaf(int n, const char *s,
						       const struct item *item)
{
	__asm__ volatile("" : : "r"(s), "r"(item));
	sink += n + *s + item->kind;
}

__attribute__((noinline)) static void one(struct sum *sum, int n, const char *s,
					  const struct item *item)
{
	leaf(n, s, item);
	note(sum, item->size);
}

// The compiler computes the address of the string, so that a tracer must do so, too.
__attribute__((noinline)) static void two(struct sum *sum, int n, int s, const struct item *item)
{
	leaf(n, strings[s], item);
	note(sum, item->size);
}

static long calls;

static void *run(void *to)
{
	unsigned state = to == &sums[0] ? 1 : 77;

	for (long i = 0; i < calls; i++) {
		state = state * 1664525 + 1013904223;
		const struct item item = { (unsigned char)((state >> 28) % KINDS),
					   (long long)(state >> 8 & 0xffff) % 2001 - 1000 };
		const int n = (int)(state >> 12 & 7) - 4, s = (int)(state >> 20 & 0xfff) % STRINGS;
		const bool is_one = state >> 9 & 3;
		struct sum *sum = &((struct sums *)to)->list[!is_one][n + 4][s][item.kind];
		if (is_one)
			one(sum, n, strings[s], &item);
		else
			two(sum, n, s, &item);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const hosts[HOSTS] = { "one", "two" };
	int threads = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t list[MOST_THREADS];

	calls = argc > 1 ? atol(argv[1]) : 1000;
	for (int i = 0; i < threads; i++)
		pthread_create(&list[i], NULL, run, &sums[i]);
	for (int i = 0; i < threads; i++)
		pthread_join(list[i], NULL);
	for (int t = 0; t < threads; t++)
		for (int h = 0; h < HOSTS; h++)
			for (int n = 0; n < NUMBERS; n++)
				for (int s = 0; s < STRINGS; s++)
					for (int k = 0; k < KINDS; k++) {
						const struct sum *sum = &sums[t].list[h][n][s][k];
						if (sum->count > 0)
							fprintf(stderr,
								"thread=%d host=%s n=%d s=%d "
								"kind=%d count=%llu "
								"sum=%lld least=%lld most=%lld\n",
								t, hosts[h], n - 4, s, k,
								sum->count, sum->sum, sum->least,
								sum->most);
					}
	return 0;
}
