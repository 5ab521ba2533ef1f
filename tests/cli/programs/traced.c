// Prints, on standard error, each call of leaf(), which is inlined, and of plain(), which is not,
// as `inlinecall trace` prints them: for test_trace.py. "threads" calls from four threads, "stays"
// until it is killed.
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum color { RED = 1, GREEN, BLUE = -4 };

struct box {
	char bytes[40];
};

static volatile int sink;
static char name[64] = "a name";
static int is_quiet;

static inline __attribute__((always_inline)) void leaf(enum color color, const char *text,
						       int64_t number, unsigned char letter)
{
	if (!is_quiet)
		fprintf(stderr, "leaf %d %s %" PRId64 " %d\n", (int)color, text, number, letter);
	sink += (int)number + (int)color + text[0] + letter;
}

__attribute__((noinline)) void plain(const char *text, struct box box, short number)
{
	if (!is_quiet)
		fprintf(stderr, "plain %s %d\n", text, number);
	sink += box.bytes[number & 7] + number;
}

__attribute__((noinline)) static void calls(int i)
{
	static const enum color colors[] = { RED, GREEN, BLUE };
	struct box box = { "in a box" };

	snprintf(name, sizeof(name), "n%d", i);
	leaf(colors[i % 3], name, -i, (unsigned char)('a' + i));
	plain(name, box, (short)-i);
	leaf(GREEN, name + 1, i * INT64_C(10000000000), 'z');
}

// With more on the stack than is copied.
__attribute__((noinline)) static void deep(int i)
{
	volatile char bytes[2000];

	bytes[i] = 1;
	leaf(RED, name, i, 'd');
	sink += bytes[i];
}

static void *thread(void *number)
{
	for (int i = 0; i < 500; i++)
		leaf(RED, "thread", (intptr_t)number * 1000 + i, 't');
	return number;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t threads[4];

	is_quiet = *what != '\0';
	if (strcmp(what, "threads") == 0) {
		for (intptr_t i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, thread, (void *)i);
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
		return 0;
	}
	if (strcmp(what, "deep") == 0) {
		deep(argc);
		return 0;
	}
	if (strcmp(what, "stays") == 0) {
		puts("here");
		fflush(stdout);
	}
	for (int i = 0; i < 5 || strcmp(what, "stays") == 0; i++) {
		calls(i);
		usleep(strcmp(what, "stays") == 0 ? 5000 : 0);
	}
	return 0;
}
