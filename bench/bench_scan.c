// Times the building of an index beside the machine's own limit: bench_scan FILE [ROUNDS].
//
// The limit is the time to add up the bytes of .debug_info, which any reader of all of it must
// take. Every figure is the least and the median of the rounds, in milliseconds.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/index.h>

#include "debug/file.h"
#include "elf/image/image.h"
#include "elf/sections/load.h"

#include "common.h"
#include "samples.h"

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
		samples_start(&samples);
		for (size_t i = 0; i + 8 <= info->bytes.size; i += 8)
			sum += ic_load64(info->bytes.data + i, false);
		result = sum;
		samples_stop(&samples);
		ic_image_free(image);
	}
	(void)result;
	samples_print("sum of the bytes, 1 thread", &samples);
}

// Times what comes before any reading: inflating sections, and relocating those of objects.
// Sections that are used in place take no time.
static void time_sections(const char *path, int rounds)
{
	struct samples samples = { .count = 0 };
	struct ic_dwarf_file loaded;
	struct ic_error err;

	for (int round = 0; round < rounds; round++) {
		struct ic_image *image = open_image(path);

		samples_start(&samples);
		if (!ic_dwarf_file_load(&loaded, ic_image_dwarf_file(image), IC_DWARF_FILE_MAIN, 1,
					&err))
			fail(&err);
		samples_stop(&samples);
		ic_dwarf_file_free(&loaded);
		ic_image_free(image);
	}
	samples_print("inflating and relocating, 1 thread", &samples);
}

static struct ic_index_counts time_index(const char *what, const char *path,
					 const struct ic_index_options *options, int rounds,
					 long *anonymous)
{
	struct samples samples = { .count = 0 };
	struct ic_index_counts counts = { 0 };
	struct ic_error err;

	for (int round = 0; round < rounds; round++) {
		samples_start(&samples);
		struct ic_image *image = open_image(path);
		struct ic_index *index = ic_index_build(image, options, &err);
		samples_stop(&samples);
		if (!index)
			fail(&err);
		counts = ic_index_count(index);
		*anonymous = anonymous_memory() >> 10;
		ic_index_free(index);
		ic_image_free(image);
	}
	samples_print(what, &samples);
	return counts;
}

int main(int argc, char **argv)
{
	static const struct ic_index_options one = { .jobs = 1 }, all = { .jobs = 0 };
	static const struct ic_index_options parameters = { .jobs = 1, .parameters = true };
	int rounds = argc > 2 ? atoi(argv[2]) : 20;
	long anonymous;

	if (argc < 2 || rounds < 1 || rounds > MOST_ROUNDS) {
		fputs("Usage: bench_scan FILE [ROUNDS]\n", stderr);
		return 64;
	}
	samples_print_heading();
	time_limit(argv[1], rounds);
	time_sections(argv[1], rounds);
	time_index("index with parameters, 1 thread", argv[1], &parameters, rounds, &anonymous);
	time_index("index of everything, 1 thread", argv[1], &one, rounds, &anonymous);
	struct ic_index_counts counts =
		time_index("index of everything, all threads", argv[1], &all, rounds, &anonymous);
	printf("%" PRIu64 " inlined instances, %" PRIu64 " hosts, %" PRIu64 " ranges, %" PRIu64
	       " functions, %" PRIu64 " problems; %ld MiB beside the mapped file\n",
	       counts.inlined, counts.hosts, counts.ranges, counts.functions, counts.problems,
	       anonymous);
	return 0;
}
