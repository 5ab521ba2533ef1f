// Times the building of an index beside the machine's own limit: bench_scan FILE [ROUNDS].
//
// The limit is the time to add up the bytes of .debug_info, which any reader of all of it must
// take. Every figure is the least and the median of the rounds, in milliseconds.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <inlinecall/index.h>

#include "elf/image.h"
#include "elf/load.h"
#include "scan/scan_file.h"

enum { MOST_ROUNDS = 1000 };

struct samples {
	double cpu[MOST_ROUNDS], wall[MOST_ROUNDS];
	int count;
};

static double milliseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void start(struct samples *samples)
{
	samples->cpu[samples->count] = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
	samples->wall[samples->count] = milliseconds(CLOCK_MONOTONIC);
}

static void stop(struct samples *samples)
{
	double cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
	double wall = milliseconds(CLOCK_MONOTONIC);

	samples->cpu[samples->count] = cpu - samples->cpu[samples->count];
	samples->wall[samples->count] = wall - samples->wall[samples->count];
	samples->count++;
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void print(const char *what, struct samples *samples)
{
	size_t count = (size_t)samples->count;

	qsort(samples->cpu, count, sizeof(double), compare);
	qsort(samples->wall, count, sizeof(double), compare);
	printf("%-34s cpu %8.1f %8.1f   wall %8.1f %8.1f\n", what, samples->cpu[0],
	       samples->cpu[count / 2], samples->wall[0], samples->wall[count / 2]);
}

static _Noreturn void fail(const struct ic_error *err)
{
	fprintf(stderr, "bench_scan: %s\n", err->message);
	exit(2);
}

static struct ic_image *open_image(const char *path)
{
	struct ic_error err;
	struct ic_image *image = ic_image_open(path, NULL, &err);

	if (!image)
		fail(&err);
	return image;
}

static void time_limit(const char *path, int rounds)
{
	struct samples samples = { .count = 0 };
	volatile uint64_t result; // so that the sum is made
	struct ic_error err;

	for (int round = 0; round < rounds; round++) {
		struct ic_image *image = open_image(path);
		struct ic_elf_file *file = ic_image_dwarf_file(image);
		struct ic_section *info = ic_elf_file_debug_section(file, ".debug_info");
		uint64_t sum = 0;

		if (!ic_sections_load(file, &info, 1, 1, &err))
			fail(&err);
		start(&samples);
		for (size_t i = 0; i + 8 <= info->bytes.size; i += 8)
			sum += ic_load64(info->bytes.data + i, false);
		result = sum;
		stop(&samples);
		ic_image_close(image);
	}
	(void)result;
	print("sum of the bytes, 1 thread", &samples);
}

// What has to be done before anything can be read: inflating sections, and relocating those of
// objects. Nothing where they are used as the file has them.
static void time_sections(const char *path, int rounds)
{
	struct samples samples = { .count = 0 };
	struct ic_scan_file loaded;
	struct ic_error err;

	for (int round = 0; round < rounds; round++) {
		struct ic_image *image = open_image(path);

		start(&samples);
		if (!ic_scan_file_load(&loaded, ic_image_dwarf_file(image), SCAN_FILE_WHOLE, 1,
				       &err))
			fail(&err);
		stop(&samples);
		ic_scan_file_free(&loaded);
		ic_image_close(image);
	}
	print("inflating and relocating, 1 thread", &samples);
}

// What the process holds beside mapped files, in MiB; 0 where the system does not say.
static long anonymous_memory(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long size = 0;

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "RssAnon: %ld", &size);
	if (status)
		fclose(status);
	return size / 1024;
}

static struct ic_index_counts time_index(const char *what, const char *path, uint32_t jobs,
					 int rounds, long *anonymous)
{
	const struct ic_index_options options = { .jobs = jobs };
	struct samples samples = { .count = 0 };
	struct ic_index_counts counts = { 0 };
	struct ic_error err;

	for (int round = 0; round < rounds; round++) {
		start(&samples);
		struct ic_image *image = open_image(path);
		struct ic_index *index = ic_index_build(image, &options, &err);
		stop(&samples);
		if (!index)
			fail(&err);
		counts = ic_index_count(index);
		*anonymous = anonymous_memory();
		ic_index_free(index);
		ic_image_close(image);
	}
	print(what, &samples);
	return counts;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 20;
	long anonymous;

	if (argc < 2 || rounds < 1 || rounds > MOST_ROUNDS) {
		fputs("Usage: bench_scan FILE [ROUNDS]\n", stderr);
		return 64;
	}
	printf("%-34s %12s %8s   %13s %8s\n", "milliseconds", "least", "median", "least", "median");
	time_limit(argv[1], rounds);
	time_sections(argv[1], rounds);
	time_index("index of everything, 1 thread", argv[1], 1, rounds, &anonymous);
	struct ic_index_counts counts =
		time_index("index of everything, all threads", argv[1], 0, rounds, &anonymous);
	printf("%" PRIu64 " inlined instances, %" PRIu64 " hosts, %" PRIu64 " ranges, %" PRIu64
	       " functions, %" PRIu64 " problems; %ld MiB beside the mapped file\n",
	       counts.inlined, counts.hosts, counts.ranges, counts.functions, counts.problems,
	       anonymous);
	return 0;
}
