// Times the building of an index, phase by phase: bench_scan FILE [JOBS [ROUNDS]].
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <inlinecall/index.h>

static double milliseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	struct ic_index_options options = { .jobs = argc > 2 ? (uint32_t)atoi(argv[2]) : 0 };
	int rounds = argc > 3 ? atoi(argv[3]) : 10;
	struct ic_error err;

	if (argc < 2)
		return 64;
	for (int i = 0; i < rounds; i++) {
		double wall = milliseconds(CLOCK_MONOTONIC);
		double cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
		struct ic_image *image = ic_image_open(argv[1], NULL, &err);
		double opened = milliseconds(CLOCK_MONOTONIC);
		struct ic_index *index = image ? ic_index_build(image, &options, &err) : NULL;

		if (!index) {
			fprintf(stderr, "%s\n", err.message);
			return 2;
		}
		double wall_end = milliseconds(CLOCK_MONOTONIC);
		double cpu_end = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
		struct ic_index_counts counts = ic_index_count(index);
		printf("open %.1f, wall %.1f, cpu %.1f ms: %llu inlined, %llu hosts, %llu ranges, "
		       "%llu functions, %llu problems\n",
		       opened - wall, wall_end - wall, cpu_end - cpu,
		       (unsigned long long)counts.inlined, (unsigned long long)counts.hosts,
		       (unsigned long long)counts.ranges, (unsigned long long)counts.functions,
		       (unsigned long long)counts.problems);
		if (counts.problems && i == 0) {
			struct ic_index_problem problem;
			for (int j = 0; j < 10 && ic_index_problem(index, j, &problem); j++)
				printf("  %s\n", problem.message);
		}
		ic_index_free(index);
		ic_image_close(image);
	}
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	printf("largest resident set %ld KiB\n", usage.ru_maxrss);
	return 0;
}
