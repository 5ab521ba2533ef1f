#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double milliseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

void samples_start(struct samples *samples)
{
	samples->cpu[samples->count] = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
	samples->wall[samples->count] = milliseconds(CLOCK_MONOTONIC);
}

void samples_stop(struct samples *samples)
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

void samples_print_heading(void)
{
	printf("%-34s %12s %8s   %13s %8s\n", "milliseconds", "least", "median", "least", "median");
}

void samples_print(const char *what, struct samples *samples)
{
	size_t count = (size_t)samples->count;

	qsort(samples->cpu, count, sizeof(double), compare);
	qsort(samples->wall, count, sizeof(double), compare);
	printf("%-34s cpu %8.1f %8.1f   wall %8.1f %8.1f\n", what, samples->cpu[0],
	       samples->cpu[count / 2], samples->wall[0], samples->wall[count / 2]);
}
