// Times lookups of random addresses: bench_addr FILE [COUNT [SECTION]].
//
// COUNT addresses (100,000) of SECTION (.text), the same in every run: one after another as they
// come, the same again now that the units are decoded, and all at once by a second symbolizer.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/image.h>

#include "common.h"

enum { MOST_FRAMES = 64 };

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static _Noreturn void fail(const char *message)
{
	fprintf(stderr, "bench_addr: %s\n", message);
	exit(2);
}

static struct ic_symbolizer *new_symbolizer(struct ic_image *image)
{
	struct ic_error err;
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, NULL, &err);

	if (!symbolizer)
		fail(err.message);
	return symbolizer;
}

static uint64_t *random_addrs(struct ic_symbolizer *symbolizer, const char *section, size_t count)
{
	struct ic_symbolizer_section found;
	uint64_t *addrs = malloc(count * sizeof(*addrs));
	uint64_t state = 20;

	if (!addrs)
		fail("out of memory");
	if (!ic_symbolizer_section_find(symbolizer, section, 0, &found) || found.size == 0)
		fail("no such section");
	for (size_t i = 0; i < count; i++)
		addrs[i] = found.start + next_random(&state) % found.size;
	return addrs;
}

struct timings {
	uint64_t *each; // nanoseconds
	uint64_t cpu, wall;
	size_t frames, answered;
};

static int compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void look_up(struct ic_symbolizer *symbolizer, const uint64_t *addrs, size_t count,
		    struct timings *timings)
{
	struct ic_frame frames[MOST_FRAMES];
	uint64_t cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t start = nanoseconds(CLOCK_MONOTONIC), last = start;

	timings->frames = timings->answered = 0;
	for (size_t i = 0; i < count; i++) {
		size_t found = ic_symbolizer_frames_at(symbolizer, addrs[i], frames, MOST_FRAMES);
		uint64_t now = nanoseconds(CLOCK_MONOTONIC);

		timings->each[i] = now - last;
		timings->frames += found;
		timings->answered += found > 0;
		last = now;
	}
	timings->wall = last - start;
	timings->cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
}

// Sorts the times of all lookups but the first `skipped`.
static void print(const char *what, struct timings *timings, size_t count, size_t skipped)
{
	uint64_t *each = timings->each + skipped;
	size_t left = count - skipped;

	qsort(each, left, sizeof(*each), compare);
	printf("%-34s cpu %8.1f   wall %8.1f ms; a lookup: median %" PRIu64 ", p99 %" PRIu64
	       ", most %" PRIu64 " ns\n",
	       what, (double)timings->cpu / 1e6, (double)timings->wall / 1e6, each[left / 2],
	       each[left * 99 / 100], each[left - 1]);
}

static void time_singles(struct ic_symbolizer *symbolizer, const uint64_t *addrs, size_t count)
{
	struct timings timings = { .each = malloc(count * sizeof(uint64_t)) };

	if (!timings.each)
		fail("out of memory");
	long before = anonymous_memory();
	look_up(symbolizer, addrs, count, &timings);
	printf("%-34s %8.3f ms\n", "the first lookup", (double)timings.each[0] / 1e6);
	print("then one after another", &timings, count, 1);
	printf("%zu of %zu addresses with %zu frames; %.1f MiB beside the mapped file\n",
	       timings.answered, count, timings.frames,
	       (double)(anonymous_memory() - before) / 1024);
	look_up(symbolizer, addrs, count, &timings);
	print("the same again", &timings, count, 0);
	free(timings.each);
}

static void time_batch(struct ic_symbolizer *symbolizer, const uint64_t *addrs, size_t count)
{
	struct ic_error err;
	long before = anonymous_memory();
	uint64_t cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t wall = nanoseconds(CLOCK_MONOTONIC);
	struct ic_stacks *stacks = ic_stacks_find(symbolizer, addrs, count, &err);

	if (!stacks)
		fail(err.message);
	printf("%-34s cpu %8.1f   wall %8.1f ms; %.1f MiB beside the mapped file\n", "all at once",
	       (double)(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / 1e6,
	       (double)(nanoseconds(CLOCK_MONOTONIC) - wall) / 1e6,
	       (double)(anonymous_memory() - before) / 1024);
	ic_stacks_free(stacks);
}

// In a process of its own, so that no memory is used again.
static void measure(void (*timed)(struct ic_symbolizer *, const uint64_t *, size_t),
		    struct ic_image *image, const uint64_t *addrs, size_t count)
{
	int status;

	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		struct ic_symbolizer *symbolizer = new_symbolizer(image);
		timed(symbolizer, addrs, count);
		ic_symbolizer_free(symbolizer);
		fflush(stdout);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		fail("the process that was to measure failed");
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : 100000;
	const char *section = argc > 3 ? argv[3] : ".text";
	struct ic_error err;

	if (argc < 2 || count < 2) {
		fputs("Usage: bench_addr FILE [COUNT [SECTION]]\n", stderr);
		return 64;
	}
	struct ic_image *image = ic_image_open(argv[1], NULL, &err);
	if (!image)
		fail(err.message);
	struct ic_symbolizer *symbolizer = new_symbolizer(image);
	uint64_t *addrs = random_addrs(symbolizer, section, (size_t)count);
	ic_symbolizer_free(symbolizer);
	measure(time_singles, image, addrs, (size_t)count);
	measure(time_batch, image, addrs, (size_t)count);
	free(addrs);
	ic_image_free(image);
	return 0;
}
