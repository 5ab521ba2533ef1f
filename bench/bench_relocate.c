// Times the relocation of a relocatable file's .debug_info: bench_relocate FILE [ROUNDS].
//
// At once, as a full scan does; and by parts, as for one address: the preparation for any part,
// then a part in the middle, then the rest.
#include <stdio.h>
#include <stdlib.h>

#include "elf/sections/load.h"
#include "elf/sections/relocate.h"

#include "samples.h"

enum { PART = 300 << 10 }; // bytes of a large unit

struct timings {
	struct samples load, part, rest;
};

static void check(bool ok, const struct ic_error *err)
{
	if (ok)
		return;
	fprintf(stderr, "bench_relocate: %s\n", err->message);
	exit(2);
}

static void time_round(struct timings *timings, const char *path, bool by_parts, uint32_t jobs)
{
	struct ic_elf_file file;
	struct ic_error err;

	check(ic_elf_file_open(&file, path, &err), &err);
	struct ic_section *info = ic_elf_file_debug_section(&file, ".debug_info");
	if (!info)
		check(ic_fail(&err, IC_ERROR_NO_DEBUG, "%s: no .debug_info", path), &err);
	samples_start(&timings->load);
	check(ic_sections_load_deferring(&file, &info, 1, by_parts ? info : NULL, jobs, &err),
	      &err);
	samples_stop(&timings->load);
	uint64_t middle = info->bytes.size / 2;
	samples_start(&timings->part);
	check(ic_section_relocate_part(&file, info, middle, middle + PART, &err), &err);
	samples_stop(&timings->part);
	samples_start(&timings->rest);
	check(ic_section_relocate_rest(&file, info, jobs, &err), &err);
	samples_stop(&timings->rest);
	ic_elf_file_close(&file);
}

static void time_jobs(const char *path, uint32_t jobs, int rounds)
{
	struct timings at_once = { 0 }, by_parts = { 0 };

	for (int round = 0; round < rounds; round++) {
		time_round(&at_once, path, false, jobs);
		time_round(&by_parts, path, true, jobs);
	}
	printf("%s\n", jobs == 1 ? "1 thread" : "all threads");
	samples_print_heading();
	samples_print("at once", &at_once.load);
	samples_print("by parts: making ready", &by_parts.load);
	samples_print("by parts: 300 KiB", &by_parts.part);
	samples_print("by parts: the rest", &by_parts.rest);
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 20;

	if (argc < 2 || rounds < 1 || rounds > MOST_ROUNDS) {
		fputs("Usage: bench_relocate FILE [ROUNDS]\n", stderr);
		return 64;
	}
	time_jobs(argv[1], 1, rounds);
	time_jobs(argv[1], 0, rounds);
	return 0;
}
